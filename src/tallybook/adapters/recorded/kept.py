"""What a recording held, as it stands in an event's `native` JSON: nothing is dropped.

`data` is the message in its own format, `aside` the records around it that are no message,
and `frame` (on the first event alone) the rest of the document. The name of the format goes
with it, so that an export knows what it may send back as it came.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from tallybook.adapters.recorded.values import Json, fields, native, word
from tallybook.scratchpad.events import (
    AssistantMessage,
    Entry,
    Event,
    Native,
    ToolResult,
    UserMessage,
)


@dataclass(frozen=True)
class Kept:
    """The recorded JSON of one event."""

    format: str
    data: object = None
    aside: tuple[object, ...] = ()
    frame: Json | None = None

    def packed(self) -> Native:
        """As an event keeps it."""
        packed: Json = {"recorded": self.format, "data": self.data}
        if self.aside:
            packed["aside"] = list(self.aside)
        if self.frame:
            packed["frame"] = self.frame
        return native(packed)


def kept(event: Event) -> Kept | None:
    """What was recorded of this event; None where it was not imported."""
    match event:
        case UserMessage(native=raw) | AssistantMessage(native=raw) | ToolResult(native=raw) if raw:
            packed = fields(json.loads(bytes(raw)))
        case _:
            return None
    if "recorded" not in packed:
        return None
    aside = packed.get("aside")
    return Kept(
        word(packed["recorded"]),
        packed.get("data"),
        tuple(aside) if isinstance(aside, list) else (),
        fields(packed.get("frame")) or None,
    )


def frame(entries: Iterable[Entry]) -> tuple[str, Json]:
    """The format that a run was imported from and the rest of its document; empty if neither."""
    for entry in entries:
        if found := kept(entry.event):
            return found.format, found.frame or {}
    return "", {}
