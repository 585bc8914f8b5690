"""What every provider demands of a view. The engine sends none that breaks a rule.

Nothing is repaired here: a view that fails is a fault in an edit, and would be refused
by the provider for ever after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tallybook.scratchpad.events import AssistantMessage, ToolResult, UserMessage
from tallybook.view.view import View


def check(view: View) -> tuple[str, ...]:
    """The rules that this view breaks, as sentences; empty for a sound one."""
    return (*_order(view), *_pairs(view), *_opening(view))


def _order(view: View) -> Iterator[str]:
    for before, after in zip(view.items, view.items[1:], strict=False):
        if before.seq >= after.seq:
            yield f"item {after.seq} stands after item {before.seq}"


def _pairs(view: View) -> Iterator[str]:
    open_calls: Counter[str] = Counter()
    asked_by = 0
    for item in view.items:
        match item.message:
            case AssistantMessage(calls=calls):
                if open_calls.total():
                    yield f"reply {item.seq} comes before the results of reply {asked_by}"
                open_calls, asked_by = Counter(call.id for call in calls), item.seq
            case ToolResult(call_id=call_id):
                if not open_calls[call_id]:
                    yield f"result {item.seq} answers no call of reply {asked_by}"
                open_calls[call_id] -= 1
            case UserMessage():
                pass
    if open_calls.total():
        yield f"calls of reply {asked_by} have no result"


def _opening(view: View) -> Iterator[str]:
    if not view.items:
        yield "the view is empty: record what the user asks first"
    elif not isinstance(view.items[0].message, UserMessage):
        yield f"the view opens with item {view.items[0].seq}, which is not the user's"
