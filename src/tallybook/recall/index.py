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
from tallybook.recall.words import parts, plain
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

_WAIT = 5.0
"""Seconds to wait for another process before searching in memory."""

_ABOUT = 240
_SCHEMA = (
    "CREATE TABLE mark (json TEXT)",
    "CREATE TABLE entry (seq INTEGER PRIMARY KEY, title TEXT, about TEXT)",
    "CREATE TABLE piece (id INTEGER PRIMARY KEY, seq INTEGER, start INTEGER, stop INTEGER)",
    "CREATE VIRTUAL TABLE words USING fts5(body, parts, about, content='', "
    "tokenize='unicode61 remove_diacritics 2')",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab('words', 'row')",
)

Answer = TypeVar("Answer")


class _Mark(msgspec.Struct, frozen=True):
    """How far an index reaches: its version, its run, the last entry, the calls still open."""

    version: int
    run: str
    through: int = 0
    calls: tuple[ToolCall, ...] = ()


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
    run = _identity(source)
    mark = _read(index)
    if mark and (mark.version, mark.run, mark.through) == (_VERSION, run, source.seq):
        return
    index.execute("PRAGMA synchronous=NORMAL")
    fresh: Iterator[Entry] | None = None
    last = False
    while not last:
        with _transaction(index):
            mark = _read(index)
            if mark is None or not _reaches_back(mark, run, source):
                mark, fresh = _reset(index, run), None
            fresh = fresh or source.entries(mark.through + 1)
            last = _take(index, mark, fresh)


def _reaches_back(mark: _Mark, run: str, source: Source) -> bool:
    """Whether an index is of our version, of this run, and not of a later state of it."""
    return (mark.version, mark.run) == (_VERSION, run) and mark.through <= source.seq


def _take(index: sqlite3.Connection, mark: _Mark, fresh: Iterator[Entry]) -> bool:
    """Index one batch; whether it was the last."""
    taken, through, calls = 0, mark.through, mark.calls
    last = True
    for entry in fresh:
        if entry.seq <= through:
            continue
        through = entry.seq
        match entry.event:
            case AssistantMessage(text=text, calls=made):
                calls = tuple(map(_short, made))
                taken += _add(index, entry, "", text)
            case UserMessage(text=text):
                taken += _add(index, entry, "", text)
            case ToolResult() as result:
                call = _call_of(result, calls)
                calls = tuple(one for one in calls if one is not call)
                if result.tool != RECALL:
                    about = call.arguments if call else ""
                    taken += _add(index, entry, about, result.body.text or "")
        if taken > _BATCH:
            last = False
            break
    mark = _Mark(mark.version, mark.run, through, calls)
    index.execute("UPDATE mark SET json = ?", (_written(mark),))
    return last


def _add(index: sqlite3.Connection, entry: Entry, about: str, text: str) -> int:
    """Index one text in pieces that overlap a little; its length."""
    if not text:
        return 0
    name = _storable(title(entry))
    index.execute("INSERT INTO entry VALUES (?, ?, ?)", (entry.seq, name, about))
    context = f"{plain(name)} {plain(about)} {parts(about)}"
    start = 0
    while start < len(text):
        stop = cut(text, start, _PIECE)
        body = text[start : stop + _OVERLAP]
        piece = index.execute(
            "INSERT INTO piece (seq, start, stop) VALUES (?, ?, ?)",
            (entry.seq, start, min(len(text), stop + _OVERLAP)),
        ).lastrowid
        index.execute(
            "INSERT INTO words (rowid, body, parts, about) VALUES (?, ?, ?, ?)",
            (piece, plain(body), _storable(parts(body)), context),
        )
        start = stop
    return len(text)


def _call_of(result: ToolResult, calls: tuple[ToolCall, ...]) -> ToolCall | None:
    """The open call that a result answers."""
    known = (_storable(result.call_id), _storable(result.tool))
    return next((call for call in calls if (call.id, call.name) == known), None)


def _short(call: ToolCall) -> ToolCall:
    """A call with as much of its arguments as is searched and shown."""
    arguments = " ".join(call.arguments.split())[:_ABOUT]
    return ToolCall(_storable(call.id), _storable(call.name), _storable(arguments))


def _reset(index: sqlite3.Connection, run: str) -> _Mark:
    """Empty an index, whatever was in it, and make its tables."""
    kept = "sqlite_%"
    names = index.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE ? "
        "ORDER BY sql NOT LIKE 'CREATE VIRTUAL%', name DESC",
        (kept,),
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


def _storable(text: str) -> str:
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


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
