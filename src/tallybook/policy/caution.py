"""Soft limits on repeated tool calls: warn, never block.

The caution stands at the end of the view until the next reply and is then gone, so it
never moves the cached prefix. The reference shows the usage of every tool each round; we
speak only when there is something to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from tallybook.policy.limits import Limits
from tallybook.policy.words import asked, query, similarity
from tallybook.scratchpad.events import RECALL, AssistantMessage, Cautioned
from tallybook.view.view import Tally, View

_ADVICE = "try another tool or other words, or go on with what is there"


def caution(view: View, limits: Limits) -> Cautioned | None:
    """The advice due after the newest round, unless it already stands there."""
    newest = view.newest()
    if newest is None or not newest.results or view.caution:
        return None
    reply = newest.reply.message
    called = {call.name for call in reply.calls} if isinstance(reply, AssistantMessage) else set()
    lines = [
        *_usage(view, limits),
        *(line for tally in view.tallies if tally.tool in called for line in _warn(tally, limits)),
        *(_recalled(view) if RECALL in called else ()),
    ]
    return Cautioned("\n".join(lines)) if lines else None


def _usage(view: View, limits: Limits) -> Iterator[str]:
    if limits.counts and view.tallies:
        yield "Tool usage so far: " + ", ".join(
            f"{tally.tool} {tally.calls}/{limits.soft_calls} calls" for tally in view.tallies
        )


def _warn(tally: Tally, limits: Limits) -> Iterator[str]:
    left = limits.soft_calls - tally.calls
    if tally.tool == RECALL and not limits.counts:
        return
    if left == 1:
        yield f"{tally.tool}: one call left of the {limits.soft_calls} suggested."
    elif left == 0 or (left < 0 and _speaks(tally.calls, limits)):
        yield (
            f"{tally.tool} was called {tally.calls} times, "
            f"{limits.soft_calls} are suggested: {_ADVICE}."
        )
    if similar := _similar(tally, limits):
        yield f"{tally.tool}: {similar[:80]!r} is close to an earlier query: {_ADVICE}."


def _similar(tally: Tally, limits: Limits) -> str:
    """The latest query of a tool, where it resembles an earlier one."""
    *earlier, latest = tally.arguments
    again = any(similarity(asked(latest), asked(one)) >= limits.similar for one in earlier)
    return query(latest) if again else ""


def _speaks(calls: int, limits: Limits) -> bool:
    """Beyond the limit, the reference warns at every call and we at every doubling."""
    return bool(limits.counts) or calls & (calls - 1) == 0


def _recalled(view: View) -> Iterator[str]:
    if view.recalled and view.recalled[-1][1] >= 2:
        seq, times = view.recalled[-1]
        yield (
            f"Result {seq} was recalled {times} times: note the values you need in your own words, "
            f"or recall({seq}, path=…) just the part that matters."
        )
