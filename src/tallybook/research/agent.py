"""The research agent: a Pydantic AI agent with financial tools that never loses a figure.

`ask` runs one question to its end. What it needs from outside (a model, a source of facts,
folders, limits) is passed in; nothing here reads settings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai import Tool as MountedTool
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.toolsets import FunctionToolset
from pydantic_ai.usage import UsageLimits

from tallybook.adapters.pydantic_ai import Tallybook
from tallybook.errors import TallybookError
from tallybook.policy.limits import Limits
from tallybook.scratchpad import Scratchpad, read
from tallybook.scratchpad.events import Answered, AssistantMessage, Entry, RunStarted
from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.financials import (
    NAME,
    FactsSource,
    FinancialsRequest,
    describe,
    get_financials,
    to_json,
)
from tallybook.tools.tool import R, Tool
from tallybook.view.project import project

MOST_ROUNDS = 60


@dataclass(frozen=True)
class Research:
    """What an agent is made of. `window` is in tokens and overrides what is known of the model."""

    model: Model | str
    facts: FactsSource
    root: Path
    limits: Limits = field(default_factory=Limits)
    window: int | None = None
    fast: Model | str | None = None
    resume: Path | None = None
    rounds: int = MOST_ROUNDS


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
    if question is None and research.resume and (given := _answer_given(research.resume)):
        return Finished(research.resume, given)
    tallybook = Tallybook(
        root=research.root,
        limits=research.limits,
        window=research.window,
        fast=research.fast,
        numbered=True,
        resume=research.resume,
        on_entry=on_entry,
    )
    history: list[ModelMessage] = tallybook.history() if research.resume else []
    if question is None and not history:
        question = _query(research.resume)
    agent = build(research, tallybook)
    result = await agent.run(
        question,
        message_history=history or None,
        usage_limits=UsageLimits(request_limit=research.rounds),
    )
    return Finished(tallybook.engine.scratchpad.folder, result.output)


def build(research: Research, tallybook: Tallybook) -> Agent[None, str]:
    """The agent with its tools, mounted on the engine."""
    return Agent(
        research.model,
        name="tallybook",
        instructions=prompt("system"),
        capabilities=[tallybook],
        toolsets=[FunctionToolset([_mounted(_financials(research.facts))])],
    )


def _answer_given(folder: Path) -> str | None:
    """The answer of a run that was cut off just behind it: recorded now as the end of the turn."""
    with Scratchpad.open(folder, clock=lambda: datetime.now(UTC)) as scratchpad:
        items = project(scratchpad.entries()).items
        reply = items[-1].message if items else None
        if not isinstance(reply, AssistantMessage) or reply.calls:
            return None
        scratchpad.append(Answered(reply.text))
        return reply.text


def _query(folder: Path | None) -> str:
    """The question of a run that stopped before the user's words were recorded."""
    first = next(read(folder).entries(), None) if folder else None
    if first is None or not isinstance(first.event, RunStarted):
        raise TallybookError("Nothing was recorded of this run: ask the question again.")
    return first.event.query


def prompt(name: str) -> str:
    """A prompt of this package, as the text of its file."""
    return files("tallybook.research").joinpath("prompts", f"{name}.md").read_text("utf-8")


def _financials(source: FactsSource) -> Tool[FinancialsRequest]:
    async def run(request: FinancialsRequest) -> str:
        return to_json(await get_financials(request, source))

    return Tool(NAME, describe(), FinancialsRequest, run)


def _mounted(tool: Tool[R]) -> MountedTool[None]:
    """A tool as Pydantic AI calls it; a failure becomes a result with status `error`."""

    async def call(**arguments: object) -> str:
        try:
            return await tool.call(arguments)
        except ToolFailure as failure:
            raise ToolFailed(str(failure)) from failure

    mounted = MountedTool[None].from_schema(call, tool.name, tool.description, tool.schema())
    mounted.metadata = {"read_only": tool.read_only}
    return mounted
