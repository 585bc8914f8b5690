from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator

import anthropic
import httpx
import httpx2
import msgspec
import openai
import pytest
from pydantic_ai import Agent, AgentRunResultEvent
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from tests.shared_data import shared

from tallybook.models.errors import understand_exception
from tallybook.models.usage import usage_of
from tallybook.scratchpad.events import Usage
from tallybook.testing import (
    Dropped,
    ErrorInStream,
    LoopbackProvider,
    Refusal,
    call,
    replayed,
    say,
)

Make = Callable[[LoopbackProvider], Model]
LONG = "Fiscal year 2025 revenue was 130,497 million dollars. " * 90


def chat(provider: LoopbackProvider) -> Model:
    client = openai.AsyncOpenAI(base_url=provider.openai, api_key="none", max_retries=0)
    return OpenAIChatModel("loopback", provider=OpenAIProvider(openai_client=client))


def responses(provider: LoopbackProvider) -> Model:
    client = openai.AsyncOpenAI(base_url=provider.openai, api_key="none", max_retries=0)
    return OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(openai_client=client))


def messages(provider: LoopbackProvider) -> Model:
    client = anthropic.AsyncAnthropic(base_url=provider.anthropic, api_key="none", max_retries=0)
    return AnthropicModel(
        "claude-sonnet-5-5",
        provider=AnthropicProvider(anthropic_client=client),
        settings=AnthropicModelSettings(max_tokens=100),
    )


WIRES = pytest.mark.parametrize("make", [chat, responses, messages])
STREAMED = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


async def asked(
    model: Model, prompt: str, history: list[ModelMessage], streamed: bool
) -> tuple[str, list[ModelMessage]]:
    agent = Agent(model, instructions="Answer from the tools.")

    @agent.tool_plain
    def price(ticker: str) -> str:
        """The price of a share."""
        return f"{ticker} 180.00"

    async with model:
        if not streamed:
            result = await agent.run(prompt, message_history=history)
            return result.output, result.all_messages()
        async with agent.run_stream_events(prompt, message_history=history) as events:
            async for event in events:
                if isinstance(event, AgentRunResultEvent):
                    return event.result.output, event.result.all_messages()
        raise AssertionError("the stream ended without a result")


def ask(
    make: Make,
    provider: LoopbackProvider,
    prompt: str = "What is NVDA at?",
    *,
    history: list[ModelMessage] | None = None,
    streamed: bool = False,
) -> tuple[str, list[ModelMessage]]:
    return asyncio.run(asked(make(provider), prompt, history or [], streamed))


def refused(make: Make, provider: LoopbackProvider, *, streamed: bool = False) -> BaseException:
    with pytest.raises((AgentRunError, httpx2.HTTPError, openai.APIError)) as caught:
        ask(make, provider, streamed=streamed)
    return caught.value


@WIRES
@STREAMED
def test_a_reply_reaches_the_real_client(make: Make, streamed: bool) -> None:
    with LoopbackProvider([say("It is 180. 完了 “ok”")]) as provider:
        output, history = ask(make, provider, streamed=streamed)
    assert output == "It is 180. 完了 “ok”"
    [request] = provider.requests
    assert request.streamed == streamed
    reply = history[-1]
    assert isinstance(reply, ModelResponse)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (
        request.bill.input,
        request.bill.output,
    )


@WIRES
@STREAMED
def test_parallel_calls_are_made_and_their_results_sent(make: Make, streamed: bool) -> None:
    both = [
        *call("price", ticker="NVDA", id="call_a", words="Two prices."),
        *call("price", ticker="AAPL", id="call_b"),
    ]
    with LoopbackProvider([both, say("done")]) as provider:
        output, _ = ask(make, provider, streamed=streamed)
    assert output == "done"
    sent = json.dumps(provider.requests[1].body)
    assert "NVDA 180.00" in sent
    assert "AAPL 180.00" in sent


@WIRES
@STREAMED
def test_thinking_goes_back_as_it_came(make: Make, streamed: bool) -> None:
    thought = call("price", ticker="NVDA", id="call_a", thinking="I need the price first.")
    with LoopbackProvider([thought, say("done", thinking="Now I know.")]) as provider:
        output, history = ask(make, provider, streamed=streamed)
    assert output == "done"
    thinking = [
        part.content
        for message in history
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ThinkingPart)
    ]
    assert thinking == ["I need the price first.", "Now I know."]


