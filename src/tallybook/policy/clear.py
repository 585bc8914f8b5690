"""Line 2: old read-only results give way to a note, and old thinking goes.

To sizes, one large edit instead of many small ones: nothing is cleared while there is
room, and then so much that the provider's cached prefix lives long afterwards. A result
is let go the sooner the older it is; errors go before good results, and what was brought
back twice goes last. The newest round is untouchable.
"""

from __future__ import annotations

from tallybook.policy.limits import Limits
from tallybook.policy.pressure import pressure
from tallybook.scratchpad.events import AssistantMessage, Cleared, ThinkingStripped, ToolResult
from tallybook.view import notes
from tallybook.view.size import tokens
from tallybook.view.view import Item, View


def clear(view: View, limits: Limits) -> Cleared | None:
    """Clear old read-only results down to the goal; None where that would not be worth it."""
    now = pressure(view, limits)
    need = now.excess
    chosen: list[int] = []
    saved = 0
    for item in _by_worth(view):
        if saved >= need:
            break
        gain = _gain(view, item)
        if gain > 0:
            chosen.append(item.seq)
            saved += gain
    if not chosen or (saved < limits.least_gain * limits.room(view.window) and not now.critical):
        return None
    trigger = f"{now.used:,} tokens used, above {now.mark:,}"
    return Cleared(tuple(sorted(chosen)), trigger, saved)


def clear_by_count(view: View, limits: Limits) -> Cleared | None:
    """The reference's rule: more than so many results, or above so many tokens, keep the newest."""
    if limits.counts is None:
        return None
    counts = limits.counts
    active = active_results(view)
    chars = sum(len(item.text) for item in active)
    estimate = -int(-chars // counts.chars_per_token)
    if len(active) > counts.clear_above_results:
        trigger = f"{len(active)} results, more than {counts.clear_above_results}"
    elif estimate > counts.clear_above_tokens:
        trigger = f"about {estimate:,} tokens of results, above {counts.clear_above_tokens:,}"
    else:
        return None
    old = active[: -counts.keep_results]
    if not old:
        return None
    saved = sum(max(0, _gain(view, item)) for item in old)
    return Cleared(tuple(item.seq for item in old), trigger, saved)


def strip(view: View, limits: Limits) -> ThinkingStripped | None:
    """Strip thinking of old replies: whole, and never of the newest round.

    The reference empties all words beside calls; ours keeps words, which may hold figures.
    """
    keep, words = (limits.counts.keep_words, True) if limits.counts else (2, False)
    calling = [item for item in view.items if _calls(item)]
    old = [item.seq for item in calling[:-keep] if _strippable(item, words)]
    return ThinkingStripped(tuple(old), text=words) if old else None


def active_results(view: View) -> tuple[Item, ...]:
    """Results of read-only tools that are still shown, oldest first."""
    return tuple(
        item
        for item in view.items
        if isinstance(item.message, ToolResult)
        and item.message.read_only
        and item.form != "cleared"
    )


def _by_worth(view: View) -> list[Item]:
    newest = view.newest()
    since = newest.reply.seq if newest else 0
    recalled = {seq for seq, times in view.recalled if times >= 2}
    old = [item for item in active_results(view) if item.seq < since]
    return sorted(old, key=lambda item: (item.seq in recalled, not _failed(item), item.seq))


def _failed(item: Item) -> bool:
    return isinstance(item.message, ToolResult) and item.message.status != "ok"


def _gain(view: View, item: Item) -> int:
    if not isinstance(item.message, ToolResult):
        return 0
    note = view.count(notes.cleared(item.seq, item.message.body)).as_message()
    return tokens(view, item.size - note)


def _calls(item: Item) -> bool:
    return isinstance(item.message, AssistantMessage) and bool(item.message.calls)


def _strippable(reply: Item, words: bool) -> bool:
    match reply.message:
        case AssistantMessage(text=text, thinking=thinking):
            return bool(thinking) or (words and bool(text))
    return False
