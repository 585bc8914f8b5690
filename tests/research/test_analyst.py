from __future__ import annotations

import asyncio
import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from tallybook.policy.limits import Limits
from tallybook.research.agent import Finished, Research, ask
from tallybook.research.analyst import OfflineAnalyst
from tallybook.scratchpad import read
from tallybook.scratchpad.events import (
    AssistantMessage,
    Capped,
    Cleared,
    Event,
    ToolResult,
)
from tallybook.tools.finance.financials import FinancialsRequest, get_financials
from tallybook.tools.finance.sample import Sample

DEMO = (
    "Compare revenue, gross margin and free cash flow of NVIDIA, Apple, Alphabet and Marvell "
    "over the last eight quarters"
)
CELL = re.compile(r"(-?[\d,.]+)†? \[(\d+)\]")


def _ask(root: Path, question: str, window: int = 12_000, limits: Limits | None = None) -> Finished:
    analyst = OfflineAnalyst(window=window, today=date(2026, 12, 1))
    research = Research(analyst, Sample(), root, limits=limits or Limits())
    return asyncio.run(ask(research, question))


def _events(finished: Finished) -> list[Event]:
    return [entry.event for entry in read(finished.folder).entries()]


def _expected(items: tuple[str, ...], tickers: tuple[str, ...], limit: int) -> list[Decimal]:
    request = FinancialsRequest(tickers, period="quarterly", limit=limit, items=items)
    found = asyncio.run(get_financials(request, Sample()))
    return [
        Decimal(str(row.value)) / (1_000_000 if row.unit == "USD" else 1)
        for company in found.companies
        for item in items
        for row in company.items[item]
    ]


@pytest.mark.parametrize("window", [8_000, 12_000, 32_000, 128_000])
def test_the_demo_question_is_answered_with_every_figure_right_at_any_window(
    tmp_path: Path, window: int
) -> None:
    finished = _ask(tmp_path, DEMO, window)
    shown = [Decimal(cell.replace(",", "")) for cell, _ in CELL.findall(finished.answer)]
    items = ("revenue", "gross_margin", "free_cash_flow")
    assert shown == _expected(items, ("NVDA", "AAPL", "GOOGL", "MRVL"), 8)
    assert "not a language model" in finished.answer


def test_a_window_too_small_for_the_answer_gives_right_figures_and_says_what_is_missing(
    tmp_path: Path,
) -> None:
    finished = _ask(tmp_path, DEMO, 5_000)
    shown = [Decimal(cell.replace(",", "")) for cell, _ in CELL.findall(finished.answer)]
    items = ("revenue", "gross_margin", "free_cash_flow")
    expected = _expected(items, ("NVDA", "AAPL", "GOOGL", "MRVL"), 8)
    assert set(shown) <= set(expected)
    assert len(shown) == len(expected) or "are not reported or not covered" in finished.answer


def test_at_12_000_tokens_the_demo_shows_cap_clear_and_recall_at_work(tmp_path: Path) -> None:
    events = _events(_ask(tmp_path, DEMO))
    kinds = {type(event) for event in events}
    assert {Capped, Cleared} <= kinds
    assert any(isinstance(event, ToolResult) and event.tool == "recall" for event in events)


def test_every_figure_names_a_result_that_holds_it(tmp_path: Path) -> None:
    finished = _ask(tmp_path, DEMO)
    reader = read(finished.folder)
    for cell, seq in CELL.findall(finished.answer):
        value = Decimal(cell.replace(",", ""))
        text = reader.text(int(seq))
        million = f"{value * 1_000_000:.0f}"
        assert f'"value":{million}' in text or f'"value":{value}' in text, (cell, seq)


def test_nothing_is_fetched_twice(tmp_path: Path) -> None:
    calls = [
        call.arguments
        for event in _events(_ask(tmp_path, DEMO, 8_000))
        if isinstance(event, AssistantMessage)
        for call in event.calls
        if call.name == "get_financials"
    ]
    assert len(calls) == len(set(calls)) == 4


def test_the_reference_limits_also_lead_to_the_right_figures(tmp_path: Path) -> None:
    finished = _ask(tmp_path, DEMO, 64_000, Limits.reference())
    shown = [Decimal(cell.replace(",", "")) for cell, _ in CELL.findall(finished.answer)]
    items = ("revenue", "gross_margin", "free_cash_flow")
    assert shown == _expected(items, ("NVDA", "AAPL", "GOOGL", "MRVL"), 8)


def test_a_chinese_question_gets_a_chinese_answer(tmp_path: Path) -> None:
    finished = _ask(tmp_path, "英伟达和苹果过去四个季度的营收和毛利率")
    assert "营业收入" in finished.answer
    assert "不是语言模型" in finished.answer
    shown = [Decimal(cell.replace(",", "")) for cell, _ in CELL.findall(finished.answer)]
    assert shown == _expected(("revenue", "gross_margin"), ("NVDA", "AAPL"), 4)


def test_a_named_year_is_that_fiscal_year(tmp_path: Path) -> None:
    finished = _ask(tmp_path, "What was Apple's net income in fiscal 2024?")
    assert "93,736 [4]" in finished.answer
    assert "FY2024 (2024-09-28)" in finished.answer
    assert len(CELL.findall(finished.answer)) == 1


def test_what_is_missing_or_unknown_is_said(tmp_path: Path) -> None:
    eps = _ask(tmp_path, "Apple EPS last 4 quarters").answer
    assert "1 of 4 periods of Earnings per share, diluted are not reported" in eps
    assert "not in the embedded sample" in _ask(tmp_path, "Tesla revenue last year").answer
    assert "no company of that name" in _ask(tmp_path, "Foobarsoft revenue").answer
    assert "cannot give reasons" in _ask(tmp_path, "Why did Apple's revenue fall?").answer
    hello = _ask(tmp_path, "hello").answer
    assert "no company in the question" in hello
    assert "Compare revenue" in hello


def test_part_of_a_question_is_answered_and_the_rest_is_said(tmp_path: Path) -> None:
    finished = _ask(tmp_path, "Apple and Tesla revenue in the latest quarter")
    assert "143,756 [4]" in finished.answer
    assert "TSLA: 'TSLA' is not in the embedded sample" in finished.answer
