"""What every export needs of a view: its groups in sending order, ids that fit, plain words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from tallybook.adapters.pairing import call_ids
from tallybook.adapters.recorded.kept import kept
from tallybook.adapters.recorded.values import Json, fields
from tallybook.scratchpad.events import AssistantMessage, Message, ToolSpec, UserMessage
from tallybook.view.view import Item, View

_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
"""What Anthropic allows in an id, at the length that OpenAI allows."""

SILENT = "[The user sent no words.]"
"""Stands for an empty message: providers refuse one, and a conversation needs its first."""


@dataclass(frozen=True)
class Source:
    """Where the run came from: the format and the rest of its document; and its first system."""

    format: str = ""
    frame: Json = field(default_factory=dict)
    system: str = ""

    def of(self, *formats: str) -> Json:
        """The frame, if it is in one of these formats."""
        rest = self.frame if self.format in formats else {}
        return {name: value for name, value in rest.items() if name not in ("exchange", "source")}


def ids(view: View) -> dict[int, tuple[str, ...]]:
    """As `call_ids`, in letters and at a length that every provider takes."""
    found = call_ids(view)
    for one in view.rounds():
        fit = tuple(
            name if _ID.fullmatch(name) else f"call_{one.reply.seq}_{place}"
            for place, name in enumerate(found[one.reply.seq])
        )
        found[one.reply.seq] = fit
        found.update((item.seq, (name,)) for item, name in zip(one.results, fit, strict=False))
    return found


def recorded(item: Item, format: str) -> object:
    """The message's JSON as recorded in this format, if it is shown in full; else None."""
    one = kept(item.message) if item.form == "full" else None
    return one.data if one and one.format == format else None


def words(item: Item) -> str:
    """The text as shown, and a note for each picture that another format would need."""
    notes = [f"[{one.kind} {one.media_type}, {one.bytes:,} bytes]" for one in item.message.media]
    shown = notes if item.form == "full" else []
    said = "\n".join(text for text in (item.text, *shown) if text)
    return said if said.strip() or not isinstance(item.message, UserMessage) else SILENT


def reply(item: Item) -> AssistantMessage:
    """The reply of a round."""
    message: Message = item.message
    if not isinstance(message, AssistantMessage):
        raise TypeError(f"item {item.seq} is no reply")
    return message


def schema(tool: ToolSpec) -> object:
    """The parameters of a tool; a tool that names none takes none."""
    return json.loads(bytes(tool.parameters)) if tool.parameters else {"type": "object"}


def given(arguments: str) -> Json:
    """Arguments as an object; those that are none are kept as text under `arguments`."""
    try:
        value = json.loads(arguments)
    except (json.JSONDecodeError, RecursionError):
        value = None
    return fields(value) if isinstance(value, dict) else {"arguments": arguments}
