"""Which known figures a claim may be computed from: the lines and times that its words name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, islice, permutations, product

from tallybook.figures import when, wording
from tallybook.figures.claims import Claim, Step
from tallybook.figures.known import Known, Line
from tallybook.figures.when import Period

_MOST_LINES = 6
_MOST_TOTALS = 2
_WIDEST = 16
_QUARTER, _YEAR, _OFF = 91, 365, 20
_TALLEST = 60


class Scope:
    """The figures related to a claim.

    `series` are the named lines, best first, each as its figures in order of time; `own` holds
    of each series those that may be of the claim's own time.
    """

    def __init__(self, claim: Claim, known: Known) -> None:
        self.claim, self.known = claim, known
        said = wording.with_implied(claim.said)
        asked = (line for line in known.named(said) if asks_for(claim.entities, known, line))
        named = tuple(islice(_first_of(claim.whose, known, asked), _MOST_LINES))
        self.lines = (*named, *self._totals(named))
        self.series = [
            self._in_time(part) for members in self._matters(said) for part in self._parts(members)
        ]
        self.own = [[at for at in series if self._is_own(at)] for series in self.series]

    @property
    def is_complete(self) -> bool:
        """Whether two of the parts are known that make up the measure which the claim names."""
        parts = wording.parts_of(self.claim.near or self.claim.said)
        found = frozenset().union(*(line.words for line in self.lines))
        return len(parts & found) > 1

    def pairs(self, series: list[int]) -> Iterator[tuple[int, int]]:
        """Earlier and later between which a change may be: those named, or one and that before."""
        periods, known = self.claim.periods, self.known
        named = [at for at in series if periods and self._is_named(at)]
        if self.claim.own and self.claim.intent.step:
            named = [at for at in series if self._is_own(at)]
        if len(periods) == 1 or (self.claim.own and self.claim.intent.step):
            yield from (
                (earlier, later)
                for later in named
                for earlier in reversed(series[: series.index(later)])
                if _is_step(known.periods[earlier], known.periods[later], self.claim.intent.step)
            )
            return
        for earlier, later in combinations(named if periods else series, 2):
            if known.periods[earlier] != known.periods[later] or known.periods[later] is None:
                yield earlier, later

    def groups(self, series: list[int]) -> Iterator[tuple[int, ...]]:
        """Which of a series may be summed: those named, the stretch between them, or all."""
        claim = self.claim
        if len({self.known.periods[at] for at in series if self.known.periods[at]}) < len(series):
            return
        named = tuple(at for at in series if claim.periods and self._is_named(at))
        if len(named) > 1:
            yield named
            if claim.spanned:
                yield tuple(series[series.index(named[0]) : series.index(named[-1]) + 1])
        if len(claim.periods) == 1:
            for at in named:
                before = series.index(at)
                if before:
                    yield (series[before - 1], at)
        if not claim.periods and len(series) > 1:
            yield tuple(series)

    def meetings(self) -> Iterator[tuple[int, int]]:
        """Figures of any two series, either first, of the same time; those of one column first."""
        for beside in (True, False):
            for one, other in permutations(range(len(self.series)), 2):
                for left, right in product(self.own[one], self.own[other]):
                    if self._is_one_column(left, right) is beside and self._may_meet(left, right):
                        yield left, right

    def meet(self, one: int, other: int) -> list[tuple[int, int]]:
        """Figures of two series, given by number, that are of the same time."""
        pairs = product(self.own[one], self.own[other])
        return [pair for pair in pairs if self._may_meet(*pair)]

    def _may_meet(self, left: int, right: int) -> bool:
        first, second = self.known.periods[left], self.known.periods[right]
        at_once = first is None or second is None or when.agree(first, second) != "different"
        return at_once or self._are_of_two(left, right)

    def _are_of_two(self, left: int, right: int) -> bool:
        """Whether two companies are held against each other, each at a time of its own."""
        entities = {self.known.figures[left].entity, self.known.figures[right].entity}
        several = len(self.claim.periods) != 1 and len(self.claim.entities) > 1
        return several and len(entities) == 2

    def _is_one_column(self, left: int, right: int) -> bool:
        seqs = (self.known.figures[left].seq, self.known.figures[right].seq)
        columns = (self.known.column_of[left], self.known.column_of[right])
        return seqs[0] == seqs[1] and columns[0] == columns[1]

    def columns(self) -> Iterator[tuple[int, ...]]:
        """Columns of the claim's own time in the results that hold a named line, or in any."""
        seqs = {line.seq for line in self.lines}
        for (seq, _, _), members in self.known.columns.items():
            if (not seqs or seq in seqs) and len(members) <= _TALLEST and self._is_own(members[0]):
                yield members

    def _totals(self, named: Sequence[Line]) -> Iterator[Line]:
        """The totals of the result that is named first, where the claim speaks of a total."""
        if named and any(word.startswith("total") for word in self.claim.said):
            totals = (line for line in self.known.totals(named[0].seq) if line not in named)
            yield from islice(totals, _MOST_TOTALS)

    def _is_named(self, at: int) -> bool:
        period, named = self.known.periods[at], self.claim.periods
        if period is None or not named:
            return True
        return any(when.agree(period, one) != "different" for one in named)

    def _is_own(self, at: int) -> bool:
        period, own = self.known.periods[at], self.claim.own
        if period is None or own is None:
            return self._is_named(at)
        return when.agree(period, own) != "different"

    def _matters(self, said: frozenset[str]) -> list[list[int]]:
        """The lines' figures, row by row, with those put together that the words cannot tell apart.

        A row may bear a note in one column ("restated"), and prose calls a thing differently
        each time; but where two rows have different values for one time, they are two matters.
        """
        matters: list[tuple[tuple[int, str, frozenset[str]], list[int]]] = []
        for line in self.lines:
            key = (line.seq, line.entity, line.words & said)
            for row in self._rows(line):
                known = (m for other, m in matters if other == key and self._agree(m, row))
                matter = next(known, None)
                if matter is None:
                    matters.append((key, row))
                else:
                    matter += row
        return [members for _, members in matters][: _MOST_LINES + _MOST_TOTALS]

    def _parts(self, members: list[int]) -> list[list[int]]:
        """A matter whole, or column by column where it has several values for one time."""
        known = self.known
        values: dict[Period | None, set[float]] = {}
        for at in members:
            values.setdefault(known.periods[at], set()).add(known.values[at])
        if all(len(own) == 1 for own in values.values()):
            return [members]
        columns: dict[int, list[int]] = {}
        for at in members:
            columns.setdefault(known.column_of[at], []).append(at)
        return list(columns.values()) if len(columns) < len(members) else [members]

    def _rows(self, line: Line) -> list[list[int]]:
        rows: dict[int, list[int]] = {}
        for at in line.members:
            rows.setdefault(self.known.places.row(at), []).append(at)
        tables = [row for row in rows.values() if len(row) > 1]
        return tables if tables else [list(line.members)]

    def _agree(self, matter: list[int], row: list[int]) -> bool:
        periods, values = self.known.periods, self.known.values
        for one in row:
            mine = periods[one]
            if mine is None:
                return False
            for other in matter:
                theirs = periods[other]
                if theirs is None:
                    return False
                if values[one] != values[other] and when.agree(mine, theirs) != "different":
                    return False
        return True

    def _in_time(self, members: list[int]) -> list[int]:
        """Figures in order of time, one of each period and value."""
        periods, values = self.known.periods, self.known.values
        seen: dict[tuple[Period | None, float], int] = {}
        for at in members:
            seen.setdefault((periods[at], values[at]), at)
        ordered = sorted(seen.values(), key=lambda at: periods[at] or Period(0))
        if len(ordered) > _WIDEST and self.claim.periods:
            years = [period.year for period in self.claim.periods]
            low, high = min(years) - 1, max(years) + 1
            ordered = [at for at in ordered if low <= (periods[at] or Period(0)).year <= high]
        return ordered[-_WIDEST:]


