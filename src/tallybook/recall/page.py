"""One page of a text: by lines, and inside a line that is longer than a page.

Pages laid end to end give the text again, character for character. A page ends after a
line where it can, else after a comma or a blank, and never inside a surrogate pair.
"""

from __future__ import annotations

import msgspec

from tallybook.errors import RecallError

_LEAST_SHARE = 0.5


class Page(msgspec.Struct, frozen=True):
    """`text[start:end]` of a text of `total` characters; `line` is the line it starts in."""

    text: str
    start: int
    end: int
    total: int
    line: int

    @property
    def is_last(self) -> bool:
        """Whether nothing follows."""
        return self.end >= self.total


def page_at(text: str, start: int, most: int) -> Page:
    """The page of at most `most` characters that begins at character `start`."""
    if start < 0 or (start >= len(text) and start > 0):
        raise RecallError(
            f"char={start} is outside of the text, which has {len(text):,} characters (0 to "
            f"{max(0, len(text) - 1):,})."
        )
    end = _end(text, start, most)
    return Page(text[start:end], start, end, len(text), text.count("\n", 0, start) + 1)


def line_start(text: str, line: int) -> int:
    """The character at which line `line` (from 1) begins."""
    start = 0
    for _ in range(line - 1):
        found = text.find("\n", start)
        if found < 0:
            break
        start = found + 1
    else:
        if line >= 1:
            return start
    lines = text.count("\n") + 1
    raise RecallError(f"line={line} does not exist: the text has lines 1 to {lines:,}.")


def _end(text: str, start: int, most: int) -> int:
    limit = start + max(1, most)
    if limit >= len(text):
        return len(text)
    least = start + int(most * _LEAST_SHARE)
    for mark in ("\n", ",", " "):
        found = text.rfind(mark, least, limit)
        if found >= 0:
            return found + 1
    if "\ud800" <= text[limit - 1] <= "\udbff" and limit - start > 1:
        return limit - 1
    return limit
