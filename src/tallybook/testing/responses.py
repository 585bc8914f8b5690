"""The wire format of OpenAI's Responses, as the real service speaks and checks it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import msgspec
from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

from tallybook.testing.answers import Bill, Json, Received, Refusal, pieces
from tallybook.testing.chat import objects, refusal
from tallybook.testing.scripted import Parts

HEAD = 2
"""Events before the first part of a reply."""


class _Item(msgspec.Struct):
    type: str = "message"
    role: str = ""
    id: str | None = None
    call_id: str = ""


def texts(body: Json) -> list[Json]:
    """What is billed, in the order in which a cache reads it."""
    first: Json = {"instructions": body.get("instructions")}
    spoken = body.get("input")
    said = [{"input": spoken}] if isinstance(spoken, str) else objects(spoken)
    return [*objects(body.get("tools")), first, *said]


def objection(body: Json) -> Refusal | None:
    """What the service refuses: calls, results and reasoning that do not go together."""
    if isinstance(body.get("input"), str):
        return None
    items = msgspec.convert(objects(body.get("input")), list[_Item])
    if not items:
        return refusal('One of "input" or "previous_response_id" must be provided.')
    said = _unpaired(items) or _bereft(items)
    return refusal(said, param="input") if said else None


def _unpaired(items: list[_Item]) -> str | None:
    called: set[str] = set()
    answered = {item.call_id for item in items if item.type == "function_call_output"}
    for item in items:
        if item.type == "function_call":
            called.add(item.call_id)
            if item.call_id not in answered:
                return f"No tool output found for function call {item.call_id}."
        elif item.type == "function_call_output" and item.call_id not in called:
            return f"No tool call found for function call output with call_id {item.call_id}."
    return None


def _bereft(items: list[_Item]) -> str | None:
    """Reasoning belongs to the item it led to; the service knows both by their ids."""
    present = {item.id for item in items}
    following = [*items[1:], _Item(role="user")]
    for item, after in zip(items, following, strict=True):
        if item.type == "reasoning" and (after.role == "user" or after.type.endswith("output")):
            return (
                f"Item '{item.id}' of type 'reasoning' was provided without its required "
                "following item."
            )
        owner, mark, _ = (item.id or "").partition(_OF)
        reasoning = f"rs_{owner.partition('_')[2]}"
        if mark and reasoning not in present:
            return (
                f"Item '{item.id}' of type '{item.type}' was provided without its required "
                f"'reasoning' item: '{reasoning}'."
            )
    return None


_OF = "_of_rs"
"""In an item's id: it came of the reasoning with the same number."""


def reply_limit(body: Json) -> int:
    """Not counted in here: the service shortens the reply instead of refusing."""
    del body
    return 0


def too_long(tokens: int, window: int, reply: int) -> Refusal:
    """The refusal of a request that exceeds the window; it names no numbers."""
    del tokens, window, reply
    return refusal(
        "Your input exceeds the context window of this model. Please adjust your input and try "
        "again.",
        param="input",
        code="context_length_exceeded",
    )


def whole(parts: Parts, bill: Bill, request: Received) -> Json:
    """The reply to a request that is not streamed."""
    return _response(request, "completed", _items(parts, request), bill)


def events(parts: Parts, bill: Bill, request: Received) -> Iterator[tuple[str, Json | str]]:
    """The reply as a stream of numbered, typed events."""
    numbers = count()
    items = _items(parts, request)
    for kind, data in _unnumbered(items, bill, request):
        yield kind, {"type": kind, "sequence_number": next(numbers), **data}


def _unnumbered(items: list[Json], bill: Bill, request: Received) -> Iterator[tuple[str, Json]]:
    begun = _response(request, "in_progress", [], None)
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}
    for index, item in enumerate(items):
        empty = {**item, "status": "in_progress", **_emptied(item)}
        yield "response.output_item.added", {"output_index": index, "item": empty}
        yield from _deltas(item, {"output_index": index, "item_id": item["id"]})
        yield "response.output_item.done", {"output_index": index, "item": item}
    yield "response.completed", {"response": _response(request, "completed", items, bill)}


