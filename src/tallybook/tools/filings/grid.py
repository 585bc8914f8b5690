"""A table of a filing as rows of Markdown: one column a figure, its sign and unit beside it.

Filers draw a figure over three cells ("$", "1,234", ")") and space columns with empty ones, each
row in its own way. What stands above one another on the page is told by the columns that a cell
spans, so bands of those become the columns here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_FIGURE = re.compile(r"[$€£¥(]*\s*-?[\d,]*\.?\d[\d,.]*\s*[)%x]*|[—–-]+|N/?[AM]")
_YEAR = re.compile(r"(19|20)\d\d")
_BEFORE = frozenset({"$", "€", "£", "¥", "(", "$(", "($"})
_AFTER = re.compile(r"[)%]+|pts?\.?|bps|x")


class Cell(NamedTuple):
    """What stands in the columns from `start` up to `end`."""

    start: int
    end: int
    text: str


class Grid(NamedTuple):
    """A table: its head as one row, and its body; every row has as many cells."""

    head: tuple[str, ...]
    body: tuple[tuple[str, ...], ...]

    def lines(self) -> tuple[str, ...]:
        """Markdown, two lines of head first."""
        rule = "|" + " --- |" * len(self.head)
        return (_line(self.head), rule, *(_line(row) for row in self.body))


def grid(rows: Sequence[Sequence[Cell]]) -> Grid | None:
    """Lay rows out, or None where there is nothing tabular: no row of two cells holds a figure."""
    joined = [tuple(_joined(row)) for row in rows]
    joined = [row for row in joined if row]
    if not any(_has_figure(row) for row in joined if len(row) > 1):
        return None
    bands = _bands(joined)
    if len(bands) < 2:
        return None
    height = _head_height(joined, bands)
    head = [_placed(row, bands, spread=True) for row in joined[:height]]
    body = tuple(_placed(row, bands, spread=False) for row in joined[height:])
    titles = tuple(
        " ".join(dict.fromkeys(filter(None, column))) for column in zip(*head, strict=True)
    )
    return Grid(titles or ("",) * len(bands), body)


def _joined(row: Sequence[Cell]) -> Iterable[Cell]:
    """The cells that hold something, currency and percent signs joined to their figure."""
    before: Cell | None = None
    waiting: Cell | None = None
    for cell in (cell for cell in row if cell.text):
        if _AFTER.fullmatch(cell.text) and waiting and _FIGURE.fullmatch(waiting.text):
            waiting = Cell(waiting.start, cell.end, waiting.text + cell.text)
            continue
        if waiting:
            yield waiting
            waiting = None
        if cell.text in _BEFORE:
            before = cell
            continue
        start, text = (before.start, before.text + cell.text) if before else (cell.start, cell.text)
        waiting, before = Cell(start, cell.end, text), None
    if waiting:
        yield waiting


def _bands(rows: Sequence[Sequence[Cell]]) -> list[tuple[int, int]]:
    """The columns: spans of cells that overlap are one, unless a cell covers several others."""
    spans = {(cell.start, cell.end) for row in rows if len(row) > 1 for cell in row}
    narrow = [span for span in spans if not _covers_two(span, spans)]
    bands: list[tuple[int, int]] = []
    for start, end in sorted(narrow):
        if bands and start < bands[-1][1]:
            bands[-1] = (bands[-1][0], max(end, bands[-1][1]))
        else:
            bands.append((start, end))
    return bands


def _covers_two(span: tuple[int, int], spans: Iterable[tuple[int, int]]) -> bool:
    inside = sorted(
        (s for s in spans if s != span and span[0] <= s[0] and s[1] <= span[1]), key=lambda s: s[1]
    )
    return len(inside) > 1 and any(s[0] >= inside[0][1] for s in inside)


def _head_height(rows: Sequence[Sequence[Cell]], bands: Sequence[tuple[int, int]]) -> int:
    """How many rows stand above the first that has figures, or a label alone after titles."""
    titled = False
    for number, row in enumerate(rows):
        beyond = [cell for cell in row if cell.start >= bands[0][1]]
        if _has_figure(row) or (titled and not beyond and row[0].end <= bands[0][1]):
            return number
        titled = titled or bool(beyond)
    return len(rows)


def _has_figure(row: Sequence[Cell]) -> bool:
    """Whether a cell after the first is a figure that is no year."""
    return any(_FIGURE.fullmatch(c.text) and not _YEAR.fullmatch(c.text) for c in row[1:])


def _placed(
    row: Sequence[Cell], bands: Sequence[tuple[int, int]], *, spread: bool
) -> tuple[str, ...]:
    """One text a band: a cell over several stands in all of them if `spread`, else the first."""
    texts = [""] * len(bands)
    for cell in row:
        over = [n for n, band in enumerate(bands) if cell.start < band[1] and band[0] < cell.end]
        if not over:
            over = [max((n for n, b in enumerate(bands) if b[0] <= cell.start), default=0)]
        for n in over if spread else over[:1]:
            texts[n] = f"{texts[n]} {cell.text}".strip()
    return tuple(texts)


def _line(row: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in row) + " |"
