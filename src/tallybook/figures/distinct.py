"""Tell figures apart by what they mean, so that none is told twice under two names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from decimal import Decimal

from tallybook.figures import when, wording
from tallybook.figures.figure import Figure
from tallybook.figures.when import Period

Called = tuple[Decimal, frozenset[str] | str, str]


class Meanings:
    """Reads what figures mean; a label and a period are read once.

    A measure that is known by several names counts as one. Whose a figure is does not count:
    no two companies have one value to the last digit.
    """

    def __init__(self) -> None:
        self._names: dict[str, frozenset[str] | str] = {}
        self._times: dict[str, Period | None] = {}

    def called(self, figure: Figure) -> Called:
        """The value and what it is called: all of the meaning but the time."""
        label = figure.label
        if label not in self._names:
            self._names[label] = wording.concepts(wording.words(label)) or label
        text = figure.text if figure.kind == "identifier" else ""
        return figure.value, self._names[label], text

    def same_time(self, one: Figure, other: Figure) -> bool:
        """Whether two periods can be the same."""
        mine, theirs = self._time(one.period), self._time(other.period)
        if mine is None or theirs is None:
            return one.period == other.period
        return when.agree(mine, theirs) != "different"

    def _time(self, period: str) -> Period | None:
        if period not in self._times:
            self._times[period] = when.read(period)
        return self._times[period]


def distinct(figures: Iterable[Figure]) -> list[Figure]:
    """Each meaning once: from a result that names the company, and that holds the most of them.

    So the figures of a table stay together, and its head is written once.
    """
    meanings = Meanings()
    known = list(figures)
    held = Counter(seq for seq, _ in {(figure.seq, meanings.called(figure)) for figure in known})
    known.sort(key=lambda f: (not f.entity, -held[f.seq], -f.seq))
    seen: dict[Called, list[Figure]] = defaultdict(list)
    for figure in known:
        alike = seen[meanings.called(figure)]
        if not _is_among(figure, alike, meanings):
            alike.append(figure)
    return [figure for alike in seen.values() for figure in alike]


def without(figures: Iterable[Figure], others: Iterable[Figure]) -> list[Figure]:
    """The figures that mean something which none of the others means."""
    meanings = Meanings()
    seen: dict[Called, list[Figure]] = defaultdict(list)
    for other in others:
        seen[meanings.called(other)].append(other)
    return [
        figure
        for figure in figures
        if not _is_among(figure, seen.get(meanings.called(figure), ()), meanings)
    ]


def _is_among(figure: Figure, others: Collection[Figure], meanings: Meanings) -> bool:
    return any(meanings.same_time(figure, other) for other in others)
