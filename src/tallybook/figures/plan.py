"""Choose how the columns of one kind of table are written.

Every choice is a comparison of characters, so that a small table is never dressed in
machinery that costs more than it saves; and every choice is undone by the header alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import ne, or_
from os.path import commonprefix
from typing import Final

from tallybook.figures.cells import MISSING, Path, text_cell, text_of
from tallybook.figures.columns import Column, Plain, Same, Text, token
from tallybook.figures.exact import NUMBER
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


def plan(names: Iterator[str], fields: Mapping[Path, list[str]], groupable: bool) -> Plan:
    """Choose the columns for cells given field by field, all fields of equal length.

    `groupable` says that no row has anything of its own below it, so that rows which begin
    alike may share a line.
    """
    name = next(names)
    columns = [Column(Plain(path), cells) for path, cells in fields.items()]
    lookups = []
    while which := best_lookup(columns):
        lookup = next(names)
        columns, table = take_out(columns, which, lookup)
        lookups.append(Lines(lookup, tuple(map(_as_text, table))))
    columns = [_as_text(_as_same(column)) for column in with_periods(columns)]
    head, tail = _grouped(columns) if groupable else (columns, [])
    return Plan(name, tuple(head), tuple(tail), tuple(lookups))


def header(name: str, head: Sequence[Column], tail: Sequence[Column] = ()) -> str:
    """Name the columns: in `A|end,val;@B` a line may repeat what follows the semicolon."""
    parts = [",".join(token(column.spec) for column in part) for part in (head, tail) if part]
    return f"{name}|{'' if head else ';'}{';'.join(parts)}"


def hoistable(cell: str) -> bool:
    """Whether a header can carry this cell: not where it would hold commas of JSON."""
    return cell[:1] not in ("[", "{") or cell in ("[]", "{}")


def _as_same(column: Column) -> Column:
    match column.spec:
        case Plain(path) if path:
            first = column.cells[0]
            if len(column.cells) < 2 or first == MISSING or not hoistable(first):
                return column
            same = column.cells.count(first) == len(column.cells)
            return Column(Same(path, first), column.cells) if same else column
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
    return Column(Text(path, prefix), cells) if saved > 0 else column


def _is_text(cell: str) -> bool:
    if cell[0] in '"[{':
        return cell[0] == '"'
    return cell not in _WORDS and not NUMBER.fullmatch(cell)


def _shared_prefix(texts: list[str]) -> str:
    """The beginning all texts share, to its last mark: cutting inside a word reads badly."""
    found = _TO_A_MARK.match(commonprefix([min(texts), max(texts)]))
    prefix = found[0] if found else ""
    return prefix if _PREFIX.match(prefix) else ""


def _grouped(columns: list[Column]) -> tuple[list[Column], list[Column]]:
    """Split the columns where sharing a line's beginning saves most; no tail if it does not."""
    varied = [column for column in columns if not isinstance(column.spec, Same)]
    if not varied or len(rows := varied[0].cells) < 4:
        return columns, []
    changes = {id(c): list(map(ne, c.cells[1:], c.cells)) for c in varied}
    order = sorted(varied, key=lambda column: sum(changes[id(column)]))
    widths = {id(c): sum(map(len, c.cells)) / len(rows) + 1 for c in varied}
    changed = [False] * (len(rows) - 1)
    best, taken = sum(widths.values()) * len(rows) * 0.95, len(order)
    for count, column in enumerate(order[:-1], start=1):
        changed = list(map(or_, changed, changes[id(column)]))
        lines = sum(changed) + 1
        wide = sum(widths[id(c)] for c in order[:count])
        cost = lines * wide + len(rows) * sum(widths[id(c)] for c in order[count:])
        if cost < best:
            best, taken = cost, count
    head = {id(column) for column in order[:taken]}
    if taken == len(order):
        return columns, []
    first = [c for c in columns if id(c) in head or isinstance(c.spec, Same)]
    return first, [c for c in columns if id(c) not in head and not isinstance(c.spec, Same)]
