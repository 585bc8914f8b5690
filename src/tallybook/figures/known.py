"""Hold many known figures so that one can be found by its value, its words or its column.

Figures of one result that are called the same form a line (a table's row, a JSON array); the
figures of one result and one period form a column. Derivations look along lines and columns.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import msgspec

from tallybook.figures import labels, when

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tallybook.figures.figure import Figure
    from tallybook.figures.when import Period

_FAINT = frozenset({"total", "net", "other", "gross"})
_NAMED = 0.5


class Line(msgspec.Struct, frozen=True):
    """Figures of one result that bear the same words; `members` are positions in the index."""

    seq: int
    entity: str
    words: frozenset[str]
    members: tuple[int, ...]


class Known:
    """Figures prepared for looking up; `texts` are the results they stand in, by seq.

    Building is linear in the figures but for two sorts; a lookup by value is logarithmic.
    """

    def __init__(self, figures: Iterable[Figure], texts: Mapping[int, str] | None = None) -> None:
        self.figures: tuple[Figure, ...] = tuple(figures)
        self.texts: Mapping[int, str] = dict(texts or {})
        self.values = tuple(float(figure.value) for figure in self.figures)
        self.periods = self._read_periods()
        self.lines, self.line_of = self._lines()
        self.entities = frozenset(line.entity for line in self.lines if line.entity)
        self._by_value = _sorted_by(abs(value) for value in self.values)
        self._by_shown = _sorted_by(
            abs(value) / float(figure.scale)
            for value, figure in zip(self.values, self.figures, strict=True)
        )
        self._postings, self._weights = self._words()
        self._totals = tuple(sum(map(self.weight, line.words)) for line in self.lines)
        self.columns = self._columns()

    def near(self, value: float, step: float) -> list[int]:
        """Positions of the figures whose size, with or without scale, is within `step`."""
        found = [*_between(self._by_value, abs(value), step)]
        known = set(found)
        return found + [at for at in _between(self._by_shown, abs(value), step) if at not in known]

    def named(self, said: Collection[str]) -> list[tuple[float, Line]]:
        """Lines of which the words say at least half, best first, each with its score.

        Words count by their rarity, so that a line with more and rarer words said wins.
        """
        hits: dict[int, float] = defaultdict(float)
        for word in said:
            weight = self.weight(word)
            for line in self._postings.get(word, ()):
                hits[line] += weight
        named = [
            (hit * hit / self._totals[at], at)
            for at, hit in hits.items()
            if hit >= _NAMED * self._totals[at]
        ]
        named.sort(key=lambda pair: -pair[0])
        return [(score, self.lines[at]) for score, at in named]

    def cover(self, said: Collection[str], at: int) -> float:
        """How much of a figure's label the words say, from 0 to 1."""
        line = self.line_of[at]
        total = self._totals[line]
        spoken = (self.weight(word) for word in self.lines[line].words if word in said)
        return sum(spoken) / total if total else 0.0

    def weight(self, word: str) -> float:
        """How much it tells that a word is said."""
        return self._weights.get(word, 0.0)

    def around(self, at: int, width: int = 120) -> str:
        """The words around a figure in its result; "" where the result is not held."""
        figure = self.figures[at]
        text = self.texts.get(figure.seq, "")
        start, end = figure.span
        return text[max(0, start - width) : end + width]

    def _read_periods(self) -> tuple[Period | None, ...]:
        read: dict[str, Period | None] = {}
        for figure in self.figures:
            if figure.period not in read:
                read[figure.period] = when.read(figure.period)
        return tuple(read[figure.period] for figure in self.figures)

    def _lines(self) -> tuple[tuple[Line, ...], tuple[int, ...]]:
        read: dict[str, frozenset[str]] = {}
        lines: dict[tuple[int, str, frozenset[str]], list[int]] = {}
        for at, figure in enumerate(self.figures):
            if figure.label not in read:
                read[figure.label] = labels.words(figure.label) or frozenset({figure.label})
            key = (figure.seq, figure.entity, read[figure.label])
            lines.setdefault(key, []).append(at)
        line_of = [0] * len(self.figures)
        for number, members in enumerate(lines.values()):
            for at in members:
                line_of[at] = number
        return tuple(Line(*key, tuple(members)) for key, members in lines.items()), tuple(line_of)

    def _words(self) -> tuple[Mapping[str, Sequence[int]], Mapping[str, float]]:
        postings: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self.lines):
            for word in line.words:
                postings[word].append(number)
        count = len(self.lines)
        weights = {word: math.log(1 + 2 * count / len(at)) for word, at in postings.items()}
        for word in _FAINT & weights.keys():
            weights[word] /= 3
        return dict(postings), weights

    def _columns(self) -> Mapping[tuple[int, str], tuple[int, ...]]:
        columns: dict[tuple[int, str], list[int]] = defaultdict(list)
        for at, figure in enumerate(self.figures):
            if figure.kind == "figure":
                columns[figure.seq, figure.period].append(at)
        return {key: tuple(members) for key, members in columns.items()}

    def seqs(self) -> Counter[int]:
        """How many figures each result holds."""
        return Counter(figure.seq for figure in self.figures)


def _sorted_by(sizes: Iterable[float]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    pairs = sorted((size, at) for at, size in enumerate(sizes))
    return tuple(size for size, _ in pairs), tuple(at for _, at in pairs)


def _between(
    table: tuple[tuple[float, ...], tuple[int, ...]], size: float, step: float
) -> tuple[int, ...]:
    sizes, positions = table
    slack = step + 1e-9 * size
    return positions[bisect_left(sizes, size - slack) : bisect_right(sizes, size + slack)]
