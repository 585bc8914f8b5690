"""Each rule is named when a request breaks it, and only then."""

from __future__ import annotations

import pytest

from tallybook.adapters.export import Format
from tallybook.adapters.rules import violations

Json = dict[str, object]


def _chat(*messages: Json) -> Json:
    return {"messages": [*messages]}


def _claude(*messages: Json) -> Json:
    return {"max_tokens": 10, "messages": [{"role": "user", "content": "Go."}, *messages]}


def _called(call_id: str = "1", **changed: object) -> Json:
    function = {"name": "look", "arguments": "{}", **changed}
    return {"role": "assistant", "tool_calls": [{"id": call_id, "function": function}]}


def _used(*blocks: Json) -> Json:
    return {"role": "assistant", "content": [*blocks]}


def _answered(*blocks: Json) -> Json:
    return {"role": "user", "content": [*blocks]}


USE: Json = {"type": "tool_use", "id": "1", "name": "look", "input": {}}
RESULT: Json = {"type": "tool_result", "tool_use_id": "1", "content": "42"}
WORDS: Json = {"type": "text", "text": "and?"}
TOOL: Json = {"role": "tool", "tool_call_id": "1", "content": "42"}
CALL: Json = {"type": "function_call", "call_id": "1", "name": "look", "arguments": "{}"}
OUTPUT: Json = {"type": "function_call_output", "call_id": "1", "output": "42"}
THOUGHT: Json = {"type": "reasoning", "id": "rs_1", "summary": []}
USER: Json = {"role": "user", "content": "Go."}

BROKEN: list[tuple[Format, object, str]] = [
    ("openai", _chat(), "messages-not-empty"),
    ("openai", _chat({"role": "robot", "content": "a"}), "role-known"),
    ("openai", _chat({"role": "assistant", "content": None}), "content-required"),
    ("openai", _chat(USER, TOOL), "tool-message-answers-a-call"),
    ("openai", _chat(_called(), USER, TOOL), "every-call-answered-at-once"),
    ("openai", _chat(_called("1" * 41), {**TOOL, "tool_call_id": "1" * 41}), "call-id-length"),
    ("openai", _chat(_called(arguments={}), TOOL), "arguments-are-text"),
    ("openai", _chat(_called(name="look up"), TOOL), "function-name"),
    ("responses", {"input": []}, "input-not-empty"),
    ("responses", {"input": [OUTPUT]}, "output-answers-a-call"),
    ("responses", {"input": [CALL]}, "every-call-has-an-output"),
    ("responses", {"input": [CALL, OUTPUT, CALL, OUTPUT]}, "call-ids-unique"),
    ("responses", {"input": [THOUGHT, USER]}, "reasoning-before-its-item"),
    ("responses", {"input": [THOUGHT]}, "reasoning-before-its-item"),
    ("anthropic", {"messages": [USER]}, "max-tokens-required"),
    ("anthropic", {"max_tokens": 1, "messages": [_used(WORDS)]}, "first-message-is-the-users"),
    ("anthropic", _claude(_answered(RESULT)), "result-follows-its-call"),
    ("anthropic", _claude(_used(USE)), "every-call-answered-in-the-next-message"),
    ("anthropic", _claude(_used(USE), _answered(WORDS, RESULT)), "results-come-first"),
    ("anthropic", _claude(_used(USE), _answered(RESULT, RESULT)), "one-result-per-call"),
    ("anthropic", _claude(_used(USE, USE), _answered(RESULT)), "call-ids-unique"),
    ("anthropic", _claude(_used({**USE, "input": "{}"}), _answered(RESULT)), "input-is-an-object"),
    ("anthropic", _claude(_used({"type": "text", "text": " "})), "text-not-empty"),
    ("anthropic", _claude(_used({"type": "thinking", "thinking": "a"})), "thinking-is-signed"),
    ("anthropic", _claude({"role": "assistant", "content": "a "}), "no-trailing-blanks"),
    ("pydantic-ai", [{"kind": "nothing"}], "messages-load"),
]
SOUND: list[tuple[Format, object]] = [
    ("openai", _chat(USER, _called(), TOOL, USER)),
    ("responses", {"input": [USER, THOUGHT, CALL, OUTPUT, USER]}),
    ("responses", {"input": "Go."}),
    ("anthropic", _claude(_used(WORDS, USE), _answered(RESULT, WORDS))),
    ("pydantic-ai", []),
]


@pytest.mark.parametrize(("format", "document", "rule"), BROKEN, ids=lambda one: str(one)[:40])
def test_a_broken_rule_is_named(format: Format, document: object, rule: str) -> None:
    assert rule in [one.rule for one in violations(document, format)]


@pytest.mark.parametrize(("format", "document"), SOUND, ids=lambda one: str(one)[:40])
def test_a_sound_request_breaks_none(format: Format, document: object) -> None:
    assert violations(document, format) == ()
