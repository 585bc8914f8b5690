"""The capability over real HTTP, in the three wire formats, against a provider with rules."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic_ai import Agent, AgentRunResultEvent
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings
from tests.runs import TABLE, text

from tallybook.adapters.pydantic_ai import Tallybook
from tallybook.scratchpad import read
from tallybook.scratchpad.events import AssistantMessage, Overflowed, ToolResult
from tallybook.testing import LoopbackProvider, Refusal, call, say
from tallybook.testing.scripted import Parts

WINDOW = 9_000
PROFILE = ModelProfile(context_window=128_000)  # what the model claims; the provider knows better


def _chat(provider: LoopbackProvider) -> Model:
    return OpenAIChatModel(
        "m", provider=OpenAIProvider(base_url=provider.openai, api_key="none"), profile=PROFILE
    )


def _responses(provider: LoopbackProvider) -> Model:
    return OpenAIResponsesModel(
        "m", provider=OpenAIProvider(base_url=provider.openai, api_key="none"), profile=PROFILE
    )


def _anthropic(provider: LoopbackProvider) -> Model:
    return AnthropicModel(
        "claude-sonnet-5-5",
        provider=AnthropicProvider(base_url=provider.anthropic, api_key="none"),
        profile=PROFILE,
        settings=ModelSettings(max_tokens=200),
    )


def _script(rounds: int) -> list[Parts | Refusal]:
    calls = [[*call("filing", page=n), *call("filing", page=-n)] for n in range(1, rounds + 1)]
    return [*calls, say("Read them all.")]


def _agent(model: Model, root: Path) -> tuple[Agent[None, str], Tallybook]:
    tallybook = Tallybook(root=root)
    agent = Agent(model, instructions="You are an analyst.", capabilities=[tallybook])

    @agent.tool_plain(metadata={"read_only": True})
    def filing(page: int) -> str:
        """A page."""
        return f"Page {page}: {text(TABLE, 1_500)}"

    return agent, tallybook


async def _streamed(agent: Agent[None, str], question: str) -> str:
    async with agent.run_stream_events(question) as events:
        async for event in events:
            if isinstance(event, AgentRunResultEvent):
                return str(event.result.output)
    raise AssertionError("the stream ended without a result")


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("wire", [_chat, _responses, _anthropic], ids=lambda wire: wire.__name__)
def test_a_long_run_is_never_refused_twice_and_nothing_it_read_is_lost(
    wire: Callable[[LoopbackProvider], Model], streamed: bool, tmp_path: Path
) -> None:
    with LoopbackProvider(_script(20), window=WINDOW) as provider:
        agent, tallybook = _agent(wire(provider), tmp_path)
        if streamed:
            answer = asyncio.run(_streamed(agent, "Read twenty filings."))
        else:
            answer = asyncio.run(agent.run("Read twenty filings.")).output
    assert answer == "Read them all."
    events = [e.event for e in read(tallybook.engine.scratchpad.folder).entries()]
    assert len([e for e in events if isinstance(e, Overflowed)]) == 1
    results = [e for e in events if isinstance(e, ToolResult)]
    assert len(results) == 40
    pages = [re.match(r"Page (-?\d+):", r.body.text or "") for r in results]
    assert {int(page[1]) for page in pages if page} == {*range(1, 21), *range(-20, 0)}


def test_a_reply_limit_that_is_too_large_is_lowered_and_nothing_is_let_go(tmp_path: Path) -> None:
    too_much = Refusal(
        400,
        {
            "error": {
                "message": "max_tokens is too large: 9000. This model supports at most 4096 "
                "completion tokens, whereas you provided 9000.",
                "type": "invalid_request_error",
            }
        },
    )
    with LoopbackProvider([too_much, say("ok")]) as provider:
        agent, tallybook = _agent(_chat(provider), tmp_path)
        result = asyncio.run(agent.run("Hello?", model_settings=ModelSettings(max_tokens=9_000)))
        sent = [request.body for request in provider.requests]
    assert result.output == "ok"
    assert [body.get("max_completion_tokens") for body in sent] == [9_000, 4_096]
    events = [e.event for e in read(tallybook.engine.scratchpad.folder).entries()]
    assert not [e for e in events if isinstance(e, Overflowed)]


def test_bills_count_cached_tokens_within_the_input(tmp_path: Path) -> None:
    with LoopbackProvider(_script(4), window=100_000) as provider:
        agent, tallybook = _agent(_chat(provider), tmp_path)
        asyncio.run(agent.run("Read four filings."))
    entries = read(tallybook.engine.scratchpad.folder).entries()
    usages = [
        entry.event.usage
        for entry in entries
        if isinstance(entry.event, AssistantMessage) and entry.event.usage
    ]
    assert all(before.input < after.input for before, after in pairwise(usages))
    assert usages[-1].cached > 0
    assert all(usage.cached <= usage.input for usage in usages)
