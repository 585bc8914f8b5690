"""The mildest line of defence that is enough.

`decide` has no other input than the view and the limits, so the same scratchpad always
gives the same decision. It is asked again after every edit until it has no more to say.
"""

from __future__ import annotations

from tallybook.policy.cap import cap, squeeze
from tallybook.policy.caution import caution
from tallybook.policy.clear import clear, clear_by_count, strip
from tallybook.policy.drop import drop, drop_to
from tallybook.policy.limits import Limits
from tallybook.policy.memory import need_memory_flush
from tallybook.policy.needs import NeedMemoryFlush, NeedSummary
from tallybook.policy.pressure import Pressure, pressure
from tallybook.policy.summarize import need_summary
from tallybook.scratchpad.events import Cautioned, Cleared, Edit
from tallybook.view.view import View

Decision = Edit | Cautioned | NeedMemoryFlush | NeedSummary | None


def decide(view: View, limits: Limits) -> Decision:
    """What to do next with this view; None means: send it."""
    if mild := cap(view, limits) or caution(view, limits):
        return mild
    if limits.counts:
        return _by_count(view, limits)
    now = pressure(view, limits)
    if not now.high:
        return None
    cleared = clear(view, limits)
    if cleared and _is_enough(cleared, now):
        return cleared
    return strip(view, limits) or _severe(view, limits, now) or cleared


def _is_enough(cleared: Cleared, now: Pressure) -> bool:
    """Whether clearing makes room for long: the notes it leaves add up over a long run."""
    return now.used - cleared.saved <= (now.goal + now.mark) / 2


def _severe(view: View, limits: Limits, now: Pressure) -> Decision:
    """Memory, summary, drop. Where they cannot bring the view under the mark they wait.

    A frame and a newest round that fill the window by themselves would otherwise be
    compacted again after every reply.
    """
    if not now.critical and not _can_relieve(view, now):
        return None
    if flush := need_memory_flush(view, limits):
        return flush
    reason = f"{now.used:,} tokens used, above {now.mark:,}"
    return (
        need_summary(view, limits)
        or drop(view, now, reason=reason)
        or (squeeze(view, max(now.used - now.ceiling, now.over)) if now.critical else None)
    )


def _can_relieve(view: View, now: Pressure) -> bool:
    gone = sum(round(view.rates.tokens(one.size)) for one in view.rounds()[:-1])
    return now.used - gone <= now.mark


def _by_count(view: View, limits: Limits) -> Decision:
    if limits.counts is None:
        return None
    if view.overflowed and not view.shrunk:
        return drop_to(view, limits.counts.keep_rounds_overflow, reason="the request was refused")
    if edit := clear_by_count(view, limits) or strip(view, limits):
        return edit
    now = pressure(view, limits)
    if view.settled or not now.high:
        return None
    reason = f"{now.used:,} tokens used, above {now.mark:,}"
    return (
        need_memory_flush(view, limits)
        or need_summary(view, limits)
        or drop_to(view, limits.counts.keep_rounds, reason=reason)
    )
