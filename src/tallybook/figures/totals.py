"""Formulas in two steps: sums and averages, and changes or averages of what two lines give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from typing import Final

from tallybook.figures import wording
from tallybook.figures.known import Known
from tallybook.figures.outcome import Outcome, same_kind
from tallybook.figures.scope import Scope

_BOTH: Final = frozenset({"sum", "average"})
_YEARS: Final = re.compile(r"(?:19|20)(\d\d)\s*[-–]\s*(?:(?:19|20))?(\d\d)")


def totals(known: Known, group: tuple[int, ...], wanted: frozenset[str]) -> Iterator[Outcome]:
    """The sum and the average of a group; a column of several years counts for as many."""
    total = sum(known.values[at] for at in group)
    if "sum" in wanted:
        yield Outcome("sum", total, group)
    if "average" in wanted:
        yield Outcome("average", total / len(group), group)
        years = sum(_years(known.figures[at].period) for at in group)
        if years > len(group):
            template = f"{_sum(0, len(group))} ÷ {years} years"
            yield Outcome("average", total / years, group, template=template)


def sums_of_lines(scope: Scope) -> Iterator[Outcome]:
    """Sums and averages across three and more named lines at one time."""
    periods = scope.known.periods
    for count in range(3, len(scope.own) + 1):
        for first, *others in combinations(scope.own, count):
            for at in first:
                met = [next((b for b in own if periods[b] == periods[at]), None) for own in others]
                group = (at, *(other for other in met if other is not None))
                if len(group) == count:
                    yield from totals(scope.known, group, _BOTH)


def of_averages(scope: Scope) -> Iterator[Outcome]:
    """Differences between averages, of one line at two times or of two lines."""
    values = scope.known.values
    averages: list[tuple[int, ...]] = []
    for series in scope.series:
        averages += dict.fromkeys((*scope.groups(series), *pairwise(series)))
    for one, other in combinations(averages, 2):
        first = sum(values[at] for at in one) / len(one)
        second = sum(values[at] for at in other) / len(other)
        template = f"{_mean(0, len(one))} − {_mean(len(one), len(other))}"
        yield Outcome("difference of averages", first - second, one + other, template=template)


def averages_of_differences(scope: Scope) -> Iterator[Outcome]:
    """Averages, over all their common times, of the difference between two named lines."""
    known, count = scope.known, len(scope.series)
    for one, other in combinations(range(count), 2):
        pairs = [
            (left, right)
            for left, right in scope.meet(one, other)
            if known.periods[left] == known.periods[right] is not None
            and same_kind(known.figures[left].unit, known.figures[right].unit)
        ]
        if 1 < len(pairs) == len({left for left, _ in pairs}) == len({right for _, right in pairs}):
            mean = sum(known.values[a] - known.values[b] for a, b in pairs) / len(pairs)
            parts = (f"({{{2 * at}}} − {{{2 * at + 1}}})" for at in range(len(pairs)))
            template = f"({' + '.join(parts)}) ÷ {len(pairs)}"
            operands = tuple(at for pair in pairs for at in pair)
            yield Outcome("average of differences", mean, operands, template=template)


def changes_of_ratios(scope: Scope) -> Iterator[Outcome]:
    """Changes, in points, of the ratio of two lines that make up the measure the claim names."""
    known = scope.known
    parts = wording.parts_of(scope.claim.near or scope.claim.said)
    made_of = [series for series in scope.series if known.words_of(series[0]) & parts]
    for one, other in permutations(made_of, 2):
        whole = {known.periods[at]: at for at in other if known.values[at]}
        for earlier, later in scope.pairs(one):
            before, after = whole.get(known.periods[earlier]), whole.get(known.periods[later])
            if before is not None and after is not None:
                operands = (later, after, earlier, before)
                new, new_base, old, old_base = (known.values[at] for at in operands)
                yield Outcome(
                    "change of ratios",
                    new / new_base - old / old_base,
                    operands,
                    pure=True,
                    directed=True,
                    template="{0} ÷ {1} − {2} ÷ {3}",
                )


def _years(period: str) -> int:
    """How many years a period covers: "2021-2022" two, any other one."""
    span = _YEARS.fullmatch(period)
    return max(1, int(span[2]) - int(span[1]) + 1) if span else 1


def _mean(start: int, count: int) -> str:
    return f"{_sum(start, count)} ÷ {count}"


def _sum(start: int, count: int) -> str:
    return f"({' + '.join(f'{{{start + at}}}' for at in range(count))})"
