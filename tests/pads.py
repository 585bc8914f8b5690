"""Real scratchpads in a temporary folder."""

from __future__ import annotations

from pathlib import Path

from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Event,
    RunStarted,
    ToolCall,
    ToolResult,
    UserMessage,
)
from tests.runs import NOW


def new_pad(
    root: Path, query: str = "What was the revenue?", *, inline: int = 32_000
) -> Scratchpad:
    """An empty scratchpad that does not wait for the disk."""
    return Scratchpad.create(root, query, clock=lambda: NOW, fsync="never", inline=inline)


def reopened(folder: Path) -> Scratchpad:
    """The run opened for writing again."""
    return Scratchpad.open(folder, clock=lambda: NOW, fsync="never")


def started(root: Path, *, inline: int = 32_000) -> Scratchpad:
    """A scratchpad in which the run has started and the user has asked (entries 1 and 2)."""
    pad = new_pad(root, inline=inline)
    pad.append(RunStarted("What was the revenue?"))
    pad.append(UserMessage("What was the revenue?"))
    return pad


def call_and_result(text: str, number: int = 0, tool: str = "get") -> list[Event]:
    """One round with this result."""
    call = ToolCall(f"c{number}", tool, f'{{"n":{number}}}')
    body = Body(text=text, chars=len(text))
    return [AssistantMessage(calls=(call,)), ToolResult(call.id, tool, body, read_only=True)]


def with_results(root: Path, *texts: str, inline: int = 32_000) -> Scratchpad:
    """A started scratchpad with one round a text: results have the numbers 4, 6, 8 …"""
    pad = started(root, inline=inline)
    for number, text in enumerate(texts):
        for event in call_and_result(text, number):
            pad.append(event)
    return pad
