"""A view as a request body of OpenAI's Responses: items, reasoning with its calls or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tallybook.adapters.export.shown import Source, ids, recorded, reply, schema, words
from tallybook.adapters.pairing import groups
from tallybook.adapters.recorded.responses import CALLS
from tallybook.adapters.recorded.values import Json, fields, rows
from tallybook.view.view import Item, Round, View


def body(view: View, source: Source) -> Json:
    """`input`, `instructions`, `tools`, and whatever else the recorded request held."""
    frame = source.of("responses")
    lead = rows(frame.pop("input", None))
    made: Json = {"tools": [_tool(one.name, one.description, schema(one)) for one in view.tools]}
    if view.system != source.system or source.format != "responses":
        lead = []
        frame.pop("instructions", None)
        made["instructions"] = view.system
    kept = {name: value for name, value in made.items() if value}
    return {**kept, **frame, "input": [*lead, *_items(view)]}


def _tool(name: str, description: str, parameters: object) -> Json:
    return {
        "type": "function",
        "name": name,
        "description": description,
        "parameters": parameters,
        "strict": False,
    }


def _items(view: View) -> Iterator[Json]:
    names = ids(view)
    for group in groups(view):
        match group:
            case Round(reply=asked, results=results):
                yield from _reply(asked, names[asked.seq])
                for item in results:
                    yield _result(item, names[item.seq][0])
            case Item():
                written = fields(recorded(group, "responses"))
                yield written or {"role": "user", "content": words(group)}
    if view.caution:
        yield {"role": "user", "content": view.caution}


def _reply(item: Item, names: Sequence[str]) -> Iterator[Json]:
    if written := rows(recorded(item, "responses")):
        unused = iter(names)
        for one in written:
            yield {**one, "call_id": next(unused)} if one.get("type") in CALLS else one
        return
    message = reply(item)
    if message.text:
        yield {"role": "assistant", "content": message.text}
    for call, name in zip(message.calls, names, strict=True):
        yield {
            "type": "function_call",
            "call_id": name,
            "name": call.name,
            "arguments": call.arguments,
        }


def _result(item: Item, name: str) -> Json:
    if written := fields(recorded(item, "responses")):
        return {**written, "call_id": name}
    return {"type": "function_call_output", "call_id": name, "output": words(item)}
