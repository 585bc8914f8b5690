"""The rules of Pydantic AI's messages: they load, and results answer the calls before them."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError
from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
)

from tallybook.adapters.rules.violation import Violation


def violations(document: object) -> Iterator[Violation]:
    """Every rule that is broken."""
    try:
        messages = ModelMessagesTypeAdapter.validate_python(document)
    except ValidationError as error:
        yield Violation("messages-load", str(error))
        return
    waiting: list[str] = []
    for number, message in enumerate(messages):
        if isinstance(message, ModelResponse):
            if waiting:
                yield Violation("every-call-answered-at-once", f"messages[{number}]")
            waiting = [p.tool_call_id for p in message.parts if isinstance(p, ToolCallPart)]
            continue
        for part in message.parts:
            if not isinstance(part, ToolReturnPart):
                continue
            if part.tool_call_id not in waiting:
                yield Violation("return-answers-a-call", f"messages[{number}]: {part.tool_call_id}")
            else:
                waiting.remove(part.tool_call_id)
    if waiting:
        yield Violation("every-call-answered-at-once", "end")
