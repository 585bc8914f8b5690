"""Say how well a figure answers what was asked for.

A question names measures, companies and periods. A figure is asked for if its label shares a
measure with it (or most of its own words) and neither its company nor its period is another.
Where no figure has a measure itself, what it is made of is asked for in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, Literal

from tallybook.figures import when, wording
from tallybook.figures.figure import Figure
from tallybook.figures.when import Period

Bearing = Literal["same", "other", "unknown"]

_NAMES: Final = re.compile(r"[A-Z][A-Za-z&]+|[\u4e00-\u9fff]+")
_IDENTIFIERS: Final = frozenset({"accession", "cik", "filing", "identifier", "cusip"})
_ITEM, _PART, _WHOSE, _WHEN = 4, 2, 2, 2
_MOST_OF_A_NAME: Final = 0.5


class Asked:
    """A question read once, to be held against the figures that are known."""

    def __init__(self, question: str, figures: Iterable[Figure] = ()) -> None:
        said = wording.words(question)
        labels, entities = _called(figures)
        missing = wording.concepts(said) - labels
        self._said = said | wording.with_implied(missing)
        self._parts = wording.with_implied(said)
        self.missing = tuple(
            wording.spoken(name) for name in sorted(missing) if not _could_be_made(name, labels)
        )
        mentions = when.mentions(question)
        self._periods = tuple(mention.period for mention in mentions)
        self._spans = tuple(
            (before.period.year, after.period.year)
            for before, after in pairwise(mentions)
            if after.through
        )
        spoken = _NAMES.findall(question)
        self._named = frozenset(name for name in entities if name and wording.names(name, spoken))
        self._items: dict[str, int] = {}
        self._times: dict[str, Bearing] = {}

    def score(self, figure: Figure) -> int:
        """How well a figure answers; the more, the sooner it is worth a place."""
        worth = {"same": 1, "unknown": 0, "other": -1}
        whose, time = worth[self._whose(figure)], worth[self._time(figure)]
        return self._item(figure) + _WHOSE * whose + _WHEN * time - (figure.kind == "identifier")

    def wants(self, figure: Figure) -> bool:
        """Whether a figure is asked for by what it is called, whose it is and when."""
        return (
            self._item(figure) == _ITEM
            and self._whose(figure) != "other"
            and self._time(figure) != "other"
        )

    def _item(self, figure: Figure) -> int:
        label = figure.label
        if label not in self._items:
            self._items[label] = self._bearing(label)
        if figure.kind == "identifier":
            return _ITEM if self._said & _IDENTIFIERS else 0
        return self._items[label]

    def _bearing(self, label: str) -> int:
        words = wording.words(label)
        shared = words & self._said
        if wording.concepts(shared):
            return _ITEM
        telling = max((len(part) for part in wording.parts(label)), default=0)
        if shared and len(shared) >= _MOST_OF_A_NAME * telling and not wording.concepts(words):
            return _ITEM
        return _PART if wording.concepts(words & self._parts) else int(bool(shared))

    def _whose(self, figure: Figure) -> Bearing:
        if not self._named or not figure.entity:
            return "unknown"
        return "same" if figure.entity in self._named else "other"

    def _time(self, figure: Figure) -> Bearing:
        if figure.period not in self._times:
            self._times[figure.period] = self._agreement(when.read(figure.period))
        return self._times[figure.period]

    def _agreement(self, period: Period | None) -> Bearing:
        if period is None or not self._periods:
            return "unknown"
        found = {when.agree(period, one) for one in self._periods}
        if "same" in found or any(first <= period.year <= last for first, last in self._spans):
            return "same"
        return "unknown" if "possible" in found else "other"


def _called(figures: Iterable[Figure]) -> tuple[frozenset[str], frozenset[str]]:
    """All words that figures are called by, and whose they are."""
    labels: set[str] = set()
    entities: set[str] = set()
    for figure in figures:
        labels.add(figure.label)
        entities.add(figure.entity)
    words = frozenset[str]().union(*(wording.words(label) for label in labels))
    return words, frozenset(entities)


def _could_be_made(measure: str, called: frozenset[str]) -> bool:
    parts = wording.with_implied({measure}) - {measure}
    return len(parts & called) > 1 or (len(parts) == 1 and parts <= called)
