"""Hold many known figures so that one can be found by its value, its words or its column.

Figures of one result that are called the same form a line (a table's row, a JSON array); those
of one result, period and place in their rows form a column. Derivations look along both.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from tallybook.figures import when, wording
from tallybook.figures.figure import Figure
from tallybook.figures.places import Places
from tallybook.figures.when import Period

_GENERAL = frozenset({"total", "net", "other", "gross"})
_TOTAL = frozenset({"total"})
_FAINT = 0.2
_COMMON = 0.25
_NAMED = 0.5
_MOSTLY = 0.6
_BESIDE = 0.35


class Name(msgspec.Struct, frozen=True):
    """What figures are called: the `words` of all `parts` of a label (section, row, column)."""

    words: frozenset[str]
    parts: tuple[frozenset[str], ...] = ()


class Line(msgspec.Struct, frozen=True):
    """Figures of one result that are called the same; `members` are positions in the index."""

    seq: int
    entity: str
    name: int
    words: frozenset[str]
    members: tuple[int, ...]


class Known:
    """Figures prepared for looking up; `texts` are the results they stand in, by seq.

    Building is linear in the figures but for sorting; a lookup by value is logarithmic, one by
    words looks at each distinct name that shares a word.
    """

    def __init__(
        self,
        figures: Iterable[Figure],
        texts: Mapping[int, str] | None = None,
        supposed: Collection[int] = (),
    ) -> None:
        """Take figures, the texts they stand in, and which positions have a supposed scale."""
        self.figures: tuple[Figure, ...] = tuple(figures)
        self.supposed = frozenset(supposed)
        self.places = Places(self.figures, texts or {})
        self.column_of = tuple(map(self.places.column, range(len(self.figures))))
        self.values = tuple(float(figure.value) for figure in self.figures)
        self.periods = self._read_periods()
        self.lines, self.line_of = self._lines()
        self.entities = frozenset(line.entity for line in self.lines if line.entity)
        self._sizes = self._by_size()
        self._weights = self._weigh()
        self._own = tuple(self._telling(name) for name in self._names)
        self._totals = tuple(
            sum(self._worth(number, word) for word in name.words)
            for number, name in enumerate(self._names)
        )
        self._postings = self._post()
        self.columns = self._columns()
        self._totals_of = self._find_totals()

    def near(self, size: float, step: float) -> list[int]:
        """Positions of the figures equal to `size` at the coarser of `step` and their own.

        A figure is found by its value and by its digits as shown, without scale.
        """
        found: dict[int, None] = {}
        for own, table in self._sizes.items():
            found.update(dict.fromkeys(_between(table, size, max(own, step) / 2)))
        return list(found)

    def named(self, said: frozenset[str]) -> Iterator[Line]:
        """Lines of which the words say at least half, or which say most of the words; best first.

        Words count by their rarity, so that a line with more and rarer words said wins.
        """
        enough = _MOSTLY * sum(self._weights.get(word, 0.0) for word in said)
        hits: dict[int, float] = defaultdict(float)
        for word in said:
            for name, worth in self._postings.get(word, ()):
                hits[name] += worth
        named = [
            (hit * hit / self._totals[name], name)
            for name, hit in hits.items()
            if hit >= _NAMED * self._totals[name] or hit >= enough
        ]
        named.sort(key=lambda pair: -pair[0])
        for _, name in named:
            yield from (self.lines[number] for number in self._called[name])

    def totals(self, seq: int) -> Iterator[Line]:
        """Lines of a result that are called a total and no more, or have no name in a table."""
        for number in self._totals_of.get(seq, ()):
            yield self.lines[number]

    def words_of(self, at: int) -> frozenset[str]:
        """What a figure is called."""
        return self.lines[self.line_of[at]].words

    def cover(self, said: Collection[str], at: int) -> float:
        """How much of a figure's label the words say, from 0 to 1."""
        number = self.lines[self.line_of[at]].name
        name, total = self._names[number], self._totals[number]
        spoken = (self._worth(number, word) for word in name.words if word in said)
        return sum(spoken) / total if total else 0.0

    def _worth(self, number: int, word: str) -> float:
        """How much it tells of a name that a word is said; most in its telling part."""
        weight = self._weights[word]
        return weight if word in self._own[number] else weight * _BESIDE

    def _telling(self, name: Name) -> frozenset[str]:
        """The part of a label that tells most, by the rarity of its words."""
        return max(
            reversed(name.parts),
            key=lambda part: sum(self._weights[word] for word in part),
            default=name.words,
        )

    def _read_periods(self) -> tuple[Period | None, ...]:
        read: dict[str, Period | None] = {}
        for figure in self.figures:
            if figure.period not in read:
                read[figure.period] = when.read(figure.period)
        return tuple(
            read[figure.period] if figure.period else _period_called(figure.label)
            for figure in self.figures
        )

    def _lines(self) -> tuple[tuple[Line, ...], tuple[int, ...]]:
        read: dict[str, Name] = {}
        names: dict[Name, int] = {}
        lines: dict[tuple[int, str, int], list[int]] = {}
        for at, figure in enumerate(self.figures):
            label = figure.label
            if label not in read:
                parts = wording.parts(label)
                read[label] = Name(frozenset().union(*parts), parts)
            name = read[label] if read[label].words else Name(frozenset({self._nameless(at)}))
            number = names.setdefault(name, len(names))
            lines.setdefault((figure.seq, figure.entity, number), []).append(at)
        self._names = tuple(names)
        line_of = [0] * len(self.figures)
        called: dict[int, list[int]] = defaultdict(list)
        made = []
        for at, ((seq, entity, number), members) in enumerate(lines.items()):
            called[number].append(at)
            made.append(Line(seq, entity, number, self._names[number].words, tuple(members)))
            for member in members:
                line_of[member] = at
        self._called: Mapping[int, Sequence[int]] = called
        return tuple(made), tuple(line_of)

    def _find_totals(self) -> Mapping[int, Sequence[int]]:
        """Totals by result, those first that nothing else is said of."""
        found: dict[int, list[tuple[bool, int]]] = defaultdict(list)
        for number, line in enumerate(self.lines):
            parts = self._names[line.name].parts
            nameless = not parts and len(line.members) > 1
            if nameless or any(part <= _TOTAL for part in parts):
                found[line.seq].append((any(part - _TOTAL for part in parts), number))
        return {seq: [number for _, number in sorted(own)] for seq, own in found.items()}

    def _nameless(self, at: int) -> str:
        """What a figure is called that has no name: the cells of one row alike."""
        row = self.places.row(at) if self.column_of[at] else -1
        return f"#{at}" if row < 0 else f"#row {row}"

    def _by_size(self) -> Mapping[float, _Table]:
        """Sizes with and without scale, sorted, apart for each step that they are shown with."""
        groups: dict[float, list[tuple[float, int]]] = defaultdict(list)
        for at, (value, figure) in enumerate(zip(self.values, self.figures, strict=True)):
            size, step, scale = abs(value), float(figure.precision), float(figure.scale)
            groups[step].append((size, at))
            if scale != 1:
                groups[step / scale].append((size / scale, at))
        return {step: _sorted(pairs) for step, pairs in groups.items()}

    def _weigh(self) -> Mapping[str, float]:
        """How rare each word is among the names; a word of all of them tells little."""
        holding = Counter(word for name in self._names for word in name.words)
        count = len(self._names)
        return {
            word: (_COMMON + math.log(count / held)) * (_FAINT if word in _GENERAL else 1)
            for word, held in holding.items()
        }

    def _post(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, name in enumerate(self._names):
            for word in name.words:
                postings[word].append((number, self._worth(number, word)))
        return postings

    def _columns(self) -> Mapping[tuple[int, str, int], tuple[int, ...]]:
        columns: dict[tuple[int, str, int], list[int]] = defaultdict(list)
        for at, figure in enumerate(self.figures):
            if figure.kind == "figure":
                columns[figure.seq, figure.period, self.column_of[at]].append(at)
        return {key: tuple(members) for key, members in columns.items()}


def _period_called(label: str) -> Period | None:
    """The only period that a label names: "Year Ended Jan 28, 2024 | Revenue"."""
    if not label or label.startswith("$"):
        return None
    named = when.mentions(label)
    return named[0].period if len(named) == 1 else None


_Table = tuple[tuple[float, ...], tuple[int, ...]]


def _sorted(pairs: list[tuple[float, int]]) -> _Table:
    pairs.sort()
    return tuple(size for size, _ in pairs), tuple(at for _, at in pairs)


def _between(table: _Table, size: float, step: float) -> tuple[int, ...]:
    sizes, positions = table
    slack = step + 1e-9 * size
    return positions[bisect_left(sizes, size - slack) : bisect_right(sizes, size + slack)]
