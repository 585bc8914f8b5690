"""Read an answer as claims: each figure with its clause, its sentence and its heading.

A figure in a table takes its row's first cell and its column's header for a sentence; one whose
sentence says too little takes the sentence, or the question, before it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence

import msgspec

from tallybook.figures import when, wording
from tallybook.figures.claims import Claim, Intent, Operation, operations_of, read_intent, unique
from tallybook.figures.figure import Figure
from tallybook.figures.known import Known
from tallybook.figures.passages import FOOTNOTE, Passage, captioned, is_extent, passages_of, stated
from tallybook.figures.when import Mention, Period

_BREAK = re.compile(
    r"[;,，；、（(]|\b(?:and|while|whereas|versus|vs\.?|but|compared|against|from)\b|和|而"
)
_NAMES = re.compile(r"[A-Z][A-Za-z&]+|[\u4e00-\u9fff]+")
_DIGITS = re.compile(r"\d+")
_FROM = re.compile(r"(?:\bfrom|自|从)\s*\W*$", re.IGNORECASE)
_COMPARED = re.compile(
    r"\b(?:compared|versus|vs|against|(?:up|down) from|than)\b|相比|而", re.IGNORECASE
)
_COMPARED_WITH = re.compile(
    r"\b(?:compared (?:with|to)|versus|vs\.?|against|from|than)\s+\W*$", re.IGNORECASE
)
_YEAR_EARLIER = re.compile(
    r"\s*(?:in |for |during )?(?:the )?(?:same (?:quarter|period) )?(?:of |in )?(?:the |a )?"
    r"(?:year (?:earlier|ago|before)|(?:prior|previous)[- ]year|year[- ]ago|year[- ]earlier)",
    re.IGNORECASE,
)
_SHARE_OF = re.compile(r"\s*of\b|\s*占")
_GROWTH = re.compile(r"\b(?:growth|rate of|increase of)\b|增速|增长率", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|at|from|reach(?:ed|ing))\s+\W*$|[至到达]\s*$", re.IGNORECASE)
_FEW = 2
_BEHIND = 32


class _Statement(msgspec.Struct, frozen=True):
    """All that is said about some figures, from the passage and from what fills it in."""

    text: str
    said: frozenset[str]
    mentions: tuple[Mention, ...]
    intent: Intent
    entities: tuple[str, ...]


def read_claims(
    answer: str, entities: Collection[str] = (), question: str = ""
) -> tuple[Claim, ...]:
    """Every figure of an answer with what the answer says about it.

    `entities` are the names to look out for; the `question` fills in where a sentence names
    neither a measure nor a period. What stands under "Sources" states nothing but identifiers.
    """
    notes = [note.span() for note in FOOTNOTE.finditer(answer)]
    passages = passages_of(answer)
    starts = [passage.start for passage in passages]
    grouped: dict[int, list[Figure]] = {}
    for figure in stated(answer):
        noted = any(start <= figure.span[0] < end for start, end in notes)
        number = bisect_right(starts, figure.span[1] - 1) - 1
        named = figure.kind == "identifier" or not passages[number].tells_origins
        if named and not noted and not is_extent(answer, figure):
            grouped.setdefault(number, []).append(figure)
    claims: list[Claim] = []
    for number, figures in grouped.items():
        before = passages[number - 1].text if number else question
        reader = _Reader(answer, passages[number], before, question, tuple(entities))
        claims += reader.claims(figures)
    return tuple(claims)


class _Reader:
    """Reads the claims of one passage."""

    def __init__(
        self, answer: str, passage: Passage, before: str, question: str, names: tuple[str, ...]
    ) -> None:
        self.answer, self.passage = answer, passage
        self.before, self.question, self.names = before, question, names

    def claims(self, figures: list[Figure]) -> list[Claim]:
        if self.passage.header:
            return [self._cell(captioned(figure, self.passage.heading)) for figure in figures]
        parts: dict[int, list[Figure]] = {}
        for figure in figures:
            stop = self.answer.find(";", figure.span[1], self.passage.end)
            parts.setdefault(stop if stop >= 0 else self.passage.end, []).append(figure)
        return [claim for end, own in parts.items() for claim in self._part(own, end, figures)]

    def _part(self, own: list[Figure], end: int, figures: list[Figure]) -> list[Claim]:
        """The claims up to a semicolon: what is said behind it is not said of them."""
        start = self.passage.start
        said = self._statement(self.passage.text[: end - start])
        spans = [figure.span for figure in figures if figure.span[1] <= end]
        periods = dict(
            zip(spans, _periods(self.answer, (start, end), spans, said.text), strict=True)
        )
        edges = dict(zip(spans, [start, *(after for _, after in spans)], strict=False))
        limits = dict(zip(spans, [*(before for before, _ in spans[1:]), end], strict=True))
        claims = []
        for figure in own:
            ahead = self.answer[edges[figure.span] : figure.span[0]]
            behind = self.answer[figure.span[1] : limits[figure.span]]
            claim = self._claim(figure, said, (periods[figure.span], ahead, behind))
            rest = self.answer[figure.span[1] : end]
            if _COMPARED_WITH.search(ahead) and _YEAR_EARLIER.match(behind):
                claim = _a_year_earlier(claim)
            elif not _is_of_its_time(said, ahead, behind, rest):
                claim = msgspec.structs.replace(claim, periods=(), own=None)
            claims.append(claim)
        return claims

    def _cell(self, figure: Figure) -> Claim:
        row, head = self.passage.text, self.passage.header
        column = row.count("|", 0, figure.span[0] - self.passage.start)
        cells, heads = row.split("|"), head.split("|")
        name = next((cell for cell in cells if cell.strip()), "")
        top = heads[column] if column < len(heads) else ""
        said = self._statement(f"{self.passage.heading} {name} {top}")
        named = [mention.period for mention in when.mentions(f"{name} {top}")]
        own = next((period for period in named if period.calendar or period.months), None)
        own = own or when.read(figure.period or top)
        own_words = f"{self.passage.heading} {name} {top} {figure.label}"
        return self._claim(figure, said, (own, own_words, ""))

    def _claim(
        self, figure: Figure, said: _Statement, own: tuple[Period | None, str, str]
    ) -> Claim:
        named = unique(mention.period for mention in said.mentions)
        period, before, after = own
        ahead, behind = _BREAK.split(before)[-1], _BREAK.split(after)[0]
        is_share = figure.unit == "%" and bool(_SHARE_OF.match(behind))
        near = wording.words(_without(self.names, ahead if is_share else f"{ahead} {behind}"))
        computed: frozenset[Operation] = frozenset()
        if said.intent.operations and not (_TO.search(before) and not _GROWTH.search(before)):
            computed = operations_of(ahead if near else said.text, len(named))
        if figure.unit == "x" or is_share:
            computed |= {"ratio"}
        whose = (figure.entity,) if figure.entity else self._whose(figure, ahead, behind)
        whose = whose or said.entities
        return Claim(
            figure,
            said=said.said | wording.words(figure.label) if figure.label else said.said,
            near=near,
            periods=named or ((period,) if period else ()),
            own=period,
            spanned=any(mention.through for mention in said.mentions),
            intent=said.intent,
            computed=computed,
            entities=tuple(dict.fromkeys((*said.entities, *whose))),
            whose=whose,
            cites=self._cites(figure),
            asked=self.passage.text.rstrip().endswith(("?", "？")),
        )

    def _whose(self, figure: Figure, ahead: str, behind: str) -> tuple[str, ...]:
        """Whom the figure's own clause names, or its sentence up to there, or the one before it."""
        start, end = self.passage.start, figure.span[0]
        told = (ahead, behind, self.answer[start:end], self.before)
        return next((named for text in told if (named := _mentioned(self.names, text))), ())

    def _statement(self, text: str) -> _Statement:
        """The text, with the sentence or question before it, and its heading, where it is bare."""
        words = wording.words(text)
        if self.before.rstrip().endswith(("?", "？")) or len(words) < _FEW:
            text = f"{self.before} {text}"
            words = wording.words(text)
        corner = next((cell for cell in self.passage.header.split("|") if cell.strip()), "")
        extra = f"{self.question} {self.passage.heading} {corner}"
        mentions = when.mentions(text)
        if not mentions or not words:
            words |= wording.words(self.question)
            mentions = mentions or when.mentions(extra)
        names = _mentioned(self.names, text) or _mentioned(self.names, extra)
        words |= wording.words(self.passage.heading)
        return _Statement(text, words, mentions, read_intent(text), names)

    def _cites(self, figure: Figure) -> tuple[int, ...]:
        """The first run of footnotes that follows a figure within its sentence or its row."""
        end = self.passage.end
        while note := FOOTNOTE.match(self.answer, end):
            end = note.end()
        cited: list[int] = []
        at = FOOTNOTE.search(self.answer, figure.span[1], end)
        while at:
            cited += (int(digits) for digits in _DIGITS.findall(at[0]))
            at = FOOTNOTE.match(self.answer, at.end())
        return tuple(cited)


