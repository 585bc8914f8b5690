"""Read the scratchpads of Dexter, the reference agent, as events of ours.

They hold the query, the model's thinking and each tool result with its arguments, but no
assistant messages and no call ids: each result becomes a round of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

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


def read_dexter(path: Path) -> Iterator[Entry]:
    """The entries of a Dexter scratchpad; a malformed line costs itself.

    Raises ScratchpadError if no line of the file is one of Dexter's.
    """
    seq = 0
    thinking = ""
    for line in path.read_text("utf-8", "replace").splitlines():
        record = _record(line)
        if record is None:
            continue
        at = _time(str(record["timestamp"]))
        if record["type"] == "thinking":
            thinking = "\n".join(filter(None, [thinking, str(record.get("content", ""))]))
            continue
        for event in _events(record, seq, thinking):
            seq += 1
            yield Entry(seq, at, event)
        thinking = ""
    if thinking and seq:
        yield Entry(seq + 1, at, AssistantMessage(thinking))
    if not seq:
        raise ScratchpadError(f"{path} holds no line of a Dexter scratchpad")


def _events(record: dict[str, object], seq: int, thinking: str) -> Iterator[Event]:
    match record["type"]:
        case "init":
            query = str(record.get("content", ""))
            yield RunStarted(query)
            yield UserMessage(query)
        case "tool_result":
            if not seq:
                yield RunStarted("")
            tool = str(record.get("toolName", "tool"))
            call = ToolCall(f"dexter_{seq}", tool, _json(record.get("args", {})))
            result = record.get("result", "")
            text = result if isinstance(result, str) else _json(result)
            yield AssistantMessage(thinking, calls=(call,))
            yield ToolResult(call.id, tool, Body(text=text, chars=len(text)), read_only=True)


def _record(line: str) -> dict[str, object] | None:
    """A line as a record; None for one without a type and a timestamp."""
    try:
        record: object = json.loads(line)
    except ValueError:
        return None
    if isinstance(record, dict) and record.get("type") and record.get("timestamp"):
        return record
    return None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _time(written: str) -> datetime:
    try:
        return datetime.fromisoformat(written).astimezone(UTC)
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)
