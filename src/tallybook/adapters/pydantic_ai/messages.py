"""Pydantic AI messages to events, and a view to Pydantic AI messages.

What a message holds beyond text (thinking signatures, images, structured results) travels
as its own JSON in `native`, so a message shown in full is sent back as it came.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeGuard

from msgspec import UNSET, Raw
from pydantic_ai.messages import (
    BinaryContent,
    CachePoint,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    TextContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
    is_multi_modal_content,
)

from tallybook.adapters.pairing import call_ids, groups
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Media,
    Native,
    Status,
    ToolCall,
    ToolResult,
    Usage,
    UserMessage,
)
from tallybook.view.view import Item, View

Outcome = Literal["success", "failed", "denied", "interrupted", "retried"]

_STATUS: dict[Outcome, Status] = {
    "success": "ok",
    "failed": "error",
    "retried": "error",
    "denied": "denied",
    "interrupted": "interrupted",
}
_OUTCOME: dict[Status, Outcome] = {
    "ok": "success",
    "error": "failed",
    "denied": "denied",
    "interrupted": "interrupted",
}


def reply_event(response: ModelResponse) -> AssistantMessage:
    """One reply of the model, with its bill."""
    parts = response.parts
    calls = tuple(
        ToolCall(part.tool_call_id, part.tool_name, part.args_as_json_str())
        for part in parts
        if isinstance(part, ToolCallPart)
    )
    return AssistantMessage(
        text="".join(part.content for part in parts if isinstance(part, TextPart)),
        thinking="".join(part.content for part in parts if isinstance(part, ThinkingPart)),
        calls=calls,
        usage=_usage(response),
        native=_native(response),
    )


def prompt_event(part: ModelRequestPart) -> UserMessage:
    """The user's words; parts of other kinds are kept as they are."""
    if not isinstance(part, UserPromptPart):
        return UserMessage("", native=_native(ModelRequest(parts=[part])))
    if isinstance(part.content, str):
        return UserMessage(part.content)
    text = "\n".join(_texts(part.content))
    return UserMessage(text, _native(ModelRequest(parts=[part])), _media(part.content))


def result_event(
    part: ToolReturnPart, *, read_only: bool, extra: Sequence[UserContent] = ()
) -> ToolResult:
    """A tool's result; `extra` is what the tool wants shown to the model beside it."""
    text = "\n".join([part.model_response_str(wrap_if_error=False), *_texts(extra)])
    plain = isinstance(part.content, str) and not extra
    shown: list[ModelRequestPart] = [part, *([UserPromptPart(list(extra))] if extra else [])]
    return ToolResult(
        part.tool_call_id,
        part.tool_name,
        Body(text=text, chars=len(text)),
        _STATUS[part.outcome],
        read_only,
        UNSET if plain else _native(ModelRequest(parts=shown)),
        _media([*part.files, *extra]),
    )


def render(view: View, *, run: str = "") -> list[ModelMessage]:
    """The view as messages, each marked with `run` so that it is not recorded again."""
    mark = {"tallybook": run}
    ids = call_ids(view)
    messages: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = []
    for group in groups(view):
        if isinstance(group, Item):
            waiting.extend(_prompt(group))
            continue
        if waiting:
            messages.append(ModelRequest(parts=waiting, metadata=mark))
        messages.append(replace(_reply(group.reply, ids[group.reply.seq]), metadata=mark))
        waiting = [part for item in group.results for part in _result(item, ids[item.seq][0])]
    if view.caution:
        # It is gone with the next reply, so what the provider is to cache ends before it.
        point = [CachePoint()] if waiting else []
        waiting.append(UserPromptPart([*point, view.caution]))
    if waiting:
        messages.append(ModelRequest(parts=waiting, metadata=mark))
    return messages


def _prompt(item: Item) -> Sequence[ModelRequestPart]:
    if isinstance(item.message, UserMessage) and _is_own(item.message.native):
        return _request_parts(item.message.native)
    return [UserPromptPart(item.text)]


def _reply(item: Item, ids: Sequence[str]) -> ModelResponse:
    reply = item.message
    if not isinstance(reply, AssistantMessage):
        raise TypeError(f"item {item.seq} is no reply")
    if _is_own(reply.native):
        [message] = ModelMessagesTypeAdapter.validate_json(bytes(reply.native))
        if isinstance(message, ModelResponse):
            return _with_ids(message, ids)
    text = [TextPart(reply.text)] if reply.text else []
    calls = [
        ToolCallPart(call.name, call.arguments, tool_call_id=call_id)
        for call, call_id in zip(reply.calls, ids, strict=True)
    ]
    return ModelResponse(parts=[*text, *calls])


def _with_ids(message: ModelResponse, ids: Sequence[str]) -> ModelResponse:
    unused = iter(ids)
    parts = [
        replace(part, tool_call_id=next(unused)) if isinstance(part, ToolCallPart) else part
        for part in message.parts
    ]
    return message if parts == list(message.parts) else replace(message, parts=parts)


def _result(item: Item, call_id: str) -> Sequence[ModelRequestPart]:
    result = item.message
    if not isinstance(result, ToolResult):
        raise TypeError(f"item {item.seq} is no result")
    numbered = {"seq": item.seq}
    if _is_own(result.native) and item.form == "full":
        first, *extra = _request_parts(result.native)
        if isinstance(first, ToolReturnPart):
            return [replace(first, tool_call_id=call_id, metadata=numbered), *extra]
    outcome = _OUTCOME[result.status]
    return [ToolReturnPart(result.tool, item.text, call_id, metadata=numbered, outcome=outcome)]


def _is_own(native: Native) -> TypeGuard[Raw]:
    """Ours is a list of one message; what an import kept of another format is an object."""
    return isinstance(native, Raw) and bytes(native).startswith(b"[")


def _request_parts(native: Raw) -> Sequence[ModelRequestPart]:
    [message] = ModelMessagesTypeAdapter.validate_json(bytes(native))
    return message.parts if isinstance(message, ModelRequest) else []


def _native(message: ModelMessage) -> Raw:
    return Raw(ModelMessagesTypeAdapter.dump_json([message]))


def _usage(response: ModelResponse) -> Usage | None:
    """Pydantic AI counts cached tokens within the input, as we do."""
    usage = response.usage
    if not usage.input_tokens:
        return None
    return Usage(
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        usage.details.get("reasoning_tokens", 0),
    )


def _texts(content: Sequence[UserContent]) -> Iterator[str]:
    for one in content:
        if isinstance(one, str):
            yield one
        elif isinstance(one, TextContent):
            yield one.content


def _media(content: Sequence[UserContent]) -> tuple[Media, ...]:
    return tuple(
        _medium(one.media_type, len(one.data) if isinstance(one, BinaryContent) else 0)
        for one in content
        if is_multi_modal_content(one)
    )


def _medium(media_type: str, size: int) -> Media:
    match media_type.partition("/")[0]:
        case "image" | "audio" | "video" as kind:
            return Media(kind, media_type, size)
        case _:
            return Media("document", media_type, size)
