"""Read the scratchpads of Dexter, the reference agent, as events of ours.

They hold the query, the model's thinking and each tool result with its arguments, but no
assistant messages and no call ids: each result becomes a round of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Raw

from tallybook.errors import ScratchpadError
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Entry,
    Event,
    RunStarted,
    ToolCall,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.surrogates import decode_hidden


class _Line(msgspec.Struct, rename="camel"):
    type: str
    timestamp: datetime
    content: str = ""
    tool_name: str = "tool"
    args: Raw = Raw(b"{}")
    result: Raw = Raw(b'""')


_decode = msgspec.json.Decoder(_Line).decode


def read_dexter(path: Path) -> Iterator[Entry]:
    """The entries of a Dexter scratchpad; a malformed line costs itself.

    They may be appended to a run of ours as they are. JSON results keep their digits. Raises
    ScratchpadError if the file cannot be read or no line of it is one of Dexter's.
    """
    seq = 0
    thought: list[_Line] = []
    for line in _lines(path):
        if line.type == "thinking":
            thought.append(line)
            continue
        for event in _events(line, seq, _said(thought)):
            seq += 1
            yield Entry(seq, line.timestamp.astimezone(UTC), event)
        thought.clear()
    if thought and seq:
        at = thought[-1].timestamp.astimezone(UTC)
        yield Entry(seq + 1, at, AssistantMessage(_said(thought)))
    if not seq:
        raise ScratchpadError(f"{path} holds no line of a Dexter scratchpad")


def _lines(path: Path) -> Iterator[_Line]:
    try:
        with path.open("rb") as file:
            for data in file:
                line = _line(data.strip(b"\0 \t\r\n").removeprefix(b"\xef\xbb\xbf"))
                if line is not None:
                    yield line
    except OSError as error:
        raise ScratchpadError(f"{path} cannot be read ({error.strerror})") from error


def _line(data: bytes) -> _Line | None:
    """A line as a record; None for one that is broken or lacks a type or a time."""
    try:
        return _decode(data)
    except (msgspec.DecodeError, RecursionError):
        try:
            return decode_hidden(data, _decode)
        except (msgspec.DecodeError, RecursionError):
            return None


def _events(line: _Line, seq: int, thinking: str) -> Iterator[Event]:
    match line.type:
        case "init":
            if not seq:
                yield RunStarted(line.content)
            elif thinking:
                yield AssistantMessage(thinking)
            yield UserMessage(line.content)
        case "tool_result":
            if not seq:
                yield RunStarted("")
            call = ToolCall(f"dexter_{seq}", line.tool_name, bytes(line.args).decode())
            text = _text(bytes(line.result))
            yield AssistantMessage(thinking, calls=(call,))
            body = Body(text=text, chars=len(text))
            yield ToolResult(call.id, call.name, body, read_only=True)


def _said(thought: list[_Line]) -> str:
    return "\n".join(line.content for line in thought if line.content)


def _text(result: bytes) -> str:
    """A string is the text that it holds; other JSON is its own text."""
    if not result.startswith(b'"'):
        return result.decode()
    text = json.loads(result)
    return text if isinstance(text, str) else ""
