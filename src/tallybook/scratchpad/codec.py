r"""An entry and its line: one JSON object, its schema version in front.

What is written is never rewritten, so a decoder, once released, stays: `_decoder` is the
only place that chooses one. A line may hold any character but a raw newline; U+2028 and
its like stand as they are, so lines are split at `\n` alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from tallybook.errors import BadEvent
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Entry,
    Event,
    ModelChanged,
    Native,
    RunStarted,
    Summarized,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.surrogates import decode_hidden, escape

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = 1
_HEAD = b'{"v":1,'
_WRAPPED = b'{"$raw":'
_BETWEEN_TOKENS = re.compile(rb'("(?:[^"\\]|\\.)*")|\s+', re.DOTALL)
_encode = msgspec.json.Encoder().encode
_decode_v1 = msgspec.json.Decoder(Entry).decode
_skim = msgspec.json.Decoder(Raw).decode


class Unreadable(Exception):
    """A line is no entry. `foreign` is true where it is sound JSON of a kind not known here."""

    def __init__(self, reason: str, *, foreign: bool = False) -> None:
        super().__init__(reason)
        self.foreign = foreign


class _Stamp(msgspec.Struct):
    v: int = 0


def encode(entry: Entry) -> bytes:
    """The line of an entry, with its newline. Raises BadEvent for what a line cannot hold."""
    event = _map_native(entry.event, _one_line)
    entry = entry if event is entry.event else Entry(entry.seq, entry.at, event)
    try:
        body = _encode(entry)
    except UnicodeEncodeError:
        body = escape(entry, _encode)
    except (TypeError, OverflowError) as error:
        raise BadEvent(f"{type(event).__name__} cannot be written as JSON: {error}.") from error
    return b"".join((_HEAD, memoryview(body)[1:], b"\n"))


def decode(line: bytes) -> Entry:
    """The entry in `line`; raises Unreadable."""
    try:
        entry = _decoder(line)(line)
    except msgspec.ValidationError as error:
        raise Unreadable(f"not an entry known here: {error}", foreign=_is_json(line)) from error
    except (msgspec.DecodeError, RecursionError) as error:
        hidden = decode_hidden(line, decode)
        if hidden is None:
            raise Unreadable(str(error)) from error
        return hidden
    event = _map_native(entry.event, _unwrapped)
    return entry if event is entry.event else Entry(entry.seq, entry.at, event)


def _decoder(line: bytes) -> Callable[[bytes], Entry]:
    """The decoder of the line's schema version: the one place that tells them apart."""
    if line.startswith(_HEAD):
        return _decode_v1
    match msgspec.json.decode(line, type=_Stamp).v:
        case 1:
            return _decode_v1
        case version if version > VERSION:
            reason = f"written by a newer Tallybook (schema {version}): upgrade Tallybook"
            raise Unreadable(reason, foreign=True)
        case version:
            raise Unreadable(f"schema {version}, which never was")


def _is_json(line: bytes) -> bool:
    try:
        line.decode()
        _skim(line)
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return False
    return True


def _map_native(event: Event, change: Callable[[Raw], Raw]) -> Event:
    """`event` with every part changed that is JSON as someone else wrote it; itself if none is."""
    match event:
        case ToolResult() | AssistantMessage() | UserMessage():
            native = _changed(event.native, change)
            return event if native is event.native else replace(event, native=native)
        case Summarized() | Answered():
            check = _changed(event.check, change)
            return event if check is event.check else replace(event, check=check)
        case RunStarted() | ModelChanged() if event.tools:
            tools = (
                replace(tool, parameters=_changed(tool.parameters, change)) for tool in event.tools
            )
            return replace(event, tools=tuple(tools))
        case _:
            return event


def _changed(native: Native, change: Callable[[Raw], Raw]) -> Native:
    return change(native) if isinstance(native, Raw) else native


def _one_line(raw: Raw) -> Raw:
    """The same JSON on one line, digits untouched; what is no strict JSON is kept as a text."""
    data = bytes(raw)
    try:
        text = data.decode()
        _skim(data)
    except UnicodeDecodeError as error:
        raise BadEvent(
            f"Native JSON is not UTF-8 (byte {error.start}); nothing was written. "
            "Pass the provider's JSON as it came."
        ) from error
    except (msgspec.DecodeError, RecursionError):
        return Raw(_encode({"$raw": text}))
    if b'"$raw"' in data:
        return Raw(_encode({"$raw": text}))
    if b"\n" in data or b"\r" in data:
        return Raw(_BETWEEN_TOKENS.sub(rb"\1", data))
    return raw


def _unwrapped(raw: Raw) -> Raw:
    if not bytes(raw).startswith(_WRAPPED):
        return raw
    return Raw(msgspec.json.decode(raw, type=dict[str, str])["$raw"].encode())
