"""Gemini's generateContent: `contents` of parts. Calls may have no id; they pair by order."""

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
from tallybook.scratchpad.events import AssistantMessage, ToolCall, UserMessage


def read(body: Json) -> Draft:
    """The conversation of a request."""
    draft = Draft("gemini", without(body, "contents"))
    offered = [one for tool in rows(body.get("tools")) for one in rows(_declared(tool))]
    draft.tools = tools(offered)
    draft.system = [text] if (text := _text(_parts(fields(body.get("systemInstruction"))))) else []
    waiting: list[ToolCall] = []
    for number, content in enumerate(rows(body.get("contents"))):
        if content.get("role") == "model":
            reply = _reply(_parts(content), number)
            waiting = list(reply.calls)
            draft.say(reply, content)
        else:
            _answers(draft, content, waiting)
    return draft


def _declared(tool: Json) -> object:
    return tool.get("functionDeclarations") or tool.get("function_declarations")


def _reply(parts: list[Json], number: int) -> AssistantMessage:
    calls = []
    for place, part in enumerate(parts):
        if one := fields(part.get("functionCall")) or fields(part.get("function_call")):
            made = word(one.get("id")) or f"call_{number}_{place}"
            calls.append(call(made, one.get("name"), one.get("args")))
    said = [part for part in parts if not part.get("thought")]
    thought = [part for part in parts if part.get("thought")]
    return AssistantMessage(_text(said), _text(thought), tuple(calls))


def _answers(draft: Draft, content: Json, waiting: list[ToolCall]) -> None:
    envelope: Json = {"envelope": without(content, "parts")}
    other: list[Json] = []
    for part in _parts(content):
        answer = fields(part.get("functionResponse")) or fields(part.get("function_response"))
        name = word(answer.get("name"))
        asked = next((one for one in waiting if one.name == name), None) if answer else None
        if asked is None:
            other.append(part)
            continue
        waiting.remove(asked)
        draft.say(
            result(asked.id, name, dumped(answer.get("response"))), {**envelope, "parts": [part]}
        )
        envelope = {}
    if other:
        draft.say(UserMessage(_text(other)), {**envelope, "parts": other})


def _parts(content: Json) -> list[Json]:
    return rows(content.get("parts"))


def _text(parts: list[Json]) -> str:
    return "\n".join(text for part in parts if (text := word(part.get("text"))))
