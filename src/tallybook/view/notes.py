"""What stands where something was let go. Every note names the way back.

The wording is part of the file format: an old scratchpad must give the same view for
ever, so a better sentence needs a new event, not an edit here.
"""

from __future__ import annotations

import msgspec

from tallybook.scratchpad.events import AssistantMessage, Body, ToolCall, ToolResult

_ARGUMENTS = 60


class Index(msgspec.Struct, frozen=True, gc=False):
    """The results of dropped rounds: a line each for the newest, a range for the rest."""

    rounds: int = 0
    first: int = 0
    last: int = 0
    lines: tuple[str, ...] = ()
    results: int = 0

    def with_round(self, results: tuple[tuple[int, str], ...], most: int) -> Index:
        """Add a dropped round's results, as pairs of number and line; list `most` lines."""
        if not results:
            return msgspec.structs.replace(self, rounds=self.rounds + 1)
        lines = (*self.lines, *(line for _, line in results))[-most:]
        return Index(
            rounds=self.rounds + 1,
            first=self.first or results[0][0],
            last=results[-1][0],
            lines=lines,
            results=self.results + len(results),
        )


def index_lines(window: int) -> int:
    """How many results an index lists: few in a small window."""
    return min(40, max(4, window // 400))


def numbered(seq: int, text: str) -> str:
    """Put a result under its number, so that the model can cite it."""
    return f"[result {seq}]\n{text}"


def cleared(seq: int, body: Body) -> str:
    """Stand for a result that was cleared."""
    return (
        f"[Tool result #{seq} cleared from context: {body.chars:,} characters; recall({seq}) "
        "brings it back]"
    )


def capped(seq: int, text: str, keep: int, chars: int) -> str:
    """Show the first `keep` characters of a result and say how to read the rest."""
    return (
        f"{text[:keep]}\n[… {min(keep, chars):,} of {chars:,} characters of tool result #{seq}; "
        f"recall({seq}) with path, query, line or char reads the rest]"
    )


def ledger(seq: int, text: str, chars: int) -> str:
    """Show the figures of a result in place of the whole."""
    return (
        f"{text}\n[Figures of tool result #{seq} ({chars:,} characters). "
        f"recall({seq}) brings back the whole.]"
    )


def damaged(seq: int, body: Body) -> str:
    """Say that a result's file cannot be served."""
    return f"[Tool result #{seq} cannot be shown: its file {body.file} is {body.damage}.]"


def index_line(call: ToolCall, seq: int, result: ToolResult) -> str:
    """Describe one dropped result: number, call, outcome and size."""
    arguments = call.arguments
    if len(arguments) > _ARGUMENTS:
        arguments = arguments[: _ARGUMENTS - 1] + "…"
    return f"#{seq} {call.name}{arguments}: {result.status}, {result.body.chars:,} characters"


def dropped(index: Index) -> str:
    """Stand for all rounds dropped so far."""
    rounds = f"{index.rounds} earlier round{'s' if index.rounds != 1 else ''}"
    if not index.results:
        return f"[{rounds} dropped from context; recall(query=…) searches them.]"
    older = index.results - len(index.lines)
    head = (
        f"[{rounds} dropped from context. Results #{index.first} to #{index.last} are kept: "
        "recall(number) brings one back, recall(query=…) searches all."
    )
    more = [f"({older} older results not listed)"] if older else []
    return "\n".join([head, *more, *index.lines]) + "]"


def spoken(reply: AssistantMessage) -> str:
    """Everything of a reply that counts for its size."""
    calls = "".join(f"{call.name}{call.arguments}" for call in reply.calls)
    return f"{reply.text}{reply.thinking}{calls}"
