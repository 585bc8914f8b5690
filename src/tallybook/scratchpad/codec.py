r"""An entry and its line: one JSON object, its schema version in front.

Old lines always load: `decode` looks at the version first and hands the line to the reader
of that version. msgspec does the work; what it refuses but Python strings may hold (lone
surrogates) goes through the standard library's `\ud800` escapes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime

import msgspec
from msgspec import Raw

from tallybook.errors import BadEvent, ScratchpadError
from tallybook.scratchpad.events import Entry, Event, Struct

VERSION = 1


class Line(Struct, frozen=True, omit_defaults=False):
    """One line of a scratchpad as it is written."""

    v: int
    seq: int
    at: datetime
    event: Event


class _Version(msgspec.Struct):
    v: int = VERSION


_NATIVE = frozenset({"native", "check"})
_WRAPPED = b'{"$raw":'
_BETWEEN_TOKENS = re.compile(rb'("(?:[^"\\]|\\.)*")|\s+', re.DOTALL)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Line)


def encode(entry: Entry) -> bytes:
    """The line of an entry, with its newline. Raises BadEvent for what a line cannot hold."""
    event = _map_native(entry.event, _one_line)
    try:
        written = _encoder.encode(Line(VERSION, entry.seq, entry.at, event))
    except UnicodeEncodeError:
        written = _with_surrogates(Line(VERSION, entry.seq, entry.at, event))
    return written + b"\n"


def decode(line: bytes | memoryview) -> Entry:
    """The entry of a line. Raises ScratchpadError saying why it cannot be read."""
    try:
        read = _decoder.decode(line)
    except msgspec.DecodeError as error:
        read = _otherwise(bytes(line), error)
    except UnicodeDecodeError as error:
        raise ScratchpadError(f"not UTF-8 at byte {error.start}") from error
    if read.v > VERSION:
        raise ScratchpadError(_newer(read.v))
    event = _map_native(read.event, _unwrapped) if _WRAPPED in bytes(line) else read.event
    return Entry(read.seq, read.at, event)


def _otherwise(line: bytes, error: msgspec.DecodeError) -> Line:
    """Read a line that msgspec refuses: trailing padding, lone surrogates, a newer version."""
    try:
        text = line.decode("utf-8", "surrogatepass")
        parsed, _ = json.JSONDecoder().raw_decode(text)
        version = msgspec.convert(parsed, _Version).v
        if version > VERSION:
            raise ScratchpadError(_newer(version))
        return msgspec.convert(_with_raw(parsed), Line)
    except UnicodeDecodeError as undecodable:
        raise ScratchpadError(f"not UTF-8 at byte {undecodable.start}") from error
    except (ValueError, msgspec.ValidationError) as other:
        raise ScratchpadError(f"not an entry: {other}") from error


def _newer(version: int) -> str:
    return (
        f"written by a newer Tallybook (schema {version}, this one reads up to {VERSION}): "
        "upgrade Tallybook to read it"
    )


def _map_native(event: Event, change: Callable[[Raw], Raw]) -> Event:
    changes: dict[str, Raw] = {
        name: change(value)
        for name in _NATIVE
        if isinstance(value := getattr(event, name, None), Raw)
    }
    return msgspec.structs.replace(event, **changes) if changes else event


def _one_line(raw: Raw) -> Raw:
    """The same JSON on one line, digits untouched; what is no strict JSON is kept as a text."""
    try:
        msgspec.json.decode(raw, type=Raw)
    except msgspec.DecodeError:
        return _wrapped(raw)
    data = bytes(raw)
    if b'"$raw"' in data:
        return _wrapped(raw)
    if b"\n" in data or b"\r" in data:
        return Raw(_BETWEEN_TOKENS.sub(rb"\1", data))
    return raw


def _wrapped(raw: Raw) -> Raw:
    try:
        return Raw(msgspec.json.encode({"$raw": bytes(raw).decode("utf-8")}))
    except UnicodeDecodeError as error:
        raise BadEvent(
            f"native JSON is not UTF-8 (byte {error.start}): pass the provider's JSON as it came"
        ) from error


def _unwrapped(raw: Raw) -> Raw:
    if not bytes(raw).startswith(_WRAPPED):
        return raw
    return Raw(msgspec.json.decode(raw, type=dict[str, str])["$raw"].encode())


def _with_surrogates(line: Line) -> bytes:
    wrapped = msgspec.structs.replace(line, event=_map_native(line.event, _wrapped))
    plain = msgspec.to_builtins(wrapped, builtin_types=(Raw,))
    return json.dumps(plain, default=_plain, separators=(",", ":")).encode("ascii")


def _plain(value: object) -> object:
    if isinstance(value, Raw):
        return json.loads(bytes(value))
    raise BadEvent(f"a {type(value).__name__} cannot be written to a scratchpad")


def _with_raw(parsed: object) -> object:
    """Turn native JSON, parsed on the way through the standard library, back into bytes."""
    match parsed:
        case {"event": dict() as event}:
            for name in _NATIVE & event.keys():
                event[name] = Raw(json.dumps(event[name]).encode())
            for tool in event.get("tools", ()):
                if "parameters" in tool:
                    tool["parameters"] = Raw(json.dumps(tool["parameters"]).encode())
    return parsed
