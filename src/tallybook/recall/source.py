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
        raise RecallError(f"{error}. {_reachable(source, seq)}") from error
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


def _reachable(source: Source, seq: int) -> str:
    """The numbers that can be asked for, the results nearest to a wrong one by name."""
    results = [one.seq for one in source.entries() if _is_result(one) and one.seq != seq]
    if not results:
        return f"Numbers go from 1 to {source.seq}; there is no other result to recall yet."
    near = sorted(sorted(results, key=lambda number: abs(number - seq))[:_NEAR])
    listed = ", ".join(map(str, near))
    which = "results are" if len(near) == len(results) else f"the results nearest to {seq} are"
    return (
        f"Numbers go from 1 to {source.seq}; {which} {listed}. recall(query=…) finds the right one."
    )


def _is_result(entry: Entry) -> bool:
    return isinstance(entry.event, ToolResult) and entry.event.tool != RECALL
