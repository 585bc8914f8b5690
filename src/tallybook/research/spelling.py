"""Modest help with spelling: a word that is one slip from a word we know is read as that.

Only unknown words of five letters and more are mended, and only where the first letter is
right: what is further off is said to be not understood.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_WORD = re.compile(r"[A-Za-z]{5,}")


def mend(
    text: str, vocabulary: Collection[str], untouched: Collection[str]
) -> tuple[str, Mapping[str, str]]:
    """The text with slips mended, and what was read for what."""
    mended: dict[str, str] = {}

    def meant(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word in vocabulary or word in untouched:
            return match[0]
        near = sorted(known for known in vocabulary if is_slip(word, known))
        if len(near) != 1:
            return match[0]
        mended[match[0]] = near[0]
        return near[0]

    return _WORD.sub(meant, text), mended


def is_slip(word: str, known: str) -> bool:
    """Whether one letter was left out, put in, changed, or swapped with its neighbour.

    The plural of a known word is no slip but the word.
    """
    if len(known) < 5 or abs(len(word) - len(known)) > 1 or word[:1] != known[:1]:
        return False
    start = 0
    while start < min(len(word), len(known)) and word[start] == known[start]:
        start += 1
    rest, meant = word[start:], known[start:]
    return (
        rest[1:] == meant
        or rest == meant[1:]
        or rest[1:] == meant[1:]
        or (rest[:2] == meant[1::-1] and rest[2:] == meant[2:])
    )
