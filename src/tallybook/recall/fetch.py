"""Bring one result back: a page of it, a part by path, or the lines that hold some words.

What comes back is never longer than asked for, so it is never capped in its turn. A short
first line says what it is and how to get the rest; after it the original stands untouched.
"""

from __future__ import annotations

from tallybook.errors import RecallError, ScratchpadError
from tallybook.recall.page import line_start, page_at
from tallybook.recall.path import Found, outline, select
from tallybook.recall.source import Source

_HEADER = 200


def fetch(source: Source, seq: int, *, line: int | None, char: int | None, limit: int) -> str:
    """A page of entry `seq`, from a line (from 1) or a character (from 0), else its start."""
    text = original(source, seq)
    start = char if char is not None else line_start(text, line or 1)
    page = page_at(text, start, limit - _HEADER)
    if page.start == 0 and page.is_last:
        return f"[{seq}: whole, {page.total:,} characters]\n{page.text}"
    rest = "the end" if page.is_last else f"go on with recall({seq}, char={page.end})"
    return (
        f"[{seq}: characters {page.start:,} to {page.end:,} of {page.total:,}, from line "
        f"{page.line:,}; {rest}]\n{page.text}"
    )


def fetch_path(source: Source, seq: int, path: str, *, limit: int) -> str:
    """The values under a JSON path, each behind its own path, as they were written."""
    found = select(original(source, seq), path)
    room = limit - _HEADER
    if len(found) == 1 and len(found[0].json) <= room:
        return f"[{seq} {found[0].path}]\n{found[0].json}"
    shown: list[str] = []
    for one in found:
        line = f"{one.path}: {one.json}"
        if len(line) + 1 > room:
            break
        room -= len(line) + 1
        shown.append(line)
    left = found[len(shown) :]
    note = f"; {_too_much(left)}" if left else ""
    if not shown:
        part = left[0].json[: max(0, limit - _HEADER - 400)]
        return f"[{seq} {path}: {len(left)} values{note}]\n{part}"[:limit]
    return "\n".join([f"[{seq} {path}: {len(shown)} of {len(found)} values{note}]", *shown])[:limit]


def fetch_lines(source: Source, seq: int, query: str, *, limit: int) -> str:
    """The places in one result that hold the words of a query, each with its character."""
    text = original(source, seq)
    places = _places(text, query)
    if not places:
        raise RecallError(
            f"result {seq} holds none of the words of {query!r}. It has {len(text):,} characters: "
            f"recall({seq}) shows its start, recall(query=…) searches the whole run."
        )
    room = limit - _HEADER
    lines: list[str] = []
    for start, end in places:
        line = f"char {start}: {' '.join(text[start:end].split())}"
        if len(line) + 1 > room:
            break
        room -= len(line) + 1
        lines.append(line)
    head = f"[{seq}: {len(lines)} of {len(places)} places with {query[:60]!r}]"
    return "\n".join([head, *lines])[:limit]


def original(source: Source, seq: int) -> str:
    """The text of an entry; RecallError, which says which numbers there are, if it has none."""
    try:
        return source.text(seq)
    except ScratchpadError as error:
        raise RecallError(
            f"{error}. Numbers go from 1 to {source.seq}; recall(query=…) finds the right one."
        ) from error


def _too_much(left: list[Found]) -> str:
    first = left[0]
    return f"{len(left)} more do not fit: narrow the path. {first.path} is {outline(first.json)}"[
        :350
    ]


def _places(text: str, query: str) -> list[tuple[int, int]]:
    """Windows around the words, those with most of the words first, then in order."""
    lower = text.lower()
    wanted = [word for word in query.lower().split() if len(word) > 1] or [query.lower()]
    found: dict[int, set[str]] = {}
    for word in wanted:
        place = lower.find(word)
        while place >= 0 and len(found) < 400:
            found.setdefault(place // _WINDOW, set()).add(word)
            place = lower.find(word, place + len(word))
    best = sorted(found, key=lambda window: (-len(found[window]), window))
    return [
        (max(0, window * _WINDOW - _AROUND), min(len(text), (window + 1) * _WINDOW + _AROUND))
        for window in best
    ]


_WINDOW = 200
_AROUND = 60
