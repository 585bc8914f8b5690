"""Recall as a tool that any framework can mount: its description, and one function."""

from __future__ import annotations

import json
import re

import msgspec
from msgspec import Raw

from tallybook.errors import RecallError
from tallybook.recall.fetch import fetch, fetch_lines, fetch_path
from tallybook.recall.search import Hit, search
from tallybook.recall.source import Source
from tallybook.scratchpad.events import RECALL, ToolSpec

_DESCRIPTION = (
    "Bring back what was let go from this conversation, exactly as it was: tool results are kept "
    "whole under their numbers. Give `seq` for one result, with `path` for a part of a JSON result "
    "(such as $.items.revenue[0:4]) or `query` for the places that hold some words; give `query` "
    "alone to search everything read so far. Long results come in pages."
)
_SCHEMA = {
    "type": "object",
    "properties": {
        "seq": {"type": "integer", "description": "number of the result, as in [result 12]"},
        "path": {"type": "string", "description": "JSON path into that result"},
        "query": {"type": "string", "description": "words or figures to look for"},
        "line": {"type": "integer", "description": "line to start from, the first is 1"},
        "char": {"type": "integer", "description": "character to start from, the first is 0"},
    },
    "additionalProperties": False,
}
_HELP = (
    "Say what to bring back: recall(seq=12), recall(seq=12, path='$.revenue[0:4]'), "
    "recall(seq=12, query='gross margin') or recall(query='gross margin')."
)
_AROUND = 110


class _Arguments(msgspec.Struct, forbid_unknown_fields=False):
    seq: int | None = None
    path: str | None = None
    query: str | None = None
    line: int | None = None
    char: int | None = None


def recall_spec() -> ToolSpec:
    """The tool as a model is told of it."""
    schema = Raw(json.dumps(_SCHEMA, sort_keys=True).encode())
    return ToolSpec(RECALL, _DESCRIPTION, schema, read_only=True)


def recall(source: Source, arguments: str, *, limit: int) -> str:
    """Answer a call with these arguments (JSON as the model wrote it) in `limit` characters.

    Raises RecallError, whose message tells the model what to do.
    """
    asked = _read(arguments)
    if asked.seq is None:
        if not asked.query:
            raise RecallError(_HELP)
        return _hits(asked.query, search(source, asked.query), limit)
    if asked.path:
        return fetch_path(source, asked.seq, asked.path, limit=limit)
    if asked.query:
        return fetch_lines(source, asked.seq, asked.query, limit=limit)
    return fetch(source, asked.seq, line=asked.line, char=asked.char, limit=limit)


def _read(arguments: str) -> _Arguments:
    try:
        return msgspec.json.decode(arguments.strip() or "{}", type=_Arguments, strict=False)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise RecallError(f"These arguments cannot be read ({error}). {_HELP}") from error


def _hits(query: str, found: list[Hit], limit: int) -> str:
    if not found:
        raise RecallError(
            f"Nothing read so far holds any word of {query!r}. Try other words, or a figure as it "
            "was written."
        )
    lines = [f"[{len(found)} passages with {query[:80]!r}; recall(seq, char=…) reads on]"]
    room = limit - len(lines[0])
    for hit in found:
        line = _line(hit, query)
        if len(line) + 1 > room:
            break
        room -= len(line) + 1
        lines.append(line)
    return "\n".join(lines)[:limit]


def _line(hit: Hit, query: str) -> str:
    """The number, what it is, and the words around the first match."""
    lower = hit.text.lower()
    wanted = [word for word in re.split(r"\s+", query.lower()) if word]
    places = [place for word in wanted if (place := lower.find(word)) >= 0]
    middle = min(places) if places else 0
    start = max(0, middle - _AROUND)
    around = " ".join(hit.text[start : middle + _AROUND].split())
    return f"#{hit.seq} {hit.what}, char {hit.start + start}: …{around}…"
