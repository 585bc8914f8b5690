"""A run in memory, for what needs no files, and readers of what recall answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tallybook.errors import ScratchpadError
from tallybook.recall import Source, recall
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Entry,
    Event,
    RunStarted,
    Status,
    ToolCall,
    ToolResult,
    UserMessage,
)

AT = datetime(2026, 1, 2, tzinfo=UTC)


class Run:
    """A source whose entries are a list; texts in `lost` cannot be served."""

    def __init__(self, folder: Path, *events: Event) -> None:
        self.folder = folder
        self.lost: set[int] = set()
        self._entries = [Entry(seq, AT, event) for seq, event in enumerate(events, start=1)]

    @property
    def seq(self) -> int:
        return len(self._entries)

    def add(self, *events: Event) -> None:
        self._entries += [Entry(self.seq + n, AT, event) for n, event in enumerate(events, 1)]

    def entries(self, start: int = 1) -> Iterator[Entry]:
        return (entry for entry in self._entries if entry.seq >= start)

    def text(self, seq: int) -> str:
        match next(self.entries(seq), None):
            case Entry(event=UserMessage(text=text) | AssistantMessage(text=text)) if seq > 0:
                return text
            case Entry(event=ToolResult(body=body)) if seq > 0 and seq not in self.lost:
                return body.text or ""
        raise ScratchpadError(f"entry {seq} cannot be served")


def result(
    text: str, tool: str = "read", arguments: str = "{}", status: Status = "ok"
) -> tuple[Event, Event]:
    """One round: a call and its result."""
    call = ToolCall("call_0", tool, arguments)
    body = Body(text, chars=len(text))
    return AssistantMessage(calls=(call,)), ToolResult("call_0", tool, body, status)


def run_of(folder: Path, *texts: str) -> Run:
    """A run with one result a text, under the numbers 4, 6, 8 …"""
    rounds = (event for text in texts for event in result(text))
    return Run(folder, RunStarted("Q"), UserMessage("Q"), *rounds)


def asked(source: Source, limit: int, **arguments: object) -> tuple[str, str]:
    """What a recall answers: its first line, and all behind it. Never longer than `limit`."""
    answer = recall(source, json.dumps(arguments), limit=limit)
    assert len(answer) <= limit
    header, _, rest = answer.partition("\n")
    assert header.startswith("[")
    assert header.endswith("]")
    return header, rest


def all_pages(source: Source, limit: int, **arguments: object) -> str:
    """Everything, by the calls that the first lines name."""
    gathered = ""
    while True:
        header, rest = asked(source, limit, **arguments)
        gathered += rest
        more = re.search(r"go on with recall\(\d+.*?, char=(\d+)\)", header)
        if not more:
            return gathered
        arguments["char"] = int(more[1])
