"""Recorded runs of real agents as events: what is in shared/data/trajectories, four formats."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Event,
    Media,
    RunStarted,
    ToolCall,
    ToolResult,
    UserMessage,
)
from tests.shared_data import shared

FOLDERS = ("tau2_bench", "tau_bench", "deerflow", "pi")


def recorded() -> list[Path]:
    """Every recorded run of the four formats."""
    return sorted(path for folder in FOLDERS for path in shared("trajectories", folder).iterdir())


def events(path: Path) -> list[Event]:
    """The run as a legal order of events: every call answered, every result called for."""
    text = gzip.decompress(path.read_bytes()).decode()
    match path.parent.name:
        case "tau2_bench" | "tau_bench":
            messages = list(_openai(json.loads(text)))
        case "deerflow":
            messages = list(_langchain(json.loads(text)["values"]["messages"]))
        case _:
            messages = list(_pi(text))
    system = "\n".join(m.text for m in messages if isinstance(m, _System))
    spoken = [m for m in messages if not isinstance(m, _System)]
    return [RunStarted(path.stem, system), *_legal(spoken)]


class _System:
    def __init__(self, text: str) -> None:
        self.text = text


Message = UserMessage | AssistantMessage | ToolResult


def _openai(run: dict[str, Any]) -> Iterator[Message | _System]:
    for message in run.get("messages") or run.get("traj") or []:
        content = message.get("content") or ""
        calls = tuple(_openai_call(call) for call in message.get("tool_calls") or ())
        match message["role"]:
            case "system":
                yield _System(content)
            case "assistant":
                yield AssistantMessage(content, calls=calls)
            case "tool":
                call_id = message.get("tool_call_id") or message.get("id") or ""
                yield _result(call_id, message.get("name") or "tool", content)
            case _ if content:
                yield UserMessage(content)


def _openai_call(call: dict[str, Any]) -> ToolCall:
    function = call.get("function") or call
    arguments = function["arguments"]
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(call["id"], function["name"], written)


def _langchain(messages: list[dict[str, Any]]) -> Iterator[Message | _System]:
    for message in messages:
        text = _words(message["content"])
        match message["type"]:
            case "system":
                yield _System(text)
            case "ai":
                calls = tuple(
                    ToolCall(call["id"], call["name"], json.dumps(call["args"]))
                    for call in message.get("tool_calls") or ()
                )
                thought = message.get("additional_kwargs", {}).get("reasoning_content") or ""
                yield AssistantMessage(text, thought, calls)
            case "tool":
                yield _result(message["tool_call_id"], message.get("name") or "tool", text)
            case _ if text:
                yield UserMessage(text)


def _pi(text: str) -> Iterator[Message | _System]:
    for record in _objects(text):
        message = record.get("message")
        if record["type"] != "message" or not message:
            continue
        if message["role"] == "bashExecution":
            yield UserMessage(f"$ {message['command']}\n{message['output']}")
            continue
        blocks = message["content"]
        match message["role"]:
            case "assistant":
                yield AssistantMessage(
                    _words(blocks),
                    "".join(b.get("thinking", "") for b in blocks if b["type"] == "thinking"),
                    tuple(
                        ToolCall(b["id"], b["name"], json.dumps(b["arguments"]))
                        for b in blocks
                        if b["type"] == "toolCall"
                    ),
                )
            case "toolResult":
                result = _result(message["toolCallId"], message["toolName"], _words(blocks))
                yield ToolResult(
                    result.call_id,
                    result.tool,
                    result.body,
                    "error" if message.get("isError") else "ok",
                    read_only=True,
                    media=_media(blocks),
                )
            case "user":
                yield UserMessage(_words(blocks), media=_media(blocks))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects one after the other, a line each or more."""
    place = 0
    while place < len(text):
        record, place = json.JSONDecoder().raw_decode(text, place)
        place += len(text[place:]) - len(text[place:].lstrip())
        yield record


def _legal(messages: Sequence[Event]) -> Iterator[Event]:
    """Calls without a result before the next reply are left out, and results without a call."""
    waiting: list[str] = []
    for place, message in enumerate(messages):
        match message:
            case AssistantMessage(calls=calls):
                answered = _answered(messages[place + 1 :])
                kept = tuple(call for call in calls if call.id in answered)
                waiting = [call.id for call in kept]
                yield AssistantMessage(message.text, message.thinking, kept)
            case ToolResult(call_id=call_id):
                if call_id in waiting:
                    waiting.remove(call_id)
                    yield message
            case _:
                yield message


def _answered(later: Sequence[Event]) -> set[str]:
    round_ = takewhile(lambda message: not isinstance(message, AssistantMessage), later)
    return {message.call_id for message in round_ if isinstance(message, ToolResult)}


def _result(call_id: str, tool: str, text: str) -> ToolResult:
    return ToolResult(call_id, tool, Body(text=text, chars=len(text)), read_only=True)


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(b["text"] for b in content if b.get("type") == "text")


def _media(blocks: Any) -> tuple[Media, ...]:
    if isinstance(blocks, str):
        return ()
    return tuple(
        Media("image", b.get("mimeType", ""), len(base64.b64decode(b["data"])))
        for b in blocks
        if b.get("type") == "image"
    )