def _is_of_its_time(said: _Statement, ahead: str, behind: str, rest: str) -> bool:
    """Whether the only period of a sentence is said of a figure too that it stands far behind of.

    It is not of one that others are compared with, nor of what a change is counted from.
    """
    if len({mention.period for mention in said.mentions}) != 1 or when.mentions(behind[:_BEHIND]):
        return True
    told = [mention.span[0] for mention in when.mentions(said.text)]
    after = when.mentions(rest)
    if not after or len(after) < len(told):
        return not _FROM.search(ahead)
    return not _FROM.search(ahead) and not _COMPARED.search(rest[: after[0].span[0]])


def _a_year_earlier(claim: Claim) -> Claim:
    """A claim of the year before the only one that its sentence names."""
    if len(claim.periods) != 1:
        return msgspec.structs.replace(claim, periods=(), own=None)
    before = when.year_before(claim.periods[0])
    return msgspec.structs.replace(claim, periods=(before,), own=before, computed=frozenset())


def period_in(known: Known, at: int) -> Period | None:
    """The period of a figure in a result's prose, read as an answer's would be."""
    start, end = known.places.bounds(at)
    figure = known.figures[at]
    text = known.places.texts.get(figure.seq, "")
    if "|" in text[start:end]:
        return None
    spans = known.places.spans_within(figure.seq, start, end)
    return dict(zip(spans, _periods(text, (start, end), spans), strict=True)).get(figure.span)


