"""The formulas that may explain a claim, best-fitting first.

`said` goes along the lines and across the columns that the claim's words and periods single out,
as they say; `unsaid` joins the same figures in any way; `blind` looks at the other figures of the
same columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations

import msgspec

from tallybook.figures import labels, when
from tallybook.figures.claims import Claim
from tallybook.figures.known import Known, Line
from tallybook.figures.when import Period

_MOST_LINES = 6
_WIDEST = 16
_TALLEST = 60
_LONGEST_SUM = 10
_POINTS = frozenset({"%", "pp", "bps"})
_INSISTENT = frozenset({"average", "cagr"})
_ANY = frozenset({"difference", "growth", "ratio", "sum", "average", "product"})
_TEMPLATES = {
    "difference": "{0} − {1}",
    "growth": "({0} − {1}) ÷ {1}",
    "ratio": "{0} ÷ {1}",
    "product": "{0} × {1}",
}


class Outcome(msgspec.Struct, frozen=True):
    """What one formula gives: `pure` if a ratio, `directed` if its sign means up or down."""

    name: str
    value: float
    operands: tuple[int, ...]
    pure: bool = False
    directed: bool = False
    template: str = ""

    def spelled(self, texts: Sequence[str]) -> str:
        """The formula with its operands written out."""
        if self.template:
            return self.template.format(*texts)
        if self.name in _TEMPLATES:
            return _TEMPLATES[self.name].format(*texts)
        total = " + ".join(texts)
        return f"({total}) ÷ {len(texts)}" if self.name == "average" else total


def same_kind(one: str, other: str) -> bool:
    """Whether two units can be added; an unknown one can to any."""
    if one == other or "" in (one, other) or {one, other} <= _POINTS:
        return True
    return one.partition("/")[0] == other.partition("/")[0] and "/" in one + other


def said(claim: Claim, known: Known) -> Iterator[Outcome]:
    """Formulas over lines that the words name, in the periods that they name, as they say."""
    wanted = frozenset(claim.intent.operations)
    if "average" in wanted:
        wanted &= {"average", "ratio"} if "ratio" in wanted else {"average"}
    lines = _lines(claim, known)
    for line in lines:
        yield from _along(claim, known, line, wanted)
    if wanted & {"difference", "ratio", "sum", "average", "product"} or not _is_stretch(claim):
        for one, other in permutations(lines, 2):
            yield from _across(claim, known, (one, other), wanted)
    if wanted & {"sum", "average"}:
        yield from _sums_of_lines(claim, known, lines)
    if "average" in wanted and set(claim.intent.operations) & {"difference", "change", "growth"}:
        yield from _of_averages(claim, known, lines)


def unsaid(claim: Claim, known: Known) -> Iterator[Outcome]:
    """Formulas over the same lines joined in any way, unless the words insist on theirs."""
    if claim.computed & _INSISTENT:
        return
    lines = _lines(claim, known)
    for line in lines:
        yield from _along(claim, known, line, _ANY)
    for one, other in permutations(lines, 2):
        yield from _across(claim, known, (one, other), _ANY)


def blind(claim: Claim, known: Known) -> Iterator[Outcome]:
    """Formulas over whole columns: the named lines with any other, sums of runs, then any pair."""
    seqs = dict.fromkeys(line.seq for line in _lines(claim, known))
    columns = [
        members
        for (seq, _), members in known.columns.items()
        if (not seqs or seq in seqs)
        and len(members) <= _TALLEST
        and _timely(claim, known, members[0])
    ]
    wanted = frozenset(claim.computed) or _ANY
    if "sum" in wanted:
        for members in columns:
            yield from _runs(known, members)
    if not (claim.computed and _is_stretch(claim)):
        for members in columns:
            for one, other in permutations(members, 2):
                yield from (
                    found for found in _pair(known, one, other) if _is_wanted(found, wanted)
                )


def _is_stretch(claim: Claim) -> bool:
    """Whether the claim compares two times, so that it is about one line."""
    return len(claim.periods) > 1


def _lines(claim: Claim, known: Known) -> list[Line]:
    said = labels.with_implied(claim.said)
    lines = [line for _, line in known.named(said) if _is_asked(claim, known, line)]
    return lines[:_MOST_LINES]


def _is_asked(claim: Claim, known: Known, line: Line) -> bool:
    if known.figures[line.members[0]].kind == "identifier":
        return False
    if not claim.entities or not line.entity:
        return True
    return any(labels.same_name(line.entity, entity) for entity in claim.entities)


def _timely(claim: Claim, known: Known, at: int) -> bool:
    period = known.periods[at]
    if period is None or not claim.periods:
        return True
    return any(when.agree(period, named) != "different" for named in claim.periods)


def _of_own(claim: Claim, known: Known, at: int) -> bool:
    """Whether a figure may be of the claim's own period, or of any named if that is not plain."""
    period = known.periods[at]
    if period is None or claim.own is None:
        return _timely(claim, known, at)
    return when.agree(period, claim.own) != "different"


