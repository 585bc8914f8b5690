"""Find words and figures in a whole run, or in one text, with the place of every hit.

A hit that has all words in a row comes before one that has all words, and that one before
one that has some; within these by bm25. A place is a character, so that recalling from
there shows the hit.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import msgspec

from tallybook.errors import RecallError, ScratchpadError
from tallybook.recall.index import ask
from tallybook.recall.source import Source
from tallybook.recall.words import Match, Term, fold, matches, phrase, terms

_BEFORE = 60
_AFTER = 140
_PER_ENTRY = 3
_ROWS = 120
_VARIANTS = 12
_MOST_MATCHES = 200_000


class Spot(msgspec.Struct, frozen=True):
    """A place in a text: the character and the line it begins at, and what stands there.

    `words` is how many different terms of the query are near, `snippet` the text around on
    one line.
    """

    char: int
    line: int
    words: int
    snippet: str


class Hit(msgspec.Struct, frozen=True):
    """A place in a text of the run: its number, what it is called, the arguments of its call."""

    seq: int
    title: str
    about: str
    spot: Spot


class _Piece(msgspec.Struct, frozen=True):
    seq: int
    start: int
    stop: int
    title: str
    about: str


def search(source: Source, query: str, *, most: int = 20) -> list[Hit]:
    """The best `most` hits for a query in the whole run, at most three of them in one text."""
    wanted = terms(query)
    if not wanted or most < 1:
        return []
    pieces = ask(source, lambda index: _pieces(index, wanted, most))
    texts: dict[int, str] = {}
    hits: dict[tuple[int, int], Hit] = {}
    for piece in pieces:
        try:
            text = texts.get(piece.seq) or source.text(piece.seq)
        except (ScratchpadError, RecallError):
            continue
        texts[piece.seq] = text
        spot = _best_spot(text, piece, wanted)
        hits.setdefault((piece.seq, spot.char), Hit(piece.seq, piece.title, piece.about, spot))
    return list(hits.values())


def spots(text: str, query: str, *, start: int = 0, most: int = 50) -> tuple[int, list[Spot]]:
    """How many places of a text have words of a query, and the best `most` of them, best first.

    Only what begins at character `start` or later counts.
    """
    wanted = terms(query)
    if not wanted:
        return 0, []
    found = list(islice(matches(fold(text), wanted, start), _MOST_MATCHES))
    groups = list(_groups(text, found))
    best = heapq.nsmallest(most, groups, key=lambda group: (-_variety(group), group[0].start))
    in_order = _as_spots(text, sorted(best, key=lambda group: group[0].start))
    return len(groups), sorted(in_order, key=lambda spot: -spot.words)


def _pieces(index: sqlite3.Connection, wanted: tuple[Term, ...], most: int) -> list[_Piece]:
    """The pieces that answer best, from strict to lax until there are enough."""
    found: dict[int, _Piece] = {}
    of_entry: Counter[int] = Counter()
    for expression in _expressions(wanted):
        for row, piece in _matching(index, expression):
            if row not in found and of_entry[piece.seq] < _PER_ENTRY:
                found[row] = piece
                of_entry[piece.seq] += 1
            if len(found) >= most:
                return list(found.values())
    if not found and (within := [inner for term in wanted for inner in _within(index, term)]):
        return [piece for _, piece in _matching(index, " OR ".join(within))][:most]
    return list(found.values())


def _expressions(wanted: tuple[Term, ...]) -> Iterator[str]:
    """What to ask for, from strict to lax."""
    if in_a_row := phrase(wanted):
        yield in_a_row
    yield " AND ".join(f"({term.exact})" for term in wanted)
    loose = [f"({term.loose})" for term in wanted]
    yield " AND ".join(loose)
    if len(loose) > 1 or wanted[0].kind == "wide":
        yield " OR ".join(loose)


def _within(index: sqlite3.Connection, term: Term) -> list[str]:
    """Indexed words that hold a term somewhere inside."""
    if term.kind == "wide" or len(term.text) < 3:
        return []
    rows = index.execute(
        "SELECT word FROM long WHERE instr(word, ?) > 1 LIMIT ?", (term.text, _VARIANTS)
    )
    return [f'"{word}"' for (word,) in rows]


def _matching(index: sqlite3.Connection, expression: str) -> Iterator[tuple[int, _Piece]]:
    # bm25 is smaller for better matches, and so is `rank`: the best come first.
    rows = index.execute(
        "SELECT piece.id, seq, start, stop, title, entry.about FROM ("
        "  SELECT rowid AS id, rank AS score FROM words WHERE words MATCH ?"
        "  AND rank MATCH 'bm25(1.0, 1.0, 0.4)' ORDER BY rank LIMIT ?"
        ") AS best JOIN piece ON piece.id = best.id JOIN entry USING (seq) "
        "ORDER BY score, piece.id",
        (expression, _ROWS),
    )
    return ((row, _Piece(*rest)) for row, *rest in rows)


def _best_spot(text: str, piece: _Piece, wanted: tuple[Term, ...]) -> Spot:
    """Where in a piece most of the words stand together; its start if only its call has them."""
    found = matches(fold(text[piece.start : piece.stop]), wanted)
    moved = (Match(m.start + piece.start, m.end + piece.start, m.term) for m in found)
    groups = list(_groups(text, list(moved)))
    best = max(groups, key=_variety, default=[Match(piece.start, piece.start, 0)])
    return _as_spots(text, [best])[0]


def _groups(text: str, found: list[Match]) -> Iterator[list[Match]]:
    """Matches that one snippet can show, parted so that different words stay together."""
    windows = [_window(text, found, first) for first in range(len(found))]
    first = 0
    while first < len(found):
        inside = range(first, windows[first].end)
        best = max(inside, key=lambda one: (windows[one].words, -windows[one].span, -one))
        end = best if best > first else windows[first].end
        yield found[first:end]
        first = end


class _Window(msgspec.Struct, frozen=True):
    """Matches up to `end` (exclusive) that a snippet from one match on can show.

    `span` is how many characters it takes to have all `words` different terms of it.
    """

    end: int
    words: int
    span: int


def _window(text: str, found: list[Match], first: int) -> _Window:
    """As far as a snippet reaches, and to another line only for another word."""
    start = found[first].start
    seen: set[int] = set()
    span = 0
    for place in range(first, len(found)):
        match = found[place]
        if place > first and (
            match.end - start > _AFTER
            or (match.term in seen and "\n" in text[found[place - 1].end : match.start])
        ):
            return _Window(place, len(seen), span)
        if match.term not in seen:
            seen.add(match.term)
            span = match.end - start
    return _Window(len(found), len(seen), span)


def _variety(group: list[Match]) -> int:
    return len({match.term for match in group})


def _as_spots(text: str, groups: list[list[Match]]) -> list[Spot]:
    """Groups, in order, as spots; lines are counted once from start to end."""
    made: list[Spot] = []
    counted, line = 0, 1
    for group in groups:
        start, stop = _begin(text, group[0].start), _stop(text, group)
        line += text.count("\n", counted, start)
        counted = start
        dots = ("…" if start else "", "…" if stop < len(text) else "")
        snippet = " ".join(text[start:stop].split()).join(dots)
        made.append(Spot(start, line, _variety(group), snippet))
    return made


def _stop(text: str, group: list[Match]) -> int:
    """Where a snippet ends: with the line of its last match, if that is not far."""
    far = min(len(text), group[0].start + _AFTER)
    newline = text.find("\n", group[-1].end, far)
    return newline if newline >= 0 else max(far, group[-1].end)


def _begin(text: str, place: int) -> int:
    """Where to begin to read for a hit: its line, or a little before it."""
    start = max(0, place - _BEFORE)
    if newline := text.rfind("\n", start, place) + 1:
        return newline
    blank = text.find(" ", start, place) + 1 if start else 0
    return blank or start
