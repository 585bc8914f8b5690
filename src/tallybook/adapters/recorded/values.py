"""Look into JSON that anybody may have written: what is not there, or of another kind, is empty."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import UNSET, Raw

from tallybook.scratchpad.events import (
    Body,
    Media,
    Native,
    Status,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
)

Json = dict[str, object]

_READING = ("get_", "search_", "web_", "read", "ls", "think", "recall", "Read", "Grep", "Glob")
_KINDS: dict[str, Literal["image", "audio", "video"]] = {
    "image": "image",
    "input_image": "image",
    "image_url": "image",
    "audio": "audio",
    "input_audio": "audio",
    "video": "video",
}
_TEXTS = ("text", "input_text", "output_text", "refusal")


def fields(value: object) -> Json:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def rows(value: object) -> list[Json]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def word(value: object) -> str:
    """A string, or an empty one."""
    return value if isinstance(value, str) else ""


def whole(value: object) -> int:
    """A whole number, or 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def dumped(value: object) -> str:
    """JSON text, every character as itself."""
    return json.dumps(value, ensure_ascii=False)


def native(value: object) -> Native:
    """JSON as an event keeps it; half characters of a broken recording are escaped."""
    return UNSET if value is None else Raw(json.dumps(value).encode())


def words(content: object) -> str:
    """The text of a message whose content is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(_texts(content))


def _texts(content: object) -> Iterator[str]:
    for block in content if isinstance(content, list) else []:
        if isinstance(block, str):
            yield block
        elif isinstance(block, dict) and block.get("type") in _TEXTS:
            yield word(block.get("text")) or word(block.get("refusal"))


def call(call_id: object, name: object, arguments: object) -> ToolCall:
    """A call; arguments that are no text are written as JSON."""
    written = arguments if isinstance(arguments, str) else dumped(arguments or {})
    return ToolCall(word(call_id), word(name) or "tool", written or "{}")


def result(
    call_id: object, tool: str, text: str, *, failed: bool = False, blocks: object = None
) -> ToolResult:
    """What a tool gave; a tool whose name says that it reads is taken for read-only."""
    status: Status = "error" if failed else "ok"
    return ToolResult(
        word(call_id),
        tool or "tool",
        Body(text=text, chars=len(text)),
        status,
        read_only=tool.startswith(_READING),
        media=media(blocks),
    )


def media(content: object) -> tuple[Media, ...]:
    """What of a message's blocks is not text."""
    return tuple(
        Media(kind, _type(block), _bytes(block))
        for block in rows(content)
        if (kind := _KINDS.get(word(block.get("type"))))
    )


def _type(block: Json) -> str:
    source = fields(block.get("source"))
    return word(block.get("mimeType")) or word(source.get("media_type"))


def _bytes(block: Json) -> int:
    source = fields(block.get("source"))
    data = word(block.get("data")) or word(source.get("data"))
    url = block.get("image_url")
    address = word(url) or word(fields(url).get("url"))
    if address.startswith("data:"):
        data = address.partition(",")[2]
    try:
        return len(base64.b64decode(data))
    except (binascii.Error, ValueError):
        return len(data) * 3 // 4


def tool(spec: Json) -> ToolSpec:
    """A tool as any provider is told of it."""
    inner = fields(spec.get("function")) or fields(spec.get("toolSpec")) or spec
    schema = inner.get("parameters") or inner.get("input_schema") or inner.get("inputSchema")
    name = word(inner.get("name")) or word(inner.get("type"))
    return ToolSpec(name, word(inner.get("description")), native(schema))


def tools(specs: object) -> tuple[ToolSpec, ...]:
    """The tools of a request."""
    return tuple(tool(spec) for spec in rows(specs))


def without(record: Json, *names: str) -> Json:
    """The record less some fields."""
    return {name: value for name, value in record.items() if name not in names}


def bill(usage: Json, names: Sequence[str]) -> Usage | None:
    """A bill whose input, output, cache reads and cache writes stand beside each other."""
    fresh, out, read, written = (whole(usage.get(name)) for name in names)
    total = fresh + read + written
    return Usage(total, out, read, written) if total else None
