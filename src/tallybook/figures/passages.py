"""Cut an answer into the passages that are read as one statement each, and find its figures.

A passage is a sentence, a heading or a table's row. Numbers that only say how far the answer
looks ("the last 8 quarters") are no figures of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from tallybook.figures.figure import Figure
from tallybook.figures.find import find

_STOP = re.compile(r"(?:[.!?。！？；](?:\s*\[\d+\])*(?:(?<=[。！？；])|\s+(?=[^a-z])))|\n+")
FOOTNOTE = re.compile(r"\[\d{1,5}(?:\s*[,，;]\s*\d{1,5})*\]")
_REFERENCE = re.compile(r"(?<=\d)[†‡§¶]")
_SCALE_BEHIND = re.compile(
    r"\s*(?:USD|EUR|GBP|CNY|RMB|JPY|HKD|TWD)?\s+(thousand|million|billion)\b", re.IGNORECASE
)
_SCALES = {
    word: Decimal(10**power)
    for word, power in (
        *(("thousand", 3), ("million", 6), ("billion", 9)),
        *(("千", 3), ("万", 4), ("百万", 6), ("亿", 8)),
    )
}
_ORIGINS = re.compile(
    r"\W*(?:sources?|references?|footnotes?|来源|参考|资料来源)\W*", re.IGNORECASE
)
_HEADING = re.compile(r"^\s*(?:#+\s|\*\*[^*]+\*\*:?\s*(?:\[\d+\]\s*)*$|.*[:：]\s*$)")
_EXTENT_OF = re.compile(
    r"(?:\b(?:last|past|previous|prior|next|trailing|recent|latest|newest|first|following|these|those|top|all)"
    r"|最近|过去|近|前|未来)\s*$",
    re.IGNORECASE,
)
_TIMES = re.compile(r"[\s-]*(?:periods?|quarters?)\b|个?(?:季度|期间)", re.IGNORECASE)
_THERE_ARE = re.compile(r"\bthere (?:are|is|were)(?: only)?\s*$", re.IGNORECASE)
_CLOSING = (",", ".", ";", ":", ")")
_OPERATOR = re.compile(r"(?:[\^÷×*/]\s*\(?|[−–-])\s*$")
_CONSTANTS = frozenset({"1", "100"})
_CAPTION = re.compile(r"(百万|亿|万|千)(?:美元|元|人民币|港元)")
_ROUGH = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|circa|some|close to|over"
    r"|more than|less than|under|at least|up to|north of)|[~≈]|约|近|超过|超|逾|不到|将近)\s*$",
    re.IGNORECASE,
)
_ROUGHEST = Decimal("0.05")
_EXTENT = 100
_BEHIND = 32


class Passage(msgspec.Struct, frozen=True):
    """A stretch of the answer that is read as one statement; `header` is set in a table's row."""

    start: int
    end: int
    text: str
    heading: str = ""
    header: str = ""

    @property
    def tells_origins(self) -> bool:
        """Whether it stands under "Sources", where numbers are no statements."""
        return bool(_ORIGINS.fullmatch(self.heading))


def passages_of(answer: str) -> list[Passage]:
    """The passages of an answer in order, covering it; never none."""
    passages: list[Passage] = []
    heading, header, at = "", "", 0
    for stop in [*_STOP.finditer(answer), None]:
        end = stop.end() if stop else len(answer)
        raw = answer[at:end]
        if raw.lstrip().startswith("|"):
            header = header or raw
            passages.append(Passage(at, end, raw, heading, header))
        elif raw.strip():
            header = ""
            passages.append(Passage(at, end, raw, heading))
            heading = raw.strip() if _HEADING.match(raw) else heading
        at = end
    return passages or [Passage(0, len(answer), answer)]


def stated(answer: str) -> Iterator[Figure]:
    """All figures of an answer; marks of reference behind numbers are passed over."""
    bare = _REFERENCE.sub(" ", answer)
    for figure in find(bare):
        scaled = _loosened(_scaled(figure, bare), bare)
        yield msgspec.structs.replace(scaled, text=answer[slice(*scaled.span)])


def _loosened(figure: Figure, text: str) -> Figure:
    """A figure that is said to be rough, in which zeros at the end are no digits shown."""
    start = figure.span[0]
    if not _ROUGH.search(text[max(0, start - _BEHIND) : start]):
        return figure
    step = figure.precision
    while figure.value % (10 * step) == 0 and 10 * step <= abs(figure.value) * _ROUGHEST:
        step *= 10
    return msgspec.structs.replace(figure, precision=step)


def _scaled(figure: Figure, text: str) -> Figure:
    """A figure with the scale that stands behind its currency: "21,833 USD million"."""
    scale = _SCALE_BEHIND.match(text, figure.span[1])
    if scale is None or figure.unit == "%":
        return figure
    wide = msgspec.structs.replace(figure, span=(figure.span[0], scale.end()))
    return _times(wide, _SCALES[scale[1].lower()])


def captioned(figure: Figure, caption: str) -> Figure:
    """A cell with the scale that its caption states."""
    scale = _CAPTION.search(caption)
    return _times(figure, _SCALES[scale[1]]) if scale and figure.unit != "%" else figure


def _times(figure: Figure, factor: Decimal) -> Figure:
    if figure.scale != 1:
        return figure
    return msgspec.structs.replace(
        figure, value=figure.value * factor, precision=figure.precision * factor, scale=factor
    )


def is_extent(answer: str, figure: Figure) -> bool:
    """Whether a number only says how far the answer looks, or is part of a formula's words."""
    start, end = figure.span
    ahead, behind = answer[max(0, start - _BEHIND) : start], answer[end : end + _BEHIND]
    if figure.text in _CONSTANTS and _OPERATOR.search(ahead):
        return True
    if figure.unit or figure.precision != 1 or not 0 < figure.value < _EXTENT:
        return False
    counted = _THERE_ARE.search(ahead) and behind.lstrip()[:1] in _CLOSING
    return bool(_EXTENT_OF.search(ahead) or _TIMES.match(behind) or counted)
