"""The capability: record before anything is let go, send the view, offer `recall`.

A request refused as too long is sent again, smaller. The agent's own history stays whole:
only what goes on the wire changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, WrapRunHandler, WrapToolExecuteHandler
from pydantic_ai.exceptions import RetryModelRequest, ToolFailed, UserError
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import Model, ModelRequestContext
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import Tool, ToolDefinition
from pydantic_ai.toolsets import FunctionToolset

from tallybook.adapters.pydantic_ai.frame import is_read_only, question
from tallybook.adapters.pydantic_ai.messages import render
from tallybook.adapters.pydantic_ai.run import Run
from tallybook.adapters.pydantic_ai.talk import Conversation, Talk
from tallybook.engine import ContextEngine
from tallybook.errors import RecallError
from tallybook.models.errors import understand_exception
from tallybook.policy.limits import Limits
from tallybook.recall.tool import recall_spec
from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.events import Entry
from tallybook.view.project import project


@dataclass(kw_only=True)
class Tallybook(AbstractCapability[Any]):
    """Keep this agent's runs in `root`, one folder each, and its requests within the window.

    `window` (tokens) overrides what is known of the model. `fast` writes summaries; without
    it they are put together without a model. `remember` takes the notes of a memory flush.
    `resume` is the folder of a run to go on with. `numbered` shows each result's number.
    `conversation` says how people and failures are dealt with.
    `on_entry` is told of every entry; what was let go also stands in the agent's own event
    stream, as a `ContextEvent`.
    """

    root: Path = Path(".tallybook/runs")
    limits: Limits = field(default_factory=Limits)
    window: int | None = None
    fast: Model | str | None = None
    numbered: bool = False
    resume: Path | None = None
    conversation: Conversation = field(default_factory=Conversation)
    on_entry: Callable[[Entry], None] | None = None
    remember: Callable[[str], None] | None = None
    id: str | None = "tallybook"
    _run: Run | None = field(default=None, init=False, repr=False)

    @property
    def engine(self) -> ContextEngine:
        """The engine of the run under way, or of the last one."""
        return self._state.engine

    def history(self) -> list[ModelMessage]:
        """What to pass as `message_history` to go on with the run in `resume`.

        Opening it closes what a crash left open: calls without a result become interrupted.
        """
        with self._open("") as scratchpad:
            return render(project(scratchpad.entries()), run=scratchpad.id)

    async def for_run(self, ctx: RunContext[Any]) -> Tallybook:
        """Each run of the agent is a run of ours."""
        del ctx
        copy = replace(self)
        self._run = copy._run = Run(self.window, self.fast, self.remember, self.numbered)
        return copy

    async def wrap_run(
        self, ctx: RunContext[Any], *, handler: WrapRunHandler
    ) -> AgentRunResult[Any]:
        """Hold the scratchpad open for the run, and say how it ended."""
        run = self._state
        limits = replace(self.limits, memory=self.limits.memory and self.remember is not None)
        with self._open(question(ctx)) as scratchpad:
            engine = ContextEngine(scratchpad, limits, on_entry=run.noted)
            run.open(engine, Talk(engine, self.conversation, question(ctx)), self.on_entry)
            try:
                result = await handler()
            except BaseException as error:
                run.stopped(error, self.conversation.blot)
                raise
            finally:
                run.talk.end()
            run.answered(result)
        return result

    def get_toolset(self) -> FunctionToolset[Any]:
        """`recall`, beside the agent's own tools."""
        spec = recall_spec()
        schema = json.loads(bytes(spec.parameters or b"{}"))
        tool: Tool[Any] = Tool.from_schema(self._recall, spec.name, spec.description, schema)
        return FunctionToolset([tool], id="tallybook", metadata={"read_only": True})

    async def prepare_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Record what is new, then send the view."""
        run = self._state
        run.begin(ctx, request_context)
        run.hear(ctx.messages)
        step = await run.settled(ctx.messages)
        await run.report(ctx)
        messages = render(step, run=run.engine.scratchpad.id)
        return replace(
            request_context,
            messages=run.dressed(messages, ctx.messages),
            model_settings=run.settings(run.talk.settings(request_context.model_settings)),
        )

    async def after_model_request(
        self,
        ctx: RunContext[Any],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        """Record the reply with its bill, before any of its tools runs."""
        del ctx, request_context
        response = self._state.talk.replied(response)
        self._state.replied(response)
        return response

    async def on_model_request_error(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, error: Exception
    ) -> ModelResponse:
        """Too long: learn what the provider says, and try again with a smaller view.

        Where the prompt fits and only the reply was allowed too much, a lower `max_tokens` is
        enough and nothing is let go. What passes is waited for; all else ends the run.
        """
        del ctx
        run, failure = self._state, understand_exception(error)
        if run.asks_for_less(failure, request_context.model_settings):
            raise RetryModelRequest from error
        if failure.kind == "overflow":
            run.engine.overflowed(
                failure.sentence, limit=failure.limit, requested=failure.requested
            )
            raise RetryModelRequest from error
        if await run.talk.waited(failure):
            raise RetryModelRequest from error
        if run.talk.closing:
            raise run.talk.out_of_rounds(failure.sentence.rstrip(".")) from error
        raise error

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: WrapToolExecuteHandler,
    ) -> object:
        """Run a tool, if it only reads or the user lets it."""
        del ctx
        run = self._state
        if tool_def.kind != "function" or is_read_only(tool_def) or await run.talk.lets(call):
            return await handler(args)
        return run.denied(call)

    async def after_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        result: object,
    ) -> object:
        """Record a result the moment it is there."""
        del ctx, args
        self._state.returned(call, tool_def, result)
        return result

    @property
    def _state(self) -> Run:
        if self._run is None:
            raise UserError("No run has started: Tallybook opens its scratchpad when one does.")
        return self._run

    def _open(self, query: str) -> Scratchpad:
        if self.resume:
            return Scratchpad.open(self.resume, clock=_now)
        return Scratchpad.create(self.root, query, clock=_now)

    async def _recall(self, **arguments: object) -> str:
        try:
            return self.engine.recall(json.dumps(arguments))
        except RecallError as error:
            raise ToolFailed(str(error)) from error


def _now() -> datetime:
    return datetime.now(UTC)
