"""The rules of Anthropic's Messages. Messages of one role in a row are read as one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tallybook.adapters.recorded.values import Json, fields, rows, word
from tallybook.adapters.rules.violation import Violation

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def violations(body: Json) -> Iterator[Violation]:
    """Every rule that is broken, in order of the messages."""
    messages = rows(body.get("messages"))
    if "max_tokens" not in body:
        yield Violation("max-tokens-required", "max_tokens")
    if not messages or messages[0].get("role") != "user":
        yield Violation("first-message-is-the-users", "messages[0]")
    merged = _merged(messages)
    yield from _pairs(merged)
    for number, (role, blocks) in enumerate(merged):
        where = f"message {number}"
        if role not in ("user", "assistant"):
            yield Violation("role-known", f"{where}: {role!r}")
        if not blocks:
            yield Violation("content-required", where)
        for block in blocks:
            yield from _block(block, role, where)
        yield from _server_tools(blocks, where)
    if merged and _ends_in_blanks(*merged[-1]):
        yield Violation("no-trailing-blanks", f"message {len(merged) - 1}")


def _merged(messages: list[Json]) -> list[tuple[str, list[Json]]]:
    merged: list[tuple[str, list[Json]]] = []
    for message in messages:
        role, content = word(message.get("role")), message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else rows(content)
        if merged and merged[-1][0] == role:
            merged[-1] = (role, [*merged[-1][1], *blocks])
        else:
            merged.append((role, [*blocks]))
    return merged


def _pairs(merged: list[tuple[str, list[Json]]]) -> Iterator[Violation]:
    waiting: list[str] = []
    for number, (_, blocks) in enumerate(merged):
        where = f"message {number}"
        results = [word(b.get("tool_use_id")) for b in blocks if b.get("type") == "tool_result"]
        if any(name not in waiting for name in results):
            yield Violation("result-follows-its-call", where)
        if len(set(results)) < len(results):
            yield Violation("one-result-per-call", where)
        if any(name not in results for name in waiting):
            yield Violation("every-call-answered-in-the-next-message", where)
        if any(block.get("type") != "tool_result" for block in blocks[: len(results)]):
            yield Violation("results-come-first", where)
        waiting = [word(block.get("id")) for block in blocks if block.get("type") == "tool_use"]
        if len(set(waiting)) < len(waiting):
            yield Violation("call-ids-unique", where)
    if waiting:
        yield Violation("every-call-answered-in-the-next-message", "end")


def _block(block: Json, role: str, where: str) -> Iterator[Violation]:
    match block.get("type"):
        case "text" if not word(block.get("text")).strip():
            yield Violation("text-not-empty", where)
        case "thinking" if not word(block.get("signature")):
            yield Violation("thinking-is-signed", where)
        case "tool_use":
            if role != "assistant":
                yield Violation("calls-are-the-assistants", where)
            if not _ID.fullmatch(word(block.get("id"))):
                yield Violation("call-id-letters", f"{where}: {block.get('id')!r}")
            if not _NAME.fullmatch(word(block.get("name"))):
                yield Violation("tool-name", f"{where}: {block.get('name')!r}")
            if not isinstance(block.get("input"), dict):
                yield Violation("input-is-an-object", where)
        case "tool_result" if role != "user":
            yield Violation("results-are-the-users", where)


def _server_tools(blocks: list[Json], where: str) -> Iterator[Violation]:
    """What the provider's own tools found stands in the same message as their call."""
    asked = {block.get("id") for block in blocks if block.get("type") == "server_tool_use"}
    found = {
        block.get("tool_use_id")
        for block in blocks
        if str(block.get("type")).endswith("_tool_result") and "tool_use_id" in block
    }
    if asked != found:
        yield Violation("server-tools-answered-in-place", where)


def _ends_in_blanks(role: str, blocks: list[Json]) -> bool:
    text = word(fields(blocks[-1]).get("text")) if blocks else ""
    return role == "assistant" and text != text.rstrip()
