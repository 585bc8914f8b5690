"""Bring back one text by its number, a page at a time.

A page is never larger than asked for, so it is never capped in its turn, and it names the
call that brings the next one. A path selects a part of a JSON text before it is paged.
"""

from __future__ import annotations

import json

import msgspec

from tallybook.errors import RecallError
from tallybook.recall.page import cut, line_start, lines_of
from tallybook.recall.path import select as select_path
from tallybook.recall.source import Source, original


class Part(msgspec.Struct, frozen=True):
    """Which part of a text is wanted.

    `path` selects inside JSON; the rest counts within what it selected. `line` counts from
    1, or back from the end if negative. `char` counts from 0, from where `line` begins if
    one is given; a negative one back from the end.
    """

    path: str = ""
    line: int | None = None
    char: int | None = None


class Selection(msgspec.Struct, frozen=True):
    """A whole text, or what a path selected of it, not yet cut into pages."""

    seq: int
    title: str
    path: str
    text: str


class Recalled(msgspec.Struct, frozen=True):
    """One page: `text` is characters `start` to `end` (exclusive) of `total`.

    `line` is the number of the line it begins in.
    """

    text: str
    seq: int
    title: str
    path: str
    start: int
    end: int
    total: int
    line: int

    @property
    def is_whole(self) -> bool:
        """Whether this one page is everything."""
        return self.start == 0 and self.end == self.total

    @property
    def next(self) -> Part | None:
        """The part after this page, None behind the last."""
        return Part(self.path, char=self.end) if self.end < self.total else None

    @property
    def more(self) -> str | None:
        """The call that brings the next page, as a model writes it."""
        return call(self.seq, self.next) if self.next else None


def fetch(source: Source, seq: int, part: Part | None = None, *, limit: int) -> Recalled:
    """One page of entry `seq`, of at most `limit` characters; without `part` the first."""
    part = part or Part()
    return page(select(source, seq, part.path), part, limit)


def select(source: Source, seq: int, path: str = "") -> Selection:
    """The text of entry `seq`, or what `path` selects of its JSON."""
    title, text = original(source, seq)
    return Selection(seq, title, path, select_path(text, path) if path else text)


def page(chosen: Selection, part: Part, limit: int) -> Recalled:
    """The page that begins where `part` says, of at most `limit` characters (at least one)."""
    start = begin(chosen, part)
    end = cut(chosen.text, start, limit)
    return Recalled(
        text=chosen.text[start:end],
        seq=chosen.seq,
        title=chosen.title,
        path=chosen.path,
        start=start,
        end=end,
        total=len(chosen.text),
        line=chosen.text.count("\n", 0, start) + 1,
    )


def call(seq: int, part: Part) -> str:
    """The call that brings a part, as a model writes it."""
    given = {"path": part.path or None, "line": part.line, "char": part.char}
    words = [
        f", {name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in given.items()
        if value is not None
    ]
    return f"recall({seq}{''.join(words)})"


def begin(chosen: Selection, part: Part) -> int:
    """The offset where a part begins. Raises RecallError, with what there is, if outside."""
    text, total = chosen.text, len(chosen.text)
    begins = 0 if part.line is None else line_start(text, part.line)
    if begins is None:
        what = call(chosen.seq, Part(chosen.path))
        raise RecallError(
            f"line={part.line} does not exist: {what} has lines 1 to {lines_of(text)}."
        )
    start = begins + (part.char or 0)
    if part.char is not None and part.char < 0 and part.line is None:
        start = max(0, total + part.char)
    if not 0 <= start < max(1, total):
        what = call(chosen.seq, Part(chosen.path))
        raise RecallError(
            f"char={start} is outside of {what}, which has {total} characters "
            f"(0 to {max(0, total - 1)})."
        )
    return start
