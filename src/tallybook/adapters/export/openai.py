"""A view as a request body of OpenAI's Chat Completions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tallybook.adapters.export.shown import Source, ids, recorded, reply, schema, words
from tallybook.adapters.pairing import groups
from tallybook.adapters.recorded.values import Json, fields, rows
from tallybook.scratchpad.events import ToolResult
from tallybook.view.view import Item, Round, View


def body(view: View, source: Source) -> Json:
    """`messages`, `tools`, and whatever else the recorded request held."""
    frame = source.of("openai")
    lead = rows(frame.pop("messages", None))
    if view.system != source.system or not lead:
        lead = [{"role": "system", "content": view.system}] if view.system else []
    tools = [_tool(one.name, one.description, schema(one)) for one in view.tools]
    made: Json = {"tools": tools} if tools else {}
    return {**made, **frame, "messages": [*lead, *_messages(view)]}


def _tool(name: str, description: str, parameters: object) -> Json:
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def _messages(view: View) -> Iterator[Json]:
    names = ids(view)
    for group in groups(view):
        match group:
            case Round(reply=asked, results=results):
                yield from _reply(asked, names[asked.seq])
                for item in results:
                    yield _result(item, names[item.seq][0])
            case Item():
                written = fields(recorded(group, "openai"))
                yield written or {"role": "user", "content": words(group)}
    if view.caution:
        yield {"role": "user", "content": view.caution}


def _reply(item: Item, names: Sequence[str]) -> Iterator[Json]:
    message = reply(item)
    if written := fields(recorded(item, "openai")):
        calls = rows(written.get("tool_calls"))
        if [one.get("id") for one in calls] == list(names):
            yield written
            return
        fit = [{**one, "id": name} for one, name in zip(calls, names, strict=True)]
        yield {**written, "tool_calls": fit}
        return
    made: Json = {"role": "assistant", "content": message.text or None}
    if message.calls:
        made["tool_calls"] = [
            {
                "id": name,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call, name in zip(message.calls, names, strict=True)
        ]
    if message.text or message.calls:
        yield made


def _result(item: Item, name: str) -> Json:
    if written := fields(recorded(item, "openai")):
        return {**written, "tool_call_id": name}
    text = words(item) if isinstance(item.message, ToolResult) else ""
    return {"role": "tool", "tool_call_id": name, "content": text}
