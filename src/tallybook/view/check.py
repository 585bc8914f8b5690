"""What every provider demands of a view. The engine sends none that breaks a rule.

Nothing is repaired here: a view that fails is a fault in an edit, and would be refused
by the provider for ever after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tallybook.scratchpad.events import AssistantMessage, ToolResult, UserMessage
from tallybook.view.view import Item, View


def check(view: View, since: int = 0) -> tuple[str, ...]:
    """The rules that this view breaks, as sentences; empty for a sound one.

    Only items after number `since` are looked at: what was sound stays so without an edit.
    """
    if not view.items:
        return ("the view is empty: record what the user asks first",)
    items = view.items[view.position(since + 1) :]
    return (*_order(items), *_pairs(items))


def _order(items: Sequence[Item]) -> Iterator[str]:
    for before, after in pairwise(items):
        if before.seq >= after.seq:
            yield f"item {after.seq} stands after item {before.seq}"


def _pairs(items: Sequence[Item]) -> Iterator[str]:
    unanswered: list[str] = []
    asked_by = 0
    for item in items:
        match item.message:
            case AssistantMessage(calls=calls):
                if unanswered:
                    yield f"reply {item.seq} comes before the results of reply {asked_by}"
                unanswered, asked_by = [call.id for call in calls], item.seq
            case ToolResult(call_id=call_id):
                if call_id in unanswered:
                    unanswered.remove(call_id)
                else:
                    yield f"result {item.seq} answers no call of reply {asked_by}"
            case UserMessage():
                pass
    if unanswered:
        yield f"calls of reply {asked_by} have no result"
