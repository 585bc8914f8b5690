"""One entry is one line of JSON; every line says by which schema it is to be read.

What is written is never rewritten, so a decoder, once released, stays: `decode` is the
only place that chooses one. A line may hold any character but a raw newline; U+2028
and its like stand as they are, so lines are split at `\\n` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw

from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Entry,
    Event,
    ModelChanged,
    RunStarted,
    Summarized,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.surrogates import decode_hidden, escape, hide

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = 1
_HEAD = b'{"v":1,'
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
    """The line of `entry`, newline included.

    Strings hold no raw newline in JSON, so one can only be layout inside native JSON,
    where a space means the same. Raises OverflowError or TypeError for what JSON lacks.
    """
    try:
        body = _encode(entry)
    except UnicodeEncodeError:
        body = escape(entry, _encode)
    if b"\n" in body:
        body = body.replace(b"\r\n", b" ").replace(b"\n", b" ")
    return b"".join((_HEAD, memoryview(body)[1:], b"\n"))


def decode(line: bytes) -> Entry:
    """The entry in `line`; raises Unreadable."""
    try:
        return _decoder(line)(line)
    except msgspec.ValidationError as error:
        raise Unreadable(f"not an entry known here: {error}", foreign=_is_json(line)) from error
    except (msgspec.DecodeError, RecursionError) as error:
        entry = decode_hidden(line, decode)
        if entry is None:
            raise Unreadable(str(error)) from error
        return entry


def _decoder(line: bytes) -> Callable[[bytes], Entry]:
    """The decoder of the line's schema version: the one place that tells them apart."""
    if line.startswith(_HEAD):
        return _decode_v1
    match msgspec.json.decode(line, type=_Stamp).v:
        case 1:
            return _decode_v1
        case version:
            reason = f"schema version {version}, which this Tallybook cannot read"
            raise Unreadable(reason, foreign=version > VERSION)


def _is_json(line: bytes) -> bool:
    try:
        line.decode()
        _skim(line)
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return False
    return True


def check_native(event: Event) -> None:
    """Raise Unreadable unless each native part is one JSON value; NaN and Infinity are none."""
    match event:
        case RunStarted(tools=tools) | ModelChanged(tools=tools):
            parts = [("parameters", tool.parameters) for tool in tools or ()]
        case UserMessage() | AssistantMessage() | ToolResult():
            parts = [("native", event.native)]
        case Summarized() | Answered():
            parts = [("check", event.check)]
        case _:
            return
    for name, raw in parts:
        if raw is not None:
            _check_json(name, bytes(raw))


def _check_json(name: str, data: bytes) -> None:
    try:
        data.decode()
        _skim(hide(data)[0])
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError) as error:
        raise Unreadable(f"`{name}` is not JSON in UTF-8: {error}") from error
