"""OpenAI Responses: a request whose `input` is items, or the items alone.

A reply is all items from one result to the next: reasoning, words, calls, and what the
provider's own tools did. They are kept together, because reasoning must stay with its calls.
"""

from __future__ import annotations

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import (
    Json,
    call,
    dumped,
    media,
    result,
    rows,
    tools,
    without,
    word,
    words,
)
from tallybook.scratchpad.events import AssistantMessage, ToolCall, UserMessage

OUTPUTS = ("function_call_output", "custom_tool_call_output")
CALLS = ("function_call", "custom_tool_call")


def read(body: Json) -> Draft:
    """`instructions` and leading system messages are the run's system prompt."""
    draft = Draft("responses", without(body, "input"), tools(body.get("tools")))
    draft.model = word(body.get("model"))
    source = body.get("input")
    asked: Json = {"role": "user", "content": source}
    items = [asked] if isinstance(source, str) else rows(source)
    lead = next((n for n, item in enumerate(items) if not _is_system(item)), len(items))
    said = [word(body.get("instructions")), *(words(one.get("content")) for one in items[:lead])]
    draft.system = [text for text in said if text]
    if lead:
        draft.frame["input"] = items[:lead]
    reply: list[Json] = []
    for item in items[lead:]:
        if _is_reply(item):
            reply.append(item)
            continue
        _flush(draft, reply)
        reply = []
        _take(draft, item)
    _flush(draft, reply)
    return draft


def _is_system(item: Json) -> bool:
    return item.get("role") in ("system", "developer")


def _is_reply(item: Json) -> bool:
    return item.get("type") not in OUTPUTS and item.get("role") in (None, "assistant")


def _flush(draft: Draft, items: list[Json]) -> None:
    if not items:
        return
    thinking = [
        words(one.get("summary")) or _summary(one) for one in items if _is(one, "reasoning")
    ]
    draft.say(
        AssistantMessage(
            "\n".join(words(one.get("content")) for one in items if one.get("role")),
            "\n".join(text for text in thinking if text),
            tuple(_call(one) for one in items if one.get("type") in CALLS),
        ),
        items,
    )


def _take(draft: Draft, item: Json) -> None:
    if item.get("type") not in OUTPUTS:
        content = item.get("content")
        draft.say(UserMessage(words(content), media=media(content)), item)
        return
    output = item.get("output")
    text = words(output) if isinstance(output, str | list) else dumped(output)
    name = draft.names().get(word(item.get("call_id")), "")
    draft.say(result(item.get("call_id"), name, text, blocks=output), item)


def _call(item: Json) -> ToolCall:
    return call(item.get("call_id"), item.get("name"), item.get("arguments", item.get("input")))


def _summary(item: Json) -> str:
    return "\n".join(word(part.get("text")) for part in rows(item.get("summary")))


def _is(item: Json, kind: str) -> bool:
    return item.get("type") == kind
