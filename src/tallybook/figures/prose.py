"""Figures in running text, sentence by sentence.

Numbers are spotted by one pattern. Label and period are settled when the sentence is over,
because either may stand on both sides of the number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tallybook.figures import labels
from tallybook.figures.dates import When, whens
from tallybook.figures.mentions import Mention, read_han_mention, read_mention, read_scaled
from tallybook.figures.numbers import DIGITS, HAN, WORDED, Numeral, read_words
from tallybook.figures.spans import periods_of
from tallybook.figures.units import ONE, Measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallybook.figures.figure import Figure
    from tallybook.figures.source import Source

_SPOT: Final = re.compile(
    r"(?P<id>[0-9]{10}-[0-9]{2}-[0-9]{6}(?![\w-]))"
    r"|(?P<chain>(?<=\+)[0-9]{1,3}[ -]\(?[0-9]{2,4}\)?[ -][0-9]{3,4}(?:[ -][0-9]{2,4})?(?![0-9])|[0-9]+(?:\.[0-9]+){2,9}|[0-9]{3}\)?[-. ][0-9]{3}[-.][0-9]{4}(?![0-9])|[0-9]+(?:[-–][0-9A-Za-z]+){2,9}"
    r"|[0-9]{2}-[0-9]{7}(?![0-9])|0[0-9]+-[0-9]+|[0-9]{5}-[0-9]{4}(?![0-9])|[0-9]{1,4}/[0-9]{1,4}(?:/[0-9]+)?(?![0-9%]))"
    rf"|(?P<digits>{DIGITS})"
    rf"|(?P<han>{HAN})(?=(?:万亿|亿|万|千万|百万)?(?:多|余)?(?:美元|港元|欧元|日元|元|股|%)|(?:万亿|亿|万)[人名户家个吨辆台件])"
)
_START: Final = re.compile(
    r"[0-9零〇一二两三四五六七八九十](?<![0-9零〇一二两三四五六七八九十百千].)"
)
"""Where `_SPOT` may begin; a single set lets the search skip all else quickly."""
_BOUNDARY: Final = re.compile(
    r"[.!?;\n。！？；](?:(?<=[。！？；])|(?<=\n)(?:(?=[ \t]*\n)|(?![ ]*[a-z0-9$(€£¥%]))"
    r"|(?<=[.!?;])(?<![ .(][A-Z].)['\")\]*]*\s+(?=[A-Z(\"'*\[#一-鿿-]))"
)
_RANGE: Final = re.compile(r"[ ]?(?:-|–|—|~|to|至|到|and)[ ]?\Z")
_ALSO: Final = re.compile(r"\s*(?:,|and|or|&|to|-|–|through|,\s*and|,\s*or)\s*\Z")
_URL: Final = re.compile(r"://[^\s<>\"'）)\]]+|www\.[^\s<>\"'）)\]]+")
_SCALED: Final = re.compile(r"illion|housand")
_MOST_GAP: Final = 300
_MOST_TOLD: Final = 100
"""Figures and dates of the longest sentence; what goes on past them is read as another one."""


@dataclass(slots=True)
class _Sentence:
    start: int
    mentions: list[Mention] = field(default_factory=list)
    whens: list[When] = field(default_factory=list)


def find_in_prose(
    source: Source, start: int = 0, end: int | None = None, context: tuple[str, str] = ("", "")
) -> list[Figure]:
    """Find the figures of a stretch of prose.

    `context` is a label and a period that hold where the text gives none.
    """
    reader = _Reader(source, start, len(source.text) if end is None else end, context)
    reader.read()
    return reader.found


class _Reader:
    """One pass over a stretch of prose."""

    def __init__(self, source: Source, start: int, end: int, context: tuple[str, str]) -> None:
        self.source, self.text = source, source.plain
        self.start, self.end = start, end
        self.context = context
        self.found: list[Figure] = []
        self._last = start
        self._reference = -9
        self._sentence = _Sentence(start)

    def read(self) -> None:
        """Go through numbers and dates side by side; a number inside a date is no figure."""
        dates = whens(self.text, self.start, self.end)
        date = next(dates, None)
        for start, end, kind in self._spots():
            while date and date.end <= start:
                self._take_date(date)
                date = next(dates, None)
            if start < self._last or (date and date.start < end):
                continue
            self._turn(start)
            if (mention := self._mention(start, end, kind)) and not (
                date and date.start < mention.end
            ):
                self._take(mention)
            self._last = max(self._last, end)
        while date:
            self._take_date(date)
            date = next(dates, None)
        self._flush()

    def _spots(self) -> Iterator[tuple[int, int, str]]:
        text, start, end = self.text, self.start, self.end
        worded = _worded(text, start, end)
        links = _links(text, start, end)
        at = 0
        last = start
        for begins in _START.finditer(text, start, end):
            first = begins.start()
            if (
                first > start
                and text[first - 1] == "."
                and not text[first - 2 : first - 1].isalnum()
            ):
                first -= 1
            if first < last or not (spot := _SPOT.match(text, first, end)):
                continue
            last = spot.end()
            while at < len(links) and links[at][1] <= first:
                at += 1
            if at < len(links) and links[at][0] <= first:
                continue
            while worded and worded[-1][0] < first:
                yield worded.pop()
            yield first, last, spot.lastgroup or ""
        yield from reversed(worded)

    def _turn(self, start: int) -> None:
        """Begin another sentence if one ends before `start`."""
        begin = -1
        if len(self._sentence.mentions) + len(self._sentence.whens) > _MOST_TOLD:
            begin = self._last
        if start - self._last > _MOST_GAP:
            begin = self._last = start - _MOST_GAP
        for stop in _BOUNDARY.finditer(self.text, self._last, min(start + 1, self.end)):
            begin = stop.end()
        if begin >= 0:
            self._flush()
            self._sentence = _Sentence(begin)

    def _take_date(self, date: When) -> None:
        if date.start > self._last:
            self._turn(date.start)
        self._sentence.whens.append(date)
        self._last = max(self._last, date.end)

    def _mention(self, start: int, end: int, kind: str) -> Mention | None:
        text = self.text
        if kind == "digits":
            if 0 <= start - self._reference <= 6 and _ALSO.match(text, self._reference, start):
                bare = text[start:end].isdigit()
                mention = read_mention(text, start, end, self._sentence.start)
                if bare and (mention is None or (mention.end == end and mention.start == start)):
                    self._reference = end
                    return None
                return mention
            mention = read_mention(text, start, end, self._sentence.start)
        elif kind == "id":
            digits = Numeral(Decimal(text[start:end].replace("-", "")), ONE)
            return Mention(start, end, digits, identifier=True)
        elif kind == "han":
            mention = read_han_mention(text, start, end)
        elif kind == "words":
            mention = _read_worded(text, start, end)
        else:
            mention = None
        if mention is None:
            self._reference = end
        return mention

    def _take(self, mention: Mention) -> None:
        mentions = self._sentence.mentions
        if mentions and mention.start - mentions[-1].end <= 6:
            last = mentions[-1]
            if _continues(last, mention):
                mentions.pop()
                mention = _added(last, mention)
            elif _RANGE.match(self.text, last.end, mention.start):
                _share(self.text, last, mention)
        mentions.append(mention)
        self._last = mention.end

    def _flush(self) -> None:
        sentence, text = self._sentence, self.text
        if not sentence.mentions:
            return
        periods = periods_of(text, sentence.mentions, sentence.whens)
        label, last = "", sentence.start
        for at, mention in enumerate(sentence.mentions):
            label = labels.before(text, last, mention.start, sentence.whens) or label
            last = mention.end
            said = label
            if (mention.unit in ("", "shares", "x") or not label) and not mention.identifier:
                more = (
                    sentence.mentions[at + 1].start if at + 1 < len(sentence.mentions) else self.end
                )
                said = f"{label} {labels.after(text, mention.end, more)}".strip()
            self._write(mention, said, periods[at])
        sentence.mentions = []

    def _write(self, mention: Mention, label: str, period: str) -> None:
        ahead, when = self.context
        self.found.append(
            self.source.figure(
                (mention.start, mention.end),
                mention.number,
                Measure(mention.unit, mention.scale),
                (f"{ahead} {label}".strip() if ahead else label, period or when, ""),
                identifier=mention.identifier,
            )
        )


def _worded(text: str, start: int, end: int) -> list[tuple[int, int, str]]:
    """Number words before a scale word ("two million"), the last one first."""
    found = []
    for scale in _SCALED.finditer(text, start, end):
        if text[scale.start() - 3 : scale.start()].lstrip()[:1].isalpha():
            low = max(start, scale.start() - 50)
            if match := list(WORDED.finditer(text, low, min(scale.end() + 1, end))):
                found.append((match[-1].start(), match[-1].end(1), "words"))
    return found[::-1]


def _read_worded(text: str, start: int, end: int) -> Mention | None:
    number = read_words(text[start:end])
    stop = len(text[:end].rstrip(" -")) if end - start > 400 else end
    return read_scaled(text, start, stop - 1, number) if number else None


def _links(text: str, start: int, end: int) -> list[tuple[int, int]]:
    if text.find("://", start, end) < 0 and text.find("www.", start, end) < 0:
        return []
    return [link.span() for link in _URL.finditer(text, start, end)]


def _continues(last: Mention, mention: Mention) -> bool:
    """Whether two numbers are one, as in 3亿5000万."""
    return last.end == mention.start and not last.unit and last.scale > mention.scale > ONE


def _added(last: Mention, mention: Mention) -> Mention:
    whole = last.number.value * (last.scale / mention.scale) + mention.number.value
    return Mention(
        last.start, mention.end, Numeral(whole, mention.number.step), mention.unit, mention.scale
    )


def _share(text: str, low: Mention, high: Mention) -> None:
    """Let both ends of a range have the scale and unit that one of them shows."""
    if (
        "and" in text[low.end : high.start]
        and "between" not in text[max(0, low.start - 16) : low.start]
    ):
        return
    bare = not low.unit
    if bare or low.unit == high.unit or (not high.unit and len(low.unit) == 3):
        if low.scale == ONE and high.scale > ONE and abs(low.number.value) < 1000:
            low.scale = high.scale
        if bare:
            low.unit = high.unit
        elif not high.unit:
            high.unit = low.unit
