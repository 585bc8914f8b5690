"""Write periods the way people read them: how long, and what the calendar calls them.

`start` is its distance from `end`, so 91 days is seen to be a quarter and 273 to be
year-to-date. A frame is EDGAR's name for the calendar period nearest to the real one;
where the rule gives the same name as the data it is written `*`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from tallybook.figures.cells import MISSING, Path
from tallybook.figures.columns import DATE, Column, Days, Frame, Plain

_FRAME: Final = re.compile(r"CY[0-9]{4}(?:Q[1-4]I?)?\Z")
_LOOKED_AT: Final = 6
"""So many columns of dates are tried in pairs; more would cost time for nothing seen yet."""


def first_day(days: str, end: str) -> str:
    """The first day of a period that lasts so many days and ends with `end`."""
    return (date.fromisoformat(end) - timedelta(days=int(days) - 1)).isoformat()


def frame_of(start: str, end: str) -> str:
    """Name the calendar period nearest to one: CY2024, CY2024Q1, or CY2024Q1I of an instant.

    `start` is "" for an instant, which belongs to the quarter whose end is nearest.
    """
    return _frame(_ordinal(start) if start else None, _ordinal(end))


def with_periods(columns: Sequence[Column]) -> list[Column]:
    """Rewrite first days and frames where that is shorter."""
    dated = [found for column in columns if (found := _dated(column))][:_LOOKED_AT]
    ends = _pairs(dated)
    done = []
    for column in columns:
        pair = ends.get(id(column))
        done.append(_as_days(*pair) if pair else _as_frame(column, dated, list(ends.values())))
    return done


@dataclass(frozen=True, slots=True)
class _Dated:
    column: Column
    path: Path
    days: list[int | None]


def _ordinal(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def _frame(start: int | None, end: int) -> str:
    if start is None:
        near = date.fromordinal(max(end - 45, 1))
        return f"CY{near.year:04}Q{(near.month + 2) // 3}I"
    middle = date.fromordinal((start + end) // 2)
    quarter = "" if end - start > 200 else f"Q{(middle.month + 2) // 3}"
    return f"CY{middle.year:04}{quarter}"


def _dated(column: Column) -> _Dated | None:
    match column.spec:
        case Plain(path) if path:
            known: dict[str, int | None] = {MISSING: None}
            for cell in set(column.cells) - {MISSING}:
                if not DATE.match(cell):
                    return None
                try:
                    known[cell] = _ordinal(cell)
                except ValueError:
                    return None
            return _Dated(column, path, [known[cell] for cell in column.cells])
        case _:
            return None


def _pairs(dated: Sequence[_Dated]) -> dict[int, tuple[_Dated, _Dated]]:
    """For each column of first days, the column of last days next to it."""
    pairs: dict[int, tuple[_Dated, _Dated]] = {}
    closing: set[Path] = set()
    for start, end in ((s, e) for s in dated for e in dated if s is not e):
        free = not {id(start.column), id(end.column)} & pairs.keys()
        if free and start.path not in closing and _saved(start, end) > 0:
            pairs[id(start.column)] = (start, end)
            closing.add(end.path)
    return pairs


def _saved(start: _Dated, end: _Dated) -> int:
    spans = [
        e - s for s, e in zip(start.days, end.days, strict=True) if s is not None and e is not None
    ]
    known = sum(day is not None for day in start.days)
    if not spans or min(spans) < 0 or len(spans) < known or sum(spans) > 2000 * len(spans):
        return 0
    return sum(10 - len(str(span + 1)) for span in spans) - 24


def _as_days(start: _Dated, end: _Dated) -> Column:
    cells = [
        MISSING if s is None or e is None else str(e - s + 1)
        for s, e in zip(start.days, end.days, strict=True)
    ]
    return Column(Days(start.path, end.path), cells)


def _as_frame(
    column: Column, dated: Sequence[_Dated], pairs: Sequence[tuple[_Dated, _Dated]]
) -> Column:
    match column.spec:
        case Plain(path) if path and all(_FRAME.match(c) or not c for c in set(column.cells)):
            pass
        case _:
            return column
    shown = sum(cell != MISSING for cell in column.cells)
    instants = [(None, end) for end in dated]
    for start, end in [*pairs, *instants]:
        cells = _starred(column.cells, start, end)
        if cells.count("*") > 0.8 * shown and cells.count("*") > 4:
            return Column(Frame(path, start.path if start else (), end.path), cells, column.varies)
    return column


def _starred(cells: list[str], start: _Dated | None, end: _Dated) -> list[str]:
    starts: Sequence[int | None] = start.days if start else [None] * len(cells)
    return [
        "*" if cell and e is not None and _frame(s, e) == cell else cell
        for cell, s, e in zip(cells, starts, end.days, strict=True)
    ]
