"""The rules of OpenAI's Responses, for requests that carry their whole input."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from tallybook.adapters.recorded.responses import CALLS, OUTPUTS
from tallybook.adapters.recorded.values import Json, rows, word
from tallybook.adapters.rules.violation import Violation

_LONGEST_ID = 64


def violations(body: Json) -> Iterator[Violation]:
    """Every rule that is broken, in order of the items."""
    items = rows(body.get("input"))
    if not items and not word(body.get("input")):
        yield Violation("input-not-empty", "input")
    yield from _pairs(items)
    for number, (item, after) in enumerate(zip_longest(items, items[1:])):
        where = f"input[{number}]"
        if item.get("type") == "reasoning" and not _follows(after):
            yield Violation("reasoning-before-its-item", where)
        if item.get("role") and item.get("content") in (None, []):
            yield Violation("content-required", where)
        if item.get("type") in CALLS and not 0 < len(word(item.get("call_id"))) <= _LONGEST_ID:
            yield Violation("call-id-length", where)
        if item.get("type") == "function_call" and not isinstance(item.get("arguments"), str):
            yield Violation("arguments-are-text", where)


def _follows(after: Json | None) -> bool:
    """Reasoning is sent with what it led to: words, a call, or a provider's own tool."""
    return (
        bool(after)
        and (after or {}).get("role") in (None, "assistant")
        and ((after or {}).get("type") not in OUTPUTS)
    )


def _pairs(items: list[Json]) -> Iterator[Violation]:
    waiting: list[str] = []
    seen: set[str] = set()
    for number, item in enumerate(items):
        name = word(item.get("call_id"))
        if item.get("type") in OUTPUTS:
            if name not in waiting:
                yield Violation("output-answers-a-call", f"input[{number}]: {name}")
            else:
                waiting.remove(name)
        elif item.get("type") in CALLS:
            if name in seen:
                yield Violation("call-ids-unique", f"input[{number}]: {name}")
            seen.add(name)
            waiting.append(name)
    if waiting:
        yield Violation("every-call-has-an-output", f"{waiting}")
