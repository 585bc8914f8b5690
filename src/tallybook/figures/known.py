"""Hold many known figures so that one can be found by its value, its words or its column.

Figures of one result that are called the same form a line (a table's row, a JSON array); the
figures of one result and one period form a column. Derivations look along lines and columns.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from tallybook.figures import labels, when
from tallybook.figures.figure import Figure
from tallybook.figures.when import Period

_FAINT = frozenset({"total", "net", "other", "gross"})
_NAMED = 0.5
_SECTION = 0.35
_REACH = 400
_STOP = re.compile(r"\n|[.!?](?=\s+[^a-z])|[。！？]")


class Line(msgspec.Struct, frozen=True):
    """Figures of one result that bear the same words; `members` are positions in the index.

    `own` are the words of the last part of the label, behind the section it stands in.
    """

    seq: int
    entity: str
    words: frozenset[str]
    own: frozenset[str]
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
        self._totals = tuple(
            sum(self._worth(line, word) for word in line.words) for line in self.lines
        )
        self.columns = self._columns()
        places: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for figure in self.figures:
            places[figure.seq].append(figure.span)
        self._places = {seq: tuple(sorted(spans)) for seq, spans in places.items()}

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
            for line in self._postings.get(word, ()):
                hits[line] += self._worth(self.lines[line], word)
        named = [
            (hit * hit / self._totals[at], at)
            for at, hit in hits.items()
            if hit >= _NAMED * self._totals[at]
        ]
        named.sort(key=lambda pair: -pair[0])
        return [(score, self.lines[at]) for score, at in named]

    def cover(self, said: Collection[str], at: int) -> float:
        """How much of a figure's label the words say, from 0 to 1."""
        number = self.line_of[at]
        line, total = self.lines[number], self._totals[number]
        spoken = (self._worth(line, word) for word in line.words if word in said)
        return sum(spoken) / total if total else 0.0

    def _worth(self, line: Line, word: str) -> float:
        """How much it tells of a line that a word is said; its section tells less."""
        weight = self._weights[word]
        return weight if word in line.own else weight * _SECTION

    def around(self, at: int, width: int = 120) -> str:
        """The words around a figure in its result; "" where the result is not held."""
        figure = self.figures[at]
        text = self.texts.get(figure.seq, "")
        start, end = figure.span
        return text[max(0, start - width) : end + width]

    def sentence(self, at: int) -> str:
        """The sentence, or the table's row, that a figure stands in."""
        start, end = self.bounds(at)
        return self.texts.get(self.figures[at].seq, "")[start:end]

    def bounds(self, at: int) -> tuple[int, int]:
        """Where the sentence of a figure starts and ends in its result."""
        figure = self.figures[at]
        text = self.texts.get(figure.seq, "")
        start, end = figure.span
        low, high = max(0, start - _REACH), end + _REACH
        stops = [stop.end() for stop in _STOP.finditer(text, low, start)]
        after = _STOP.search(text, end, high)
        return stops[-1] if stops else low, after.end() if after else min(high, len(text))

    def spans_within(self, seq: int, start: int, end: int) -> list[tuple[int, int]]:
        """Where the figures of a stretch of one result stand, in order."""
        places = self._places.get(seq, ())
        return list(places[bisect_left(places, (start, 0)) : bisect_left(places, (end, 0))])

    def _read_periods(self) -> tuple[Period | None, ...]:
        read: dict[str, Period | None] = {}
        for figure in self.figures:
            if figure.period not in read:
                read[figure.period] = when.read(figure.period)
        return tuple(read[figure.period] for figure in self.figures)

    def _lines(self) -> tuple[tuple[Line, ...], tuple[int, ...]]:
        read: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        lines: dict[tuple[int, str, frozenset[str], frozenset[str]], list[int]] = {}
        for at, figure in enumerate(self.figures):
            if figure.label not in read:
                read[figure.label] = labels.words(figure.label), labels.own_words(figure.label)
            spoken, own = read[figure.label]
            key = (figure.seq, figure.entity, spoken or frozenset({f"#{at}"}), own)
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
