from __future__ import annotations

import asyncio
import math

import pytest
from pydantic_ai import Agent, AgentRunResult
from pydantic_ai.exceptions import (
    ModelContextWindowExceededError,
    ModelHTTPError,
)
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ThinkingPart,
    ToolReturnPart,
    UserContent,
)

from tallybook.models.errors import understand_exception
from tallybook.models.local import MEDIA_TOKENS
from tallybook.testing import ScriptedModel, break_off, call, refuse, say


def agent(model: ScriptedModel) -> Agent[None, str]:
    made = Agent(model, instructions="Answer from the tools.")

    @made.tool_plain
    def price(ticker: str) -> str:
        """The price of a share."""
        return f"{ticker} 180.00"

    return made


def ask(asked: Agent[None, str], prompt: str | list[UserContent]) -> AgentRunResult[str]:
    return asyncio.run(asked.run(prompt))


def bills(messages: list[ModelMessage]) -> list[tuple[int, int]]:
    return [
        (message.usage.input_tokens, message.usage.cache_read_tokens)
        for message in messages
        if isinstance(message, ModelResponse)
    ]


def test_the_script_is_played_line_by_line() -> None:
    model = ScriptedModel([call("price", ticker="NVDA"), say("It is 180.")])
    result = ask(agent(model), "What is NVDA at?")
    assert result.output == "It is 180."
    assert len(model.requests) == 2
    sent = model.requests[1][-1]
    assert isinstance(sent, ModelRequest)
    assert [part.content for part in sent.parts if isinstance(part, ToolReturnPart)] == [
        "NVDA 180.00"
    ]


def test_calls_laid_end_to_end_are_parallel() -> None:
    both = [*call("price", ticker="NVDA", thinking="two at once"), *call("price", ticker="AAPL")]
    model = ScriptedModel([both, say("done")])
    ask(agent(model), "Prices?")
    results = [
        part.content
        for message in model.requests[1]
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]
    assert results == ["NVDA 180.00", "AAPL 180.00"]
    reply = model.requests[1][1]
    assert isinstance(reply.parts[0], ThinkingPart)


def test_a_line_may_be_a_function_of_the_messages() -> None:
    model = ScriptedModel([lambda messages: say(f"{len(messages)} message")])
    assert ask(agent(model), "?").output == "1 message"


def test_a_request_is_billed_for_all_it_holds_and_its_unchanged_start_is_cached() -> None:
    model = ScriptedModel([call("price", ticker="NVDA"), say("180")], tokenizer=len)
    result = ask(agent(model), "What is NVDA at?")
    (first, cold), (second, cached) = bills(result.all_messages())
    assert first > len("Answer from the tools.") + len("What is NVDA at?") + len("price")
    assert (cold, cached) == (0, first)
    assert second > first
    assert model.billed == [first, second]


def test_a_stated_tokenizer_counts() -> None:
    def quarter(text: str) -> int:
        return math.ceil(len(text) / 4)

    exact = ScriptedModel([say("a" * 40)], tokenizer=len)
    rough = ScriptedModel([say("a" * 40)], tokenizer=quarter)
    ask(Agent(exact), "q" * 400)
    result = ask(Agent(rough), "q" * 400)
    assert (exact.billed, rough.billed) == ([400], [100])
    assert result.usage.output_tokens == 10


def test_an_image_is_billed_flat() -> None:
    model = ScriptedModel([say("a chart")], tokenizer=len)
    ask(Agent(model), ["look", BinaryContent(b"\x89PNG" * 50_000, media_type="image/png")])
    assert model.billed == [4 + MEDIA_TOKENS]


def test_what_exceeds_the_window_is_refused_in_a_providers_words() -> None:
    model = ScriptedModel([say("never")], window=100, claims=200_000)
    with pytest.raises(ModelContextWindowExceededError) as caught:
        ask(agent(model), "word " * 200)
    failure = understand_exception(caught.value)
    assert (failure.kind, failure.limit) == ("overflow", 100)
    assert failure.requested == model.billed[0]
    assert (model.refused, model.context_window) == (1, 200_000)


def test_an_error_in_the_script_is_raised_as_the_real_class() -> None:
    body = '{"error": {"message": "Rate limit reached on tokens per minute (TPM): Limit 60"}}'
    model = ScriptedModel([refuse(429, body, headers={"Retry-After": "2"})])
    with pytest.raises(ModelHTTPError) as caught:
        ask(agent(model), "?")
    failure = understand_exception(caught.value)
    assert (failure.kind, failure.retry_after) == ("tokens_per_minute", 2)


def test_a_stream_gives_the_reply_in_parts() -> None:
    async def streamed() -> str:
        async with agent(ScriptedModel([call("price", ticker="X"), say("It is 180.")])).run_stream(
            "?"
        ) as result:
            return await result.get_output()

    assert asyncio.run(streamed()) == "It is 180."


def test_a_stream_may_break_off() -> None:
    async def streamed() -> str:
        async with agent(ScriptedModel([break_off(say("It is"))])).run_stream("?") as result:
            text = result.stream_text(debounce_by=None)
            first = await anext(text)
            with pytest.raises(ConnectionResetError):
                await anext(text)
            return first

    assert asyncio.run(streamed()) == "It is"


def test_running_out_of_script_says_which_request_it_was() -> None:
    with pytest.raises(AssertionError, match="no line for request 2"):
        ask(agent(ScriptedModel([call("price", ticker="X")])), "?")
