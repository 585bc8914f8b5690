"""Measure text by kind, because kinds differ fourfold in characters per token.

Letters and single blanks count as prose; digits, punctuation and other alphabets as
JSON (tables look the same to a tokenizer); wide characters as CJK, those beyond the
basic plane twice; unbroken runs of 48 characters and more as base64. Blanks beyond the
first of a run cost next to nothing and are not counted. A measure says nothing of
tokens: `rates.py` turns it into them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_letters

import msgspec

from tallybook.scratchpad.events import Media

Count = Callable[[str], "Measure"]
"""How a text is measured: by kind, or exactly with `exactly(tokenizer)`."""

_RUN = re.compile(r"[A-Za-z0-9+/=_-]{48,}")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef\U00010000-\U0010ffff]")
_NO_LETTERS = str.maketrans("", "", ascii_letters)
_SAMPLED_ABOVE = 65_536
_SLICES = 16


class Measure(msgspec.Struct, frozen=True):
    """Characters by kind, plus what is known in tokens: `media`, and `exact` counts.

    `chars` is the plain length and `parts` the number of messages. Measures add and
    subtract, so a difference of views has one too; it may be negative.
    """

    prose: int = 0
    json: int = 0
    cjk: int = 0
    base64: int = 0
    media: int = 0
    exact: int = 0
    parts: int = 0
    chars: int = 0

    def __add__(self, other: Measure) -> Measure:
        return Measure(
            self.prose + other.prose,
            self.json + other.json,
            self.cjk + other.cjk,
            self.base64 + other.base64,
            self.media + other.media,
            self.exact + other.exact,
            self.parts + other.parts,
            self.chars + other.chars,
        )

    def __neg__(self) -> Measure:
        return self.scaled(-1)

    def __sub__(self, other: Measure) -> Measure:
        return self + -other

    def scaled(self, by: float) -> Measure:
        """Multiply every count, rounding to whole characters."""
        return Measure(*(round(count * by) for count in msgspec.structs.astuple(self)))


def by_kind(text: str) -> Measure:
    """Count the characters of `text` by kind; a very long text is sampled evenly."""
    if len(text) <= _SAMPLED_ABOVE:
        return _by_kind(text)
    width = _SAMPLED_ABOVE // _SLICES
    starts = (i * (len(text) - width) // (_SLICES - 1) for i in range(_SLICES))
    sample = _by_kind("".join(text[start : start + width] for start in starts))
    whole = sample.scaled(len(text) / _SAMPLED_ABOVE)
    return msgspec.structs.replace(whole, chars=len(text))


def exactly(tokens: Callable[[str], int]) -> Count:
    """Measure with a tokenizer: `tokens` gives the exact number for a text."""
    return lambda text: Measure(exact=tokens(text), chars=len(text))


def of_media(media: Media) -> Measure:
    """Tokens of what is not text: an image by its pixels, else a flat bound, never its base64."""
    match media.kind:
        case "image" if media.width and media.height:
            tokens = min(1_600, max(85, media.width * media.height // 750))
        case "image":
            tokens = 1_600
        case "document":
            tokens = max(1_500, media.bytes // 40)
        case "audio" | "video":
            tokens = max(1_000, media.bytes // 400)
        case "other":
            tokens = max(100, media.bytes // 4)
    return Measure(media=tokens)


def _by_kind(text: str) -> Measure:
    runs = 0
    rest = text
    if len(text) >= 48:
        rest = _RUN.sub(" ", text)
        if len(rest) != len(text):
            runs = sum(len(run) for run in _RUN.findall(text))
    wide = 0
    if not rest.isascii():
        found = _WIDE.findall(rest)
        wide = sum(2 if char > "\uffff" else 1 for char in found)
        if found:
            rest = _WIDE.sub("", rest)
    letterless = rest.translate(_NO_LETTERS)
    signs = sum(map(len, letterless.split()))
    blanks = len(rest.split())
    letters = len(rest) - len(letterless)
    return Measure(prose=letters + blanks, json=signs, cjk=wide, base64=runs, chars=len(text))