def asks_for(entities: Collection[str], known: Known, line: Line) -> bool:
    """Whether a line is of figures and may be of one of these, or of anyone if none is given."""
    if known.figures[line.members[0]].kind == "identifier":
        return False
    if not entities or not line.entity:
        return True
    return any(wording.same_name(line.entity, entity) for entity in entities)


def _first_of(whose: Collection[str], known: Known, lines: Iterator[Line]) -> Iterator[Line]:
    """The lines of some entities, then a few of the others, each in their order."""
    own: list[Line] = []
    others: list[Line] = []
    for line in lines:
        (own if asks_for(whose, known, line) else others).append(line)
        if len(own) >= _MOST_LINES:
            break
    yield from (*own[: _MOST_LINES - 1], *others[:1], *own[_MOST_LINES - 1 :])


def _is_step(earlier: Period | None, later: Period | None, step: Step) -> bool:
    """Whether one is the year or the quarter before the other, as the words say or either."""
    if earlier is None or later is None:
        return True
    days = when.days_between(earlier, later)
    if days is not None:
        lengths = {"year": (_YEAR,), "quarter": (_QUARTER,)}.get(step, (_YEAR, _QUARTER))
        return any(abs(days - length) < _OFF for length in lengths)
    years = later.year - earlier.year
    if years == 1 and earlier.part == later.part:
        return step != "quarter" or not later.part
    quarters = earlier.part[:1] == later.part[:1] == "Q"
    if quarters and 4 * years + int(later.part[1]) - int(earlier.part[1]) == 1:
        return step != "year"
    return (years == 0 or "-" in later.part) and not quarters
