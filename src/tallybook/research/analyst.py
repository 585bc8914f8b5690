"""The offline analyst: a rule-based model, no language model, and honest about it.

It implements Pydantic AI's `Model`, so the same agent, engine and tools run with it. It
plans calls from the question, brings back with `recall` what left its view, and answers with
tables in which every figure names its result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from itertools import islice

from pydantic_ai.messages import ModelMessage, ModelResponsePart, TextPart, ToolCallPart
from pydantic_ai.models import ModelRequestParameters

from tallybook.models.local import LocalModel
from tallybook.policy.limits import Limits
from tallybook.research.answer import Answer, answer, sorry
from tallybook.research.facts import (
    Fact,
    Fetched,
    facts,
    fetched,
    noted,
    notes,
    recalls,
    rounds,
    said,
)
from tallybook.research.periods import Periods
from tallybook.research.question import Question, understand
from tallybook.scratchpad.events import RECALL
from tallybook.tools.finance.financials import NAME

_SUPPORT = {
    "gross_margin": ("revenue", "cost_of_revenue", "gross_profit"),
    "operating_margin": ("revenue", "operating_income"),
    "net_margin": ("revenue", "net_income"),
    "free_cash_flow": ("operating_cash_flow", "capital_expenditure"),
    "free_cash_flow_margin": ("revenue", "free_cash_flow"),
}
"""What a ratio or a difference is made of is fetched with it, so that it can be checked."""

_USUAL = Periods("quarterly", 4)
_ROW_CHARS = 450
_AT_ONCE = 6
_MOST_ROUNDS = 50

Key = tuple[str, str, str]


class OfflineAnalyst(LocalModel):
    """Answers questions on companies × line items × periods, from the tools it is offered."""

    def __init__(self, *, window: int | None = None, today: date | None = None) -> None:
        self._window = window or 128_000
        super().__init__("offline-analyst", window=self._window)
        self._today = today

    async def reply(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters
    ) -> list[ModelResponsePart]:
        """The next calls, or the answer."""
        offered = {tool.name for tool in parameters.function_tools}
        asked = understand(said(messages), self._today or date.today())
        if not asked.answerable or NAME not in offered:
            return [TextPart(sorry(asked))]
        plan = _Plan(asked, messages, rows_a_page(self._window))
        if calls := plan.missing_calls():
            return [*plan.notes(), *calls]
        if RECALL in offered and (calls := plan.missing_recalls()):
            return [*plan.notes(), *calls]
        return [TextPart(answer(plan.result()))]


class _Plan:
    """What is asked, what is known, and what has to be fetched or brought back for it."""

    def __init__(self, asked: Question, messages: list[ModelMessage], rows: int) -> None:
        self.asked = asked
        self._rows = rows
        self._rounds = rounds(messages)
        self.periods = asked.periods or _USUAL
        self.known = facts(messages)
        self.fetched = fetched(messages)
        self.recalled = recalls(messages)
        self._noted = {fact.key for message in messages for fact in noted(message)}

    def missing_calls(self) -> list[ToolCallPart]:
        """One call for each company that was not asked for yet."""
        return [
            _call(NAME, self._arguments(ticker))
            for ticker in self.asked.tickers
            if self._source(ticker) is None and not self._is_complete(ticker)
        ]

    def missing_recalls(self) -> list[ToolCallPart]:
        """Recalls of parts that are not in sight, each asked for once; a few at a time."""
        if self._rounds > _MOST_ROUNDS:
            return []
        wanted = (
            arguments
            for ticker in self.asked.tickers
            for item in self.asked.items
            for arguments in self._parts(ticker, item)
            if json.dumps(arguments, separators=(",", ":")) not in self.recalled
        )
        return [_call(RECALL, arguments) for arguments in islice(wanted, _AT_ONCE)]

    def notes(self) -> list[TextPart]:
        """What came into sight since the last reply and is asked for, in a line each."""
        wanted = [fact for fact in self.known.values() if self._is_wanted(fact)]
        fresh = notes(fact for fact in wanted if fact.key not in self._noted)
        return [TextPart(fresh)] if fresh else []

    def result(self) -> Answer:
        """Everything the answer needs."""
        chosen = {fact.key: fact for fact in self.known.values() if self._is_wanted(fact)}
        failures = {
            ticker: source.failed
            for ticker in self.asked.tickers
            if (source := self._source(ticker)) and source.failed
        }
        return Answer(self.asked, self.periods, chosen, failures)

    def _arguments(self, ticker: str) -> dict[str, object]:
        support = [part for item in self.asked.items for part in _SUPPORT.get(item, ())]
        arguments: dict[str, object] = {
            "tickers": [ticker],
            "items": list(dict.fromkeys([*self.asked.items, *support])),
            "period": self.periods.kind,
            "limit": self.periods.count,
        }
        if self.periods.start and self.periods.end:
            arguments |= {
                "start": self.periods.start.isoformat(),
                "end": self.periods.end.isoformat(),
            }
        return arguments

    def _source(self, ticker: str) -> Fetched | None:
        """The latest call that answers this question for a company."""
        return next(
            (
                call
                for call in reversed(self.fetched)
                if ticker in call.tickers
                and call.period in (self.periods.kind, "")
                and (not call.items or set(self.asked.items) <= set(call.items))
            ),
            None,
        )

    def _parts(self, ticker: str, item: str) -> Iterator[dict[str, object]]:
        """The slices of an item's rows that hold something not in sight."""
        source = self._source(ticker)
        if source is None or source.failed or source.whole:
            return
        known = sum(key[:2] == (ticker, item) for key in self.known)
        if known >= self.periods.count:
            return
        for start in range(0, self.periods.count, self._rows):
            end = min(start + self._rows, self.periods.count)
            yield {"seq": source.seq, "path": f"$.companies[0].items.{item}[{start}:{end}]"}

    def _is_complete(self, ticker: str) -> bool:
        """Whether every period of every item asked for is in sight."""
        return all(
            sum(key[:2] == (ticker, item) for key in self.known) >= self.periods.count
            for item in self.asked.items
        )

    def _is_wanted(self, fact: Fact) -> bool:
        ticker, item, period = fact.key
        named = not self.periods.labels or period in self.periods.labels
        return ticker in self.asked.tickers and item in self.asked.items and named


def rows_a_page(window: int) -> int:
    """How many rows of a result one recall brings whole, in a window of so many tokens."""
    return max(1, min(8, Limits().recall_chars(window) // _ROW_CHARS))


def _call(name: str, arguments: dict[str, object]) -> ToolCallPart:
    written = json.dumps(arguments, separators=(",", ":"))
    return ToolCallPart(name, written)
