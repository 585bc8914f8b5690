"""The search index of a run: SQLite FTS5, filled as the run grows, thrown away at any time.

It holds no text, only where words stand, in pieces of a result so that a hit has a place.
It is built again when it is missing, damaged, or of another version or run. Where it cannot
be used (a folder that cannot be written, another process at it for too long), the same
index is built in memory for the one question.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from tallybook.recall.page import cut
from tallybook.recall.source import Source, title
from tallybook.recall.words import indexed, storable
from tallybook.scratchpad.events import (
    RECALL,
    AssistantMessage,
    Entry,
    ToolCall,
    ToolResult,
    UserMessage,
)

FILE = "index.sqlite"
_VERSION = 2
_PIECE = 2_000
_OVERLAP = 100
_BATCH = 4_000_000
"""Characters a transaction takes in, so that no other process waits long."""

_WAIT = 2.0
"""Seconds to wait for another process before searching in memory."""

_ABOUT = 240
_SCHEMA = (
    "CREATE TABLE mark (json TEXT)",
    "CREATE TABLE entry (seq INTEGER PRIMARY KEY, title TEXT, about TEXT)",
    "CREATE TABLE piece (id INTEGER PRIMARY KEY, seq INTEGER, start INTEGER, stop INTEGER)",
    "CREATE VIRTUAL TABLE words USING fts5(body, parts, about, content='', "
    "tokenize='unicode61 remove_diacritics 2')",
    "CREATE TABLE long (word TEXT PRIMARY KEY) WITHOUT ROWID",
)

Answer = TypeVar("Answer")
_Calls = tuple[ToolCall, ...]


class _Mark(msgspec.Struct, frozen=True):
    """How far an index reaches: its version, its run, the last entry, the calls still open."""

    version: int
    run: str
    through: int = 0
    calls: _Calls = ()


def ask(source: Source, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
    """Put a question to an index that holds the whole run."""
    path = source.folder / FILE
    for _ in ("as it is", "anew"):
        try:
            with closing(sqlite3.connect(path, timeout=_WAIT, isolation_level=None)) as index:
                _catch_up(index, source)
                return question(index)
        except sqlite3.OperationalError:
            break
        except sqlite3.DatabaseError:
            if not _removed(path):
                break
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as index:
        _catch_up(index, source)
        return question(index)


def _catch_up(index: sqlite3.Connection, source: Source) -> None:
    """Take in what the index does not have yet, a batch at a time, beside others who do so."""
    run, newest = _identity(source), source.seq
    if (mark := _read(index)) and (mark.version, mark.run, mark.through) == (_VERSION, run, newest):
        return
    index.execute("PRAGMA synchronous=NORMAL")
    fresh: Iterator[Entry] | None = None
    last = False
    while not last:
        with _transaction(index):
            mark = _read(index)
            # Another process may have indexed what was appended since: only then look again.
            if mark and mark.through > newest:
                newest = source.seq
            if not mark or (mark.version, mark.run) != (_VERSION, run) or mark.through > newest:
                mark, fresh = _reset(index, run), None
            fresh = fresh or source.entries(mark.through + 1)
            last = _take(index, mark, fresh)


def _take(index: sqlite3.Connection, mark: _Mark, fresh: Iterator[Entry]) -> bool:
    """Index one batch; whether it was the last."""
    taken, through, calls = 0, mark.through, mark.calls
    long: set[str] = set()
    last = True
    for entry in fresh:
        if entry.seq <= through:
            continue
        through = entry.seq
        about, text, calls = _content(entry, calls)
        long.update(_add(index, entry, about, text))
        taken += len(text)
        if taken > _BATCH:
            last = False
            break
    index.executemany("INSERT OR IGNORE INTO long VALUES (?)", zip(long))
    mark = _Mark(mark.version, mark.run, through, calls)
    index.execute("UPDATE mark SET json = ?", (_written(mark),))
    return last


def _content(entry: Entry, calls: _Calls) -> tuple[str, str, _Calls]:
    """What to index of an entry: the arguments that brought it, its text; the calls still open."""
    match entry.event:
        case AssistantMessage(text=text, calls=made):
            return "", text, tuple(map(_short, made))
        case UserMessage(text=text):
            return "", text, calls
        case ToolResult() as result:
            call = _call_of(result, calls)
            calls = tuple(one for one in calls if one is not call)
            text = "" if result.tool == RECALL else result.body.text or ""
            return call.arguments if call else "", text, calls
        case _:
            return "", "", calls


def _add(index: sqlite3.Connection, entry: Entry, about: str, text: str) -> set[str]:
    """Index one text in pieces that overlap a little; its long words."""
    long: set[str] = set()
    if text:
        row = (entry.seq, storable(title(entry)), about)
        index.execute("INSERT INTO entry VALUES (?, ?, ?)", row)
    context = indexed(f"{title(entry)} {about}")
    start = 0
    while start < len(text):
        stop = cut(text, start, _PIECE)
        body = text[start : stop + _OVERLAP]
        piece = index.execute(
            "INSERT INTO piece (seq, start, stop) VALUES (?, ?, ?)",
            (entry.seq, start, start + len(body)),
        ).lastrowid
        words = indexed(body)
        index.execute(
            "INSERT INTO words (rowid, body, parts, about) VALUES (?, ?, ?, ?)",
            (piece, words.body, storable(words.parts), f"{context.body} {context.parts}"),
        )
        long |= words.long
        start = stop
    return long


def _call_of(result: ToolResult, calls: _Calls) -> ToolCall | None:
    """The open call that a result answers."""
    known = (storable(result.call_id), storable(result.tool))
    return next((call for call in calls if (call.id, call.name) == known), None)


def _short(call: ToolCall) -> ToolCall:
    """A call with as much of its arguments as is searched and shown."""
    arguments = " ".join(call.arguments.split())[:_ABOUT]
    return ToolCall(storable(call.id), storable(call.name), storable(arguments))


def _reset(index: sqlite3.Connection, run: str) -> _Mark:
    """Empty an index, whatever was in it, and make its tables."""
    names = index.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
        "ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'"
    ).fetchall()
    for (name,) in names:
        index.execute(f'DROP TABLE IF EXISTS "{name}"')
    for statement in _SCHEMA:
        index.execute(statement)
    mark = _Mark(_VERSION, run)
    index.execute("INSERT INTO mark VALUES (?)", (_written(mark),))
    return mark


def _read(index: sqlite3.Connection) -> _Mark | None:
    """How far an index reaches; None for one that is not ours."""
    if not index.execute("SELECT 1 FROM sqlite_master WHERE name = 'mark'").fetchone():
        return None
    row = index.execute("SELECT * FROM mark").fetchone()
    try:
        return msgspec.json.decode(row[0], type=_Mark) if row else None
    except (msgspec.DecodeError, TypeError):
        return None


@contextmanager
def _transaction(index: sqlite3.Connection) -> Iterator[None]:
    index.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        index.execute("ROLLBACK")
        raise
    index.execute("COMMIT")


def _identity(source: Source) -> str:
    """What tells a run from another: its folder's name and its first entry."""
    first = next(source.entries(), None)
    words = f"{source.folder.name} {first!r}"
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()


def _written(mark: _Mark) -> str:
    return msgspec.json.encode(mark).decode()


def _removed(path: Path) -> bool:
    """Delete a damaged index with what SQLite keeps beside it; whether that could be done."""
    try:
        for name in ("", "-journal", "-wal", "-shm"):
            path.with_name(path.name + name).unlink(missing_ok=True)
    except OSError:
        return False
    return True
