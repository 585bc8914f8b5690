"""Write one table's rows as lines, saying once what holds for this table alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from tallybook.figures.cells import MISSING, path_text
from tallybook.figures.columns import (
    Column,
    Days,
    Frame,
    Lookup,
    Plain,
    Same,
    Spec,
    Text,
    shifted,
)
from tallybook.figures.plan import Plan, hoistable

NOTHING: Final = "~"
"""The line of a row that has no cell."""
_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")


def joined(columns: Sequence[Column]) -> list[str]:
    """Put the cells of each row side by side, without the commas of missing ones at the end."""
    varied = [column.cells for column in columns if not isinstance(column.spec, Same)]
    return [",".join(cells).rstrip(",") for cells in zip(*varied, strict=True)]


def table_lines(plan: Plan, start: int, stop: int) -> tuple[list[str], list[str]]:
    """Write rows start..stop of a plan; give what is set for all of them, and the lines."""
    settings: list[str] = []
    head = [column for c in plan.head if (column := _own(c, start, stop, settings))]
    tail = [column for c in plan.tail if (column := _own(c, start, stop, settings))]
    rows = stop - start
    begins = joined(head) if head else [MISSING] * rows
    if not plan.tail:
        return settings, [line or NOTHING for line in begins]
    ends = joined(tail) if tail else [MISSING] * rows
    if not head:
        return settings, [line or NOTHING for line in ends]
    grouped = groupby(zip(begins, ends, strict=True), key=lambda pair: pair[0])
    return settings, [f"{begin};{';'.join(end for _, end in pairs)}" for begin, pairs in grouped]


def name_of(spec: Spec) -> str:
    """What a table's settings call a column."""
    match spec:
        case Lookup(table):
            return f"@{table}"
        case Plain(path) | Text(path) | Days(path) | Frame(path) | Same(path):
            return path_text(path)


def _own(column: Column, start: int, stop: int, settings: list[str]) -> Column | None:
    """Cut out one table's cells; None where one setting says them all."""
    match column.spec:
        case Same():
            return None
        case spec:
            name = name_of(spec)
    cells = column.cells[start:stop]
    first, rows = cells[0], len(cells)
    if name and rows > 1 and (len(first) + 1) * rows > len(name) + len(first) + 2:
        if hoistable(first) and cells.count(first) == rows:
            settings.append(f"{name}={first}")
            return None
        match spec:
            case Plain() if places := _places(cells, len(name)):
                settings.append(f"{name}×1e{places}")
                cells = [c if c in (MISSING, "null") else shifted(c, places) for c in cells]
    return Column(spec, cells)


def _shorter(digits: int, significant: int, places: int) -> int:
    """Characters that a whole number with so many digits loses in units of 10**places."""
    if not significant:
        return 0
    fraction = max(0, places - (digits - significant))
    return digits - max(1, digits - places) - (fraction + 1 if fraction else 0)


def _places(cells: list[str], overhead: int) -> int:
    """The scale in which whole numbers are shortest: 0, 3, 6 or 9 places."""
    if not all(map(_INTEGER.match, numbers := [c for c in cells if c not in (MISSING, "null")])):
        return 0
    sizes = Counter((len(n), len(n.rstrip("0"))) for c in numbers if (n := c.lstrip("-")))
    gains = {
        places: sum(many * _shorter(*size, places) for size, many in sizes.items())
        for places in (3, 6, 9)
    }
    places = max(gains, key=lambda each: (gains[each], -each))
    return places if gains[places] > max(overhead + 6, 1.5 * len(numbers)) else 0
