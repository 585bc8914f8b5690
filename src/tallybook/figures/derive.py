"""Explain a figure as computed from known ones, and do not believe in luck.

Among many figures almost any number is the difference or the ratio of two. So operands have to be
related: lines that the claim's words name, in the periods that they name, joined as they say.
Each trial is counted, and `chance` is the expected number of accidental hits among the trials:
the sum over trials of (step of the last digit shown) / |claim|. A search stops when that exceeds
its limit: SAID_CHANCE where words name lines and operation, UNSAID_CHANCE where they name lines
only, BLIND_CHANCE among a column's other figures. So at most UNSAID_CHANCE + BLIND_CHANCE of
invented figures that name no operation are explained by accident, and what is accepted above
WEAK_CHANCE is called weak.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Literal

import msgspec

from tallybook.figures import formulas
from tallybook.figures.claims import Claim, claim_of
from tallybook.figures.figure import Figure
from tallybook.figures.known import Known
from tallybook.figures.outcome import Outcome, same_kind
from tallybook.figures.scope import Scope

SAID_CHANCE = 0.7
UNSAID_CHANCE = 0.04
BLIND_CHANCE = 0.02
WEAK_CHANCE = 0.05
_NOTHING = 0.1
"""Two unrelated figures are equal less often than this, so a claim of zero may be tried."""


class Derivation(msgspec.Struct, frozen=True):
    """A formula over known figures that gives a claim within its rounding.

    `name` is the operation, `formula` spells it with the operands as they were written;
    `tried` formulas were looked at and `chance` accidental hits expected among them.
    `unscaled` says that only one of claim and operands states its scale.
    """

    name: str
    formula: str
    operands: tuple[Figure, ...]
    tried: int
    chance: float
    unscaled: bool = False

    @property
    def weak(self) -> bool:
        """Whether the claim shows too few digits for its value to be evidence."""
        return self.chance > WEAK_CHANCE


def derive(claim: Figure, known: Sequence[Figure], said: str = "") -> Derivation | None:
    """The formula over `known` that gives `claim`, or None; `said` are the words around it."""
    return derivation(claim_of(claim, said), Known(known))


def derivation(claim: Claim, known: Known) -> Derivation | None:
    """The formula over prepared figures that gives a claim, or None."""
    if claim.figure.kind == "identifier":
        return None
    scope = Scope(claim, known)
    searches = (
        (formulas.said(scope), SAID_CHANCE if claim.computed else UNSAID_CHANCE),
        (formulas.unsaid(scope), UNSAID_CHANCE),
        (formulas.blind(scope), BLIND_CHANCE),
    )
    for outcomes, limit in searches:
        if found := _first(claim, known, outcomes, limit):
            return found
    return None


def _first(
    claim: Claim, known: Known, outcomes: Iterable[Outcome], limit: float
) -> Derivation | None:
    """Stop at the first hit: outcomes come best-fitting first, so later ones explain less."""
    figure = claim.figure
    size = abs(float(figure.value))
    luck = min(1.0, float(figure.precision) / size) if size else _NOTHING
    most = int(limit / luck)
    windows = _windows(figure)
    for tried, outcome in enumerate(outcomes, start=1):
        if tried > most:
            return None
        fit = _is_near(outcome.value, windows) and _fit(claim, outcome, known)
        if fit and _matters(claim, outcome, known):
            operands = tuple(known.figures[at] for at in outcome.operands)
            formula = outcome.spelled(tuple(_spell(operand) for operand in operands))
            chance = round(tried * luck, 4)
            as_shown = figure.scale == 1 and known.supposed.issuperset(outcome.operands)
            unscaled = fit == "unscaled" and not as_shown
            return Derivation(outcome.name, formula, operands, tried, chance, unscaled)
    return None


def _windows(figure: Figure) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Where a value must lie to be the figure in any unit and at any scale: lows and highs."""
    size, scale = abs(float(figure.value)), float(figure.scale)
    if not size:
        return (0.0,), (math.inf,)
    slack = 0.51 * float(figure.precision) + 1e-9 * size
    scales = {scale} if scale != 1 else {1e-3, 1e-4, 1e-6, 1e-8, 1e-9, 1e-12}
    factors = sorted({1.0, 100.0, 10_000.0} | scales, reverse=True)
    lows = (max(0.0, size - slack) / by for by in factors)
    return tuple(lows), tuple((size + slack) / by for by in factors)


