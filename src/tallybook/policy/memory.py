"""Before anything severe: what is worth keeping beyond this run goes to the notes."""

from __future__ import annotations

from tallybook.policy.limits import Limits
from tallybook.policy.needs import NOTHING, NeedMemoryFlush, template
from tallybook.policy.record import record
from tallybook.scratchpad.events import UserMessage
from tallybook.view.view import View

_RECORD_CHARS = 20_000


def need_memory_flush(view: View, limits: Limits) -> NeedMemoryFlush | None:
    """Ask once per compaction, given the user's own words."""
    if not limits.memory or view.flushed:
        return None
    said = [i for i in view.items if isinstance(i.message, UserMessage) and i.form == "full"]
    if not said:
        return None
    rest = record(item for item in view.items if item not in said)
    return NeedMemoryFlush(
        template("memory").format(nothing=NOTHING, words=record(said), record=rest[-_RECORD_CHARS:])
    )


def kept(reply: str) -> str:
    """The notes in a model's reply: empty where it says that there is nothing to keep."""
    return "" if NOTHING in reply else reply.strip()
