"""OpenAI Chat Completions: a request body, or messages alone. Cohere and others speak it too."""

from __future__ import annotations

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import (
    Json,
    call,
    fields,
    media,
    result,
    rows,
    tools,
    without,
    word,
    words,
)
from tallybook.scratchpad.events import AssistantMessage, ToolCall, UserMessage

_SYSTEM = ("system", "developer")


def read(body: Json) -> Draft:
    """Leading instructions are the run's; later ones stay where they stand, as user's words."""
    draft = Draft("openai", without(body, "messages"), tools(body.get("tools")))
    draft.model = word(body.get("model"))
    messages = rows(body.get("messages"))
    lead = next((n for n, m in enumerate(messages) if m.get("role") not in _SYSTEM), len(messages))
    draft.system = [words(message.get("content")) for message in messages[:lead]]
    if lead:
        draft.frame["messages"] = messages[:lead]
    for message in messages[lead:]:
        take(draft, message)
    return draft


def take(draft: Draft, message: Json) -> None:
    """Add one message."""
    content = message.get("content")
    match message.get("role"):
        case "assistant":
            thinking = word(message.get("reasoning_content")) or word(message.get("reasoning"))
            calls = tuple(map(_call, rows(message.get("tool_calls"))))
            draft.say(AssistantMessage(words(content), thinking, calls), message)
        case "tool":
            call_id = message.get("tool_call_id")
            name = draft.names().get(word(call_id), word(message.get("name")))
            draft.say(result(call_id, name, words(content), blocks=content), message)
        case _:
            draft.say(UserMessage(words(content), media=media(content)), message)


def _call(one: Json) -> ToolCall:
    function = fields(one.get("function")) or fields(one.get("custom"))
    return call(
        one.get("id"), function.get("name"), function.get("arguments", function.get("input"))
    )