def _is_near(value: float, windows: tuple[tuple[float, ...], tuple[float, ...]]) -> bool:
    """A cheap first look, for nearly all outcomes are far off; windows do not overlap."""
    lows, highs = windows
    at = bisect_right(lows, abs(value)) - 1
    return at >= 0 and abs(value) <= highs[at]


def _fit(claim: Claim, outcome: Outcome, known: Known) -> Literal["", "exact", "unscaled"]:
    """Whether an outcome rounds to the claim, as a value or as digits without scale."""
    figure = claim.figure
    value, step = float(figure.value), float(figure.precision)
    first = known.figures[outcome.operands[0]]
    units = (known.figures[at].unit for at in outcome.operands)
    if not outcome.pure and not any(same_kind(figure.unit, unit) for unit in units):
        return ""
    results = _in_unit(claim, outcome, first.unit)
    if any(_agrees(claim, outcome, result, (value, step)) for result in results):
        return "exact"
    mine, theirs = float(figure.scale), float(first.scale)
    scales = {known.figures[at].scale for at in outcome.operands}
    if outcome.pure or mine == theirs or 1.0 not in (mine, theirs) or len(scales) > 1:
        return ""
    shown = (value / mine, step / mine)
    return "unscaled" if _agrees(claim, outcome, outcome.value / theirs, shown) else ""


def _in_unit(claim: Claim, outcome: Outcome, unit: str) -> tuple[float, ...]:
    """What an outcome may read as in the claim's unit."""
    mine = claim.figure.unit
    if outcome.pure and (mine in {"pp", "bps"} or (claim.intent.points and not mine)):
        points = outcome.value * (10_000 if mine == "bps" else 100)
        return (points,) if outcome.name == "change of ratios" else ()
    if outcome.pure:
        percent = mine == "%" or (mine == "" and claim.intent.percent)
        plain = mine in {"", "x"}
        return (outcome.value * 100,) * percent + (outcome.value,) * plain
    return (outcome.value * 100 if mine == "bps" and unit in {"%", "pp"} else outcome.value,)


def _matters(claim: Claim, outcome: Outcome, known: Known) -> bool:
    """Each term of a sum must show in the claim's digits, be as precise, and not be the claim."""
    if outcome.name not in {"sum", "difference"}:
        return True
    figure = claim.figure
    terms = [known.figures[at] for at in outcome.operands]
    unscaled = figure.scale != terms[0].scale and 1 in (figure.scale, terms[0].scale)
    mine = figure.scale if unscaled else Decimal(1)
    size, step = abs(figure.value) / mine, figure.precision / mine
    for term in terms:
        theirs = term.scale if unscaled else Decimal(1)
        if not abs(term.value) / theirs >= step >= term.precision / theirs:
            return False
        if abs(abs(term.value) / theirs - size) * 2 <= step:
            return False
    return True


def _agrees(claim: Claim, outcome: Outcome, result: float, shown: tuple[float, float]) -> bool:
    value, step = shown
    if abs(abs(result) - abs(value)) > 0.5 * step + 1e-9 * abs(result):
        return False
    return _direction_fits(claim, outcome, result * value < 0)


def _direction_fits(claim: Claim, outcome: Outcome, flipped: bool) -> bool:
    """A change has a sign, and words that say it; a difference between two lines has not."""
    direction, said = claim.intent.direction, claim.intent.operations
    if not outcome.directed or outcome.value == 0:
        return True
    if not flipped:
        return not (claim.figure.value > 0 and direction < 0)
    if claim.figure.value > 0:
        return direction < 0 or (direction == 0 and not claim.intent.change and bool(said))
    return False


def _spell(figure: Figure) -> str:
    return figure.text or f"{figure.value:f}"
