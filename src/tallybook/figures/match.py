"""Say whether two mentions are the same figure, and why.

Values are compared at the precision of the coarser mention; units, entities, periods and labels
then decide. A contradiction in any of them is a mismatch however equal the values are; what one
side leaves out is neutral and makes the match weaker.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

import msgspec

from tallybook.figures import when, wording
from tallybook.figures.figure import Figure

Standing = Literal["agrees", "unknown", "contradicts"]

_PERCENT = Decimal(100)
_POINTS = frozenset({"%", "pp", "bps"})
_BARE = frozenset({"", "x", "shares"})
_SCALES = ((12, "trillion"), (9, "billion"), (6, "million"), (3, "thousand"))


class Match(msgspec.Struct, frozen=True):
    """Two mentions of one figure.

    `why` says how the values agree and what the labels, entities and periods had to say;
    `strength` lies in (0, 1]: 1 is equal in every respect. `weak` says that something that bears
    on the value had to be assumed: its scale, or digits that the source does not show.
    """

    source: Figure
    why: str
    strength: float
    weak: bool = False


class Mismatch(msgspec.Struct, frozen=True):
    """Why two mentions are not the same figure."""

    source: Figure
    why: str


class Equality(msgspec.Struct, frozen=True):
    """How two values agree; `trust` is 1 where nothing had to be assumed.

    `unscaled` says which side does not state its scale: "claim" or "source".
    """

    why: str
    trust: float
    unscaled: Literal["", "claim", "source"] = ""


_NEUTRAL = 0.9
_ASSUMED = 0.5
_TELLING = 10
"""Steps below which a coarse figure is of one digit, which tells nothing of a finer one."""


def match(claim: Figure, source: Figure) -> Match | None:
    """The match of two mentions, or None where they are not the same figure."""
    found = compare(claim, source)
    return found if isinstance(found, Match) else None


def compare(claim: Figure, source: Figure) -> Match | Mismatch:
    """Whether two mentions are the same figure, with the reason either way."""
    equality = equal(claim, source)
    if equality is None:
        return Mismatch(source, unequal(claim, source))
    standings = {
        "entity": _entities(claim.entity, source.entity),
        "period": _periods(claim.period, source.period),
        "label": _labels(claim.label, source.label),
    }
    for aspect, standing in standings.items():
        if standing == "contradicts":
            mine, theirs = getattr(claim, aspect), getattr(source, aspect)
            return Mismatch(source, f"the {aspect} is {theirs}, not {mine}")
    strength, reasons = equality.trust, [equality.why]
    for aspect, standing in standings.items():
        if standing == "agrees":
            reasons.append(f"same {aspect}")
        else:
            strength *= _NEUTRAL
    weak = equality.trust < _ASSUMED
    return Match(source, "; ".join(reasons), round(strength, 3), weak)


def equal(claim: Figure, source: Figure) -> Equality | None:
    """How two values agree at the precision of the coarser, whatever they are called."""
    if claim.kind != source.kind:
        return None
    if claim.kind == "identifier":
        return Equality("same identifier", 1.0) if claim.text == source.text else None
    if not units_fit(claim.unit, source.unit):
        return None
    mine, theirs = _comparable(claim), _comparable(source)
    if found := _same(claim, mine, theirs):
        return found
    if {claim.unit == "%", source.unit == "%"} == {True, False} and (
        claim.unit in _BARE or source.unit in _BARE
    ):
        percent, plain = (mine, theirs) if claim.unit == "%" else (theirs, mine)
        fraction = (percent[0] / _PERCENT, percent[1] / _PERCENT)
        coarse = plain[1] > fraction[1] and abs(plain[0]) < _TELLING * plain[1]
        if _within(fraction, plain) and not coarse:
            return Equality("percent as fraction", 0.9)
    if claim.scale != source.scale and 1 in (claim.scale, source.scale):
        return _unscaled(claim, source)
    return None


def units_fit(one: str, other: str) -> bool:
    """Whether two units can be of one figure; an unknown unit fits any."""
    if one == other or "" in (one, other):
        return True
    if one in _POINTS and other in _POINTS:
        return True
    if {one, other} <= {"x", "%"}:
        return True
    return one.partition("/")[0] == other.partition("/")[0] and "/" in one + other


def unequal(claim: Figure, source: Figure) -> str:
    """Why two values do not agree."""
    if not units_fit(claim.unit, source.unit):
        return f"the unit is {source.unit}, not {claim.unit}"
    ratio = abs(source.value / claim.value) if claim.value else Decimal(0)
    if ratio and ratio != 1 and abs(ratio.log10() - round(ratio.log10())) < Decimal("0.0005"):
        return f"the scale differs: the source has {source.text or source.value}"
    return f"the source has {source.text or source.value}"


def ambiguous(matches: Sequence[Match]) -> bool:
    """Whether the best of several matches mean different things, so that none can be chosen."""
    best = max((found.strength for found in matches), default=0.0)
    rivals = [found.source for found in matches if found.strength >= best - 1e-9]
    return any(not may_be_one(rivals[0], rival) for rival in rivals[1:])


def may_be_one(one: Figure, other: Figure) -> bool:
    """Whether nothing that two figures are called keeps them from being the same one."""
    mine, theirs = wording.words(one.label), wording.words(other.label)
    return (
        wording.same_name(one.entity, other.entity)
        and _periods(one.period, other.period) != "contradicts"
        and (not mine or not theirs or bool(mine & theirs))
    )


def _same(
    claim: Figure, mine: tuple[Decimal, Decimal], theirs: tuple[Decimal, Decimal]
) -> Equality | None:
    if mine[0] == theirs[0]:
        return Equality("equal", 1.0)
    if _within(mine, theirs):
        step = max(mine[1], theirs[1])
        why = f"equal at {_spell(step)}"
        if theirs[1] > mine[1]:
            if abs(theirs[0]) < _TELLING * theirs[1]:
                return None
            return Equality(f"{why}, but the claim shows more digits than the source", 0.45)
        return Equality(why, 0.95)
    if claim.value and _within((-mine[0], mine[1]), theirs):
        return Equality("sign differs in presentation", 0.6)
    return None


def _unscaled(claim: Figure, source: Figure) -> Equality | None:
    mine = (claim.value / claim.scale, claim.precision / claim.scale)
    theirs = (source.value / source.scale, source.precision / source.scale)
    found = _same(claim, mine, theirs)
    if found is None:
        return None
    side: Literal["claim", "source"] = "claim" if claim.scale == 1 else "source"
    why = f"{found.why} as shown, scale not stated by the {side}"
    return Equality(why, 0.35 * found.trust, side)


def _comparable(figure: Figure) -> tuple[Decimal, Decimal]:
    if figure.unit == "bps":
        return figure.value / _PERCENT, figure.precision / _PERCENT
    return figure.value, figure.precision


def _within(one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal]) -> bool:
    return abs(one[0] - other[0]) * 2 <= max(one[1], other[1])


def _spell(step: Decimal) -> str:
    for exponent, name in _SCALES:
        if step >= Decimal(10) ** (exponent - 2):
            return f"{(step / Decimal(10) ** exponent).normalize():f} {name}"
    return f"{step.normalize():f}"


def _entities(one: str, other: str) -> Standing:
    if not one or not other:
        return "unknown"
    return "agrees" if wording.same_name(one, other) else "contradicts"


def _periods(one: str, other: str) -> Standing:
    mine, theirs = when.read(one), when.read(other)
    if mine is None or theirs is None:
        return "agrees" if one and one == other else "unknown"
    agreement = when.agree(mine, theirs)
    if agreement == "same":
        return "agrees"
    return "contradicts" if agreement == "different" else "unknown"


def _labels(one: str, other: str) -> Standing:
    mine, theirs = wording.words(one), wording.words(other)
    if wording.contradict(mine, theirs):
        return "contradicts"
    return "agrees" if mine & theirs else "unknown"
