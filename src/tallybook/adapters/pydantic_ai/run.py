"""What one run of an agent knows: its engine, and how much of the history is recorded."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from pydantic_ai import RunContext, ToolReturn
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import (
    CapabilityEvent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestContext
from pydantic_ai.run import AgentRunResult
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from tallybook.adapters.pydantic_ai.approval import DENIED
from tallybook.adapters.pydantic_ai.frame import is_read_only, question, spec_of, system_of
from tallybook.adapters.pydantic_ai.messages import prompt_event, reply_event, result_event
from tallybook.adapters.pydantic_ai.talk import Talk
from tallybook.engine import ContextEngine
from tallybook.errors import OutOfRounds, TallybookError
from tallybook.models.errors import Failure, understand_exception
from tallybook.models.windows import resolve
from tallybook.policy.memory import kept
from tallybook.policy.needs import Need, NeedMemoryFlush
from tallybook.scratchpad.events import (
    Allowed,
    Answered,
    Body,
    Entry,
    Message,
    ModelChanged,
    Queued,
    RunStarted,
    Stopped,
    ToolResult,
)
from tallybook.view.view import View


@dataclass(kw_only=True)
class ContextEvent(CapabilityEvent, namespace="tallybook"):
    """Something was let go, or a summary asked for: `what` is the event, `detail` it as JSON."""

    seq: int
    what: str
    detail: str


class Run:
    """The state of one run; the capability's hooks call it in the order of their names."""

    def __init__(
        self,
        window: int | None,
        fast: Model | str | None,
        remember: Callable[[str], None] | None,
        numbered: bool,
    ) -> None:
        self._window = window
        self._fast = fast
        self._remember = remember
        self._numbered = numbered
        self._engine: ContextEngine | None = None
        self._talk: Talk | None = None
        self._heard = 0
        self._replies = 0
        self._returned: Counter[str] = Counter()
        self._extras: list[Sequence[UserContent]] = []
        self._read_only: dict[str, bool] = {}
        self._reply_tokens: int | None = None
        self._told: Callable[[Entry], None] | None = None
        self._news: list[Entry] = []

    @property
    def engine(self) -> ContextEngine:
        """The engine, once the scratchpad is open."""
        if self._engine is None:
            raise UserError("Tallybook's scratchpad is not open: the run has not started.")
        return self._engine

    @property
    def talk(self) -> Talk:
        """The conversation, once the scratchpad is open."""
        if self._talk is None:
            raise UserError("Tallybook's scratchpad is not open: the run has not started.")
        return self._talk

    def open(self, engine: ContextEngine, talk: Talk, told: Callable[[Entry], None] | None) -> None:
        """Start from what the scratchpad holds already; `told` is told of every entry."""
        self._engine = engine
        self._talk = talk
        self._told = told

    def noted(self, entry: Entry) -> None:
        """Pass an entry on, and keep what the agent's event stream should show."""
        if self._told:
            self._told(entry)
        if not isinstance(
            entry.event, RunStarted | Message | Queued | Allowed | Answered | Stopped
        ):
            self._news.append(entry)

    async def report(self, ctx: RunContext[Any]) -> None:
        """Put what was let go since the last time into the agent's event stream."""
        news, self._news = self._news, []
        for entry in news:
            kind = type(entry.event).__name__
            detail = msgspec.json.encode(entry.event).decode()
            await ctx.emit(ContextEvent(seq=entry.seq, what=kind, detail=detail))

    def begin(self, ctx: RunContext[Any], request: ModelRequestContext) -> None:
        """Record what frames the run, at the start and whenever it changes."""
        tools = tuple(map(spec_of, request.model_request_parameters.function_tools))
        self._read_only = {tool.name: tool.read_only for tool in tools}
        model = f"{request.model.system}:{request.model.model_name}"
        window = self._window or request.model.context_window or resolve(model).window
        system = system_of(ctx.messages, request)
        view = self.engine.view
        if not view.at:
            start = RunStarted(question(ctx), system, tools, model, window, self._numbered)
            self.engine.record(start)
        elif (view.system, view.tools, view.model) != (system, tools, model):
            self.engine.record(ModelChanged(model, window, system, tools))

    def hear(self, messages: Sequence[ModelMessage]) -> None:
        """Record what was added to the agent's history since the last time."""
        run = self.engine.scratchpad.id
        for message in messages[self._heard :]:
            if (message.metadata or {}).get("tallybook") == run:
                continue
            if isinstance(message, ModelRequest):
                self._hear(message)
            elif self._replies:
                self._replies -= 1
            else:
                self.engine.record(reply_event(message))
        self._heard = len(messages)

    async def settled(self, history: list[ModelMessage]) -> View:
        """The view to send: everything said is in it, and what had to be written is written."""
        while True:
            self.talk.deliver(history)
            step = self.engine.next()
            if isinstance(step, Need):
                await self.supply(step)
            elif not self.talk.waiting and not self.talk.last_words():
                return step

    async def supply(self, need: Need) -> None:
        """Have a text written by the fast model; without one, or when it fails, hand in nothing."""
        text, model = None, ""
        if self._fast is not None:
            try:
                reply = await model_request(
                    self._fast, [ModelRequest.user_text_prompt(need.prompt)]
                )
                text, model = reply_event(reply).text, reply.model_name or ""
            except AgentRunError:
                text = None
        if isinstance(need, NeedMemoryFlush) and self._remember and kept(text or ""):
            self._remember(kept(text or ""))
        self.engine.supply(need, text, model=model)

    def dressed(
        self, view: list[ModelMessage], history: Sequence[ModelMessage]
    ) -> list[ModelMessage]:
        """Put back what is no message: system prompts in front, instructions at the end."""
        prompts = [
            part
            for message in history
            if isinstance(message, ModelRequest)
            for part in message.parts
            if isinstance(part, SystemPromptPart)
        ]
        if prompts and isinstance(view[0], ModelRequest):
            view[0] = replace(view[0], parts=[*prompts, *view[0].parts])
        last = history[-1]
        if isinstance(view[-1], ModelRequest) and isinstance(last, ModelRequest):
            view[-1] = replace(view[-1], instructions=last.instructions)
        return view

    def settings(self, asked: ModelSettings | None) -> ModelSettings | None:
        """The settings of a request, with a smaller reply where the provider wants one."""
        if self._reply_tokens is None:
            return asked
        return {**(asked or {}), "max_tokens": self._reply_tokens}

    def asks_for_less(self, failure: Failure, asked: ModelSettings | None) -> bool:
        """Whether a refusal is about the reply alone; then ask for a smaller one.

        Where the provider does not say how much it allows, half of what was asked.
        """
        if not failure.by_reply:
            return False
        now = (asked or {}).get("max_tokens")
        prompt = failure.prompt if failure.kind == "overflow" else 0
        less = failure.limit - (prompt or 0) if failure.limit else (now or 0) // 2
        if less < 1 or (now is not None and less >= now):
            return False
        self._reply_tokens = less
        return True

    def replied(self, response: ModelResponse) -> None:
        """Record a reply of the model."""
        self.engine.record(reply_event(response))
        self._replies += 1
        self._returned.clear()

    def returned(self, call: ToolCallPart, tool: ToolDefinition, result: object) -> None:
        """Record what a tool returned; what it adds for the model to see belongs to it."""
        extra: Sequence[UserContent] = ()
        if isinstance(result, ToolReturn):
            content = result.content
            extra = [content] if isinstance(content, str) else content or ()
            result = result.return_value
        if extra:
            self._extras.append(extra)
        part = ToolReturnPart(call.tool_name, result, call.tool_call_id)
        event = result_event(part, read_only=is_read_only(tool), extra=extra)
        self.engine.record(event)
        self._returned[call.tool_call_id] += 1

    def denied(self, call: ToolCallPart) -> str:
        """Record that the user did not allow a call; what the model is told."""
        text = DENIED.format(tool=call.tool_name)
        body = Body(text=text, chars=len(text))
        self.engine.record(ToolResult(call.tool_call_id, call.tool_name, body, "denied"))
        self._returned[call.tool_call_id] += 1
        return text

    def answered(self, result: AgentRunResult[Any]) -> None:
        """Record the rest of the history and the final answer."""
        self.hear(result.all_messages())
        output = result.output
        self.engine.record(Answered(output if isinstance(output, str) else repr(output)))

    def stopped(self, error: BaseException, blot: Callable[[str], str]) -> None:
        """Record why the run ended without an answer, without secrets."""
        match error:
            case asyncio.CancelledError() | KeyboardInterrupt() | GeneratorExit():
                self.engine.record(Stopped("stopped by the user", "user"))
            case OutOfRounds():
                self.engine.record(Stopped(blot(str(error)), "limit"))
            case TallybookError():
                self.engine.record(Stopped(blot(str(error))))
            case _:
                self.engine.record(Stopped(blot(understand_exception(error).sentence)))

    def _hear(self, message: ModelRequest) -> None:
        for part in message.parts:
            match part:
                case SystemPromptPart():
                    continue
                case ToolReturnPart(tool_call_id=call_id) if self._returned[call_id]:
                    self._returned[call_id] -= 1
                case ToolReturnPart(tool_name=name):
                    read_only = self._read_only.get(name, False)
                    self.engine.record(result_event(part, read_only=read_only))
                case UserPromptPart(content=content) if content in self._extras:
                    self._extras.remove(content)
                case _:
                    self.engine.record(prompt_event(part))
