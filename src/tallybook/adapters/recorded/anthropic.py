"""Anthropic Messages: a request body, or messages alone.

One user message may hold several results and words: each becomes an event of its own with
its blocks, and the first of them keeps the message's other fields as its `envelope`.
"""

from __future__ import annotations

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import (
    Json,
    call,
    media,
    result,
    rows,
    tools,
    without,
    word,
    words,
)
from tallybook.scratchpad.events import AssistantMessage, Message, Usage, UserMessage


def read(body: Json) -> Draft:
    """The conversation of a request."""
    draft = Draft("anthropic", without(body, "messages"), tools(body.get("tools")))
    draft.model = word(body.get("model"))
    draft.system = [text] if (text := words(body.get("system"))) else []
    for message in rows(body.get("messages")):
        take(draft, message)
    return draft


def take(draft: Draft, message: Json, beside: object = None, usage: Usage | None = None) -> None:
    """Add one message; `beside` is what stood around it."""
    envelope: Json = {"envelope": without(message, "content")}
    content = message.get("content")
    if message.get("role") == "assistant":
        draft.say(_reply(content, usage), {**envelope, "content": content}, beside)
        return
    if not isinstance(content, list):
        draft.say(UserMessage(words(content)), {**envelope, "content": content}, beside)
        return
    for one, blocks in _pieces(draft, content):
        draft.say(one, {**envelope, "content": blocks}, beside)
        envelope, beside = {}, None


def _reply(content: object, usage: Usage | None) -> AssistantMessage:
    blocks = rows(content)
    return AssistantMessage(
        words(content),
        "\n".join(word(one.get("thinking")) for one in blocks if one.get("type") == "thinking"),
        tuple(
            call(one.get("id"), one.get("name"), one.get("input"))
            for one in blocks
            if one.get("type") == "tool_use"
        ),
        usage,
    )


def _pieces(draft: Draft, content: list[object]) -> list[tuple[Message, list[object]]]:
    """Each result by itself, and the blocks between results together."""
    names = draft.names()
    found: list[tuple[Message, list[object]]] = []
    other: list[object] = []
    for block in content:
        if not (isinstance(block, dict) and block.get("type") == "tool_result"):
            other.append(block)
            continue
        if other:
            found.append((UserMessage(words(other), media=media(other)), other))
            other = []
        inner, name = block.get("content"), block.get("tool_use_id")
        failed = bool(block.get("is_error"))
        tool = names.get(word(name), "")
        found.append((result(name, tool, words(inner), failed=failed, blocks=inner), [block]))
    if other or not found:
        found.append((UserMessage(words(other), media=media(other)), other))
    return found
