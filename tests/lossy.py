"""A research run whose summarizer loses half of the figures and alters some of the rest."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

import msgspec

from tallybook.engine import ContextEngine
from tallybook.policy.needs import Need, NeedSummary
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    RunStarted,
    ToolCall,
    ToolResult,
    UserMessage,
)
from tallybook.tools.finance.financials import FinancialsRequest, get_financials, to_json
from tallybook.tools.finance.sample import Sample
from tallybook.view.view import View

COMPANIES = ("NVDA", "AAPL", "GOOGL", "MRVL")
CALLS = (("revenue", "net_income"), ("free_cash_flow",), ("gross_profit", "eps_diluted"), ("cash",))
ITEMS = ("revenue", "net_income", "free_cash_flow")
QUERY = (
    "Compare revenue, net income and free cash flow of NVIDIA, Apple, Alphabet and Marvell over "
    "the last eight quarters."
)


class Row(msgspec.Struct, frozen=True):
    """One figure of a result, read without the code under test."""

    ticker: str
    item: str
    end: str
    value: Decimal


class _Company(msgspec.Struct):
    ticker: str
    items: dict[str, list[Row]]


class _Result(msgspec.Struct):
    companies: list[_Company]


@dataclass
class LossySummarizer:
    """Writes a figure a line: half of what it reads, one in twenty with another first digit.

    `altered` are the lines with a wrong figure, up to it. What it wrote before it forgets; asked
    again, it repeats itself.
    """

    seed: int
    rows: dict[int, tuple[Row, ...]] = field(default_factory=dict)
    altered: set[str] = field(default_factory=set)

    def write(self, need: NeedSummary) -> str:
        chance = random.Random(f"{self.seed} {need.through}")
        lines = [
            self._line(seq, row, chance)
            for seq in need.sources
            for row in self.rows.get(seq, ())
            if chance.random() < 0.5
        ]
        body = "\n".join(lines)
        return f"<summary>6. Numerical data:\n{body}\n7. Pending data needs: none</summary>"

    def _line(self, seq: int, row: Row, chance: random.Random) -> str:
        written = f"{row.value:,f}"
        if chance.random() < 0.05:
            first = next(at for at, letter in enumerate(written) if letter in "123456789")
            written = f"{written[:first]}{int(written[first]) % 9 + 1}{written[first + 1 :]}"
            self.altered.add(_told(row, written))
        return f"{_told(row, written)} [{seq}]"


def _told(row: Row, written: str) -> str:
    return f"- {row.ticker} {row.item.replace('_', ' ')} {row.end}: {written}"


def unmarked(text: str, altered: set[str]) -> list[str]:
    """The altered lines whose figure stands in a text without a mark."""
    return [line for line in altered if f"{line} [" in text]


def play(engine: ContextEngine, summarizer: LossySummarizer, window: int) -> Iterator[View]:
    """Ask for items of every company, four times over; give the view after each summary."""
    engine.record(RunStarted(QUERY, system="You are an analyst.", window=window))
    engine.record(UserMessage(QUERY))
    for limit in (8, 7, 6, 5):
        for items in CALLS:
            for ticker in COMPANIES:
                _settle(engine, summarizer)
                request = FinancialsRequest(tickers=(ticker,), items=items, limit=limit)
                summarizer.rows.update(_call(engine, request))
            _settle(engine, summarizer)
            engine.compact()
            _settle(engine, summarizer)
            yield engine.view


def rows_of(text: str) -> tuple[Row, ...]:
    """The figures of a result of `get_financials`."""
    result = msgspec.json.decode(text, type=_Result, strict=False)
    return tuple(
        row for company in result.companies for rows in company.items.values() for row in rows
    )


def _call(engine: ContextEngine, request: FinancialsRequest) -> dict[int, tuple[Row, ...]]:
    text = to_json(asyncio.run(get_financials(request, Sample())))
    call = ToolCall(f"c{engine.view.at}", "get_financials", msgspec.json.encode(request).decode())
    engine.record(AssistantMessage("", calls=(call,)))
    entry = engine.record(ToolResult(call.id, "get_financials", Body(text), read_only=True))
    return {entry.seq: rows_of(text)}


def _settle(engine: ContextEngine, summarizer: LossySummarizer) -> None:
    while isinstance(step := engine.next(), Need):
        assert isinstance(step, NeedSummary)
        engine.supply(step, summarizer.write(step), model="lossy")
