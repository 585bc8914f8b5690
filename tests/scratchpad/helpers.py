"""Short ways to write events, and a run with one finished round."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Event,
    RunStarted,
    ToolCall,
    ToolResult,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

START = datetime(2026, 3, 1, 9, 30, 0, 250_000, UTC)


def ticking(start: datetime = START) -> Callable[[], datetime]:
    """A clock that goes on by a second each time it is read."""
    moments = (start + timedelta(seconds=second) for second in range(10**9))
    return lambda: next(moments)


def reply(*ids: str, text: str = "", tool: str = "lookup") -> AssistantMessage:
    return AssistantMessage(text, calls=tuple(ToolCall(call_id, tool) for call_id in ids))


def result(call_id: str, text: str = "42", tool: str = "lookup") -> ToolResult:
    return ToolResult(call_id, tool, Body(text))


def make(root: Path, events: Iterable[Event] = (), *, inline: int = 32_000) -> Path:
    """The folder of a closed run that holds `events` after its start."""
    with Scratchpad.create(root, "q", clock=ticking(), fsync="never", inline=inline) as pad:
        pad.append(RunStarted("q"))
        for event in events:
            pad.append(event)
        return pad.folder


def reopen(folder: Path, *, inline: int = 32_000) -> Scratchpad:
    return Scratchpad.open(folder, clock=ticking(), fsync="never", inline=inline)


def lines(folder: Path) -> list[bytes]:
    return (folder / "scratchpad.jsonl").read_bytes().splitlines(keepends=True)


def rewrite(folder: Path, data: Iterable[bytes]) -> None:
    (folder / "scratchpad.jsonl").write_bytes(b"".join(data))
