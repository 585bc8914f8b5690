"""The rules of OpenAI's Chat Completions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tallybook.adapters.recorded.values import Json, fields, rows, word
from tallybook.adapters.rules.violation import Violation

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ROLES = ("system", "developer", "user", "assistant", "tool")
_LONGEST_ID = 40


def violations(body: Json) -> Iterator[Violation]:
    """Every rule that is broken, in order of the messages."""
    messages = rows(body.get("messages"))
    if not messages:
        yield Violation("messages-not-empty", "messages")
    yield from _pairs(messages)
    for number, message in enumerate(messages):
        where = f"messages[{number}]"
        if message.get("role") not in _ROLES:
            yield Violation("role-known", f"{where}: {message.get('role')!r}")
        if message.get("content") in (None, []) and not message.get("tool_calls"):
            yield Violation("content-required", where)
        yield from _calls(rows(message.get("tool_calls")), where)


def _pairs(messages: list[Json]) -> Iterator[Violation]:
    waiting: list[str] = []
    for number, message in enumerate(messages):
        if message.get("role") == "tool":
            name = word(message.get("tool_call_id"))
            if name not in waiting:
                yield Violation("tool-message-answers-a-call", f"messages[{number}]: {name}")
            else:
                waiting.remove(name)
            continue
        if waiting:
            yield Violation("every-call-answered-at-once", f"messages[{number}]: {waiting}")
        waiting = [word(one.get("id")) for one in rows(message.get("tool_calls"))]
    if waiting:
        yield Violation("every-call-answered-at-once", f"end: {waiting}")


def _calls(calls: list[Json], where: str) -> Iterator[Violation]:
    names = [word(one.get("id")) for one in calls]
    if len(set(names)) < len(names):
        yield Violation("call-ids-unique", where)
    for name, one in zip(names, calls, strict=True):
        function = fields(one.get("function"))
        if not 0 < len(name) <= _LONGEST_ID:
            yield Violation("call-id-length", f"{where}: {name!r}")
        if not isinstance(function.get("arguments"), str):
            yield Violation("arguments-are-text", f"{where}: {name}")
        if not _NAME.fullmatch(word(function.get("name"))):
            yield Violation("function-name", f"{where}: {function.get('name')!r}")
