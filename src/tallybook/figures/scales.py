"""Suppose a scale for tables that do not state theirs, from the rest of the same result.

A table cut out of a report often leaves "in millions" behind. What the result declares somewhere
holds for all its tables; else the figures that its prose tells with their scale show it: the same
digits in a cell, or else money of the same size. A supposed scale is never called stated: a claim
of another scale is refused, and one that agrees is said to rest on a supposition.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from math import log10
from statistics import median
from typing import Final

import msgspec

from tallybook.figures.figure import Figure

_DECLARED: Final = re.compile(
    r"\bin\s*(thousand|million|billion)s?\b"
    r"|\b(thousand|million|billion)s of\s+(?:\w+\s+)?(?:dollar|euro|pound|yen|yuan)"
    r"|单位[:：]\s*(?:人民币)?(千|万|百万|亿)元",
    re.IGNORECASE,
)
_WORTH: Final = {
    "thousand": 3, "million": 6, "billion": 9, "千": 3, "万": 4, "百万": 6, "亿": 8,
}  # fmt: skip
_COUNTED: Final = re.compile(
    r"employ|headcount|staff|people|share|store|customer|unit|user|number|day|year|rate|%|ratio",
    re.IGNORECASE,
)
_LEAST_MONEY: Final = 100
_CELL_MARKS: Final = ("|", "\t", "<t")
_BESIDE: Final = 200
_CANDIDATES: Final = (3, 6, 9)
_TELLING_DIGITS: Final = 3
_ENOUGH: Final = 2
_NEAR: Final = 1.3
"""Decades by which the middle of a table may lie apart from the middle of the prose."""


def supposed(figures: Sequence[Figure], text: str) -> tuple[list[Figure], frozenset[int]]:
    """The figures of one result with a scale supposed where none is stated, and which those are."""
    cells = _bare_cells(figures, text)
    power = _power(figures, cells, text) if cells else 0
    if not power:
        return list(figures), frozenset()
    scale, settled = Decimal(10) ** power, list(figures)
    for at in cells:
        figure = figures[at]
        settled[at] = msgspec.structs.replace(
            figure, value=figure.value * scale, precision=figure.precision * scale, scale=scale
        )
    return settled, frozenset(cells)


def _bare_cells(figures: Sequence[Figure], text: str) -> list[int]:
    """Figures of money in tables and without a scale; of no unit, if nothing there has one."""
    cells = [
        at
        for at, figure in enumerate(figures)
        if figure.scale == 1 and figure.kind == "figure" and _in_row(figure, text)
    ]
    money = [at for at in cells if len(figures[at].unit) == 3 and figures[at].unit.isupper()]
    if money:
        return money
    bare = [at for at in cells if not figures[at].unit]
    if any(_COUNTED.search(figures[at].label) for at in bare):
        return []
    sizes = [abs(float(figures[at].value)) for at in bare]
    return bare if sizes and median(sizes) >= _LEAST_MONEY else []


def _power(figures: Sequence[Figure], cells: Sequence[int], text: str) -> int:
    """The power of ten that the result declares or shows for its bare cells; 0 if neither."""
    declared = {_WORTH[(hit[1] or hit[2] or hit[3]).lower()] for hit in _DECLARED.finditer(text)}
    scaled = [figure for figure in figures if figure.scale > 1]
    told = [figure for figure in scaled if not _in_row(figure, text)]
    if len(declared) == 1 and len(told) == len(scaled):
        return declared.pop()
    if declared or len(told) < len(scaled):
        return 0
    sizes = [abs(float(figures[at].value)) for at in cells if figures[at].value]
    return _by_digits(told, sizes) or _by_size(told, sizes)


def _in_row(figure: Figure, text: str) -> bool:
    """Whether a figure stands in a line of cells; JSON has none."""
    if figure.label.startswith("$"):
        return False
    start, end = figure.span
    around = text[max(0, start - _BESIDE) : start].rpartition("\n")[2]
    around += text[end : end + _BESIDE].partition("\n")[0]
    return any(mark in around for mark in _CELL_MARKS)


def _by_digits(told: Sequence[Figure], sizes: Sequence[float]) -> int:
    """The power by which a cell shows the digits of a figure in prose, if it is the only one."""
    found = set()
    for figure in told:
        value, step = abs(float(figure.value)), float(figure.precision)
        if value >= step * 10 ** (_TELLING_DIGITS - 1):
            found |= {
                power
                for power in _CANDIDATES
                if any(abs(size * 10**power - value) <= step / 2 for size in sizes)
            }
    return found.pop() if len(found) == 1 else 0


def _by_size(told: Sequence[Figure], sizes: Sequence[float]) -> int:
    values = [abs(float(figure.value)) for figure in told if figure.value]
    if len(values) < _ENOUGH or not sizes:
        return 0
    apart = log10(median(values)) - log10(median(sizes))
    best = min(_CANDIDATES, key=lambda power: abs(apart - power))
    return best if abs(apart - best) <= _NEAR else 0
