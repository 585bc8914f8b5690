"""Full-text search over a whole run, in an index that may be thrown away at any time.

The index is SQLite FTS5 in the run's folder: words for most languages, triples of
characters for those that write none between them. It is filled as the run grows, and built
again whenever it is missing, damaged, or of another run or version. Where the folder
cannot be written the search builds it in memory.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from tallybook.recall.source import Source
from tallybook.scratchpad.events import (
    RECALL,
    AssistantMessage,
    Entry,
    ToolResult,
    UserMessage,
)

_VERSION = 1
_CHUNK = 1_500
_OVERLAP = 100
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_WORD = re.compile(r"[^\W_]+(?:[.,'’-][^\W_]+)*", re.UNICODE)
_SCHEMA = (
    "CREATE TABLE about (run TEXT, version INTEGER, through INTEGER)",
    "CREATE TABLE chunk (id INTEGER PRIMARY KEY, seq INTEGER, what TEXT, start INTEGER, body TEXT)",
    "CREATE VIRTUAL TABLE words USING fts5(body, content='chunk', content_rowid='id', "
    "tokenize='unicode61 remove_diacritics 2')",
    "CREATE VIRTUAL TABLE triples USING fts5(body, content='chunk', content_rowid='id', "
    "tokenize='trigram')",
)


class Hit(msgspec.Struct, frozen=True):
    """A passage that was found: the entry, what it is, where the passage starts, its text."""

    seq: int
    what: str
    start: int
    text: str


def search(source: Source, query: str, *, most: int = 20) -> list[Hit]:
    """The best passages first: all words before some, then by bm25; at most one a passage."""
    with closing(_open(source)) as index:
        _catch_up(index, source)
        return list(_find(index, query, most))


def _open(source: Source) -> sqlite3.Connection:
    path = source.folder / "index.sqlite"
    for attempt in ("use", "rebuild"):
        try:
            index = sqlite3.connect(path, timeout=2)
            index.execute("PRAGMA journal_mode=WAL")
            index.execute("PRAGMA synchronous=OFF")
            if _prepare(index, source.folder.name):
                return index
            index.close()
        except sqlite3.DatabaseError:
            index.close() if "index" in locals() else None
        if attempt == "use":
            _remove(path)
    memory = sqlite3.connect(":memory:")
    _prepare(memory, source.folder.name)
    return memory


def _prepare(index: sqlite3.Connection, run: str) -> bool:
    """Make the tables in an empty index; False for one of another run or version."""
    if not index.execute("SELECT 1 FROM sqlite_master WHERE name='about'").fetchone():
        with index:
            for statement in _SCHEMA:
                index.execute(statement)
            index.execute("INSERT INTO about VALUES (?, ?, 0)", (run, _VERSION))
    about = index.execute("SELECT run, version FROM about").fetchone()
    return bool(about == (run, _VERSION))


def _catch_up(index: sqlite3.Connection, source: Source) -> None:
    with index:
        index.execute("BEGIN IMMEDIATE")
        (through,) = index.execute("SELECT through FROM about").fetchone()
        if through >= source.seq:
            return
        for entry in source.entries(through + 1):
            through = entry.seq
            what, text = _content(entry)
            for start, body in _chunks(text):
                row = index.execute(
                    "INSERT INTO chunk (seq, what, start, body) VALUES (?, ?, ?, ?)",
                    (entry.seq, what, start, body),
                ).lastrowid
                for table in ("words", "triples"):
                    index.execute(f"INSERT INTO {table} (rowid, body) VALUES (?, ?)", (row, body))
        index.execute("UPDATE about SET through = ?", (through,))


def _content(entry: Entry) -> tuple[str, str]:
    match entry.event:
        case UserMessage(text=text):
            return "the user", text
        case AssistantMessage(text=text):
            return "the assistant", text
        case ToolResult(tool=tool, body=body) if tool != RECALL:
            return tool, body.text or ""
    return "", ""


def _chunks(text: str) -> Iterator[tuple[int, str]]:
    clean = text.encode("utf-8", "replace").decode("utf-8")
    for start in range(0, len(clean), _CHUNK):
        yield start, clean[start : start + _CHUNK + _OVERLAP]


def _find(index: sqlite3.Connection, query: str, most: int) -> Iterator[Hit]:
    seen: set[tuple[int, int]] = set()
    for rows in _attempts(index, query, most):
        for seq, what, start, body in rows:
            if (seq, start) not in seen and len(seen) < most:
                seen.add((seq, start))
                yield Hit(seq, what, start, body)


def _attempts(
    index: sqlite3.Connection, query: str, most: int
) -> Iterator[Iterable[tuple[int, str, int, str]]]:
    """From strict to lax: all words, all pieces of wide text, then any of them."""
    words = [_quoted(word) for word in _WORD.findall(_WIDE.sub(" ", query))]
    wide = _WIDE.findall(query)
    triples = [run[i : i + 3] for run in wide for i in range(len(run) - 2)]
    if words:
        yield _match(index, "words", " AND ".join(words), most)
    if triples:
        yield _match(index, "triples", " AND ".join(map(_quoted, triples)), most)
    for run in wide:
        if len(run) < 3:
            yield _like(index, run, most)
    if words:
        yield _match(index, "words", " OR ".join(words), most)
    if triples:
        yield _match(index, "triples", " OR ".join(map(_quoted, triples)), most)
    longer = [word for word in re.split(r"\s+", query) if len(word) >= 3]
    if longer:
        yield _match(index, "triples", " OR ".join(map(_quoted, longer)), most)


def _match(
    index: sqlite3.Connection, table: str, expression: str, most: int
) -> Iterable[tuple[int, str, int, str]]:
    # bm25() is smaller for better matches, so ascending order puts the best first.
    return index.execute(
        f"SELECT seq, what, start, chunk.body FROM {table} JOIN chunk ON chunk.id = {table}.rowid "
        f"WHERE {table} MATCH ? ORDER BY bm25({table}), seq LIMIT ?",
        (expression, most),
    )


def _like(index: sqlite3.Connection, run: str, most: int) -> Iterable[tuple[int, str, int, str]]:
    return index.execute(
        "SELECT seq, what, start, body FROM chunk WHERE body LIKE ? ORDER BY seq LIMIT ?",
        (f"%{run}%", most),
    )


def _quoted(word: str) -> str:
    escaped = word.replace('"', '""')
    return f'"{escaped}"'


def _remove(path: Path) -> None:
    for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if name.is_file():
            name.unlink()
