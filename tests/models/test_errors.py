from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shared_data import shared

from tallybook.models.errors import Failure, understand, understand_exception

MEANING = {
    "context_overflow": {"overflow"},
    "silent_overflow": {"overflow"},
    "rate_limit_tokens": {"tokens_per_minute"},
    "max_tokens_too_large": {"output_too_large"},
    "payload_too_large": {"payload_too_large"},
    "other_not_overflow": {"other", "billing", "auth", "rate_limit"},
}


class Counts(msgspec.Struct):
    limit: int | None = None
    requested: int | None = None
    prompt: int | None = None
    completion: int | None = None


class Recorded(msgspec.Struct):
    status: int | None
    body: str
    label: str
    provenance: str
    parsed: Counts | None = None


class Refusal(msgspec.Struct):
    status: int | None
    body: object
    kind: str
    limit: int | None


def recorded(which: Literal["verbatim", "rest"]) -> list[Recorded]:
    lines = shared("errors", "context_errors.jsonl").read_bytes().splitlines()
    rows = [msgspec.json.decode(line, type=Recorded) for line in lines]
    return [row for row in rows if (row.provenance == "verbatim") == (which == "verbatim")]


def refusals() -> list[Refusal]:
    lines = Path(__file__).with_name("refusals.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Refusal) for line in lines]


def is_held_out(row: Recorded) -> bool:
    return int(hashlib.sha256(row.body.encode()).hexdigest(), 16) % 10 >= 7


def labelled_right(rows: list[Recorded]) -> float:
    right = [understand(row.status, row.body).kind in MEANING[row.label] for row in rows]
    return sum(right) / len(right)


def limits_right(rows: list[Recorded]) -> float:
    overflows = [row for row in rows if row.label == "context_overflow"]
    right = [
        understand(row.status, row.body).limit == (row.parsed and row.parsed.limit)
        for row in overflows
    ]
    return sum(right) / len(right)


@pytest.mark.parametrize("held_out", [False, True], ids=["tuned", "held-out"])
def test_recorded_refusals_mean_what_they_say(held_out: bool) -> None:
    rows = [row for row in recorded("verbatim") if is_held_out(row) == held_out]
    assert labelled_right(rows) >= 0.98
    assert limits_right(rows) >= 0.95


def test_refusals_put_together_from_documents_are_understood_too() -> None:
    assert labelled_right(recorded("rest")) == 1
    assert limits_right(recorded("rest")) == 1


def test_no_recorded_limit_per_minute_is_an_overflow() -> None:
    rows = [row for which in ("verbatim", "rest") for row in recorded(which)]
    rates = [row for row in rows if row.label == "rate_limit_tokens"]
    assert rates
    assert all(understand(row.status, row.body).kind == "tokens_per_minute" for row in rates)


@pytest.mark.parametrize("row", refusals(), ids=lambda row: f"{row.kind}: {row.body!s:.50}")
def test_wordings_of_other_providers_and_languages_are_understood(row: Refusal) -> None:
    failure = understand(row.status, row.body)
    assert (failure.kind, failure.limit) == (row.kind, row.limit)


@pytest.mark.parametrize("row", refusals(), ids=lambda row: f"{row.kind}: {row.body!s:.50}")
def test_an_envelope_does_not_change_the_meaning(row: Refusal) -> None:
    text = row.body if isinstance(row.body, str) else json.dumps(row.body)
    if not text or text == "null":
        pytest.skip("nothing to wrap")
    inner = json.dumps({"error": {"message": text, "type": "upstream"}})
    gateway = json.dumps({"error": {"message": f"Provider returned error: {inner}", "code": 502}})
    assert understand(row.status, gateway).kind == row.kind
    assert understand(row.status, gateway.encode()).limit == row.limit


@given(st.binary(max_size=300), st.sampled_from([None, 200, 400, 413, 429, 502]))
def test_no_bytes_crash_it(body: bytes, status: int | None) -> None:
    assert isinstance(understand(status, body), Failure)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)


@given(JSON)
def test_no_json_crashes_it(body: object) -> None:
    assert isinstance(understand(400, body), Failure)
    assert isinstance(understand(400, json.dumps(body)), Failure)


def test_deeply_nested_json_is_read_as_far_as_it_goes() -> None:
    assert understand(400, "[" * 5000).kind == "other"
    assert understand(400, '{"error":' * 3000).kind == "other"


RATE_WORDINGS = st.sampled_from(
    [
        "Rate limit reached on tokens per minute (TPM): Limit {a}, Used {b}, Requested {c}",
        "Request too large on tokens per minute (TPM): Limit {a}, Requested {b}, please reduce "
        "your message size",
        "This request would exceed the rate limit of {a:,} input tokens per minute. Please reduce "
        "the prompt length, {b} > {c}",
        "maximum context length is {a} tokens, you requested {b} tokens per minute",
        "prompt is too long: {a} tokens > {b} tokens/min",
        "exceeded token rate limit: {a} of {b}, context length {c}",
        "每分钟 token 数 {a} 超过上限 {b}",
        "Too many tokens ({a}), please wait {b} s before trying again.",
    ]
)
NUMBERS = st.integers(0, 10**7)


