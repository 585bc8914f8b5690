"""The research agent: a Pydantic AI agent with tools that never loses a figure.

`converse` runs a question and what is said meanwhile to its end; `ask` gives the last answer.
What it needs from outside (a model, tools, folders, limits) is passed in; nothing here reads
settings.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModelSettings
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset
from pydantic_ai.usage import UsageLimits

from tallybook.adapters.pydantic_ai import Conversation, Tallybook, deny
from tallybook.adapters.pydantic_ai.inbox import undelivered
from tallybook.errors import TallybookError
from tallybook.models.streamed import Streamed
from tallybook.policy.limits import Limits
from tallybook.research.mounting import Mountable, mounted
from tallybook.research.rules import Rules, with_rules
from tallybook.scratchpad import Scratchpad, read
from tallybook.scratchpad.events import Answered, AssistantMessage, Entry, RunStarted
from tallybook.tools.finance.financials import (
    NAME,
    FactsSource,
    FinancialsRequest,
    describe,
    get_financials,
    to_json,
)
from tallybook.tools.tool import Tool
from tallybook.view.project import project

MOST_ROUNDS = 60


def _alone() -> Conversation:
    """Nobody is there: what writes or spends is not allowed."""
    return Conversation(approve=deny, rounds=MOST_ROUNDS)


@dataclass(frozen=True)
class Research:
    """What an agent is made of. `window` is in tokens and overrides what is known of the model.

    `tools` stand beside the one for `facts`, `toolsets` are those of others (MCP servers).
    `told` gets the words of a reply as they come, a signal only.
    """

    model: Model | str
    facts: FactsSource
    root: Path
    limits: Limits = field(default_factory=Limits)
    window: int | None = None
    fast: Model | str | None = None
    resume: Path | None = None
    conversation: Conversation = field(default_factory=_alone)
    tools: Sequence[Mountable] = ()
    toolsets: Sequence[AbstractToolset[None]] = ()
    rules: Sequence[Rules] = ()
    told: Callable[[str], None] | None = None


@dataclass(frozen=True)
class Finished:
    """A question that was answered: the run's folder and the answer."""

    folder: Path
    answer: str


async def ask(
    research: Research,
    question: str | None,
    *,
    on_entry: Callable[[Entry], None] | None = None,
) -> Finished:
    """Run a question to its answer; without one, go on with the run that `research` resumes."""
    turns = [finished async for finished in converse(research, question, on_entry=on_entry)]
    return turns[-1]


async def converse(
    research: Research,
    question: str | None,
    *,
    on_entry: Callable[[Entry], None] | None = None,
) -> AsyncIterator[Finished]:
    """Answer a question, then what was said too late for that answer, each in a turn.

    All of it is one run. With `resume` and a question, the question follows up in that run.
    """
    inbox = research.conversation.inbox
    if question is None and research.resume:
        given, waiting = _left(research.resume)
        if given is not None:
            yield Finished(research.resume, given)
            if not waiting:
                return
            question = waiting[0]
    while True:
        finished = await _turn(research, question, on_entry)
        yield finished
        question = inbox.take()
        if question is None:
            return
        research = replace(research, resume=finished.folder)


async def _turn(
    research: Research, question: str | None, on_entry: Callable[[Entry], None] | None
) -> Finished:
    tallybook = Tallybook(
        root=research.root,
        limits=research.limits,
        window=research.window,
        fast=research.fast,
        numbered=True,
        resume=research.resume,
        conversation=research.conversation,
        on_entry=on_entry,
    )
    history: list[ModelMessage] = tallybook.history() if research.resume else []
    if question is None and not history:
        question = _query(research.resume)
    result = await build(research, tallybook).run(
        question, message_history=history or None, usage_limits=UsageLimits(request_limit=None)
    )
    return Finished(tallybook.engine.scratchpad.folder, result.output)


def build(research: Research, tallybook: Tallybook) -> Agent[None, str]:
    """The agent with its tools, mounted on the engine.

    Tools stand in the order of their names and rules behind the prompt, so that two runs with
    the same settings share their beginning in the provider's cache.
    """
    tools = sorted([_financials(research.facts), *research.tools], key=lambda tool: tool.name)
    blot = research.conversation.blot
    own = FunctionToolset([mounted(tool, blot) for tool in tools])
    return Agent(
        Streamed(research.model, research.told),
        name="tallybook",
        instructions=with_rules(prompt("system"), research.rules),
        capabilities=[tallybook],
        toolsets=[own, *research.toolsets],
        model_settings=AnthropicModelSettings(
            anthropic_cache_instructions=True,
            anthropic_cache_tool_definitions=True,
            anthropic_cache_messages=True,
        ),
    )


def _left(folder: Path) -> tuple[str | None, list[str]]:
    """The answer that ended a run, and what was said after it that nobody heard.

    A run that was cut off just behind its answer gets that recorded as the end of the turn.
    """
    with Scratchpad.open(folder, clock=lambda: datetime.now(UTC)) as scratchpad:
        entries = list(scratchpad.entries())
        view = project(entries)
        reply = view.items[-1].message if view.items else None
        if not isinstance(reply, AssistantMessage) or reply.calls:
            return None, []
        if not view.answered:
            scratchpad.append(Answered(reply.text))
        return reply.text, undelivered(entries)


def _query(folder: Path | None) -> str:
    """The question of a run that stopped before the user's words were recorded."""
    first = next(read(folder).entries(), None) if folder else None
    if first is None or not isinstance(first.event, RunStarted):
        raise TallybookError("Nothing was recorded of this run: ask the question again.")
    return first.event.query


def prompt(name: str) -> str:
    """A prompt of this package, as the text of its file."""
    return files("tallybook.research").joinpath("prompts", f"{name}.md").read_text("utf-8")


def _financials(source: FactsSource) -> Mountable:
    async def run(request: FinancialsRequest) -> str:
        return to_json(await get_financials(request, source))

    return Tool(NAME, describe(), FinancialsRequest, run)