def error_event(body: object) -> tuple[str, object]:
    """An error inside the stream; OpenAI's own have no envelope there."""
    match body:
        case {"error": {"message": message, **rest}}:
            said = {"code": rest.get("code"), "message": message, "param": rest.get("param")}
            return "error", {"type": "error", "sequence_number": 9, **said}
        case _:
            return "error", body


def _items(parts: Parts, request: Received) -> list[Json]:
    """Output items; what follows reasoning carries in its id which reasoning it came of."""
    items: list[Json] = []
    of = ""
    for index, part in enumerate(parts):
        number = f"{request.number}x{index}"
        match part:
            case ThinkingPart(content=thinking):
                of = number
                items.append(_reasoning(f"rs_{number}", thinking))
            case TextPart(content=text):
                items.append(_message(f"msg_{of}{_OF}" if of else f"msg_{number}", text))
            case ToolCallPart():
                items.append(_call(f"fc_{of}{_OF}{index}" if of else f"fc_{number}", part))
            case _:
                raise TypeError(f"Responses has no {type(part).__name__} in a reply")
    return items


def _reasoning(name: str, thinking: str) -> Json:
    summary = [{"type": "summary_text", "text": thinking}]
    return {"id": name, "type": "reasoning", "summary": summary, "encrypted_content": f"of {name}"}


def _message(name: str, text: str) -> Json:
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    return {
        "id": name,
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }


def _call(name: str, part: ToolCallPart) -> Json:
    return {
        "id": name,
        "type": "function_call",
        "status": "completed",
        "call_id": part.tool_call_id,
        "name": part.tool_name,
        "arguments": part.args_as_json_str(),
    }


def _emptied(item: Json) -> Json:
    match item["type"]:
        case "message":
            return {"content": []}
        case "function_call":
            return {"arguments": ""}
        case _:
            return {"summary": []}


def _deltas(item: Json, place: Json) -> Iterator[tuple[str, Json]]:
    match item:
        case {"type": "function_call", "arguments": str(arguments)}:
            for piece in pieces(arguments):
                yield "response.function_call_arguments.delta", {**place, "delta": piece}
            done: Json = {**place, "arguments": arguments, "name": item["name"]}
            yield "response.function_call_arguments.done", done
        case {"type": "message", "content": [{"text": str(text)}]}:
            yield from _text_deltas(text, {**place, "content_index": 0})
        case {"type": "reasoning", "summary": [{"text": str(text)}]}:
            yield from _summary_deltas(text, {**place, "summary_index": 0})


def _text_deltas(text: str, place: Json) -> Iterator[tuple[str, Json]]:
    part = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    yield "response.content_part.added", {**place, "part": part}
    for piece in pieces(text):
        yield "response.output_text.delta", {**place, "delta": piece, "logprobs": []}
    yield "response.output_text.done", {**place, "text": text, "logprobs": []}
    yield "response.content_part.done", {**place, "part": {**part, "text": text}}


def _summary_deltas(text: str, place: Json) -> Iterator[tuple[str, Json]]:
    part = {"type": "summary_text", "text": ""}
    yield "response.reasoning_summary_part.added", {**place, "part": part}
    for piece in pieces(text):
        yield "response.reasoning_summary_text.delta", {**place, "delta": piece}
    yield "response.reasoning_summary_text.done", {**place, "text": text}
    yield "response.reasoning_summary_part.done", {**place, "part": {**part, "text": text}}


def _response(request: Received, status: str, items: list[Json], bill: Bill | None) -> Json:
    return {
        "id": f"resp_{request.number}",
        "object": "response",
        "created_at": 1_764_547_200,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": request.body.get("instructions"),
        "model": request.body.get("model", "loopback"),
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": request.body.get("tools") or [],
        "usage": _usage(bill) if bill else None,
    }


def _usage(bill: Bill) -> Json:
    return {
        "input_tokens": bill.input,
        "input_tokens_details": {"cached_tokens": bill.cached},
        "output_tokens": bill.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": bill.input + bill.output,
    }
