"""The research agent over real HTTP, with tools that a test can watch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from tallybook.adapters.pydantic_ai import Conversation, Inbox, Wait
from tallybook.adapters.pydantic_ai.approval import Approve, deny
from tallybook.models.patience import Patience
from tallybook.research.agent import Research
from tallybook.scratchpad import read
from tallybook.scratchpad.events import Event
from tallybook.testing import LoopbackProvider
from tallybook.tools.finance.sample import Sample
from tallybook.tools.tool import Tool
from tests.providers import Wire
from tests.runs import TABLE, text

E = TypeVar("E", bound=Event)


class Page(msgspec.Struct, frozen=True):
    number: int


class Order(msgspec.Struct, frozen=True):
    shares: int = 1


@dataclass
class Desk:
    """Tools, an inbox, and what happened: pages read, orders placed, pauses made."""

    root: Path
    chars: int = 1_500
    on_page: Callable[[int], None] = lambda number: None
    inbox: Inbox = field(default_factory=Inbox)
    read: list[int] = field(default_factory=list)
    placed: list[int] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    def research(
        self,
        wire: Wire,
        provider: LoopbackProvider,
        *,
        rounds: int = 100,
        approve: Approve = deny,
        resume: Path | None = None,
        blot: Callable[[str], str] = str,
    ) -> Research:
        conversation = Conversation(
            inbox=self.inbox,
            approve=approve,
            rounds=rounds,
            patience=Patience(chance=lambda: 0.0),
            on_wait=self.waits.append,
            sleep=self._sleep,
            blot=blot,
        )
        tools = (
            Tool("page", "Read a page.", Page, self._page),
            Tool("order", "Buy shares.", Order, self._order, read_only=False),
        )
        return Research(
            wire(provider),
            Sample(),
            self.root,
            resume=resume,
            conversation=conversation,
            tools=tools,
        )

    async def _page(self, request: Page) -> str:
        self.read.append(request.number)
        self.on_page(request.number)
        return f"Page {request.number}: {text(TABLE, self.chars)}"

    async def _order(self, request: Order) -> str:
        self.placed.append(request.shares)
        return f"bought {request.shares}"

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


def events(folder: Path) -> list[Event]:
    """All events of a run."""
    return [entry.event for entry in read(folder).entries()]


def of(kind: type[E], found: Sequence[Event]) -> list[E]:
    """Those of one kind."""
    return [event for event in found if isinstance(event, kind)]


def strings(value: object) -> list[str]:
    """Every text in a JSON value, in its order."""
    match value:
        case str():
            return [value]
        case dict():
            return [one for part in value.values() for one in strings(part)]
        case list():
            return [one for part in value for one in strings(part)]
        case _:
            return []
