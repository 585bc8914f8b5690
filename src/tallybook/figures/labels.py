"""What a number in prose is the number of: the words before it, or else after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallybook.figures.dates import When

_MOST_WORDS: Final = 12
_EMPTY: Final = frozenset(
    "a an and or the of to by at in for on as is are was were be been being from with about approximately around nearly roughly over "
    "under than that which this these those it its we our us up out had has have having will would could may can "
    "compared versus vs respectively including amounting totaled totalling totaling reached between some only just more less "
    "into per each during ended while but if when after before because since also not now still then there their they he she his her "
    "i.e e.g 为 达 约 是 了 的 至 从 到 和 及 与".split()
)
_SPLIT: Final = re.compile(r"[\s,;:!?()\[\]{}\"“”*|`~=<>，。：；！？（）、]+")
_HAN_TAIL: Final = re.compile(r"(?:达到了?|达|约为?|为|是|至|到|了|共计?|超过|的|合计)+\Z")
_ENDS: Final = re.compile(
    r"[.;,:!?()\n|]|。|，|；|\b(?:and|or|compared|versus|from|which|while|but|for|in|at|as|to|on|during|with|by)\b"
)


def before(text: str, start: int, end: int, whens: Iterable[When]) -> str:
    """The words of `text[start:end]` without dates and without words that name nothing."""
    start = max(start, end - 240)
    parts = []
    for when in whens:
        if when.end > start and when.start < end:
            parts.append(text[start : max(start, when.start)])
            start = when.end
    parts.append(text[start:end])
    return _named(" ".join(parts))


def after(text: str, start: int, end: int) -> str:
    """The words that follow a count: "445 retail stores in …" is of retail stores."""
    ahead = text[start : min(end, start + 60)]
    if stop := _ENDS.search(ahead):
        ahead = ahead[: stop.start()]
    words = _SPLIT.split(ahead)
    return " ".join([word for word in words if word][:4])


def _named(text: str) -> str:
    words = [word for word in _SPLIT.split(text) if word and word not in ("-", "–", "—", "+", "$")]
    while words and words[-1].lower().rstrip(".") in _EMPTY:
        words.pop()
    words = words[-_MOST_WORDS:]
    while words and words[0].lower() in _EMPTY:
        del words[0]
    if words and not words[-1].isascii():
        words[-1] = _HAN_TAIL.sub("", words[-1])
    return " ".join(words).strip(" .-")
