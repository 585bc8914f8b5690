"""Read the scratchpads that Dexter writes, as if they were runs of ours.

Its lines say less: no replies and no call ids. So each result becomes a round of its
own, a reply with one call and that call's result, and the thinking before it becomes
the text of that reply. A line that is broken, or lacks a type or a time, costs itself.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

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
from tallybook.scratchpad.history import Damage
from tallybook.scratchpad.surrogates import decode_hidden

if TYPE_CHECKING:
    from pathlib import Path


class _Line(msgspec.Struct, rename="camel"):
    type: str
    timestamp: datetime
    tool_name: str = "unknown"
    args: Raw = Raw(b"{}")
    result: Raw = Raw(b'""')
    content: str = ""


_decode = msgspec.json.Decoder(_Line).decode


def read_dexter(path: Path) -> tuple[list[Entry], list[Damage]]:
    """The run in Dexter's scratchpad file `path`, and what of it could not be read.

    The entries obey the grammar of our own runs. A result that Dexter stored as JSON has
    that JSON as its text. Raises ScratchpadError if there is no such file.
    """
    reading = _Reading()
    offset = 0
    try:
        with path.open("rb") as file:
            for number, data in enumerate(file, 1):
                line = data.strip(b"\0 \t\r\n").removeprefix(b"\xef\xbb\xbf")
                try:
                    if data.strip():
                        reading.take(_read(line))
                except (msgspec.DecodeError, RecursionError) as error:
                    damage = Damage(number, offset, len(data.rstrip(b"\r\n")), "lost", str(error))
                    reading.damage.append(damage)
                offset += len(data)
    except OSError as error:
        raise ScratchpadError(f"{path} cannot be read: {error}.") from error
    reading.flush()
    return reading.entries, reading.damage


def _read(line: bytes) -> _Line:
    try:
        return _decode(line)
    except msgspec.DecodeError:
        found = decode_hidden(line, _decode)
        if found is None:
            raise
        return found


class _Reading:
    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.damage: list[Damage] = []
        self._thought: _Line | None = None

    def take(self, line: _Line) -> None:
        if line.type == "init":
            self.flush()
            query = line.content
            self._add(line, UserMessage(query) if self.entries else RunStarted(query))
            return
        if not self.entries:
            self._add(line, RunStarted(""))
        match line.type:
            case "thinking":
                self.flush()
                self._thought = line
            case "tool_result":
                self._add_round(line)
            case _:
                pass

    def flush(self) -> None:
        """Thinking that led to no call is a reply without one."""
        if self._thought is not None:
            self._add(self._thought, AssistantMessage(self._thought.content))
            self._thought = None

    def _add_round(self, line: _Line) -> None:
        said = self._thought or line
        text = self._thought.content if self._thought else ""
        self._thought = None
        call_id = f"dexter_{len(self.entries) + 1}"
        call = ToolCall(call_id, line.tool_name, bytes(line.args).decode())
        self._add(said, AssistantMessage(text, calls=(call,)))
        result = _text(bytes(line.result))
        self._add(line, ToolResult(call_id, line.tool_name, Body(result, chars=len(result))))

    def _add(self, line: _Line, event: Event) -> None:
        at = line.timestamp.astimezone(UTC)
        self.entries.append(Entry(len(self.entries) + 1, at, event))


def _text(result: bytes) -> str:
    """A string is the text that it holds; other JSON is its own text, to the digit."""
    if not result.startswith(b'"'):
        return result.decode()
    text = json.loads(result)
    return text if isinstance(text, str) else ""
