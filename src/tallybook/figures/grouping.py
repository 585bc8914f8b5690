"""Let rows that begin alike share a line.

A value that several filings repeat is one line with several filings, not several lines.
Which columns a line begins with is found by adding, one at a time, the one that costs
least. The search looks at each cell once per column, so its time grows with the table.
"""

from __future__ import annotations

from operator import ne, or_
from typing import Final

from tallybook.figures.cells import MISSING
from tallybook.figures.columns import Column, Spans

_MOST: Final = 12
"""More columns than this are left as they are: the search takes time with their square."""

_WORTH_IT: Final = 0.9
"""A line for several rows reads worse than a line for each, so it has to save a tenth."""
_FEWER: Final = 0.7


def grouped(columns: list[Column], spans: Spans) -> tuple[list[Column], list[Column]]:
    """Split the columns into what a line begins with and what it repeats, which may be nothing."""
    varied = [column for column in columns if column.varies]
    if not 1 < len(varied) <= _MOST or len(varied[0].cells) < 4:
        return columns, []
    head = {id(column) for column in _cheapest(varied, spans)}
    if len(head) == len(varied):
        return columns, []
    first = [column for column in columns if not column.varies or id(column) in head]
    return first, [column for column in columns if column.varies and id(column) not in head]


def _cheapest(varied: list[Column], spans: Spans) -> list[Column]:
    rows = len(varied[0].cells)
    seen = [(column, _seen(column.cells, spans)) for column in varied]
    left = [(c, _width(cells), list(map(ne, cells[1:], cells))) for c, cells in seen]
    wide, narrow = 0.0, sum(width for _, width, _ in left)
    best, head = _WORTH_IT * rows * narrow, varied
    changed = [False] * (rows - 1)
    taken: list[Column] = []
    while len(left) > 1:
        lines = [sum(map(or_, changed, own)) + 1 for _, _, own in left]
        costs = [
            count * (wide + width) + rows * (narrow - width)
            for count, (_, width, _) in zip(lines, left, strict=True)
        ]
        cost = min(costs)
        chosen = costs.index(cost)
        column, width, own = left.pop(chosen)
        taken.append(column)
        changed = list(map(or_, changed, own))
        wide, narrow = wide + width, narrow - width
        if cost < best and lines[chosen] < _FEWER * rows:
            best, head = cost, list(taken)
    return head


def _seen(cells: list[str], spans: Spans) -> list[str]:
    """The cells that lines will have: none where a table says one for all its rows."""
    if len(spans) < 2:
        return cells
    seen: list[str] = []
    for start, stop in spans:
        own = cells[start:stop]
        seen += own if own.count(own[0]) < len(own) else [MISSING] * len(own)
    return seen


def _width(cells: list[str]) -> float:
    """Characters a cell takes on average, its comma among them unless it is missing."""
    return (sum(map(len, cells)) + len(cells) - cells.count(MISSING)) / len(cells)
