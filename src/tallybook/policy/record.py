"""Lay a stretch of the view out as plain text, for a model that summarizes it."""

from __future__ import annotations

from collections.abc import Iterable

from tallybook.scratchpad.events import AssistantMessage, ToolResult, UserMessage
from tallybook.view.view import Item


def record(items: Iterable[Item]) -> str:
    """One block an item, headed by its number and what it is."""
    return "\n\n".join(_block(item) for item in items)


def _block(item: Item) -> str:
    match item.message:
        case UserMessage(text=text):
            return f"[{item.seq}] {_who(item)}:\n{text}"
        case AssistantMessage(text=text, calls=calls):
            lines = [f"[{item.seq}] Assistant:", *([text] if text else [])]
            return "\n".join([*lines, *(f"calls {call.name}{call.arguments}" for call in calls)])
        case ToolResult(tool=tool, status=status, body=body):
            return f"[{item.seq}] Result of {tool} ({status}):\n{body.text or ''}"


def _who(item: Item) -> str:
    return {"summary": "Summary so far", "index": "Dropped earlier"}.get(item.form, "User")
