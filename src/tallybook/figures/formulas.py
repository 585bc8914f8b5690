"""The formulas that may explain a claim, best-fitting first.

`said` goes along the lines and across the columns that the claim's words and periods single out,
as they say; `unsaid` joins the same figures in any way; `blind` looks at the other figures of the
same columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from tallybook.figures import wording
from tallybook.figures.known import Known
from tallybook.figures.outcome import Outcome, same_kind
from tallybook.figures.scope import Scope
from tallybook.figures.totals import (
    averages_of_differences,
    changes_of_ratios,
    of_averages,
    sums_of_lines,
    totals,
)

_LONGEST_SUM = 10
_CHANGES = frozenset({"change", "growth"})
_INSISTENT = frozenset({"average", "cagr"})
_OF_PARTS = frozenset({"difference", "ratio", "sum"})
_ANY = frozenset({"difference", "growth", "ratio", "sum", "average"})


def said(scope: Scope) -> Iterator[Outcome]:
    """Formulas over lines that the words name, in the periods that they name, as they say."""
    operations = frozenset(scope.claim.intent.operations)
    wanted: frozenset[str] = operations
    if "average" in operations:
        wanted = operations & {"average", "ratio"}
    if scope.claim.computed and "sum" not in scope.claim.computed:
        wanted -= {"sum"}
    if not _is_stretch(scope):
        yield from _across(scope, wanted)
    for series in scope.series:
        yield from _along(scope, series, wanted)
    if scope.claim.intent.points:
        yield from changes_of_ratios(scope)
    if _is_stretch(scope) and wanted & {"difference", "ratio", "sum", "average", "product"}:
        yield from _across(scope, wanted)
    if wanted & {"sum", "average"}:
        yield from sums_of_lines(scope)
    if "average" in operations and operations & {"difference", "change", "growth"}:
        yield from of_averages(scope)
        yield from averages_of_differences(scope)


def unsaid(scope: Scope) -> Iterator[Outcome]:
    """Formulas over the same lines joined in any way, unless the words insist on theirs."""
    if scope.claim.computed & _INSISTENT:
        return
    changed, wanted = scope.claim.computed & _CHANGES, _ANY
    if wording.is_composed(scope.claim.near) and scope.claim.is_plain:
        wanted = _OF_PARTS
    for series in scope.series:
        yield from _along(scope, series, _CHANGES if changed else wanted)
    if not (_is_stretch(scope) and changed):
        yield from _across(scope, wanted)


def blind(scope: Scope) -> Iterator[Outcome]:
    """Formulas over whole columns: sums of neighbours, then any pair, as far as the words allow."""
    wanted: frozenset[str] = scope.claim.computed or _ANY
    if "sum" in wanted:
        for members in scope.columns():
            yield from _runs(scope.known, members)
    if scope.is_complete or (scope.claim.computed and _is_stretch(scope)):
        return
    for members in scope.columns():
        for one, other in permutations(members, 2):
            yield from _wanted(_pair(scope.known, one, other), wanted)


def _is_stretch(scope: Scope) -> bool:
    """Whether the claim compares two times, so that it is about one line."""
    return len(scope.claim.periods) > 1 or scope.claim.intent.step != ""


def _along(scope: Scope, series: list[int], wanted: frozenset[str]) -> Iterator[Outcome]:
    for earlier, later in scope.pairs(series):
        yield from _change(scope.known, earlier, later, wanted)
    if wanted & {"sum", "average"}:
        for group in scope.groups(series):
            yield from totals(scope.known, group, wanted)


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


def _across(scope: Scope, wanted: frozenset[str]) -> Iterator[Outcome]:
    for left, right in scope.meetings():
        yield from _wanted(_pair(scope.known, left, right), wanted)


def _wanted(outcomes: Iterator[Outcome], wanted: frozenset[str]) -> Iterator[Outcome]:
    for found in outcomes:
        if found.name in wanted or (found.name == "difference" and "change" in wanted):
            yield found


def _pair(known: Known, one: int, other: int) -> Iterator[Outcome]:
    left, right = known.values[one], known.values[other]
    units = (known.figures[one].unit, known.figures[other].unit)
    alike = same_kind(*units)
    both = (one, other)
    if alike:
        yield Outcome("difference", left - right, both)
        if left > 0 > right:
            yield Outcome("difference", left + right, both, template="{0} − |{1}|")
    if left and right:
        yield from _quotients(left, right, both, units)
    if one < other:
        if alike:
            yield Outcome("sum", left + right, both)
            yield Outcome("average", (left + right) / 2, both)
        part = 100 if "%" in units else 1
        yield Outcome("product", left * right / part, both)


def _quotients(
    left: float, right: float, both: tuple[int, int], units: tuple[str, str]
) -> Iterator[Outcome]:
    """A ratio is a pure number among equals; a part divided by its percentage is the whole."""
    if units[1] == "%" != units[0]:
        yield Outcome("ratio", 100 * left / right, both)
    elif same_kind(*units) and ("%" not in units or units[0] == units[1]):
        yield Outcome("ratio", left / right, both, pure=True)
    if "" in units or units[0] != units[1]:
        yield Outcome("ratio", left / right, both)


def _runs(known: Known, members: tuple[int, ...]) -> Iterator[Outcome]:
    """Sums of neighbours in a column: how a table's totals come about."""
    for start in range(len(members)):
        total = known.values[members[start]]
        for end in range(start + 1, min(start + _LONGEST_SUM, len(members))):
            if not same_kind(known.figures[members[start]].unit, known.figures[members[end]].unit):
                break
            total += known.values[members[end]]
            yield Outcome("sum", total, members[start : end + 1])
