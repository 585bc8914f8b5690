from __future__ import annotations

import gzip
import json
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shared_data import shared

from tallybook.models.usage import usage_of, usage_of_stream
from tallybook.scratchpad.events import Usage


class Cassette(NamedTuple):
    """Which recorded reply, and what it billed."""

    file: str
    reply: int
    usage: Usage


RECORDED = (
    Cassette("openai_chat__test_multiple_agent_tool_calls", 2, Usage(104, 16)),
    Cassette(
        "openai_responses__test_openai_responses_thinking_with_tool_calls",
        1,
        Usage(2087, 124, cached=2048),
    ),
    Cassette(
        "openai_responses__test_openai_responses_thinking_with_tool_calls",
        0,
        Usage(124, 1926, thinking=1792),
    ),
    Cassette("anthropic__test_anthropic_web_fetch_tool", 0, Usage(7262, 171)),
    Cassette("anthropic__test_anthropic_compaction_end_to_end", 0, Usage(220, 8)),
    Cassette("google__test_google_model_thinking_part", 0, Usage(29, 1737, thinking=1001)),
    Cassette("bedrock__test_bedrock_mistral_two_tool_returns_images_accepted", 0, Usage(2982, 3)),
    Cassette("cohere__test_request_usage_with_cached_tokens", 0, Usage(2935, 4, cached=2928)),
    Cassette("openrouter__test_openrouter_usage", 1, Usage(17, 2177, thinking=960)),
)


@pytest.mark.parametrize("cassette", RECORDED, ids=lambda cassette: f"{cassette.file:.30}")
def test_recorded_replies_are_billed_as_their_format_means(cassette: Cassette) -> None:
    path = shared("trajectories", "api_cassettes", f"{cassette.file}.json.gz")
    replies = json.loads(gzip.decompress(path.read_bytes()))
    assert usage_of(replies[cassette.reply]["response"]) == cassette.usage


def test_a_recorded_stream_is_billed_once() -> None:
    name = "groq__test_tool_use_failed_error_streaming.json.gz"
    path = shared("trajectories", "api_cassettes", name)
    stream = json.loads(gzip.decompress(path.read_bytes()))[1]["response"]
    lines = [line[6:] for line in stream.splitlines() if line.startswith("data: {")]
    assert usage_of_stream(json.loads(line) for line in lines) == Usage(304, 49, thinking=23)


def test_anthropic_lists_cached_tokens_beside_the_input() -> None:
    raw = {
        "input_tokens": 50,
        "cache_read_input_tokens": 900,
        "cache_creation_input_tokens": 40,
        "output_tokens": 7,
    }
    assert usage_of({"usage": raw}) == Usage(990, 7, cached=900, cache_write=40)


def test_anthropic_streams_its_bill_in_pieces() -> None:
    start = {"input_tokens": 5, "cache_read_input_tokens": 95, "output_tokens": 1}
    events = [
        {"type": "message_start", "message": {"usage": start}},
        {"type": "content_block_delta", "delta": {"text": "hi"}},
        {"type": "message_delta", "usage": {"output_tokens": 42}},
    ]
    assert usage_of_stream(events) == Usage(100, 42, cached=95)


def test_bedrock_lists_cached_tokens_beside_the_input() -> None:
    raw = {
        "inputTokens": 10,
        "outputTokens": 3,
        "cacheReadInputTokens": 80,
        "cacheWriteInputTokens": 10,
        "totalTokens": 103,
    }
    assert usage_of({"usage": raw}) == Usage(100, 3, cached=80, cache_write=10)


def test_deepseek_splits_its_prompt_into_hits_and_misses() -> None:
    raw = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_cache_hit_tokens": 64,
        "prompt_cache_miss_tokens": 36,
    }
    assert usage_of(raw) == Usage(100, 20, cached=64)


def test_gemini_counts_the_cache_within_and_thoughts_beside() -> None:
    raw = {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 60,
        "toolUsePromptTokenCount": 11,
        "candidatesTokenCount": 5,
        "thoughtsTokenCount": 20,
    }
    assert usage_of({"usageMetadata": raw}) == Usage(111, 25, cached=60, thinking=20)


def test_xai_counts_thinking_beside_the_reply() -> None:
    raw = {
        "prompt_tokens": 30,
        "completion_tokens": 9,
        "total_tokens": 139,
        "completion_tokens_details": {"reasoning_tokens": 100},
    }
    assert usage_of(raw) == Usage(30, 109, thinking=100)


def test_groq_hides_its_bill_in_the_last_chunk() -> None:
    chunk = {"x_groq": {"usage": {"prompt_tokens": 9, "completion_tokens": 2}}}
    assert usage_of(chunk) == Usage(9, 2)


def test_ollama_counts_evaluations() -> None:
    assert usage_of({"prompt_eval_count": 2048, "eval_count": 12}) == Usage(2048, 12)


def test_pydantic_ai_counts_the_cache_within_the_input() -> None:
    raw = {
        "input_tokens": 100,
        "cache_read_tokens": 60,
        "cache_write_tokens": 5,
        "output_tokens": 8,
    }
    assert usage_of(raw) == Usage(100, 8, cached=60, cache_write=5)


def test_more_cached_than_asked_can_only_be_beside() -> None:
    raw = {"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 90}}
    assert usage_of(raw) == Usage(100, 0, cached=90)


@pytest.mark.parametrize(
    "reply",
    [
        None,
        {},
        {"usage": None},
        {"usage": {}},
        {"usage": {"prompt_tokens": -5, "completion_tokens": 3}},
        {"usage": {"prompt_tokens": "many"}},
        {"usage": {"prompt_tokens": True}},
        {"usage": {"prompt_tokens": float("nan")}},
        {"usage": {"prompt_tokens": 0, "completion_tokens": 0}},
        {"usage": {"prompt_tokens": 10**15}},
        {"choices": []},
    ],
)
def test_a_bill_that_is_absent_or_cannot_be_true_is_none(reply: object) -> None:
    assert usage_of(reply) is None


KEYS = st.sampled_from(
    [
        "usage",
        "prompt_tokens",
        "input_tokens",
        "inputTokens",
        "promptTokenCount",
        "tokens",
        "cache_read_input_tokens",
        "prompt_tokens_details",
        "cached_tokens",
        "total_tokens",
    ]
)
VALUES = st.recursive(
    st.none() | st.integers(-5, 10**10) | st.floats() | st.text(max_size=3),
    lambda inner: st.dictionaries(KEYS, inner, max_size=4) | st.lists(inner, max_size=2),
    max_leaves=8,
)


@given(VALUES)
def test_whatever_is_sent_the_parts_never_exceed_the_whole(reply: object) -> None:
    usage = usage_of(reply)
    assert usage is None or 0 <= usage.cached + usage.cache_write <= usage.input
    assert usage is None or usage.thinking <= usage.output
