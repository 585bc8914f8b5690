"""LangChain messages as `dumpd`, `message_to_dict` or a LangGraph thread writes them."""

from __future__ import annotations

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import (
    Json,
    bill,
    call,
    fields,
    media,
    result,
    rows,
    without,
    word,
    words,
)
from tallybook.scratchpad.events import AssistantMessage, UserMessage

_KINDS = {
    "AIMessage": "ai",
    "AIMessageChunk": "ai",
    "HumanMessage": "human",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "assistant": "ai",
}


def read(document: Json) -> Draft:
    """A thread's state (`values.messages`), or an object with `messages`."""
    values = fields(document.get("values"))
    source = rows(values.get("messages")) or rows(document.get("messages"))
    rest = without(document, "messages")
    if values:
        rest["values"] = without(values, "messages")
    draft = Draft("langchain", rest)
    draft.model = word(fields(document.get("metadata")).get("model_name"))
    for message in source:
        _take(draft, message)
    return draft


def kind(message: Json) -> str:
    """ai, human, system, tool or another; an empty text for what is no message."""
    if message.get("type") == "constructor":
        path = message.get("id")
        name = path[-1] if isinstance(path, list) and path else ""
        return _KINDS.get(word(name), "")
    return _KINDS.get(word(message.get("type")), word(message.get("type")))


def _take(draft: Draft, message: Json) -> None:
    inner = fields(message.get("kwargs")) or fields(message.get("data")) or message
    content = inner.get("content")
    text = words(content)
    match kind(message):
        case "system":
            draft.system.append(text)
            draft.aside(message)
        case "ai":
            draft.say(_reply(inner, text), message)
        case "tool":
            failed = inner.get("status") == "error"
            name = word(inner.get("name"))
            made = result(inner.get("tool_call_id"), name, text, failed=failed, blocks=content)
            draft.say(made, message)
        case "human" | "chat":
            draft.say(UserMessage(text, media=media(content)), message)
        case _:
            draft.aside(message)


def _reply(inner: Json, text: str) -> AssistantMessage:
    extra = fields(inner.get("additional_kwargs"))
    calls = rows(inner.get("tool_calls"))
    names = ("input_tokens", "output_tokens", "", "")
    return AssistantMessage(
        text,
        word(extra.get("reasoning_content")),
        tuple(call(one.get("id"), one.get("name"), one.get("args")) for one in calls),
        bill(fields(inner.get("usage_metadata")), names),
    )
