from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shared_data import shared

from tallybook.models.errors import understand, understand_exception

KINDS = {
    "context_overflow": {"overflow"},
    "silent_overflow": {"overflow"},
    "rate_limit_tokens": {"tokens_per_minute"},
    "max_tokens_too_large": {"output_too_large"},
    "payload_too_large": {"payload_too_large"},
    "other_not_overflow": {"other", "billing", "auth", "rate_limit"},
}


def _rows() -> list[dict[str, object]]:
    lines = shared("errors", "context_errors.jsonl").read_text("utf-8").splitlines()
    return [row for line in lines if (row := json.loads(line))["provenance"] == "verbatim"]


def test_at_least_98_percent_of_real_refusals_are_understood() -> None:
    rows = _rows()
    wrong = [
        row["body"]
        for row in rows
        if understand(_status(row), row["body"]).kind not in KINDS[str(row["label"])]
    ]
    assert len(wrong) <= 0.02 * len(rows), wrong


def test_no_limit_per_minute_is_taken_for_an_overflow() -> None:
    limits = [row for row in _rows() if row["label"] == "rate_limit_tokens"]
    assert limits
    assert [r for r in limits if understand(_status(r), r["body"]).kind == "overflow"] == []


def test_the_numbers_a_refusal_states_are_read() -> None:
    stated = right = 0
    for row in _rows():
        failure = understand(_status(row), row["body"])
        parsed = row.get("parsed") or {}
        assert isinstance(parsed, dict)
        for name, value in parsed.items():
            stated += 1
            right += getattr(failure, name) == value
    assert right >= 0.95 * stated


def _status(row: dict[str, object]) -> int | None:
    status = row["status"]
    return status if isinstance(status, int) else None


@pytest.mark.parametrize(
    ("status", "body", "kind", "limit", "requested"),
    [
        (400, "prompt is too long: 210,000 tokens > 200,000 maximum", "overflow", 200_000, 210_000),
        (502, '{"error":"upstream: maximum context length is 16000 tokens, you requested 17165"}',
         "overflow", 16_000, 17_165),
        (413, "", "overflow", None, None),
        (200, '{"error":{"code":"context_length_exceeded"}}', "overflow", None, None),
        (400, "输入长度超过模型的最大上下文长度", "overflow", None, None),
        (429, "Limit 6000, Requested 14368 tokens per minute, reduce your message size",
         "tokens_per_minute", None, None),
        (429, "已达到每分钟 token 速率限制", "tokens_per_minute", None, None),
        (400, "max_tokens: 9000 > 4096, the maximum number of output tokens",
         "output_too_large", 4_096, None),
        (413, "Request body of 40 MB exceeds the limit of 32 MB", "payload_too_large", None, None),
        (429, "Too many requests", "rate_limit", None, None),
        (402, "", "billing", None, None),
        (401, "Incorrect API key provided", "auth", None, None),
        (529, '{"type":"overloaded_error"}', "overloaded", None, None),
        (504, "", "timeout", None, None),
        (400, "unknown parameter: foo", "other", None, None),
        (400, "messages: at least one message is required", "other", None, None),
        (400, "Too many tools: 200 exceeds the maximum of 128", "other", None, None),
    ],
)  # fmt: skip
def test_a_failure_is_understood_by_its_words(
    status: int, body: str, kind: str, limit: int | None, requested: int | None
) -> None:
    failure = understand(status, body)
    assert failure.kind == kind
    if limit:
        assert failure.limit == limit
    if requested:
        assert failure.requested == requested
    assert failure.sentence


@given(st.integers(1, 10**7), st.integers(1, 10**7), st.sampled_from([200, 400, 413, 429, 500]))
def test_tokens_per_minute_with_any_numbers_are_no_overflow(
    one: int, other: int, status: int
) -> None:
    for words in (
        f"maximum context length is {one} tokens, you requested {other} tokens per minute",
        f"Request too large on tokens per min (TPM): Limit {one}, Requested {other}",
    ):
        assert understand(status, words).kind == "tokens_per_minute"


@given(st.binary(max_size=300) | st.text(max_size=300), st.none() | st.integers(100, 599))
def test_any_body_is_understood_somehow(body: bytes | str, status: int | None) -> None:
    assert understand(status, body).sentence


def test_the_time_to_wait_is_read_from_headers_and_words() -> None:
    assert understand(429, "", headers={"Retry-After": "7"}).retry_after == 7
    assert understand(429, "", headers={"retry-after-ms": "250"}).retry_after == 0.25
    assert understand(429, "Please try again in 4.77s.").retry_after == 4.77
    assert understand(429, "Please try again in 20ms.").retry_after == pytest.approx(0.02)


def test_an_exception_is_understood_through_what_it_wraps() -> None:
    class APIStatusError(Exception):
        status_code = 400
        body = {"error": {"message": "prompt is too long: 9000 tokens > 8000 maximum"}}  # noqa: RUF012

    outer = RuntimeError("the agent failed")
    outer.__cause__ = APIStatusError("bad request")
    failure = understand_exception(outer)
    assert (failure.kind, failure.limit, failure.requested) == ("overflow", 8_000, 9_000)


def test_an_unknown_exception_says_what_it_said() -> None:
    failure = understand_exception(ValueError("the moon is full"))
    assert failure.kind == "other"
    assert "the moon is full" in failure.sentence
