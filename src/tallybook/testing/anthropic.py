"""The wire format of Anthropic's Messages, as the real service speaks and checks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256

import msgspec
from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

from tallybook.testing.answers import Bill, Json, Received, Refusal, pieces
from tallybook.testing.chat import objects
from tallybook.testing.scripted import Parts

HEAD = 2
"""Events before the first part of a reply."""


class _Block(msgspec.Struct):
    type: str = ""
    id: str = ""
    tool_use_id: str = ""
    text: str | None = None
    thinking: str = ""
    signature: str = ""


class _Message(msgspec.Struct):
    role: str = ""
    content: str | list[_Block] = ""

    @property
    def blocks(self) -> list[_Block]:
        content = self.content
        return [_Block("text", text=content)] if isinstance(content, str) else content


def texts(body: Json) -> list[Json]:
    """What is billed, in the order in which a cache reads it: block by block."""
    system = body.get("system")
    first = [{"text": system}] if isinstance(system, str) else objects(system)
    spoken: list[Json] = []
    for message in objects(body.get("messages")):
        content = message.get("content")
        blocks = objects(content) if isinstance(content, list) else [{"text": content}]
        spoken.extend({"role": message.get("role"), **block} for block in blocks)
    return [*objects(body.get("tools")), *first, *spoken]


def objection(body: Json) -> Refusal | None:
    """What the service refuses: missing limits, empty text, broken pairs, altered thinking."""
    if "max_tokens" not in body:
        return refusal("max_tokens: Field required")
    messages = msgspec.convert(objects(body.get("messages")), list[_Message])
    if not messages:
        return refusal("messages: at least one message is required")
    if messages[0].role != "user":
        return refusal('messages: first message must use the "user" role')
    said = _unpaired(messages) or _altered(messages) or _unthought(body, messages)
    return refusal(said) if said else None


def _unpaired(messages: list[_Message]) -> str | None:
    merged = _merged(messages)
    waiting: list[str] = []
    for index, message in enumerate(merged):
        results = [block.tool_use_id for block in message.blocks if block.type == "tool_result"]
        for at, name in enumerate(results):
            if name not in waiting:
                return (
                    f"messages.{index}.content.{at}: unexpected `tool_use_id` found in "
                    f"`tool_result` blocks: {name}. Each `tool_result` block must have a "
                    "corresponding `tool_use` block in the previous message."
                )
        if missing := [name for name in waiting if name not in results]:
            return _unanswered(index - 1, missing)
        waiting = [block.id for block in message.blocks if block.type == "tool_use"]
        if len(set(waiting)) < len(waiting):
            return f"messages.{index}.content: `tool_use` ids must be unique"
    return _unanswered(len(merged) - 1, waiting) if waiting else None


def _unanswered(index: int, ids: list[str]) -> str:
    return (
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately "
        f"after: {', '.join(ids)}. Each `tool_use` block must have a corresponding `tool_result` "
        "block in the next message."
    )


def _merged(messages: list[_Message]) -> list[_Message]:
    """Messages of one role in a row are read as one."""
    merged: list[_Message] = []
    for message in messages:
        if merged and merged[-1].role == message.role:
            both = [*merged[-1].blocks, *message.blocks]
            merged[-1] = _Message(message.role, both)
        else:
            merged.append(message)
    return merged


def _altered(messages: list[_Message]) -> str | None:
    for index, message in enumerate(messages):
        for at, block in enumerate(message.blocks):
            if block.type == "text" and not block.text:
                return "messages: text content blocks must be non-empty"
            ours = block.signature.startswith(_SIGNED)
            if block.type == "thinking" and ours and block.signature != _signature(block.thinking):
                return f"messages.{index}.content.{at}: Invalid `signature` in `thinking` block"
    return None


def _unthought(body: Json, messages: list[_Message]) -> str | None:
    """While results are being sent, the reply that asked for them keeps its thinking."""
    thinking = body.get("thinking")
    if not isinstance(thinking, dict) or thinking.get("type") == "disabled" or len(messages) < 2:
        return None
    *_, asked, answered = messages
    if not any(block.type == "tool_result" for block in answered.blocks):
        return None
    found = asked.blocks[0].type if asked.blocks else "nothing"
    if found in ("thinking", "redacted_thinking"):
        return None
    return (
        f"messages.{len(messages) - 2}.content.0.type: Expected `thinking` or "
        f"`redacted_thinking`, but found `{found}`. When `thinking` is enabled, a final "
        "`assistant` message must start with a thinking block (preceeding the lastmost set of "
        "`tool_use` and `tool_result` blocks)."
    )


def reply_limit(body: Json) -> int:
    """The most tokens that the reply may have; every request says so."""
    limit = body.get("max_tokens")
    return limit if isinstance(limit, int) else 0


def too_long(tokens: int, window: int, reply: int) -> Refusal:
    """The refusal of a request that exceeds the window, with or without its reply."""
    if tokens > window:
        return refusal(f"prompt is too long: {tokens} tokens > {window} maximum")
    return refusal(
        f"input length and `max_tokens` exceed context limit: {tokens} + {reply} > {window}, "
        "decrease input length or `max_tokens` and try again"
    )


def refusal(message: str) -> Refusal:
    """A 400 as Anthropic words it."""
    error = {"type": "invalid_request_error", "message": message}
    return Refusal(400, {"type": "error", "error": error, "request_id": "req_loopback"})


def whole(parts: Parts, bill: Bill, request: Received) -> Json:
    """The reply to a request that is not streamed."""
    return {
        **_head(request),
        "content": [_block(part) for part in parts],
        "stop_reason": _stop(parts),
        "stop_sequence": None,
        "usage": {**_usage(bill), "output_tokens": bill.output},
    }


def events(parts: Parts, bill: Bill, request: Received) -> Iterator[tuple[str, Json | str]]:
    """The reply as a stream of typed events; the bill comes in two pieces."""
    empty: Json = {"content": [], "stop_reason": None, "stop_sequence": None}
    begun = {**_head(request), **empty, "usage": {**_usage(bill), "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": begun}
    yield "ping", {"type": "ping"}
    for index, part in enumerate(parts):
        start = {"index": index, "content_block": _begun(_block(part))}
        yield "content_block_start", {"type": "content_block_start", **start}
        for delta in _deltas(_block(part)):
            data: Json = {"type": "content_block_delta", "index": index, "delta": delta}
            yield "content_block_delta", data
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": _stop(parts), "stop_sequence": None}
    last = {"delta": delta, "usage": {"output_tokens": bill.output}}
    yield "message_delta", {"type": "message_delta", **last}
    yield "message_stop", {"type": "message_stop"}


def error_event(body: object) -> tuple[str, object]:
    """An error inside the stream."""
    return "error", body


def _block(part: object) -> Json:
    match part:
        case TextPart(content=text):
            return {"type": "text", "text": text}
        case ThinkingPart(content=thinking, signature=signature):
            signed = signature or _signature(thinking)
            return {"type": "thinking", "thinking": thinking, "signature": signed}
        case ToolCallPart():
            head = {"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name}
            return {**head, "input": part.args_as_dict()}
        case _:
            raise TypeError(f"Messages has no {type(part).__name__} in a reply")


def _begun(block: Json) -> Json:
    match block["type"]:
        case "text":
            return {**block, "text": ""}
        case "thinking":
            return {**block, "thinking": "", "signature": ""}
        case _:
            return {**block, "input": {}}


def _deltas(block: Json) -> Iterator[Json]:
    match block:
        case {"type": "text", "text": str(text)}:
            for piece in pieces(text):
                yield {"type": "text_delta", "text": piece}
        case {"type": "thinking", "thinking": str(thinking), "signature": signature}:
            for piece in pieces(thinking):
                yield {"type": "thinking_delta", "thinking": piece}
            yield {"type": "signature_delta", "signature": signature}
        case _:
            for piece in pieces(json.dumps(block["input"], ensure_ascii=False)):
                yield {"type": "input_json_delta", "partial_json": piece}


_SIGNED = "sig_"


def _signature(thinking: str) -> str:
    """Made of the thinking itself, so that any loopback provider can tell if it was altered."""
    return _SIGNED + sha256(thinking.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _head(request: Received) -> Json:
    return {
        "id": f"msg_{request.number}",
        "type": "message",
        "role": "assistant",
        "model": request.body.get("model", "loopback"),
    }


def _stop(parts: Parts) -> str:
    return "tool_use" if any(isinstance(part, ToolCallPart) for part in parts) else "end_turn"


def _usage(bill: Bill) -> Json:
    """What was cached is billed beside the input, not within it."""
    return {
        "input_tokens": bill.input - bill.cached - bill.written,
        "cache_read_input_tokens": bill.cached,
        "cache_creation_input_tokens": bill.written,
    }
