"""Sessions of the pi coding agent: JSON lines with messages, model changes and compactions."""

from __future__ import annotations

from collections.abc import Sequence

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import (
    Json,
    bill,
    call,
    fields,
    media,
    result,
    rows,
    word,
    words,
)
from tallybook.scratchpad.events import AssistantMessage, UserMessage

_BILL = ("input", "output", "cacheRead", "cacheWrite")


def read(records: Sequence[Json]) -> Draft:
    """What was said; a command that the user ran is the user's words."""
    draft = Draft("pi")
    for record in records:
        message = fields(record.get("message"))
        content = message.get("content")
        match message.get("role"):
            case "user":
                draft.say(UserMessage(words(content), media=media(content)), record)
            case "bashExecution":
                shown = f"$ {word(message.get('command'))}\n{word(message.get('output'))}"
                draft.say(UserMessage(shown), record)
            case "assistant":
                draft.model = word(message.get("model")) or draft.model
                draft.say(_reply(message), record)
            case "toolResult":
                name = word(message.get("toolName"))
                failed = bool(message.get("isError"))
                one = result(
                    message.get("toolCallId"), name, words(content), failed=failed, blocks=content
                )
                draft.say(one, record)
            case _:
                draft.aside(record)
    return draft


def _reply(message: Json) -> AssistantMessage:
    blocks = rows(message.get("content"))
    return AssistantMessage(
        words(message.get("content")),
        "".join(word(one.get("thinking")) for one in blocks if one.get("type") == "thinking"),
        tuple(
            call(one.get("id"), one.get("name"), one.get("arguments"))
            for one in blocks
            if one.get("type") == "toolCall"
        ),
        bill(fields(message.get("usage")), _BILL),
    )
