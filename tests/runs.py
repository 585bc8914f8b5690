"""Generated runs: what an agent could do, as events in a legal order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from hypothesis import strategies as st

from tallybook.policy.decide import Decision, decide
from tallybook.policy.limits import Limits
from tallybook.policy.needs import NeedMemoryFlush, NeedSummary
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Entry,
    Event,
    MemoryFlushed,
    Message,
    RunStarted,
    Status,
    Summarized,
    SummaryAsked,
    SummaryRefused,
    ToolCall,
    ToolResult,
    Usage,
    UserMessage,
)
from tallybook.scratchpad.grammar import Grammar
from tallybook.view.project import step
from tallybook.view.view import View

Decided = TypeVar("Decided")

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

PROSE = "Revenue rose on strong demand for data centre products. "
TABLE = '{"end":"2025-06-28","val":94036000000,"form":"10-Q"},'
CHINESE = "公司本季度营业收入同比增长，毛利率有所提高。"
BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"


@dataclass(frozen=True)
class Step:
    """One reply with its results, and what the user says after it."""

    reply: AssistantMessage
    results: tuple[ToolResult, ...]
    said: str = ""


def text(kind: str, chars: int) -> str:
    """Text of about this length."""
    return (kind * (chars // len(kind) + 1))[:chars]


def result(
    call_id: str,
    shown: str,
    *,
    tool: str = "get",
    status: Status = "ok",
    read_only: bool = True,
) -> ToolResult:
    """A tool result with this text."""
    return ToolResult(call_id, tool, Body(text=shown, chars=len(shown)), status, read_only)


def entries(events: Iterator[Event] | list[Event]) -> list[Entry]:
    """Number events from 1."""
    return [Entry(seq, NOW, event) for seq, event in enumerate(events, 1)]


def opening(window: int = 128_000, system: str = "You are an analyst.") -> list[Event]:
    """The start of a run."""
    question = "What was the revenue?"
    return [RunStarted(question, system, window=window), UserMessage(question)]


def one_round(number: int, *shown: str, read_only: bool = True, words: str = "") -> list[Message]:
    """A reply with one call for each text, and their results."""
    calls = tuple(
        ToolCall(f"c{number}_{i}", "get", f'{{"q":"item {number} part {i}"}}')
        for i in range(len(shown))
    )
    results = [
        result(call.id, one, read_only=read_only) for call, one in zip(calls, shown, strict=True)
    ]
    return [AssistantMessage(words, calls=calls), *results]


@st.composite
def texts(draw: st.DrawFn, longest: int = 20_000) -> str:
    """A text of one kind, from empty to long."""
    kind = draw(st.sampled_from([PROSE, TABLE, CHINESE, BASE64, "\u2028x\r\n", "0123456789 "]))
    return text(kind, draw(st.integers(0, longest)))


@st.composite
def steps(draw: st.DrawFn, longest: int = 20_000) -> Step:
    """One round, with ids that repeat as some providers' do."""
    count = draw(st.integers(1, 3))
    ids = draw(st.sampled_from([("a", "b", "c"), ("call_0", "call_0", "call_0"), ("", "", "")]))
    calls = tuple(ToolCall(ids[i], "get", f'{{"n":{i}}}') for i in range(count))
    results = tuple(
        result(
            call.id,
            draw(texts(longest)),
            status=draw(st.sampled_from(["ok", "ok", "ok", "error"])),
            read_only=draw(st.booleans()) or draw(st.booleans()),
        )
        for call in calls
    )
    reply = AssistantMessage(
        draw(texts(300)),
        draw(st.sampled_from(["", "I should look at the filing. " * 5])),
        calls,
        draw(st.sampled_from([None, Usage(1), Usage(0)])),
    )
    return Step(reply, results, draw(st.sampled_from(["", "", "", "Only fiscal years, please."])))


def runs(most: int = 30, longest: int = 20_000) -> st.SearchStrategy[list[Step]]:
    """A whole run after its opening."""
    return st.lists(steps(longest), min_size=1, max_size=most)


class Fold:
    """A run folded as it grows, with the decisions of a policy applied as they come."""

    def __init__(self, limits: Limits, events: list[Event] | None = None) -> None:
        self.limits = limits
        self.view = View()
        self._grammar = Grammar()
        self.decisions: list[Decision] = []
        self.add(*(opening() if events is None else events))

    def add(self, *events: Event) -> Fold:
        """Take events into account; what a scratchpad would refuse is refused."""
        for event in events:
            entry = Entry(self.view.at + 1, NOW, event)
            self._grammar.check(event)
            self._grammar.take(entry)
            self.view = step(self.view, entry)
        return self

    def decide(self) -> Decision:
        """What the policy says now."""
        return decide(self.view, self.limits)

    def need(self) -> NeedSummary | None:
        """Apply decisions up to a request for a summary, and return that."""
        while (decision := self.decide()) is not None:
            if isinstance(decision, NeedSummary):
                return decision
            assert not isinstance(decision, NeedMemoryFlush)
            self.decisions.append(decision)
            self.add(decision)
        return None

    def settle(self, summary: str | None = None) -> View:
        """Apply decisions until there are none; requests get `summary`, or fail without one."""
        while (decision := self.decide()) is not None:
            self.decisions.append(decision)
            match decision:
                case NeedMemoryFlush():
                    self.add(MemoryFlushed())
                case NeedSummary(through=through) if summary is None:
                    self.add(SummaryAsked(through), SummaryRefused(through, "no model"))
                case NeedSummary(through=through):
                    self.add(SummaryAsked(through), Summarized(through, summary or ""))
                case _:
                    self.add(decision)
            assert len(self.decisions) < 500, "the policy does not settle"
        return self.view

    def made(self, kind: type[Decided]) -> list[Decided]:
        """The decisions of one kind so far."""
        return [decision for decision in self.decisions if isinstance(decision, kind)]
