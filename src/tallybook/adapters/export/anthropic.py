"""A view as a request body of Anthropic's Messages.

Thinking goes back only with the signature that it came with, so what was recorded elsewhere
goes without. Results come first in the message after their calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tallybook.adapters.export.shown import (
    Source,
    given,
    ids,
    recorded,
    reply,
    schema,
    words,
)
from tallybook.adapters.pairing import groups
from tallybook.adapters.recorded.values import Json, fields
from tallybook.scratchpad.events import ToolResult
from tallybook.view.view import Item, Round, View

OPENING = "[The assistant opened the conversation.]"
_MOST = 4_096
"""`max_tokens` where the recording names none: the field is required."""


def body(view: View, source: Source) -> Json:
    """`messages`, `system`, `tools`, and whatever else the recorded request held."""
    frame = source.of("anthropic")
    tools = [_tool(one.name, one.description, schema(one)) for one in view.tools]
    made: Json = {"max_tokens": _MOST, **({"tools": tools} if tools else {})}
    if view.system != source.system or "system" not in frame:
        frame.pop("system", None)
        made |= {"system": view.system} if view.system else {}
    messages = _joined(view)
    if messages and messages[0].get("role") != "user":
        messages.insert(0, {"role": "user", "content": OPENING})
    return {**made, **frame, "messages": messages}


def _tool(name: str, description: str, parameters: object) -> Json:
    return {"name": name, "description": description, "input_schema": parameters}


def _joined(view: View) -> list[Json]:
    """Pieces with an envelope begin a message; others join the one before, if of their role."""
    messages: list[Json] = []
    for envelope, content in _pieces(view):
        last = messages[-1] if messages else {}
        if envelope.get("joins") and last.get("role") == envelope["role"]:
            last["content"] = [*_blocks(last.get("content")), *_blocks(content)]
        else:
            begun = {name: value for name, value in envelope.items() if name != "joins"}
            messages.append({**begun, "content": content})
    return messages


def _pieces(view: View) -> Iterator[tuple[Json, object]]:
    names = ids(view)
    for group in groups(view):
        match group:
            case Round(reply=asked, results=results):
                yield from _reply(asked, names[asked.seq])
                for item in results:
                    yield _result(item, names[item.seq][0])
            case Item():
                if written := fields(recorded(group, "anthropic")):
                    yield _recorded(written, "user")
                else:
                    yield {"role": "user", "joins": True}, [_text(words(group))]
    if view.caution:
        yield {"role": "user", "joins": True}, [_text(view.caution)]


def _recorded(written: Json, role: str) -> tuple[Json, object]:
    envelope = fields(written.get("envelope"))
    return envelope or {"role": role, "joins": True}, written.get("content")


def _reply(item: Item, names: Sequence[str]) -> Iterator[tuple[Json, object]]:
    if written := fields(recorded(item, "anthropic")):
        unused = iter(names)
        content = written.get("content")
        if isinstance(content, list):
            content = [
                {**one, "id": next(unused)} if fields(one).get("type") == "tool_use" else one
                for one in content
            ]
        yield fields(written.get("envelope")), content
        return
    message = reply(item)
    text = [_text(message.text.rstrip())] if message.text.strip() else []
    calls: list[Json] = [
        {"type": "tool_use", "id": name, "name": call.name, "input": given(call.arguments)}
        for call, name in zip(message.calls, names, strict=True)
    ]
    if text or calls:
        yield {"role": "assistant"}, [*text, *calls]


def _result(item: Item, name: str) -> tuple[Json, object]:
    if written := fields(recorded(item, "anthropic")):
        envelope, content = _recorded(written, "user")
        return envelope, [{**block, "tool_use_id": name} for block in _blocks(content)]
    block: Json = {"type": "tool_result", "tool_use_id": name, "content": words(item)}
    if isinstance(item.message, ToolResult) and item.message.status != "ok":
        block["is_error"] = True
    return {"role": "user", "joins": True}, [block]


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _blocks(content: object) -> list[Json]:
    if isinstance(content, str):
        return [_text(content)]
    return [fields(one) for one in content] if isinstance(content, list) else []