def _periods(
    text: str, bounds: tuple[int, int], spans: Sequence[tuple[int, int]], said: str = ""
) -> list[Period | None]:
    """The period of each figure of one sentence; `said` may name periods from outside of it."""
    start, end = bounds
    said = said or text[start:end]
    named = unique(mention.period for mention in when.mentions(said))
    if len(named) < 2:
        return [named[0] if named else None] * len(spans)
    if "respective" in said and len(spans) == len(named) > 1:
        return list(named)
    edges = [start, *(after for _, after in spans)]
    limits = [*(before for before, _ in spans[1:]), end]
    return [
        _own(text[edge : span[0]], text[span[1] : limit], named)
        for edge, span, limit in zip(edges, spans, limits, strict=False)
    ]


def _own(ahead: str, behind: str, named: tuple[Period, ...]) -> Period | None:
    """The period that belongs to one figure of several: the one right behind it, or ahead."""
    reach = min(len(_BREAK.split(behind)[0]), _BEHIND)
    after = next(iter(when.mentions(behind[: reach + _BEHIND])), None)
    if after and after.span[0] < reach:
        return after.period
    before = unique(mention.period for mention in when.mentions(ahead))
    if before:
        return before[0] if len(before) == 1 else None
    return named[0] if len(named) == 1 else None


def _without(entities: tuple[str, ...], text: str) -> str:
    """The text without what names one of the entities."""
    named = {word for word in _NAMES.findall(text) if _mentioned(entities, word)}
    return _NAMES.sub(lambda word: "" if word[0] in named else word[0], text) if named else text


def _mentioned(entities: tuple[str, ...], text: str) -> tuple[str, ...]:
    names = _NAMES.findall(text)
    return tuple(entity for entity in entities if wording.names(entity, names))