@WIRES
def test_what_was_answered_before_is_billed_as_cached(make: Make) -> None:
    with LoopbackProvider([say("noted"), say("again")]) as provider:
        model = make(provider)
        if isinstance(model, AnthropicModel):
            model = AnthropicModel(
                "claude-sonnet-5-5",
                provider=AnthropicProvider(api_key="none", base_url=provider.anthropic),
                settings=AnthropicModelSettings(max_tokens=100, anthropic_cache_messages=True),
            )

        async def twice() -> list[ModelMessage]:
            async with model:
                first = await Agent(model).run(LONG)
                second = await Agent(model).run("And?", message_history=first.all_messages())
                return second.all_messages()

        history = asyncio.run(twice())
    usages = [message.usage for message in history if isinstance(message, ModelResponse)]
    assert usages[0].cache_read_tokens == 0
    assert usages[1].cache_read_tokens >= 1_024
    assert usages[1].cache_read_tokens == provider.requests[1].bill.cached
    assert usages[1].input_tokens == provider.requests[1].bill.input


def test_anthropic_bills_what_it_writes_to_the_cache_beside_the_input() -> None:
    block = {"type": "text", "text": LONG, "cache_control": {"type": "ephemeral"}}
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [block]}]}
    with LoopbackProvider([say("one"), say("two")]) as provider:
        first, second = (
            httpx.post(f"{provider.url}/v1/messages", json=body).json() for _ in range(2)
        )
    total = provider.requests[0].bill.input
    assert first["usage"]["input_tokens"] == 0
    assert usage_of(first) == Usage(total, first["usage"]["output_tokens"], cache_write=total)
    assert (first["usage"]["cache_creation_input_tokens"], total > 1_024) == (total, True)
    assert second["usage"]["cache_read_input_tokens"] == total


@WIRES
@STREAMED
def test_what_exceeds_the_window_is_refused_in_the_wires_own_words(
    make: Make, streamed: bool
) -> None:
    with LoopbackProvider([], window=20) as provider:
        failure = understand_exception(refused(make, provider, streamed=streamed))
    assert failure.kind == "overflow"
    if make is not responses:
        assert (failure.limit, failure.requested) == (20, provider.requests[0].bill.input)
    assert provider.requests[0].status == 400


def test_a_reply_that_does_not_fit_beside_the_prompt_is_refused_as_that() -> None:
    with LoopbackProvider([], window=150) as provider:
        failure = understand_exception(refused(messages, provider))
    assert provider.requests[0].bill.input < 150
    assert failure.by_reply
    assert (failure.limit, failure.completion) == (150, 100)


def overflow_rows() -> Iterator[dict[str, object]]:
    for line in shared("errors", "context_errors.jsonl").read_bytes().splitlines():
        row: dict[str, object] = msgspec.json.decode(line)
        if row["label"] == "context_overflow" and row["provenance"] == "verbatim":
            yield row


def test_recorded_refusals_are_still_overflows_when_they_come_through_the_real_clients() -> None:
    rows = list(overflow_rows())
    for make in (chat, messages):
        with LoopbackProvider([replayed(row) for row in rows]) as provider:
            kinds = [understand_exception(refused(make, provider)).kind for _ in rows]
        assert [
            row["body"] for row, kind in zip(rows, kinds, strict=True) if kind != "overflow"
        ] == []


@WIRES
def test_a_window_may_refuse_in_given_words(make: Make) -> None:
    said = Refusal(502, '{"message": "Input is too long for requested model.", "code": 502}')
    with LoopbackProvider([], window=20, overflow=said) as provider:
        failure = understand_exception(refused(make, provider))
    assert (failure.kind, provider.requests[0].status) == ("overflow", 502)


@WIRES
@STREAMED
def test_a_rate_limit_says_how_long_to_wait(make: Make, streamed: bool) -> None:
    body = {"error": {"message": "Rate limit reached on tokens per min (TPM): Limit 60, Used 59"}}
    with LoopbackProvider([Refusal(429, body, {"Retry-After": "7"})]) as provider:
        failure = understand_exception(refused(make, provider, streamed=streamed))
    assert (failure.kind, failure.retry_after) == ("tokens_per_minute", 7)