def _series(claim: Claim, known: Known, line: Line) -> list[int]:
    """A line's figures in order of time, one of each period and value."""
    seen: dict[tuple[Period | None, float], int] = {}
    for at in line.members:
        seen.setdefault((known.periods[at], known.values[at]), at)
    ordered = sorted(seen.values(), key=lambda at: known.periods[at] or Period(0))
    if len(ordered) <= _WIDEST or not claim.periods:
        return ordered[-_WIDEST:]
    years = [period.year for period in claim.periods]
    low, high = min(years) - 1, max(years) + 1
    near = [at for at in ordered if low <= (known.periods[at] or Period(0)).year <= high]
    return near[-_WIDEST:]


def _along(claim: Claim, known: Known, line: Line, wanted: frozenset[str]) -> Iterator[Outcome]:
    series = _series(claim, known, line)
    for earlier, later in _pairs(claim, known, series):
        yield from _change(known, earlier, later, wanted)
    if wanted & {"sum", "average"}:
        for group in _groups(claim, known, series):
            yield from _totals(known, group, wanted)


def _pairs(claim: Claim, known: Known, series: list[int]) -> Iterator[tuple[int, int]]:
    """Which two of a series a change may be between: those named, or the named and one before."""
    named = [at for at in series if claim.periods and _timely(claim, known, at)]
    if len(claim.periods) == 1:
        yield from (
            (earlier, later)
            for later in named
            for earlier in reversed(series[: series.index(later)])
            if _regular(known.periods[earlier], known.periods[later])
        )
        return
    for earlier, later in combinations(named if claim.periods else series, 2):
        if known.periods[earlier] != known.periods[later] or known.periods[later] is None:
            yield earlier, later


def _regular(earlier: Period | None, later: Period | None) -> bool:
    """The year, or the quarter, before; or the same quarter a year before."""
    if earlier is None or later is None:
        return True
    if later.year - earlier.year == 1:
        return earlier.part == later.part or (earlier.part, later.part) == ("Q4", "Q1")
    return later.year == earlier.year or "-" in later.part


def _change(known: Known, earlier: int, later: int, wanted: frozenset[str]) -> Iterator[Outcome]:
    old, new = known.values[earlier], known.values[later]
    if not same_kind(known.figures[earlier].unit, known.figures[later].unit):
        return
    both = (later, earlier)
    if wanted & {"difference", "change", "growth"}:
        yield Outcome("difference", new - old, both, directed=True)
    if old and wanted & {"difference", "change", "growth"}:
        yield Outcome("growth", (new - old) / abs(old), both, pure=True, directed=True)
    if old < 0 and new < 0 and wanted & {"difference", "change", "growth"}:
        yield Outcome("difference", old - new, both, directed=True, template="|{0}| − |{1}|")
        rate = new / old - 1
        yield Outcome("growth", rate, both, pure=True, directed=True, template="{0} ÷ {1} − 1")
    if old and "ratio" in wanted:
        yield Outcome("ratio", new / old, both, pure=True)
    if "cagr" in wanted:
        yield from _compound(known, earlier, later)


def _compound(known: Known, earlier: int, later: int) -> Iterator[Outcome]:
    old, new = known.values[earlier], known.values[later]
    start, end = known.periods[earlier], known.periods[later]
    if start is None or end is None or old <= 0 or new <= 0 or end.year <= start.year:
        return
    years = end.year - start.year
    template = f"({{0}} ÷ {{1}})^(1/{years}) − 1"
    rate = (new / old) ** (1 / years) - 1
    yield Outcome("CAGR", rate, (later, earlier), pure=True, directed=True, template=template)


