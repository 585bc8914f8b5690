"""Tables in plain text: Markdown, CSV and TSV, and columns set apart by blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tallybook.figures.grid import Cell, Grid

_RULE: Final = re.compile(r"[\s|:=+-]+\Z")
_GAP: Final = re.compile(r"\t+|[ ]{2,}")
_QUOTED: Final = re.compile(r'(?:"(?P<quoted>(?:[^"]|"")*)"|(?P<plain>[^,\n]*))(?:,|\Z)')
_NUMBERS: Final = re.compile(r"(?<![\w.])[$(€£¥+-]{0,3}[0-9][0-9,.]*[%)x]{0,2}(?![\w])")
_GROUPED: Final = re.compile(r"(?<= )[$(€£¥+-]{0,3}[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])")
"""A number behind a blank whose commas part thousands, not cells."""
_CAPTION: Final = 500


class Block(NamedTuple):
    """A stretch of text that is one table, or prose if `grid` is None."""

    start: int
    end: int
    grid: Grid | None


def blocks(text: str, start: int = 0, end: int | None = None) -> Iterator[Block]:
    """Cut a text into tables and the prose between them."""
    stop = len(text) if end is None else end
    prose = at = start
    while at < stop:
        kind = _kind(text, at, stop)
        if not kind:
            at = _line_end(text, at, stop) + 1
            continue
        lines, after = _table(text, at, stop, kind)
        rows = [_cells(text, *line, kind) for line in lines] if len(lines) > 1 else []
        even = kind != "," or len({_fields_in(text, *line) for line in lines[:20]}) == 1
        if not even or not rows or not _is_table(rows, kind):
            at = after
            continue
        if prose < at:
            yield Block(prose, at, None)
        caption = text[max(prose, at - _CAPTION) : at]
        yield Block(at, after, Grid([row for row in rows if row], caption))
        prose = at = after
    if prose < stop:
        yield Block(prose, stop, None)


def _line_end(text: str, at: int, stop: int) -> int:
    end = text.find("\n", at, stop)
    return stop if end < 0 else end


def _kind(text: str, at: int, stop: int) -> str:
    """How a line's cells are set apart: "|", tab, "," or "  " ; "" if it has none."""
    end = _line_end(text, at, stop)
    line = text[at:end]
    if line.count("|") >= 2:
        return "|"
    if "\t" in line.strip():
        return "\t"
    if line.count(",") >= 2 and ", " not in line and _GROUPED.sub("", line).count(",") >= 2:
        return ","
    if "  " in line.strip() and len(line) < 400:
        return " "
    return ""


def _table(text: str, at: int, stop: int, kind: str) -> tuple[list[tuple[int, int]], int]:
    lines = []
    while at < stop:
        end = _line_end(text, at, stop)
        if _kind(text, at, stop) != kind and not (kind in " ," and _loose(text, at, end, kind)):
            break
        lines.append((at, end))
        at = end + 1
    return lines, min(at, stop)


def _loose(text: str, at: int, end: int, kind: str) -> bool:
    """Whether a line with one cell belongs to a table set apart by blanks: it heads a section."""
    line = text[at:end]
    if kind == ",":
        return line.count(",") >= 2 and '"' in line
    return bool(line.strip()) and len(line.strip()) < 60 and not line.rstrip().endswith(".")


def _is_table(rows: list[list[Cell]], kind: str) -> bool:
    if kind in "|\t,":
        return True
    full = [row for row in rows if len(row) > 1]
    numeric = sum(any(_NUMBERS.search(cell.text) for cell in row[1:]) for row in full)
    return numeric >= 2 and 2 * numeric >= len(full)


def _cells(text: str, start: int, end: int, kind: str) -> list[Cell]:
    match kind:
        case "|":
            return _piped(text, start, end)
        case ",":
            return [c for c in _fields(text, start, end) if c.text]
        case "\t":
            return _tabbed(text, start, end)
        case _:
            return _spaced(text, start, end)


def _trimmed(text: str, start: int, end: int, column: int, width: int = 1) -> Cell:
    piece = text[start:end]
    short = piece.strip(" \t\r*_`")
    return Cell(short, start + piece.find(short) if short else start, column, width)


def _piped(text: str, start: int, end: int) -> list[Cell]:
    if _RULE.match(text, start, end):
        return []
    cells, column = [], 0
    at = start + len(text[start:end]) - len(text[start:end].lstrip())
    if text[at : at + 1] == "|":
        at += 1
    while at < end:
        bar = text.find("|", at, end)
        stop = end if bar < 0 else bar
        cell = _trimmed(text, at, stop, column)
        if cell.text:
            cells.append(cell)
        at, column = stop + 1, column + 1
    return cells


def _tabbed(text: str, start: int, end: int) -> list[Cell]:
    cells = []
    at, column = start, 0
    while at <= end:
        tab = text.find("\t", at, end)
        stop = end if tab < 0 else tab
        cell = _trimmed(text, at, stop, column)
        if cell.text:
            cells.append(cell)
        at, column = stop + 1, column + 1
    return cells


def _fields(text: str, start: int, end: int) -> Iterator[Cell]:
    at, column = start, 0
    while at <= end:
        field = _QUOTED.match(text, at, end)
        if field is None:
            return
        group = "quoted" if field["quoted"] is not None else "plain"
        yield _trimmed(text, field.start(group), field.end(group), column)
        if field.end() == end and text[end - 1 : end] != ",":
            return
        at, column = field.end() if field.end() > at else at + 1, column + 1


def _fields_in(text: str, start: int, end: int) -> int:
    return sum(1 for _ in _fields(text, start, end))


def _spaced(text: str, start: int, end: int) -> list[Cell]:
    """Cells set apart by two blanks or more; the column is where a cell stands in its line."""
    cells = []
    at = start
    while at < end:
        gap = _GAP.search(text, at, end)
        stop = gap.start() if gap else end
        cell = _trimmed(text, at, stop, at - start, stop - at)
        if cell.text:
            cells.append(cell)
        at = gap.end() if gap else end
    return cells