@WIRES
def test_an_empty_413_is_an_overflow(make: Make) -> None:
    with LoopbackProvider([Refusal(413)]) as provider:
        failure = understand_exception(refused(make, provider))
    assert failure.kind == "overflow"


@WIRES
def test_an_error_inside_a_stream_is_understood(make: Make) -> None:
    message = "prompt is too long: 213462 tokens > 200000 maximum"
    error = {"type": "invalid_request_error", "message": message, "code": None}
    line = ErrorInStream({"type": "error", "error": error}, after=say("Let me"))
    with LoopbackProvider([line]) as provider:
        failure = understand_exception(refused(make, provider, streamed=True))
    assert (failure.kind, failure.limit) == ("overflow", 200_000)
    assert provider.requests[0].status == 200


@WIRES
@STREAMED
def test_a_dropped_connection_is_worth_a_retry(make: Make, streamed: bool) -> None:
    with LoopbackProvider([Dropped(say("It is one hundred and"))]) as provider:
        failure = understand_exception(refused(make, provider, streamed=streamed))
    assert (failure.kind, failure.retryable) == ("timeout", True)


@WIRES
def test_a_line_may_be_a_function_of_the_request(make: Make) -> None:
    with LoopbackProvider([lambda got: say(f"{got.wire} {got.number}")]) as provider:
        output, _ = ask(make, provider)
    assert output.endswith(" 1")


def post(provider: LoopbackProvider, path: str, body: dict[str, object]) -> httpx.Response:
    return httpx.post(f"{provider.url}{path}", json={"model": "m", "max_tokens": 50, **body})


CHAT_CALL = {"id": "c1", "type": "function", "function": {"name": "price", "arguments": "{}"}}
USER = {"role": "user", "content": "hi"}
USE = {"type": "tool_use", "id": "c1", "name": "price", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": "180"}
CALL = {"type": "function_call", "call_id": "c1", "name": "price", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "180"}
BROKEN = {
    "chat: result without call": (
        "/v1/chat/completions",
        {"messages": [USER, {"role": "tool", "tool_call_id": "c1", "content": "180"}]},
        "must be a response to a preceeding message with 'tool_calls'",
    ),
    "chat: call without result": (
        "/v1/chat/completions",
        {"messages": [USER, {"role": "assistant", "tool_calls": [CHAT_CALL]}, USER]},
        "did not have response messages: c1",
    ),
    "chat: nothing": ("/v1/chat/completions", {"messages": []}, "empty array"),
    "responses: result without call": (
        "/v1/responses",
        {"input": [USER, OUTPUT]},
        "No tool call found for function call output with call_id c1",
    ),
    "responses: call without result": (
        "/v1/responses",
        {"input": [USER, CALL]},
        "No tool output found for function call c1",
    ),
    "responses: reasoning alone": (
        "/v1/responses",
        {"input": [USER, {"type": "reasoning", "id": "rs_1x0", "summary": []}, USER]},
        "without its required following item",
    ),
    "responses: call bereft of its reasoning": (
        "/v1/responses",
        {"input": [USER, {**CALL, "id": "fc_1x0_of_rs1"}, OUTPUT]},
        "without its required 'reasoning' item: 'rs_1x0'",
    ),
    "anthropic: result without call": (
        "/v1/messages",
        {"messages": [{"role": "user", "content": [RESULT]}]},
        "unexpected `tool_use_id` found in `tool_result` blocks: c1",
    ),
    "anthropic: call without result": (
        "/v1/messages",
        {"messages": [USER, {"role": "assistant", "content": [USE]}, USER]},
        "without `tool_result` blocks immediately after: c1",
    ),
    "anthropic: the same call twice": (
        "/v1/messages",
        {"messages": [USER, {"role": "assistant", "content": [USE, USE]}]},
        "`tool_use` ids must be unique",
    ),
    "anthropic: the assistant first": (
        "/v1/messages",
        {"messages": [{"role": "assistant", "content": "hi"}]},
        'first message must use the "user" role',
    ),
    "anthropic: empty text": (
        "/v1/messages",
        {"messages": [{"role": "user", "content": [{"type": "text", "text": ""}]}]},
        "text content blocks must be non-empty",
    ),
    "anthropic: thinking altered": (
        "/v1/messages",
        {
            "messages": [
                USER,
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": "cut", "signature": "sig_0"}],
                },
            ]
        },
        "Invalid `signature` in `thinking` block",
    ),
    "anthropic: thinking dropped while results are sent": (
        "/v1/messages",
        {
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "messages": [
                USER,
                {"role": "assistant", "content": [USE]},
                {"role": "user", "content": [RESULT]},
            ],
        },
        "Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    ),
}


@pytest.mark.parametrize(("path", "body", "words"), BROKEN.values(), ids=BROKEN)
def test_a_request_the_service_would_refuse_is_refused_in_its_words(
    path: str, body: dict[str, object], words: str
) -> None:
    with LoopbackProvider([say("never")]) as provider:
        reply = post(provider, path, body)
    assert reply.status_code == 400
    assert words in reply.json()["error"]["message"]
    assert len(provider.script) == 1
    assert understand_exception(ModelHTTPError(400, "m", reply.json())).kind == "other"


@WIRES
def test_histories_of_pydantic_ai_pass_the_checks(make: Make) -> None:
    history: list[ModelMessage] = [
        ModelRequest([UserPromptPart("first")]),
        ModelResponse([TextPart("looking"), ToolCallPart("price", {"ticker": "X"}, "c1")]),
        ModelRequest([ToolReturnPart("price", "180", "c1")]),
        ModelResponse([TextPart("180")]),
    ]
    with LoopbackProvider([say("fine")]) as provider:
        assert ask(make, provider, history=history)[0] == "fine"


def test_the_bare_clients_work_too() -> None:
    with LoopbackProvider([say("one"), say("two"), say("three")]) as provider:
        with openai.OpenAI(base_url=provider.openai, api_key="none", max_retries=0) as client:
            whole = client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "hi"}]
            )
            with client.responses.stream(model="m", input="hi") as stream:
                final = stream.get_final_response()
        with (
            anthropic.Anthropic(
                base_url=provider.anthropic, api_key="none", max_retries=0
            ) as other,
            other.messages.stream(
                model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}]
            ) as streamed,
        ):
            text = streamed.get_final_text()
    assert whole.choices[0].message.content == "one"
    assert (final.output_text, text) == ("two", "three")
    assert [request.wire for request in provider.requests] == ["chat", "responses", "anthropic"]


