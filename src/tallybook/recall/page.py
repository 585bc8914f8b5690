"""Where a page of a text ends: never too late, and where a reader would stop.

Pages laid end to end give the text again, character for character. A text may be one line
of half a megabyte, so a page ends inside a line too, but not inside a number or inside what
a reader sees as one character, unless there is nowhere else.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import takewhile

_LAST_SOFT = re.compile(r"(?s:.*)(?:[ \t。；，、]|(?<!\d),|,(?!\d|\Z))")
_NEAR = 256
_BACK = 64
"""How far, in characters, a cut moves back to keep one visible character whole."""


def cut(text: str, start: int, most: int) -> int:
    """The end of the page of at most `most` characters (one at least) that begins at `start`.

    After a line in the page's second half; else after a blank or a comma near its end, a
    comma between digits being the last choice; else anywhere between characters.
    """
    end = start + max(1, most)
    if end >= len(text):
        return len(text)
    late = max(start + most * 3 // 4, end - _NEAR)
    soft = _LAST_SOFT.match(text, late, end)
    places = (
        text.rfind("\n", start + most // 2, end) + 1,
        soft.end() if soft else 0,
        text.rfind(",", late, end) + 1,
        *range(end, max(start, end - _BACK), -1),
    )
    whole = (place for place in places if place > start and not _joined(text, place))
    last_resort = end - 1 if end - 1 > start and _pair(text[end - 1], text[end]) else end
    return next(whole, last_resort)


def line_start(text: str, line: int) -> int | None:
    """The offset where a line begins: 1 is the first, -1 the last; None if there is no such."""
    if line < 0:
        line = max(1, lines_of(text) + 1 + line)
    place = 0
    for _ in range(line - 1):
        place = text.find("\n", place) + 1
        if not place:
            return None
    return place


def lines_of(text: str) -> int:
    """How many lines a text has; only a line feed ends one."""
    return text.count("\n") + (not text.endswith("\n"))


def _joined(text: str, place: int) -> bool:
    """Whether a cut at `place` would part what belongs together."""
    before, after = text[place - 1], text[place]
    if before.isascii() and after.isascii():
        return before == "\r" and after == "\n"
    return (
        _pair(before, after)
        or "\u200d" in (before, after)
        or unicodedata.category(after).startswith("M")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\U000e0020" <= after <= "\U000e007f"
        or (_flag(after) and _flags_before(text, place) % 2 == 1)
    )


def _pair(before: str, after: str) -> bool:
    return "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"


def _flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, place: int) -> int:
    return sum(1 for _ in takewhile(_flag, reversed(text[max(0, place - _BACK) : place])))
