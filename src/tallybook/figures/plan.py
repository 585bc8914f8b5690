"""Choose how the columns of one kind of table are written.

Every choice is a comparison of characters, so that a small table is never dressed in
machinery that costs more than it saves; and every choice is undone by the header alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from tallybook.figures.cells import MISSING, Path, text_cell, text_of
from tallybook.figures.columns import Column, Plain, Same, Spans, Text, token
from tallybook.figures.exact import NUMBER
from tallybook.figures.grouping import grouped
from tallybook.figures.lookups import best_lookup, take_out
from tallybook.figures.periods import with_periods

_PREFIX: Final = re.compile(r"[^\",;()=…\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*\Z")
_TO_A_MARK: Final = re.compile(r".*[^\w\s]", re.DOTALL)
_WORDS: Final = frozenset({"null", "true", "false"})


@dataclass(frozen=True, slots=True)
class Lines:
    """A table of its own, pointed into by number."""

    name: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The columns of one kind of table: what a line begins with, and what it may repeat."""

    name: str
    head: tuple[Column, ...]
    tail: tuple[Column, ...]
    lookups: tuple[Lines, ...]


def plan(
    names: Iterator[str],
    fields: Mapping[Path, list[str]],
    spans: Spans,
    groupable: bool,
) -> Plan:
    """Choose the columns for cells given field by field, all fields of equal length.

    `spans` are the rows of each table. `groupable` says that no row has anything of its own
    below it, so that rows which begin alike may share a line.
    """
    name = next(names)
    columns = [Column(Plain(path), cells, _varies(cells, spans)) for path, cells in fields.items()]
    lookups = []
    while which := best_lookup(columns):
        lookup = next(names)
        columns, table = take_out(columns, which, lookup)
        lookups.append(Lines(lookup, tuple(map(_as_text, table))))
    columns = [_as_text(_as_same(column)) for column in with_periods(columns)]
    head, tail = grouped(columns, spans) if groupable else (columns, [])
    return Plan(name, tuple(head), tuple(tail), tuple(lookups))


def header(name: str, head: Sequence[Column], tail: Sequence[Column] = ()) -> str:
    """Name the columns: in `A|end,val;@B` a line may repeat what follows the semicolon."""
    parts = [",".join(token(column.spec) for column in part) for part in (head, tail) if part]
    return f"{name}|{'' if head or not tail else ';'}{';'.join(parts)}"


def _varies(cells: list[str], spans: Spans) -> bool:
    """Whether a column is more than one setting per table."""
    return len(spans) < 2 or any(
        cells[start : start + 1] * (stop - start) != cells[start:stop] for start, stop in spans
    )


def hoistable(cell: str) -> bool:
    """Whether a header can carry this cell: not JSON with commas, nor a quote within a text."""
    if cell[:1] == '"' or cell in ("[]", "{}"):
        return True
    return cell[:1] not in ("[", "{") and '"' not in cell


def _as_same(column: Column) -> Column:
    match column.spec:
        case Plain(path) if path:
            first = column.cells[0]
            if len(column.cells) < 2 or first == MISSING or not hoistable(first):
                return column
            same = column.cells.count(first) == len(column.cells)
            return Column(Same(path, first), column.cells, varies=False) if same else column
        case _:
            return column


def _as_text(column: Column) -> Column:
    """Take off the beginning that all texts share, and quotes that only guard against numbers."""
    match column.spec:
        case Plain(path):
            distinct = set(column.cells) - {MISSING}
        case _:
            return column
    if not distinct or not (path == () or all(map(_is_text, distinct))):
        return column
    texts = {cell: text_of(cell) for cell in distinct}
    prefix = _shared_prefix(list(texts.values()))
    written = {cell: text_cell(text[len(prefix) :]) for cell, text in texts.items()}
    written[MISSING] = MISSING
    cells = [written[cell] for cell in column.cells]
    saved = sum(map(len, column.cells)) - sum(map(len, cells)) - len(prefix) - 3
    return Column(Text(path, prefix), cells, column.varies) if saved > 0 else column


def _is_text(cell: str) -> bool:
    if cell[0] in '"[{':
        return cell[0] == '"'
    return cell not in _WORDS and not NUMBER.fullmatch(cell)


def _shared_prefix(texts: list[str]) -> str:
    """The beginning all texts share, to its last mark: cutting inside a word reads badly."""
    found = _TO_A_MARK.match(_begin_alike(min(texts), max(texts)))
    prefix = found[0] if found else ""
    return prefix if _PREFIX.match(prefix) else ""


def _begin_alike(one: str, other: str) -> str:
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return one[:same]
