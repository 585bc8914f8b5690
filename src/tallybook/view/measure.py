"""Measure text by kind, because kinds differ fourfold in characters per token.

Letters and single blanks count as prose; digits, punctuation and other alphabets as JSON
(tables look the same to a tokenizer); Chinese and other scripts that cost about a token a
character as CJK, arrows and boxes as two of them, emoji as three; unbroken runs of 48
characters and more as base64. Blanks beyond the first of a run cost next to nothing and
are not counted. A measure says nothing of tokens: `rates.py` turns it into them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_letters

import msgspec

from tallybook.scratchpad.events import Media

Count = Callable[[str], "Measure"]
"""How a text is measured: by kind, or exactly with `exactly(tokenizer)`."""

_RUN = re.compile(rb"[A-Za-z0-9+/=_-]{48,}")
_WIDE = re.compile(
    r"[\u0590-\u1fff\u2190-\u2bff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef\U00010000-\U0010ffff]"
)
_LETTERS = ascii_letters.encode()
_BLANKS = b" \t\n\r\v\f"
_KINDS = bytes(
    b"a "[c in _BLANKS] if c in _LETTERS or c in _BLANKS else b"d"[0] for c in range(256)
)
_IN_RUNS = bytes(b"r"[0] if _RUN.match(bytes([c]) * 48) else b" "[0] for c in range(256))
_LONG_RUN = b"r" * 48
_SAMPLED_ABOVE = 4_096
_SLICES = 8
_SLICE = 160


class Measure(msgspec.Struct, frozen=True, gc=False):
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

    def __sub__(self, other: Measure) -> Measure:
        return Measure(
            self.prose - other.prose,
            self.json - other.json,
            self.cjk - other.cjk,
            self.base64 - other.base64,
            self.media - other.media,
            self.exact - other.exact,
            self.parts - other.parts,
            self.chars - other.chars,
        )

    def as_message(self) -> Measure:
        """The same as one message, with what a provider puts around it."""
        return msgspec.structs.replace(self, parts=self.parts + 1)


def by_kind(text: str) -> Measure:
    """Count the characters of `text` by kind; a long text is sampled evenly."""
    if len(text) <= _SAMPLED_ABOVE:
        return _by_kind(text)
    stride = (len(text) - _SLICE) / (_SLICES - 1)
    starts = (int(place * stride) for place in range(_SLICES))
    sample = _by_kind("\n".join([text[start : start + _SLICE] for start in starts]))
    by = len(text) / (_SLICES * _SLICE)
    return Measure(
        prose=int(sample.prose * by),
        json=int(sample.json * by),
        cjk=int(sample.cjk * by),
        base64=int(sample.base64 * by),
        chars=len(text),
    )


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
    wide, rest = 0, text
    if not text.isascii():
        found = _WIDE.findall(text)
        wide = sum(map(_width, found))
        if found:
            rest = _WIDE.sub("", text)
    plain = rest.encode("ascii", "ignore")
    others = len(rest) - len(plain)
    runs = 0
    if _LONG_RUN in plain.translate(_IN_RUNS):
        short = _RUN.sub(b" ", plain)
        runs = len(plain) - len(short) + len(_RUN.findall(plain))
        plain = short
    kinds = plain.translate(_KINDS)
    letters = kinds.count(b"a")
    blanks = kinds.count(b"a ") + kinds.count(b"d ") + kinds.startswith(b" ")
    signs = kinds.count(b"d") + others
    return Measure(prose=letters + blanks, json=signs, cjk=wide, base64=runs, chars=len(text))


def _width(char: str) -> int:
    if char > "\uffff":
        return 3
    return 2 if "\u2190" <= char <= "\u2bff" else 1
