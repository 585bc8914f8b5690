"""Bedrock's Converse: messages of blocks such as `{"toolUse": …}` and `{"toolResult": …}`."""

from __future__ import annotations

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import (
    Json,
    call,
    dumped,
    fields,
    result,
    rows,
    tools,
    without,
    word,
)
from tallybook.scratchpad.events import AssistantMessage, Media, ToolCall, UserMessage


def read(body: Json) -> Draft:
    """The conversation of a request."""
    draft = Draft("bedrock", without(body, "messages"))
    draft.tools = tools(fields(body.get("toolConfig")).get("tools"))
    draft.system = [_text(rows(body.get("system")))] if body.get("system") else []
    for message in rows(body.get("messages")):
        blocks = rows(message.get("content"))
        if message.get("role") == "assistant":
            draft.say(AssistantMessage(_text(blocks), calls=tuple(_calls(blocks))), message)
        else:
            _take(draft, message, blocks)
    return draft


def _take(draft: Draft, message: Json, blocks: list[Json]) -> None:
    envelope: Json = {"envelope": without(message, "content")}
    names, other = draft.names(), []
    for block in blocks:
        answer = fields(block.get("toolResult"))
        if not answer:
            other.append(block)
            continue
        call_id, failed = word(answer.get("toolUseId")), answer.get("status") == "error"
        text = _text(rows(answer.get("content")))
        made = result(call_id, names.get(call_id, ""), text, failed=failed)
        draft.say(made, {**envelope, "content": [block]})
        envelope = {}
    if other or not blocks:
        draft.say(UserMessage(_text(other), media=_media(other)), {**envelope, "content": other})


def _calls(blocks: list[Json]) -> list[ToolCall]:
    asked = [fields(block.get("toolUse")) for block in blocks]
    return [call(one.get("toolUseId"), one.get("name"), one.get("input")) for one in asked if one]


def _text(blocks: list[Json]) -> str:
    shown = (
        word(block.get("text")) or (dumped(block["json"]) if "json" in block else "")
        for block in blocks
    )
    return "\n".join(text for text in shown if text)


def _media(blocks: list[Json]) -> tuple[Media, ...]:
    return tuple(
        Media("image", f"image/{word(image.get('format'))}")
        for block in blocks
        if (image := fields(block.get("image")))
    )
