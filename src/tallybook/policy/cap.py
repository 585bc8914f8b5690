"""Line 1: one oversized result, one oversized turn.

Only results that no reply has seen yet are capped: they are not in the provider's cache,
and the model still learns from the first look how to ask for more. What `recall` brought
is bounded already and is never made a pointer to a pointer.
"""

from __future__ import annotations

from tallybook.policy.limits import Limits
from tallybook.scratchpad.events import RECALL, Capped, ToolResult
from tallybook.view.size import tokens
from tallybook.view.view import Item, View

_LEAST_PREVIEW = 200


def cap(view: View, limits: Limits) -> Capped | None:
    """Cap the largest of the newest results that is too large alone, or together with the rest."""
    fresh = fresh_results(view)
    whole = [item for item in fresh if item.form == "full" and not _is_recall(item)]
    keep = _preview(view, limits)
    worth = [item for item in whole if item.chars > keep]
    if not worth:
        return None
    largest = max(worth, key=lambda item: (_weight(view, limits, item), -item.seq))
    if _too_large(view, limits, largest):
        return Capped(largest.seq, keep, f"one result of {largest.chars:,} characters")
    if _turn_too_large(view, limits, fresh):
        return Capped(largest.seq, keep, f"a turn of {sum(i.chars for i in fresh):,} characters")
    return None


def squeeze(view: View, over: int) -> Capped | None:
    """When all else is let go: halve the largest of the newest results, `over` tokens too many."""
    fresh = [item for item in fresh_results(view) if not _is_recall(item)]
    wide = [item for item in fresh if len(item.text) > 3 * _LEAST_PREVIEW]
    if not wide:
        return None
    largest = max(wide, key=lambda item: (tokens(view, item.size), -item.seq))
    size = max(1, tokens(view, largest.size))
    share = max(0.0, 1 - (over + _NOTE_TOKENS) / size)
    keep = max(_LEAST_PREVIEW, min(len(largest.text) // 2, int(len(largest.text) * share)))
    return Capped(largest.seq, keep, f"the newest round is {over:,} tokens too large")


_NOTE_TOKENS = 60


def fresh_results(view: View) -> tuple[Item, ...]:
    """The results that came after the last reply."""
    newest = view.newest()
    return newest.results if newest else ()


def _preview(view: View, limits: Limits) -> int:
    room = limits.room(view.window)
    return min(limits.preview_chars, max(_LEAST_PREVIEW, int(room * limits.preview_share * 2.5)))


def _weight(view: View, limits: Limits, item: Item) -> int:
    return item.chars if limits.counts else tokens(view, item.size)


def _too_large(view: View, limits: Limits, item: Item) -> bool:
    if item.chars > limits.result_chars:
        return True
    if limits.counts:
        return False
    return tokens(view, item.size) > limits.result_share * limits.room(view.window)


def _turn_too_large(view: View, limits: Limits, fresh: tuple[Item, ...]) -> bool:
    shown = sum(len(item.text) for item in fresh)
    if shown > limits.turn_chars:
        return True
    if limits.counts:
        return False
    total = sum(tokens(view, item.size) for item in fresh)
    return total > limits.turn_share * limits.room(view.window)


def _is_recall(item: Item) -> bool:
    return isinstance(item.message, ToolResult) and item.message.tool == RECALL