def test_a_stream_of_chat_bills_only_if_asked() -> None:
    with LoopbackProvider([say("one"), say("two")]) as provider:
        body: dict[str, object] = {"messages": [USER], "stream": True}
        silent = post(provider, "/v1/chat/completions", body).text
        options = {"include_usage": True}
        billed = post(provider, "/v1/chat/completions", {**body, "stream_options": options}).text
    assert '"usage"' not in silent
    assert '"prompt_tokens"' in billed
    assert billed.endswith("data: [DONE]\n\n")


def test_tokens_can_be_counted_without_using_up_a_line() -> None:
    with LoopbackProvider([say("one")]) as provider:
        body: dict[str, object] = {"messages": [USER]}
        counted = post(provider, "/v1/messages/count_tokens", body).json()["input_tokens"]
        post(provider, "/v1/messages", body)
    assert counted == provider.requests[0].bill.input
    assert post_path_unknown() == 404


def post_path_unknown() -> int:
    with LoopbackProvider() as provider:
        return post(provider, "/v1/embeddings", {}).status_code


def test_what_fails_in_the_script_is_raised_on_leaving() -> None:
    with (
        pytest.raises(AssertionError, match="no line for request 1"),
        LoopbackProvider() as provider,
    ):
        assert post(provider, "/v1/messages", {"messages": [USER]}).status_code == 400


def test_requests_in_parallel_each_get_one_line() -> None:
    async def all_at_once(provider: LoopbackProvider) -> list[str]:
        async with httpx.AsyncClient() as client:
            url = f"{provider.url}/v1/chat/completions"
            sent = [client.post(url, json={"messages": [USER]}) for _ in range(12)]
            replies = await asyncio.gather(*sent)
        return [reply.json()["choices"][0]["message"]["content"] for reply in replies]

    with LoopbackProvider([say(str(number)) for number in range(12)]) as provider:
        said = asyncio.run(all_at_once(provider))
    assert sorted(said, key=int) == [str(number) for number in range(12)]
    assert [request.number for request in provider.requests] == list(range(1, 13))
