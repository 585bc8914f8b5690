"""Trace every figure of an answer to the results it rests on.

A figure is quoted from a result, derived from traced figures by a named formula, given by the
question, or unsupported. A footnote restricts where its figure may come from. What stands under
another name, period or company than the answer says is not a source.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from tallybook.figures import wording
from tallybook.figures.check import Quotation, Refusal, named_outright, quotation
from tallybook.figures.claims import Claim
from tallybook.figures.derive import Derivation, derivation
from tallybook.figures.figure import Figure
from tallybook.figures.find import find
from tallybook.figures.known import Known
from tallybook.figures.reading import read_claims
from tallybook.figures.scales import supposed

Verdict = Literal["quoted", "derived", "given", "unsupported"]
_VERDICTS: tuple[Verdict, ...] = ("quoted", "derived", "given", "unsupported")


_RANGE = re.compile(r"(?:\bbetween|\brange of|\branging from|介于)\s*$", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:and|to|[-–—~]|至|到|和)\s*", re.IGNORECASE)


class Traced(msgspec.Struct, frozen=True):
    """One figure of an answer and where it comes from.

    `source` is the result's figure it quotes, with `words` from around it; `derivation` the
    formula it follows from. `why` says how the two agree or, if unsupported, what the nearest
    candidate is and why it is none. `ambiguous` marks a source that may not be the one meant.
    """

    figure: Figure
    verdict: Verdict
    why: str
    source: Figure | None = None
    words: str = ""
    derivation: Derivation | None = None
    ambiguous: bool = False


class Audit(msgspec.Struct, frozen=True):
    """What became of every figure of an answer, in reading order."""

    traced: tuple[Traced, ...]

    def count(self, verdict: Verdict) -> int:
        """How many figures got a verdict."""
        return Counter(one.verdict for one in self.traced)[verdict]

    @property
    def unsupported(self) -> tuple[Traced, ...]:
        """The figures that no result and no formula supports."""
        return tuple(one for one in self.traced if one.verdict == "unsupported")

    @property
    def line(self) -> str:
        """The audit in one line: "24 figures: 20 quoted, 4 derived, 0 unsupported"."""
        total = len(self.traced)
        counts = [(self.count(verdict), verdict) for verdict in _VERDICTS]
        told = [f"{count} {name}" for count, name in counts if count or name != "given"]
        return f"{total} figure{'' if total == 1 else 's'}: {', '.join(told)}"


class Sources(Known):
    """Results whose figures are found and indexed once, for tracing any number of answers."""

    def __init__(self, texts: Mapping[int, str], entities: Mapping[int, str] | None = None) -> None:
        """Read the results by seq; `entities` says whose a result is, where the text does not."""
        whose = entities or {}
        figures: list[Figure] = []
        guessed: list[int] = []
        for seq, text in texts.items():
            found, bare = supposed(find(text, seq=seq, entity=whose.get(seq, "")), text)
            guessed += (len(figures) + at for at in bare)
            figures += found
        super().__init__(figures, texts, guessed)


def trace(answer: str, sources: Mapping[int, str] | Known, question: str = "") -> Audit:
    """Say of every figure in an answer where it comes from.

    `sources` are results by seq; prepare `Sources` once where several answers are traced.
    Numbers that the `question` gives count as known.
    """
    known = sources if isinstance(sources, Known) else Sources(sources)
    asked = Known(find(question)) if question else Known(())
    claims = read_claims(answer, known.entities, question)
    first = [_trace(claim, known, asked) for claim in claims]
    for at in _ranges(answer, claims):
        if all(one.verdict == "unsupported" for one in first[at : at + 2]):
            first[at : at + 2] = _between(claims[at], claims[at + 1], known) or first[at : at + 2]
    if all(one.verdict != "unsupported" for one in first):
        return Audit(tuple(first))
    settled = Known(_settled(zip(claims, first, strict=True)))
    again = (
        _rederived(claim, one, settled) if one.verdict == "unsupported" else one
        for claim, one in zip(claims, first, strict=True)
    )
    return Audit(tuple(again))


def _trace(claim: Claim, known: Known, asked: Known) -> Traced:
    figure = claim.figure
    if claim.asked:
        return Traced(figure, "given", "asked about, not stated")
    found = quotation(claim, known)
    if isinstance(found, Quotation) and not found.weak:
        return _quoted(claim, found, known)
    if derived := _derivation(claim, known, found):
        return _derived(figure, derived)
    if isinstance(found, Quotation):
        return _quoted(claim, found, known)
    if isinstance(given := quotation(claim, asked), Quotation):
        return Traced(figure, "given", f"in the question; {given.why}", given.source)
    return Traced(figure, "unsupported", found.why, found.nearest)


def _ranges(answer: str, claims: Sequence[Claim]) -> Iterator[int]:
    """Where two claims that follow each other are the ends of a range: "between 390 and 392"."""
    for at, (one, other) in enumerate(pairwise(claims)):
        start, end = one.figure.span
        joined = answer[end : other.figure.span[0]]
        if _RANGE.search(answer[max(0, start - 32) : start]) and _JOINED.fullmatch(joined):
            yield at


def _between(low: Claim, high: Claim, known: Known) -> list[Traced]:
    """Both ends of a range as quoting the figure that lies between them; none if none does."""
    ends = (low.figure, high.figure)
    middle = msgspec.structs.replace(
        high.figure,
        value=(ends[0].value + ends[1].value) / 2,
        precision=abs(ends[1].value - ends[0].value),
    )
    found = quotation(msgspec.structs.replace(high, figure=middle), known)
    if not isinstance(found, Quotation) or found.weak:
        return []
    inside = msgspec.structs.replace(found, why=f"{found.source.text} lies between")
    return [_quoted(claim, inside, known) for claim in (low, high)]


def _derivation(claim: Claim, known: Known, found: Quotation | Refusal) -> Derivation | None:
    """What a claim follows from; a plain one that a source states otherwise, from nothing."""
    stated = isinstance(found, Refusal) and (
        found.equal or named_outright(claim, known) is not None
    )
    if stated and claim.is_plain:
        return None
    return derivation(claim, known)


def _quoted(claim: Claim, found: Quotation, known: Known) -> Traced:
    words = " ".join(known.places.around(found.source, width=60).split())
    return Traced(claim.figure, "quoted", found.why, found.source, words, ambiguous=found.ambiguous)


def _derived(figure: Figure, derived: Derivation) -> Traced:
    weak = "; few digits, so it may be by accident" if derived.weak else ""
    why = f"{derived.name}: {derived.formula}{weak}"
    if derived.unscaled:
        why += "; scale stated on one side only"
    return Traced(figure, "derived", why, derivation=derived, ambiguous=derived.unscaled)


def _rederived(claim: Claim, one: Traced, settled: Known) -> Traced:
    """An unsupported figure may follow from others of the answer that are themselves traced."""
    if not claim.computed and not wording.is_composed(claim.said):
        return one
    derived = derivation(claim, settled)
    return _derived(claim.figure, derived) if derived else one


def _settled(pairs: Iterable[tuple[Claim, Traced]]) -> list[Figure]:
    """The answer's traced figures, called as their sources call them."""
    settled = []
    for claim, one in pairs:
        figure = claim.figure
        if one.verdict in {"quoted", "derived"}:
            named = one.source or figure
            own = claim.own
            settled.append(
                msgspec.structs.replace(
                    figure,
                    label=f"{figure.label} {' '.join(sorted(claim.near))} {named.label}",
                    period=figure.period or named.period or (str(own) if own else ""),
                    entity=figure.entity or named.entity,
                    unit=figure.unit or named.unit,
                )
            )
    return settled
