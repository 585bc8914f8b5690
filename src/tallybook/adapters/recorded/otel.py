"""OpenTelemetry spans by the GenAI conventions: `gen_ai.input.messages` and its siblings.

Each span of a model request holds the whole conversation so far, so the span with the most
messages is the run, and its output the last reply. Other spans are kept beside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import Json, call, dumped, fields, result, rows, tools, word
from tallybook.scratchpad.events import AssistantMessage, UserMessage

INPUT, OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
_SYSTEM, _TOOLS = "gen_ai.system_instructions", "gen_ai.tool.definitions"


def read(records: Sequence[Json]) -> Draft:
    """The longest conversation among the spans."""
    found = list(spans(records))
    draft = Draft("otel")
    if not found:
        return draft
    longest = max(found, key=lambda span: len(_list(attributes(span), INPUT)))
    named = attributes(longest)
    draft.frame = {"spans": [span for span in found if span is not longest]}
    draft.model = word(named.get("gen_ai.response.model") or named.get("gen_ai.request.model"))
    draft.system = [text for part in _list(named, _SYSTEM) if (text := word(part.get("content")))]
    draft.tools = tools(_list(named, _TOOLS))
    for message in (*_list(named, INPUT), *_list(named, OUTPUT)):
        _take(draft, message)
    draft.aside({"span": longest})
    return draft


def spans(records: Sequence[Json]) -> Iterator[Json]:
    """Spans of OTLP JSON, or of an exporter that writes one object per span."""
    for record in records:
        if "attributes" in record:
            yield record
            continue
        for resource in rows(record.get("resourceSpans")):
            for scope in rows(resource.get("scopeSpans")):
                yield from rows(scope.get("spans"))


def attributes(span: Json) -> Json:
    """The attributes of a span by name, whether it writes an object or OTLP's list."""
    written = span.get("attributes")
    if isinstance(written, dict):
        return written
    return {word(one.get("key")): _value(fields(one.get("value"))) for one in rows(written)}


def _value(value: Json) -> object:
    inner = next(iter(value.values()), None)
    return [_value(one) for one in rows(inner.get("values"))] if isinstance(inner, dict) else inner


def _list(named: Json, name: str) -> list[Json]:
    value = named.get(name)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError:
            return []
    return rows(value)


def _take(draft: Draft, message: Json) -> None:
    parts = rows(message.get("parts"))
    text = _said(parts, "text")
    match message.get("role"):
        case "system":
            draft.system.append(text)
            draft.aside(message)
        case "assistant":
            asked = [part for part in parts if part.get("type") == "tool_call"]
            calls = tuple(call(p.get("id"), p.get("name"), p.get("arguments")) for p in asked)
            draft.say(AssistantMessage(text, _said(parts, "reasoning"), calls), message)
        case _:
            _results(draft, parts)
            if text or not any(part.get("type") == "tool_call_response" for part in parts):
                draft.say(UserMessage(text), message)


def _results(draft: Draft, parts: list[Json]) -> None:
    for part in parts:
        if part.get("type") == "tool_call_response":
            value = part.get("response", part.get("result"))
            text = value if isinstance(value, str) else dumped(value)
            name = draft.names().get(word(part.get("id")), "")
            draft.say(result(part.get("id"), name, text), part)


def _said(parts: list[Json], kind: str) -> str:
    return "\n".join(word(part.get("content")) for part in parts if part.get("type") == kind)
