"""Write once what many rows repeat together: a filing's number, form and day of filing.

Where one column decides others, its distinct rows become a table of their own and every
row keeps a line number. That is worth it only where it saves characters on balance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tallybook.figures.cells import MISSING
from tallybook.figures.columns import DATE, KEY, Column, Lookup, Plain
from tallybook.figures.exact import NUMBER

_OVERHEAD: Final = 60
"""Characters that a second table costs before its first line."""
_WORTH_IT: Final = 0.15
_REPEATED: Final = 0.7
_LONG: Final = 24
"""A text shorter than this is easier to read where it stands than to look up."""


def best_lookup(columns: Sequence[Column]) -> tuple[int, ...]:
    """Find the columns worth a table of their own, the deciding one first; () if none."""
    sizes = [len(set(column.cells)) for column in columns]
    best = _WORTH_IT * sum(sum(map(len, column.cells)) for column in columns)
    found: tuple[int, ...] = ()
    for key, column in enumerate(columns):
        if not 1 < sizes[key] < _REPEATED * len(column.cells) or not _names_things(column):
            continue
        decided = (
            i
            for i, size in enumerate(sizes)
            if i != key and 1 < size <= sizes[key] and _decides(column, columns[i], sizes[key])
        )
        which = (key, *decided)
        if len(which) == 1 and sum(map(len, column.cells)) < _LONG * len(column.cells):
            continue
        saved = _saved([columns[i] for i in which], sizes[key])
        if saved > best:
            best, found = saved, which
    return found


def take_out(
    columns: Sequence[Column], which: tuple[int, ...], name: str
) -> tuple[list[Column], list[Column]]:
    """Put a line number in place of some columns; give what is left, and the other table."""
    key = columns[which[0]]
    numbers: dict[str, int] = {}
    firsts = []
    for row, cell in enumerate(key.cells):
        if cell not in numbers:
            numbers[cell] = len(numbers) + 1
            firsts.append(row)
    table = [Column(columns[i].spec, [columns[i].cells[row] for row in firsts]) for i in which]
    pointer = Column(Lookup(name), [str(numbers[cell]) for cell in key.cells])
    left = [
        pointer if i == which[0] else column
        for i, column in enumerate(columns)
        if i not in which[1:]
    ]
    return left, table


def _names_things(column: Column) -> bool:
    """Numbers and days decide nothing, and a row without the deciding cell would point nowhere."""
    cells = column.cells
    return (
        _is_plain(column)
        and column.varies
        and MISSING not in cells
        and not any(NUMBER.fullmatch(cell) or DATE.match(cell) for cell in cells[:8])
    )


def _is_plain(column: Column) -> bool:
    match column.spec:
        case Plain(path):
            return path != KEY
        case _:
            return False


def _decides(key: Column, other: Column, distinct: int) -> bool:
    if not _is_plain(other):
        return False
    some = list(zip(key.cells[:64], other.cells[:64], strict=True))
    if len(set(some)) > len({first for first, _ in some}):
        return False
    return len(set(zip(key.cells, other.cells, strict=True))) == distinct


def _saved(columns: Sequence[Column], distinct: int) -> int:
    rows, digits = len(columns[0].cells), len(str(distinct))
    inline = sum(sum(map(len, column.cells)) + rows for column in columns)
    once = inline * distinct // rows + distinct * (digits + 2)
    return inline - once - rows * (digits + 1) - _OVERHEAD
