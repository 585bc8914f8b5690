"""A conversation being read, and the legal order of events that it makes.

A scratchpad takes no result without a call and no reply while calls are open. A recording may
have both: a result that answers nothing is kept beside the next message, and a call that was
never answered gets a result with status `interrupted`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from tallybook.adapters.recorded.kept import Kept
from tallybook.adapters.recorded.values import Json
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Event,
    Message,
    RunStarted,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)

_UNANSWERED = "The recording holds no result of this call."
_QUERY = 400


@dataclass
class Draft:
    """What was found so far. `format` is whose JSON the messages are in."""

    format: str
    frame: Json = field(default_factory=dict)
    tools: tuple[ToolSpec, ...] = ()
    model: str = ""
    system: list[str] = field(default_factory=list)
    said: list[tuple[Message | None, object, object]] = field(default_factory=list)

    def say(self, message: Message, data: object, beside: object = None) -> None:
        """Take a message, its JSON, and what stood around it."""
        self.said.append((message, data, beside))

    def aside(self, record: object) -> None:
        """Keep a record that is no message."""
        self.said.append((None, None, record))

    def names(self) -> dict[str, str]:
        """The tool behind each call id; the latest where ids come again."""
        calls = [c for m, _, _ in self.said if isinstance(m, AssistantMessage) for c in m.calls]
        return {one.id: one.name for one in calls}

    def events(self, window: int = 128_000) -> list[Event]:
        """RunStarted, then the messages; empty if there is none."""
        messages = [
            replace(message, native=one.packed()) if one else message
            for message, one in self._framed()
        ]
        if not messages:
            return []
        system = "\n\n".join(self.system)
        return [RunStarted(self.query, system, self.tools, self.model, window), *messages]

    @property
    def query(self) -> str:
        """The user's first words."""
        said = (m.text for m, _, _ in self.said if isinstance(m, UserMessage) and m.text)
        return " ".join(next(said, "").split())[:_QUERY]

    def _framed(self) -> list[tuple[Message, Kept | None]]:
        """Messages with what is kept; the frame goes to the first, a last aside to the last."""
        found = list(self._kept())
        if found and self.frame:
            message, one = found[0]
            found[0] = (message, _with_frame(one or Kept(self.format), self.frame))
        return found

    def _kept(self) -> Iterator[tuple[Message, Kept | None]]:
        loose: list[object] = []
        last: tuple[Message, Kept | None] | None = None
        for message, data, beside in self._legal():
            if message is None:
                loose.append(beside)
                continue
            if last:
                yield last
            around = (*loose, *([beside] if beside is not None else []))
            made = data is None and not around
            last = (message, None if made else Kept(self.format, data, around))
            loose = []
        if last:
            message, one = last
            yield message, _with_aside(one or Kept(self.format), loose) if loose else one
        elif loose:
            yield UserMessage(""), Kept(self.format, None, tuple(loose))

    def _legal(self) -> Iterator[tuple[Message | None, object, object]]:
        waiting: list[ToolCall] = []
        for message, data, beside in self.said:
            match message:
                case AssistantMessage(calls=calls):
                    yield from _closed(waiting)
                    waiting = list(calls)
                case ToolResult(call_id=call_id):
                    answered = next((one for one in waiting if one.id == call_id), None)
                    if answered is None:
                        yield None, None, {"unasked": data, "beside": beside}
                        continue
                    waiting.remove(answered)
            yield message, data, beside
        yield from _closed(waiting)


def _closed(waiting: list[ToolCall]) -> Iterator[tuple[Message | None, object, object]]:
    body = Body(text=_UNANSWERED, chars=len(_UNANSWERED))
    for one in waiting:
        yield ToolResult(one.id, one.name, body, "interrupted"), None, None


def _with_aside(one: Kept, loose: list[object]) -> Kept:
    return Kept(one.format, one.data, (*one.aside, *loose))


def _with_frame(one: Kept, frame: Json) -> Kept:
    return Kept(one.format, one.data, one.aside, frame)
