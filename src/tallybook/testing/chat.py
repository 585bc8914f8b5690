"""The wire format of OpenAI's Chat Completions, as the real service speaks and checks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

from tallybook.testing.answers import Bill, Json, Received, Refusal, pieces
from tallybook.testing.scripted import Parts

HEAD = 1
"""Events before the first part of a reply."""


class _Function(msgspec.Struct):
    name: str = ""


class _Call(msgspec.Struct):
    id: str = ""
    function: _Function | None = None


class _Message(msgspec.Struct):
    role: str = ""
    tool_calls: list[_Call] | None = None
    tool_call_id: str | None = None


def texts(body: Json) -> list[Json]:
    """What is billed, in the order in which a cache reads it."""
    return [*objects(body.get("tools")), *objects(body.get("messages"))]


def objection(body: Json) -> Refusal | None:
    """What the service refuses: calls and results that do not pair."""
    messages = msgspec.convert(body.get("messages") or [], list[_Message])
    if not messages:
        return refusal(
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got "
            "an empty array instead.",
            param="messages",
        )
    waiting: list[str] = []
    for index, message in enumerate(messages):
        if message.role == "tool":
            if message.tool_call_id not in waiting:
                return refusal(
                    "Invalid parameter: messages with role 'tool' must be a response to a "
                    "preceeding message with 'tool_calls'.",
                    param=f"messages.[{index}].role",
                )
            waiting.remove(message.tool_call_id)
            continue
        if waiting:
            return _unanswered(waiting)
        waiting = [call.id for call in message.tool_calls or ()]
    return _unanswered(waiting) if waiting else None


def _unanswered(ids: Sequence[str]) -> Refusal:
    return refusal(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: "
        + ", ".join(ids),
        param="messages",
    )


def reply_limit(body: Json) -> int:
    """The most tokens that the reply may have, 0 if the request does not say."""
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    return limit if isinstance(limit, int) else 0


def too_long(tokens: int, window: int, reply: int) -> Refusal:
    """The refusal of a request that exceeds the window, with or without its reply."""
    if tokens > window:
        said = (
            f"your messages resulted in {tokens} tokens. Please reduce the length of the messages."
        )
    else:
        said = (
            f"you requested {tokens + reply} tokens ({tokens} in the messages, {reply} in the "
            "completion). Please reduce the length of the messages or completion."
        )
    message = f"This model's maximum context length is {window} tokens. However, {said}"
    return refusal(message, param="messages", code="context_length_exceeded")


def refusal(message: str, *, param: str | None = None, code: str | None = None) -> Refusal:
    """A 400 as OpenAI words it."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return Refusal(400, {"error": error})


def whole(parts: Parts, bill: Bill, request: Received) -> Json:
    """The reply to a request that is not streamed."""
    calls = [_call(part) for part in parts if isinstance(part, ToolCallPart)]
    message: Json = {
        "role": "assistant",
        "content": joined(parts, TextPart) or None,
        "refusal": None,
    }
    if calls:
        message["tool_calls"] = calls
    if thinking := joined(parts, ThinkingPart):
        message["reasoning_content"] = thinking
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(parts)}
    return {**_head(request, "chat.completion"), "choices": [choice], "usage": _usage(bill, parts)}


def events(parts: Parts, bill: Bill, request: Received) -> Iterator[tuple[str, Json | str]]:
    """The reply as a stream; its usage comes only if it was asked for."""
    yield "", _chunk(request, {"role": "assistant", "content": ""})
    index = 0
    for part in parts:
        match part:
            case ThinkingPart(content=thinking):
                for piece in pieces(thinking):
                    yield "", _chunk(request, {"reasoning_content": piece})
            case TextPart(content=text):
                for piece in pieces(text):
                    yield "", _chunk(request, {"content": piece})
            case ToolCallPart():
                for delta in _call_deltas(part, index):
                    yield "", _chunk(request, {"tool_calls": [delta]})
                index += 1
            case _:
                raise TypeError(f"Chat Completions has no {type(part).__name__} in a reply")
    yield "", _chunk(request, {}, _finish(parts))
    options = request.body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        head = _head(request, "chat.completion.chunk")
        yield "", {**head, "choices": [], "usage": _usage(bill, parts)}
    yield "", "[DONE]"


def error_event(body: object) -> tuple[str, object]:
    """An error inside the stream."""
    return "", body


def _call(part: ToolCallPart) -> Json:
    function = {"name": part.tool_name, "arguments": part.args_as_json_str()}
    return {"id": part.tool_call_id, "type": "function", "function": function}


def _call_deltas(part: ToolCallPart, index: int) -> Iterator[Json]:
    head = {"name": part.tool_name, "arguments": ""}
    yield {"index": index, "id": part.tool_call_id, "type": "function", "function": head}
    for piece in pieces(part.args_as_json_str()):
        yield {"index": index, "function": {"arguments": piece}}


def _chunk(request: Received, delta: Json, finish: str | None = None) -> Json:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {**_head(request, "chat.completion.chunk"), "choices": [choice]}


def _head(request: Received, kind: str) -> Json:
    return {
        "id": f"chatcmpl-{request.number}",
        "object": kind,
        "created": 1_764_547_200,
        "model": request.body.get("model", "loopback"),
        "system_fingerprint": "fp_loopback",
    }


def _finish(parts: Parts) -> str:
    return "tool_calls" if any(isinstance(part, ToolCallPart) for part in parts) else "stop"


def _usage(bill: Bill, parts: Parts) -> Json:
    del parts
    return {
        "prompt_tokens": bill.input,
        "completion_tokens": bill.output,
        "total_tokens": bill.input + bill.output,
        "prompt_tokens_details": {"cached_tokens": bill.cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def joined(parts: Parts, kind: type[TextPart] | type[ThinkingPart]) -> str:
    """All words of one kind."""
    return "".join(part.content for part in parts if isinstance(part, kind))


def objects(value: object) -> list[Json]:
    """The JSON objects in a list; nothing if it is none."""
    found = value if isinstance(value, list) else []
    return [item for item in found if isinstance(item, dict)]