@given(RATE_WORDINGS, NUMBERS, NUMBERS, NUMBERS, st.sampled_from([None, 200, 400, 413, 429, 500]))
def test_a_limit_per_minute_is_never_an_overflow(
    wording: str, a: int, b: int, c: int, status: int | None
) -> None:
    assert understand(status, wording.format(a=a, b=b, c=c)).kind == "tokens_per_minute"


def test_a_request_above_a_whole_minutes_allowance_is_not_worth_a_retry() -> None:
    text = "on tokens per minute (TPM): Limit {}, Requested {}"
    assert not understand(413, text.format(6000, 14368)).retryable
    assert "waiting cannot help" in understand(413, text.format(6000, 14368)).sentence
    assert understand(429, text.format(6000, 1443)).retryable


def test_a_reply_limit_that_fills_the_window_is_lowered_instead_of_cutting_history() -> None:
    text = (
        "This model's maximum context length is 8192 tokens. However, you requested 8246 tokens "
        "(54 in the messages, 8192 in the completion)."
    )
    failure = understand(400, text)
    assert failure.kind == "overflow"
    assert failure.by_reply
    assert not understand(400, "prompt is too long: 202128 tokens > 200000 maximum").by_reply


@pytest.mark.parametrize(
    ("headers", "text", "seconds"),
    [
        ({"Retry-After": "7"}, "", 7),
        ({"retry-after-ms": "1500", "retry-after": "2"}, "", 1.5),
        (
            {
                "retry-after": "Tue, 01 Dec 2026 10:00:30 GMT",
                "date": "Tue, 01 Dec 2026 10:00:00 GMT",
            },
            "",
            30,
        ),
        ({"retry-after": "soon"}, "", None),
        ({}, "Please try again in 4.77s.", 4.77),
        ({}, "Please try again in 20ms.", 0.02),
        ({}, "Please try again in 1m30s.", 90),
        ({}, "Please retry after 7 seconds.", 7),
        ({}, '{"retryDelay": "19s"}', 19),
        ({}, "try again later", None),
    ],
)
def test_the_provider_says_how_long_to_wait(
    headers: dict[str, str], text: str, seconds: float | None
) -> None:
    wait = understand(429, text, headers=headers).retry_after
    assert wait == (seconds if seconds is None else pytest.approx(seconds))


class SdkError(Exception):
    """Stands for an SDK's error: the attributes that all of them share."""

    def __init__(self, message: str, status_code: int, body: object = None) -> None:
        super().__init__(message)
        self.status_code = status_code
        self.body = body
        self.headers = {"Retry-After": "3"}


class APIConnectionError(Exception):
    pass


class UsageLimitExceeded(Exception):
    pass


def test_an_exception_is_read_by_what_it_carries() -> None:
    body = {"error": {"message": "prompt is too long: 202128 tokens > 200000 maximum"}}
    failure = understand_exception(SdkError("Error code: 400", 400, body))
    assert (failure.kind, failure.limit, failure.requested) == ("overflow", 200_000, 202_128)


def test_an_empty_413_is_an_overflow() -> None:
    assert understand_exception(SdkError("status_code: 413", 413)).kind == "overflow"


def test_the_cause_says_more_than_its_wrapper() -> None:
    error = RuntimeError("model request failed")
    error.__cause__ = SdkError("", 502, "your prompt exceeds the maximum of 8192 tokens")
    assert understand_exception(error).kind == "overflow"
    error.__cause__ = SdkError("", 429, "slow down")
    failure = understand_exception(error)
    assert (failure.kind, failure.retry_after, failure.retryable) == ("rate_limit", 3, True)


def test_a_group_is_as_telling_as_its_most_telling_member() -> None:
    group = ExceptionGroup(
        "all models failed", [ValueError("x"), SdkError("prompt is too long", 400)]
    )
    assert understand_exception(group).kind == "overflow"


def test_a_broken_connection_is_worth_a_retry() -> None:
    failure = understand_exception(APIConnectionError("Connection error."))
    assert (failure.kind, failure.retryable) == ("timeout", True)


def test_an_unknown_failure_is_quoted_without_its_keys() -> None:
    sentence = understand_exception(ValueError("the moon is full")).sentence
    assert "the moon is full" in sentence
    assert "sk-" not in understand(400, "no use for sk-abcdefghijklmnop1234").sentence


def test_a_callers_own_usage_limit_is_not_an_overflow() -> None:
    error = UsageLimitExceeded("Exceeded the input_tokens_limit of 5000 (input_tokens=6000)")
    assert understand_exception(error).kind == "other"


def test_reading_errors_needs_neither_an_sdk_nor_an_agent_framework() -> None:
    code = (
        "import sys; import tallybook.models.errors, tallybook.models.windows;"
        "print([n for n in ('pydantic_ai', 'openai', 'anthropic', 'httpx', 'genai_prices')"
        " if n in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, env=env, check=True)
    assert run.stdout.strip() == b"[]"


def test_every_kind_tells_a_person_what_to_do() -> None:
    for row in refusals():
        assert understand(row.status, row.body).sentence.endswith(".")
