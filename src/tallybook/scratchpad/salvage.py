"""What a broken line still holds.

A crash or a lost disk block can put a hole, padding, or half of another entry on the
line of a sound one. The sound one is kept; the rest is for the caller to report.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from tallybook.scratchpad.codec import Unreadable, decode

if TYPE_CHECKING:
    from tallybook.scratchpad.events import Entry

# Quotes are escaped inside strings, so this cannot occur within the text of an entry.
_START = re.compile(rb'\{"v":\d+,"seq":\d+,')
_scan = json.JSONDecoder().raw_decode


class Piece(NamedTuple):
    """A sound entry and where in its line it stands, in bytes."""

    start: int
    end: int
    entry: Entry


def salvage(line: bytes) -> list[Piece]:
    """The sound entries in a broken `line`, in order."""
    starts = [match.start() for match in _START.finditer(line)]
    if not starts:
        return []
    text = line.decode("latin-1")
    pieces: list[Piece] = []
    done = 0
    for start in starts:
        if start < done:
            continue
        try:
            done = _scan(text, start)[1]
            pieces.append(Piece(start, done, decode(line[start:done])))
        except (ValueError, RecursionError, Unreadable):
            continue
    return pieces
