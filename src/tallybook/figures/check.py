"""Find the source that a claim quotes, or say why the nearest candidate is none.

Equal values are only candidates. One whose entity, period or measure contradicts the claim's is
refused, and so is one whose line holds another value for the claim's period, or stands beside a
line that the claim names outright. Where the labels say nothing, the value must be telling: the
expected number of accidental hits, (figures known) x (step / |claim|), must stay below LUCK.
"""

from __future__ import annotations

import re
from itertools import islice

import msgspec

from tallybook.figures import match, reading, when, wording
from tallybook.figures.claims import Claim, operations_of
from tallybook.figures.figure import Figure
from tallybook.figures.known import Known
from tallybook.figures.match import Equality
from tallybook.figures.scope import asks_for
from tallybook.figures.when import Agreement

LUCK = 0.05
_MOST = 48
_NAMED = 0.5
_OUTRIGHT = 0.8
_TIE = 0.02
_TRUSTED = 0.5
_STEPS = re.compile(r"[.\[\]]+")
_SILENT = frozenset({"value", "val", "items", "data", "results", "companies", "units", "facts"})
_CHANGES = frozenset({"growth", "change"})
_NOTHING = re.compile(r"[|\t]\s*[-–—]\s*[|\t]")
"""A dash in a cell: the change from nothing to a figure is the figure."""
_BINDING = frozenset({"average", "cagr", "growth", "change"})


class Quotation(msgspec.Struct, frozen=True):
    """The source a claim quotes, with `strength` from 0 to 1."""

    source: Figure
    why: str
    strength: float
    weak: bool = False
    ambiguous: bool = False


class Refusal(msgspec.Struct, frozen=True):
    """Why a claim quotes nothing, with the nearest candidate; `equal` if only its value fits."""

    why: str
    nearest: Figure | None = None
    equal: bool = False


def quotation(claim: Claim, known: Known) -> Quotation | Refusal:
    """The best source of a claim, or why there is none."""
    if claim.figure.kind == "identifier":
        return _verbatim(claim, known)
    found = _candidates(claim, known)
    judged = [_judge(claim, known, at, equality) for at, equality in found]
    holding = [one for one in judged if isinstance(one, Quotation)]
    if holding:
        return _best(holding)
    refused = [one for one in judged if isinstance(one, Refusal)]
    return refused[0] if refused else _nearest(claim, known)


def _candidates(claim: Claim, known: Known) -> list[tuple[int, Equality]]:
    figure = claim.figure
    value, step = abs(float(figure.value)), float(figure.precision)
    scale = float(figure.scale)
    tries = {(value, step), (value / scale, step / scale)}
    if figure.unit in {"%", "bps"}:
        tries.add((value / 100, step / 100))
    if figure.unit in {"", "x", "%"}:
        tries.add((value * 100, step * 100))
    near = {at for size, width in tries for at in known.near(size, width)}
    ordered = sorted(near, key=lambda at: -known.cover(claim.said, at))
    equal = ((at, match.equal(figure, known.figures[at])) for at in ordered)
    settled = ((at, _settled(equality, at in known.supposed)) for at, equality in equal if equality)
    return list(islice(settled, _MOST))


def _settled(equality: Equality, supposed: bool) -> Equality:
    """Digits of a cell whose scale is only supposed may be told as they are shown."""
    if not supposed:
        return equality
    why = f"{equality.why}; scale supposed from the rest of the result"
    if equality.unscaled == "claim":
        return Equality("equal as shown, where no scale is stated", 0.9)
    return msgspec.structs.replace(equality, why=why)


def _judge(claim: Claim, known: Known, at: int, equality: Equality) -> Quotation | Refusal:
    """What speaks for or against a figure of equal value."""
    source, period = known.figures[at], _period(claim, known, at)
    if against := _contradiction(claim, known, at, period):
        return Refusal(against, source, equal=True)
    cover = known.cover(claim.said, at)
    agrees = cover >= _NAMED or _spoken_around(claim, known, at)
    if not agrees and _luck(claim, known) > LUCK:
        return Refusal(f"the value stands under {_called(source) or 'no name'} only", source)
    if claim.computed & _BINDING and not _states_one(claim, known, at):
        told = " or ".join(sorted(claim.computed & _BINDING))
        return Refusal(f"that is {_called(source) or 'a figure'}, and no {told} of it", source)
    cited, weak = _is_cited(claim, known, source.seq), equality.trust < _TRUSTED
    why = equality.why if cited else f"{equality.why}; not in the cited {list(claim.cites)}"
    strength = equality.trust * (1.0 if period == "same" else 0.85) * (0.6 + 0.4 * cover)
    strength = strength if cited else strength / 2
    return Quotation(source, why, strength, weak, ambiguous=not cited or weak)


def _contradiction(claim: Claim, known: Known, at: int, period: Agreement) -> str:
    """In what the figure is another one than the claim speaks of; "" if in nothing."""
    source, line = known.figures[at], known.lines[known.line_of[at]]
    if source.entity and claim.whose and not _same_entity(claim, source):
        return f"that is {source.entity}, not {claim.whose[0]}"
    if period == "different":
        return f"that is for {source.period}"
    if wording.contradict(claim.near or claim.said, line.words):
        return f"that is {_called(source)}"
    if period == "possible" and (other := _better_period(claim, known, at)):
        return f"that is for {source.period}; {other}"
    if rival := _outright(claim, known, at):
        return f"that is {_called(source) or 'something else'}, not {rival}"
    return ""


