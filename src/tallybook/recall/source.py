"""What recall needs of a run: its texts by number, and its entries in order.

A scratchpad and its reader both have this. Recall asks for no more, so it cannot write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from tallybook.errors import RecallError, ScratchpadError
from tallybook.scratchpad.events import (
    RECALL,
    AssistantMessage,
    Entry,
    ToolResult,
    UserMessage,
)

_NEAR = 8


class Source(Protocol):
    """One run's folder. `text` gives the original of an entry, byte for byte."""

    folder: Path

    @property
    def seq(self) -> int:
        """The number of the last entry."""

    def entries(self, start: int = 1) -> Iterator[Entry]:
        """The entries from number `start`, texts filled in."""

    def text(self, seq: int) -> str:
        """The original; raises ScratchpadError where there is none, or not as it was written."""


def original(source: Source, seq: int) -> tuple[str, str]:
    """What entry `seq` is called, and its whole text.

    Raises RecallError: with the numbers that exist for a wrong one, with the reason for a
    text that is missing or altered.
    """
    try:
        text = source.text(seq)
    except (ScratchpadError, RecallError) as error:
        results = [one.seq for one in source.entries() if _is_result(one)]
        raise RecallError(f"{error}. {_reachable(results, seq)}") from error
    return title(next(source.entries(seq))), text


def title(entry: Entry) -> str:
    """What a text is called, in a word or two; empty for an entry that is no text."""
    match entry.event:
        case ToolResult(tool=tool, status=status):
            name = " ".join(tool.split())[:40] or "tool"
            return name if status == "ok" else f"{name} ({status})"
        case UserMessage():
            return "user"
        case AssistantMessage():
            return "assistant"
        case _:
            return ""


def _is_result(entry: Entry) -> bool:
    return isinstance(entry.event, ToolResult) and entry.event.tool != RECALL


def _reachable(results: list[int], seq: int) -> str:
    """The numbers that can be asked for, those nearest to a wrong one by name."""
    others = [number for number in results if number != seq]
    if not others:
        return "There is no other result to recall."
    near = sorted(sorted(others, key=lambda number: abs(number - seq))[:_NEAR])
    listed = ", ".join(map(str, near))
    if len(near) == len(others):
        return f"Results that can be recalled: {listed}."
    return (
        f"Results that can be recalled go from {others[0]} to {others[-1]}; near {seq}: {listed}. "
        "recall(query=…) finds the right one."
    )
