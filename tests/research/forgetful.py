"""An agent without the engine: its capability lets results go as roughly as a test wants.

`Memory` records what each tool returned, under numbers, and is what `recall` reads. What the
model sees is edited by a function of a test's choice; nothing else is kept anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec
from pydantic_ai import Agent, RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models import ModelRequestContext

from tallybook.errors import RecallError, ScratchpadError
from tallybook.recall import recall, recall_spec
from tallybook.research.analyst import OfflineAnalyst
from tallybook.scratchpad.events import RECALL, Body, Entry, ToolResult
from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.financials import NAME, FinancialsRequest, get_financials, to_json
from tallybook.tools.finance.sample import Sample
from tallybook.view import notes

Edit = Callable[[list[ModelMessage]], list[ModelMessage]]


@dataclass
class Memory:
    """What the tools returned, numbered in the order of their calls' ids, and all calls made."""

    folder: Path = field(default_factory=Path)
    texts: dict[int, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)

    @property
    def seq(self) -> int:
        """The number of the last result."""
        return max(self.texts, default=0)

    def entries(self, start: int = 1) -> Iterator[Entry]:
        """The results, as a run would hold them."""
        for seq, text in self.texts.items():
            if seq >= start:
                result = ToolResult("", NAME, Body(text=text, chars=len(text)), read_only=True)
                yield Entry(seq, datetime(2026, 12, 1, tzinfo=UTC), result)

    def text(self, seq: int) -> str:
        """What was returned under a number."""
        if seq not in self.texts:
            raise ScratchpadError(f"there is no entry {seq}")
        return self.texts[seq]

    def keep(self, call_id: str, text: str) -> None:
        """Keep a result under the next number."""
        self.numbers[call_id] = self.seq + 3
        self.texts[self.seq + 3] = text


@dataclass
class Forgetful(AbstractCapability[None]):
    """Shows the model what `edit` leaves of the history, each result under its number."""

    memory: Memory
    edit: Edit

    async def before_model_request(
        self, ctx: RunContext[None], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Number what is new, then edit the copy that is sent."""
        for message in request_context.messages:
            for part in message.parts:
                if (
                    isinstance(part, ToolReturnPart)
                    and part.tool_call_id not in self.memory.numbers
                ):
                    self.memory.keep(part.tool_call_id, str(part.content))
        shown = [self._numbered(message) for message in request_context.messages]
        return replace(request_context, messages=self.edit(shown))

    def _numbered(self, message: ModelMessage) -> ModelMessage:
        return on_results(
            message,
            lambda part: replace(part, metadata={"seq": self.memory.numbers[part.tool_call_id]}),
        )


def on_results(
    message: ModelMessage, change: Callable[[ToolReturnPart], ToolReturnPart]
) -> ModelMessage:
    """A message with its results changed."""
    if isinstance(message, ModelResponse):
        return message
    parts = [change(part) if isinstance(part, ToolReturnPart) else part for part in message.parts]
    return replace(message, parts=parts)


def cleared(part: ToolReturnPart) -> ToolReturnPart:
    """A result as a note."""
    text = str(part.content)
    seq = int(part.metadata["seq"])
    return replace(part, content=notes.cleared(seq, Body(text=text, chars=len(text))))


def capped(part: ToolReturnPart, keep: int = 900) -> ToolReturnPart:
    """The beginning of a result, and a note."""
    text = str(part.content)
    seq = int(part.metadata["seq"])
    return replace(part, content=notes.capped(seq, text, keep, len(text)))


def old(messages: list[ModelMessage]) -> list[ModelMessage]:
    """All but the last reply and its results."""
    return messages[:-2]


def see_all(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Nothing is let go."""
    return messages


def forget_results(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Old results become notes; those of the tool are capped from the start."""
    kept = messages[len(old(messages)) :]
    return [
        *(on_results(message, cleared) for message in old(messages)),
        *(on_results(message, _capped_financials) for message in kept),
    ]


def forget_words(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Old results become notes, and old words beside calls are gone too."""
    return [
        *(_wordless(message) for message in forget_results(messages)[: len(old(messages))]),
        *forget_results(messages)[len(old(messages)) :],
    ]


def drop_rounds(messages: list[ModelMessage]) -> list[ModelMessage]:
    """Only the question and the last two rounds are left, without a word on the rest."""
    return [*messages[:1], *forget_results(messages)[max(1, len(messages) - 4) :]]


def _capped_financials(part: ToolReturnPart) -> ToolReturnPart:
    return capped(part) if part.tool_name == NAME and len(str(part.content)) > 1200 else part


def _wordless(message: ModelMessage) -> ModelMessage:
    if isinstance(message, ModelRequest):
        return message
    return replace(message, parts=[p for p in message.parts if not isinstance(p, TextPart)])


def agent(memory: Memory, edit: Edit, *, window: int = 12_000) -> Agent[None, str]:
    """An agent of the offline analyst with the sample's figures and this memory."""

    async def financials(**arguments: object) -> str:
        try:
            request = msgspec.convert(arguments, FinancialsRequest, strict=False)
            return to_json(await get_financials(request, Sample()))
        except ToolFailure as failure:
            raise ToolFailed(str(failure)) from failure

    def bring_back(**arguments: object) -> str:
        try:
            return recall(memory, msgspec.json.encode(arguments).decode(), limit=2_000)
        except RecallError as error:
            raise ToolFailed(str(error)) from error

    schema = msgspec.json.schema(FinancialsRequest)["$defs"]["FinancialsRequest"]
    tools: list[Tool[None]] = [
        Tool.from_schema(financials, NAME, "figures", schema),
        Tool.from_schema(
            bring_back, RECALL, "recall", msgspec.json.decode(recall_spec().parameters or b"{}")
        ),
    ]
    analyst = OfflineAnalyst(window=window, today=date(2026, 12, 1))
    return Agent(analyst, tools=tools, capabilities=[Forgetful(memory, edit)])


def calls_of(messages: list[ModelMessage]) -> list[tuple[str, str]]:
    """Every call in a history, as name and arguments."""
    return [
        (part.tool_name, part.args_as_json_str())
        for message in messages
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]
