"""Recall as a tool that any framework can mount: its description, and one function.

What it returns is never longer than its limit. The first line, in brackets, says what
follows and how to get the rest; behind it the original stands untouched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Raw

from tallybook.errors import RecallError
from tallybook.recall.fetch import Part, Recalled, Selection, begin, call, page, select
from tallybook.recall.path import outline
from tallybook.recall.search import Hit, Spot, search, spots
from tallybook.recall.source import Source
from tallybook.recall.steps import shortened
from tallybook.scratchpad.events import RECALL, ToolSpec

_DESCRIPTION = (
    "Bring back what was let go from this conversation, exactly as it was: every tool result is "
    "kept whole under its number. recall(seq) reads one result, page by page; with `path` a part "
    "of a JSON result, such as $.items.revenue[0:4]; with `query` the places in it that have some "
    "words. recall(query) alone searches everything read so far, figures as they were written. "
    "Prefer path or query to reading page after page."
)
_SCHEMA = {
    "type": "object",
    "properties": {
        "seq": {"type": "integer", "description": "number of the result, 12 for [result 12]"},
        "path": {"type": "string", "description": "JSON path into that result"},
        "query": {"type": "string", "description": "words or figures to look for"},
        "line": {"type": "integer", "description": "line to read from; the first is 1"},
        "char": {"type": "integer", "description": "character to read from; the first is 0"},
    },
    "additionalProperties": False,
}
_HELP = (
    "Say what to bring back: recall(seq=12), recall(seq=12, path='$.revenue[0:4]'), "
    "recall(seq=12, line=40), recall(seq=12, char=9000), recall(seq=12, query='gross margin') or "
    "recall(query='gross margin')."
)
_DIGITS = re.compile(r"[^\d-]{0,12}(-?\d{1,15})(?:\.0*)?\W{0,3}", re.ASCII)
_ABOUT = 60
_MOST_HITS = 20
_MOST_SPOTS = 60
_OUTLINED = 20_000_000
"""Characters up to which a JSON text is outlined: above, one look would cost a second."""


class _Asked(msgspec.Struct, frozen=True):
    """The arguments of a call."""

    seq: int | None = None
    path: str | None = None
    query: str | None = None
    line: int | None = None
    char: int | None = None


def recall_spec() -> ToolSpec:
    """The tool as a model is told of it."""
    schema = Raw(json.dumps(_SCHEMA, sort_keys=True).encode())
    return ToolSpec(RECALL, _DESCRIPTION, schema, read_only=True)


def recall(source: Source, arguments: str | Mapping[str, object], *, limit: int) -> str:
    """Answer a call in `limit` characters; `arguments` is JSON as the model wrote it, or read.

    Raises RecallError, whose message tells the model what to do.
    """
    asked = _read(arguments)
    if asked.query and not asked.seq:
        return _found_in_run(source, asked.query, limit)
    if asked.seq is None:
        raise RecallError(_HELP)
    part = Part(asked.path or "", asked.line, asked.char)
    chosen = select(source, asked.seq, part.path)
    if asked.query:
        return _found_in_text(chosen, part, asked.query, limit)
    return _page(chosen, part, limit)


def _page(chosen: Selection, part: Part, limit: int) -> str:
    room = limit - _reserve(chosen)
    if room < limit // 4:
        raise RecallError(f"There is no room for a path this long: {limit} characters in all.")
    shown = page(chosen, part, room)
    holds = ""
    if shown.start == 0 and not shown.is_whole and shown.total <= _OUTLINED:
        holds = outline(chosen.text, chosen.path, most=min(600, room // 4))
        shown = page(chosen, part, room - len(holds))
    return f"{_header(shown, holds)}\n{shown.text}"


def _reserve(chosen: Selection) -> int:
    """The most characters that the first line of a page can have, but for an outline."""
    widest = len(str(len(chosen.text)))
    way = call(chosen.seq, Part(chosen.path, char=len(chosen.text)))
    return 120 + len(chosen.title) + len(way) + 6 * widest


def _header(shown: Recalled, holds: str) -> str:
    name = f"{shown.seq} {shown.title}"
    if shown.is_whole:
        what = f" {' '.join(shown.path.split())}" if shown.path else ""
        return f"[{name}{what}: whole, {shown.total:,} characters]"
    more = f"; go on with {shown.more}" if shown.more else "; the end"
    narrow = f"; narrow the path, it holds {holds}" if holds else ""
    return (
        f"[{name}: characters {shown.start:,} to {shown.end:,} of {shown.total:,}, from "
        f"line {shown.line:,}{more}{narrow}]"
    )


def _found_in_text(chosen: Selection, part: Part, query: str, limit: int) -> str:
    start = begin(chosen, part)
    count, found = spots(chosen.text, query, start=start, most=_MOST_SPOTS)
    way = call(chosen.seq, Part(chosen.path))
    if not found:
        raise RecallError(
            f"None of the words of {shortened(query)} is in {way} from char {start} on. It has "
            f"{len(chosen.text)} characters; recall(query=…) searches the whole run."
        )
    path = f", path={json.dumps(chosen.path, ensure_ascii=False)}" if chosen.path else ""
    header = (
        f"[{chosen.seq} {chosen.title}: {_many(count, 'place')} with {shortened(query)}, the best "
        f"of them in order; recall({chosen.seq}{path}, char=…) reads on]"
    )
    room = limit - len(header)
    fitting = [spot for spot in found if (room := room - len(_spot_line(spot)) - 1) >= 0]
    in_order = sorted(fitting or found[:1], key=lambda spot: spot.char)
    return _fitted(header, map(_spot_line, in_order), limit)


def _found_in_run(source: Source, query: str, limit: int) -> str:
    found = search(source, query, most=_MOST_HITS)
    if not found:
        raise RecallError(
            f"Nothing read so far has any word of {shortened(query)}. Try other words, or a figure "
            "as it was written."
        )
    header = (
        f"[{_many(len(found), 'passage')} with {shortened(query)}, best first; "
        "recall(seq, char=…) reads on]"
    )
    return _fitted(header, map(_hit_line, found), limit)


def _fitted(header: str, lines: Iterable[str], limit: int) -> str:
    """The header and as many whole lines as fit behind it, a part of the first at least."""
    answer = header[:limit]
    for line in lines:
        if len(answer) + 1 + len(line) > limit:
            return answer if answer != header else f"{answer}\n{line}"[:limit]
        answer = f"{answer}\n{line}"
    return answer


def _many(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count:,} {what}s"


def _spot_line(spot: Spot) -> str:
    return f"line {spot.line}, char {spot.char}: {spot.snippet}"


def _hit_line(hit: Hit) -> str:
    about = f" {hit.about if len(hit.about) <= _ABOUT else hit.about[:_ABOUT] + '…'}".rstrip()
    return f"#{hit.seq} {hit.title}{about}, {_spot_line(hit.spot)}"


def _read(arguments: str | Mapping[str, object]) -> _Asked:
    if isinstance(arguments, str):
        try:
            arguments = msgspec.json.decode(arguments.strip() or "{}", type=dict[str, object])
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            raise RecallError(f"These arguments cannot be read ({error}). {_HELP}") from error
    if unknown := sorted(set(arguments) - set(_Asked.__struct_fields__)):
        raise RecallError(f"recall does not know {shortened(', '.join(unknown))}. {_HELP}")
    return _Asked(
        seq=_number("seq", arguments.get("seq")),
        path=_words("path", arguments.get("path")),
        query=_words("query", arguments.get("query")),
        line=_number("line", arguments.get("line")),
        char=_number("char", arguments.get("char")),
    )


def _number(name: str, given: object) -> int | None:
    """A number, however a model writes it: 12, 12.0, "12", "#12", "[result 12]"."""
    match given:
        case None | "":
            return None
        case bool():
            pass
        case int():
            return given
        case float() if given.is_integer():
            return int(given)
        case str() if found := _DIGITS.fullmatch(given):
            return int(found[1])
    raise RecallError(f"{name} cannot be read: it must be one number. {_HELP}")


def _words(name: str, given: object) -> str | None:
    match given:
        case None:
            return None
        case str():
            return given.strip() or None
        case int() | float():
            return str(given)
    raise RecallError(f"{name} cannot be read: it must be a text. {_HELP}")
