"""Tools that write or spend run only when the user says so: once, always for this run, or no."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Literal

from tallybook.scratchpad.events import Allowed, Entry, ToolCall

Verdict = Literal["once", "always", "no"]
Approve = Callable[[ToolCall], Awaitable[Verdict]]
"""Asked before a tool that is not read-only runs; the call's arguments are JSON."""

DENIED = (
    "The user did not allow this call, so {tool} did not run. Do not try it again in another "
    "form; go on without it and say in the answer what was not done."
)


async def deny(call: ToolCall) -> Verdict:
    """No: what happens where there is nobody to ask."""
    del call
    return "no"


def allowed(entries: Iterable[Entry]) -> set[str]:
    """The tools that the user lets run unasked in this run."""
    return {entry.event.tool for entry in entries if isinstance(entry.event, Allowed)}


class Gate:
    """Asks, one call at a time, and remembers what is allowed for this run."""

    def __init__(self, approve: Approve, known: set[str], record: Callable[[str], None]) -> None:
        self._approve = approve
        self._known = known
        self._record = record
        self._one_at_a_time = asyncio.Lock()

    async def lets(self, call: ToolCall) -> bool:
        """Whether this call may run."""
        async with self._one_at_a_time:
            if call.name in self._known:
                return True
            verdict = await self._approve(call)
            if verdict == "always":
                self._known.add(call.name)
                self._record(call.name)
            return verdict != "no"
