"""The conversation around a run: what is said meanwhile, what is allowed, when to stop.

Nothing of this is needed to keep within a window. It decides what happens between two
requests: who is heard first, whether a call may run, how long a failure is waited for, and
that the last round allowed is used for an answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.settings import ModelSettings

from tallybook.adapters.pydantic_ai.approval import Approve, Gate, allowed
from tallybook.adapters.pydantic_ai.inbox import Inbox, undelivered
from tallybook.engine import ContextEngine
from tallybook.errors import OutOfRounds
from tallybook.models.errors import Failure
from tallybook.models.patience import Patience
from tallybook.scratchpad.events import Allowed, Cautioned, Queued, ToolCall, UserMessage

LAST_WORDS = (
    "The round limit is reached: no tool can be called any more. Answer now from what is known, "
    "and say plainly what is missing and could not be looked up."
)


@dataclass(frozen=True)
class Wait:
    """A failed request is sent again in `seconds`; `why` is a sentence for a person."""

    seconds: float
    why: str


@dataclass(frozen=True)
class Conversation:
    """How a run deals with people and with failures.

    `inbox` has what the user says meanwhile. `approve` is asked before a tool that is not
    read-only runs; None lets all run. After `rounds` replies that call tools the model is
    asked once more for an answer; None is no limit. `on_wait` is told of each pause, a signal;
    `sleep` waits. `blot` takes secrets out of a sentence before it is recorded.
    """

    inbox: Inbox = field(default_factory=Inbox)
    approve: Approve | None = None
    rounds: int | None = None
    patience: Patience = field(default_factory=Patience)
    on_wait: Callable[[Wait], None] | None = None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    blot: Callable[[str], str] = str


class Talk:
    """The conversation of one run under way."""

    def __init__(self, engine: ContextEngine, how: Conversation, question: str) -> None:
        self._engine = engine
        self._how = how
        self._replies = 0
        self._failed = 0
        entries = list(engine.scratchpad.entries())
        waiting = undelivered(entries)
        if waiting and waiting[0] == question:
            del waiting[0]
        how.inbox.attach(self._queued, waiting)
        self._gate = Gate(how.approve, allowed(entries), self._allowed) if how.approve else None

    @property
    def closing(self) -> bool:
        """Whether the next request is the last one allowed."""
        return self._how.rounds is not None and self._replies >= self._how.rounds

    @property
    def waiting(self) -> bool:
        """Whether something was said that is not delivered yet."""
        return len(self._how.inbox) > 0

    def deliver(self, history: list[ModelMessage]) -> None:
        """Say what waits in the inbox, in the record and in the agent's own history."""
        said = []
        while (text := self._how.inbox.take()) is not None:
            self._engine.record(UserMessage(text))
            said.append(UserPromptPart(text))
        last = history[-1] if history else None
        if said and isinstance(last, ModelRequest):
            history[-1] = replace(last, parts=[*last.parts, *said])

    def last_words(self) -> bool:
        """At the limit, tell the model so; False where that is done or not due."""
        view = self._engine.view
        if not self.closing or LAST_WORDS in view.caution:
            return False
        self._engine.record(Cautioned("\n".join(filter(None, (view.caution, LAST_WORDS)))))
        return True

    def settings(self, asked: ModelSettings | None) -> ModelSettings:
        """Waiting is done here, not by the provider's client; the last reply calls no tool."""
        settings: ModelSettings = {**(asked or {}), "max_retries": 0}
        if self.closing:
            settings["tool_choice"] = "none"
        return settings

    def replied(self, response: ModelResponse) -> ModelResponse:
        """Count a reply; from the last one, calls that nobody may make are taken out."""
        self._failed = 0
        if self.closing:
            words = [part for part in response.parts if not isinstance(part, ToolCallPart)]
            response = replace(response, parts=words)
            if not response.text:
                raise self.out_of_rounds("the model called tools instead of answering")
        self._replies += 1
        return response

    def out_of_rounds(self, why: str) -> OutOfRounds:
        """What ends a run that has no closing answer."""
        return OutOfRounds(
            f"The limit of {self._how.rounds} rounds is reached and no closing answer could be had "
            f"({why}). What was found is kept; the run can be resumed for more rounds."
        )

    async def waited(self, failure: Failure) -> bool:
        """Wait as long as a failure is worth it; False to give up."""
        self._failed += 1
        seconds = self._how.patience.pause(failure, self._failed)
        if seconds is None:
            return False
        if self._how.on_wait:
            self._how.on_wait(Wait(seconds, self._how.blot(failure.sentence)))
        await self._how.sleep(seconds)
        return True

    async def lets(self, call: ToolCallPart) -> bool:
        """Whether a call that may write or spend is allowed."""
        if self._gate is None:
            return True
        asked = ToolCall(call.tool_call_id, call.tool_name, call.args_as_json_str())
        return await self._gate.lets(asked)

    def end(self) -> None:
        """The scratchpad is about to close."""
        self._how.inbox.detach()

    def _queued(self, text: str) -> None:
        """Keep what was said; before the run has started it is said with the first request."""
        if self._engine.view.at:
            self._engine.record(Queued(text))

    def _allowed(self, tool: str) -> None:
        self._engine.record(Allowed(tool))