def _is_cited(claim: Claim, known: Known, seq: int) -> bool:
    """Whether a result is one of those that the claim's footnotes name, if they name any."""
    if not any(cited in known.places.texts for cited in claim.cites):
        return not claim.cites
    return seq in claim.cites


def _called(figure: Figure) -> str:
    """What a figure is called, without the steps of a path that say nothing."""
    if not figure.label.startswith("$"):
        return figure.label
    steps = [step for step in _STEPS.split(figure.label) if step and not step.isdigit()]
    telling = [step for step in steps[1:] if step not in _SILENT]
    return " ".join(telling[-2:]) or figure.label


def _same_entity(claim: Claim, source: Figure) -> bool:
    return any(wording.same_name(source.entity, entity) for entity in claim.whose)


def _period(claim: Claim, known: Known, at: int) -> Agreement:
    """How the source's period agrees with the claim's own, or with any the sentence names."""
    period = known.periods[at] or reading.period_in(known, at)
    if period is None:
        return "possible"
    return when.agree_with_any(period, (claim.own,) if claim.own else claim.periods)


def _better_period(claim: Claim, known: Known, at: int) -> str:
    """What the same line holds for exactly the claim's period, if that is something else."""
    if claim.own is None:
        return ""
    for other in known.lines[known.line_of[at]].members:
        period = known.periods[other]
        if period and when.agree(period, claim.own) == "same":
            if match.equal(claim.figure, known.figures[other]):
                return ""
            return f"{known.figures[other].period} has {known.figures[other].text}"
    return ""


def _outright(claim: Claim, known: Known, at: int) -> str:
    """Another line that the claim names better, with another value for its time."""
    if known.cover(claim.near or claim.said, at) >= _OUTRIGHT:
        return ""
    rival = named_outright(claim, known, known.figures[at].seq)
    if rival is None or known.line_of[rival] == known.line_of[at]:
        return ""
    if known.figures[at].label == "" or "|" not in known.places.sentence(at):
        spoken = wording.words(known.places.sentence(at)) & claim.said
        if len(spoken) >= len(known.lines[known.line_of[rival]].words & claim.said):
            return ""
    return _called(known.figures[rival])


def named_outright(claim: Claim, known: Known, seq: int | None = None) -> int | None:
    """The figure that a claim asks for by its whole name and period, if its value is another.

    Only result `seq` is looked at where one is given.
    """
    said = claim.near or claim.said
    lines = (line for line in known.named(said) if seq is None or line.seq == seq)
    for line in islice((line for line in lines if asks_for(claim.whose, known, line)), 1):
        if known.cover(said, line.members[0]) < _OUTRIGHT:
            return None
        timely = [at for at in line.members if _period(claim, known, at) != "different"]
        same = [match.equal(claim.figure, known.figures[at]) for at in timely]
        units = [match.units_fit(claim.figure.unit, known.figures[at].unit) for at in timely]
        if timely and not any(same) and all(units):
            return timely[0]
    return None


def _states_one(claim: Claim, known: Known, at: int) -> bool:
    """Whether the source calls its figure an average or a change, or has nothing beside it."""
    label, sentence = wording.spaced(known.figures[at].label), known.places.sentence(at)
    if len(claim.periods) > 1 and claim.computed & _CHANGES and _NOTHING.search(sentence):
        return True
    return bool(claim.computed & _BINDING & operations_of(f"{label} {sentence}"))


def _spoken_around(claim: Claim, known: Known, at: int) -> bool:
    """Whether the words around a figure in prose say what the claim says."""
    figure = known.figures[at]
    if known.cover(claim.said, at) > 0 and figure.label:
        return True
    text = known.places.sentence(at)
    shared = wording.words(text) & claim.said
    return "|" not in text and len(shared) + len(wording.concepts(shared)) >= 2


def _luck(claim: Claim, known: Known) -> float:
    value = abs(float(claim.figure.value))
    return len(known.figures) * float(claim.figure.precision) / value if value else 1.0


def _best(holding: list[Quotation]) -> Quotation:
    best = max(holding, key=lambda one: one.strength)
    rivals = [one for one in holding if one.strength >= best.strength - _TIE]
    if best.ambiguous or all(_one_meaning(best, rival) for rival in rivals):
        return best
    other = next(one for one in rivals if not _one_meaning(best, one))
    why = f"{best.why}; as well {_called(other.source)} {other.source.period}".strip()
    return msgspec.structs.replace(best, why=why, ambiguous=True)


def _one_meaning(one: Quotation, other: Quotation) -> bool:
    return one is other or match.may_be_one(one.source, other.source)


def _verbatim(claim: Claim, known: Known) -> Quotation | Refusal:
    for figure in known.figures:
        if figure.kind == "identifier" and figure.text == claim.figure.text:
            return Quotation(figure, "found verbatim", 1.0)
    for seq, text in known.places.texts.items():
        start = text.find(claim.figure.text)
        if start >= 0:
            span = (start, start + len(claim.figure.text))
            source = msgspec.structs.replace(claim.figure, seq=seq, span=span)
            return Quotation(source, "found verbatim", 1.0)
    return Refusal("this identifier is in no result")


def _nearest(claim: Claim, known: Known) -> Refusal:
    """The figure that the claim's words and periods ask for, to be shown beside it."""
    asked = (
        line for line in known.named(claim.near or claim.said) if asks_for(claim.whose, known, line)
    )
    for line in islice(asked, 3):
        for at in line.members:
            if _period(claim, known, at) != "different":
                figure = known.figures[at]
                told = f"{_called(figure)} {figure.period}".strip()
                return Refusal(f"in no result; {told} is {figure.text or figure.value}", figure)
    return Refusal("in no result")