def _groups(claim: Claim, known: Known, series: list[int]) -> Iterator[tuple[int, ...]]:
    """Which of a series may be summed: those named, the stretch between them, or all."""
    if len({known.periods[at] for at in series if known.periods[at]}) < len(series):
        return
    named = tuple(at for at in series if claim.periods and _timely(claim, known, at))
    if len(named) > 1:
        yield named
    if claim.spanned and len(named) > 1:
        yield tuple(series[series.index(named[0]) : series.index(named[-1]) + 1])
    if len(claim.periods) == 1:
        for at in named:
            before = series.index(at)
            if before:
                yield (series[before - 1], at)
    if not claim.periods and len(series) > 1:
        yield tuple(series)


def _totals(known: Known, group: tuple[int, ...], wanted: frozenset[str]) -> Iterator[Outcome]:
    total = sum(known.values[at] for at in group)
    if "sum" in wanted:
        yield Outcome("sum", total, group)
    if "average" in wanted:
        yield Outcome("average", total / len(group), group)


def _across(
    claim: Claim, known: Known, lines: tuple[Line, Line], wanted: frozenset[str]
) -> Iterator[Outcome]:
    for one, other in _meeting(claim, known, *lines):
        yield from (found for found in _pair(known, one, other) if _is_wanted(found, wanted))


def _is_wanted(found: Outcome, wanted: frozenset[str]) -> bool:
    return found.name in wanted or (found.name == "difference" and "change" in wanted)


def _meeting(claim: Claim, known: Known, one: Line, other: Line) -> Iterator[tuple[int, int]]:
    """Figures of two lines that belong to the same period."""
    mine = [at for at in _series(claim, known, one) if _of_own(claim, known, at)]
    theirs = [at for at in _series(claim, known, other) if _of_own(claim, known, at)]
    for left in mine:
        for right in theirs:
            first, second = known.periods[left], known.periods[right]
            if first is None or second is None or when.agree(first, second) != "different":
                yield left, right


def _pair(known: Known, one: int, other: int) -> Iterator[Outcome]:
    left, right = known.values[one], known.values[other]
    alike = same_kind(known.figures[one].unit, known.figures[other].unit)
    if alike:
        yield Outcome("difference", left - right, (one, other))
    if right and left:
        pure = alike or "" in (known.figures[one].unit, known.figures[other].unit)
        yield Outcome("ratio", left / right, (one, other), pure=pure)
        if not pure:
            yield Outcome("ratio", left / right, (one, other))
    if one < other:
        if alike:
            yield Outcome("sum", left + right, (one, other))
            yield Outcome("average", (left + right) / 2, (one, other))
        yield Outcome("product", left * right, (one, other))


def _sums_of_lines(claim: Claim, known: Known, lines: list[Line]) -> Iterator[Outcome]:
    for count in range(3, len(lines) + 1):
        for chosen in combinations(lines, count):
            first = [at for at in _series(claim, known, chosen[0]) if _timely(claim, known, at)]
            for at in first:
                met = [_same_time(claim, known, at, line) for line in chosen[1:]]
                group = (at, *(other for other in met if other is not None))
                if len(group) == count:
                    yield from _totals(known, group, frozenset({"sum", "average"}))


def _same_time(claim: Claim, known: Known, at: int, line: Line) -> int | None:
    for other in _series(claim, known, line):
        if known.periods[other] == known.periods[at]:
            return other
    return None


def _of_averages(claim: Claim, known: Known, lines: list[Line]) -> Iterator[Outcome]:
    """Differences between averages, of one line at two times or of two lines."""
    averages: list[tuple[int, ...]] = []
    for line in lines:
        series = _series(claim, known, line)
        averages += dict.fromkeys((*_groups(claim, known, series), *pairwise(series)))
    for one, other in combinations(averages, 2):
        first = sum(known.values[at] for at in one) / len(one)
        second = sum(known.values[at] for at in other) / len(other)
        template = f"{_mean(0, len(one))} − {_mean(len(one), len(other))}"
        yield Outcome("difference of averages", first - second, one + other, template=template)


def _mean(start: int, count: int) -> str:
    return f"({' + '.join(f'{{{start + at}}}' for at in range(count))}) ÷ {count}"


def _runs(known: Known, members: tuple[int, ...]) -> Iterator[Outcome]:
    """Sums of neighbours in a column: how a table's totals come about."""
    for start in range(len(members)):
        total = known.values[members[start]]
        for end in range(start + 1, min(start + _LONGEST_SUM, len(members))):
            if not same_kind(known.figures[members[start]].unit, known.figures[members[end]].unit):
                break
            total += known.values[members[end]]
            yield Outcome("sum", total, members[start : end + 1])
