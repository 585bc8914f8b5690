"""A question while it is being read: what was understood is blanked, the rest is left.

Every reader takes what it knows and hands on the text without it. So no word is read twice,
and what is left in the end is what was not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

Meaning = TypeVar("Meaning")

WIDE = re.compile(r"[\u3400-\u9fff]")


def blank(text: str, start: int, end: int) -> str:
    """The text with a part made blank; all else stays in its place."""
    return text[:start] + " " * (end - start) + text[end:]


def take(text: str, pattern: re.Pattern[str]) -> tuple[re.Match[str] | None, str]:
    """The first match, and the text without it."""
    found = pattern.search(text)
    return found, blank(text, *found.span()) if found else text


def take_all(text: str, pattern: re.Pattern[str]) -> tuple[list[re.Match[str]], str]:
    """All matches, and the text without them."""
    found = list(pattern.finditer(text))
    for match in found:
        text = blank(text, *match.span())
    return found, text


def find_phrases(text: str, meanings: Mapping[str, Meaning]) -> list[tuple[int, int, Meaning]]:
    """The phrases in a lower-case text with start, end and meaning, in order.

    At each place the longest phrase is taken. Latin phrases are whole words and may end in 's.
    """
    pattern = _any(meanings)
    return [(*match.span(), meanings[match["phrase"]]) for match in pattern.finditer(text)]


def _any(phrases: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(phrases, key=len, reverse=True)
    wide = "|".join(re.escape(phrase) for phrase in longest if WIDE.search(phrase))
    latin = "|".join(re.escape(phrase) for phrase in longest if not WIDE.search(phrase))
    either = [wide, rf"(?<![a-z0-9])(?:{latin})(?![a-z0-9])"]
    return re.compile(rf"(?P<phrase>{'|'.join(filter(None, either))})(?:'s)?")


def lower(text: str) -> str:
    """Lower case, character by character, so that every place stays the same."""
    return "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
