from __future__ import annotations

import asyncio
import random
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.models import ModelRequestParameters

from tallybook.policy.limits import Limits
from tallybook.research.agent import Finished, Research, ask
from tallybook.research.analyst import MOST_STEPS, OfflineAnalyst
from tallybook.research.lexicon import CHINESE, PHRASES
from tallybook.scratchpad import read
from tallybook.scratchpad.events import AssistantMessage, Capped, Cleared, Event, ToolResult
from tallybook.tools.finance.sample import Sample
from tests.research.reading import expected, figures, sources

DEMO = (
    "Compare revenue, gross margin and free cash flow of NVIDIA, Apple, Alphabet and Marvell "
    "over the last eight quarters"
)
ITEMS = ("revenue", "gross_margin", "free_cash_flow")
COMPANIES = ("NVDA", "AAPL", "GOOGL", "MRVL")
TODAY = date(2026, 12, 1)


def _ask(
    root: Path,
    question: str,
    window: int = 12_000,
    limits: Limits | None = None,
    resume: Path | None = None,
) -> Finished:
    analyst = OfflineAnalyst(window=window, today=TODAY)
    research = Research(analyst, Sample(), root, limits=limits or Limits(), resume=resume)
    return asyncio.run(ask(research, question))


def _events(finished: Finished) -> list[Event]:
    return [entry.event for entry in read(finished.folder).entries()]


def _calls(finished: Finished, tool: str) -> list[str]:
    return [
        call.arguments
        for event in _events(finished)
        if isinstance(event, AssistantMessage)
        for call in event.calls
        if call.name == tool
    ]


@pytest.mark.parametrize("window", [8_000, 12_000, 32_000, 128_000])
def test_the_demo_question_is_answered_with_every_figure_right_at_any_window(
    tmp_path: Path, window: int
) -> None:
    finished = _ask(tmp_path, DEMO, window)
    assert figures(finished.answer) == expected(ITEMS, COMPANIES, 8)
    assert "not a language model" in finished.answer
    assert "the newest period ends 2026-05-02" in finished.answer


@pytest.mark.parametrize("window", [4_000, 5_000])
def test_a_window_too_small_gives_right_figures_and_says_what_is_missing(
    tmp_path: Path, window: int
) -> None:
    finished = _ask(tmp_path, DEMO, window)
    shown = figures(finished.answer)
    assert shown.items() <= expected(ITEMS, COMPANIES, 8).items()
    assert len(shown) == 96 or "could not be brought back" in finished.answer
    replies = [event for event in _events(finished) if isinstance(event, AssistantMessage)]
    assert len(replies) <= MOST_STEPS + 1
    assert len(_calls(finished, "get_financials")) == 4


def test_at_12_000_tokens_the_demo_shows_cap_clear_and_recall_at_work(tmp_path: Path) -> None:
    events = _events(_ask(tmp_path, DEMO))
    kinds = {type(event) for event in events}
    assert {Capped, Cleared} <= kinds
    assert any(isinstance(event, ToolResult) and event.tool == "recall" for event in events)


def test_every_figure_names_a_result_that_holds_it(tmp_path: Path) -> None:
    finished = _ask(tmp_path, DEMO)
    reader = read(finished.folder)
    cited = sources(finished.answer)
    for place, value in figures(finished.answer).items():
        [seq] = cited[place]
        text = reader.text(seq)
        assert f'"ticker":"{place[0]}"' in text
        assert (
            f'"value":{value * 1_000_000:.0f},' in text
            or f'"value":{value:f}'.rstrip("0").rstrip(".") in text
        ), (place, value)


@pytest.mark.parametrize("window", [8_000, 12_000])
def test_nothing_is_fetched_twice(tmp_path: Path, window: int) -> None:
    calls = _calls(_ask(tmp_path, DEMO, window), "get_financials")
    assert len(calls) == len(set(calls)) == 4


@pytest.mark.parametrize("window", [12_000, 64_000])
def test_the_reference_limits_also_lead_to_the_right_figures(tmp_path: Path, window: int) -> None:
    finished = _ask(tmp_path, DEMO, window, Limits.reference())
    assert figures(finished.answer) == expected(ITEMS, COMPANIES, 8)


@pytest.mark.parametrize("seed", range(8))
def test_questions_of_any_items_at_any_window_never_get_a_wrong_figure(
    tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    tickers = tuple(chance.sample(COMPANIES, chance.randint(1, 4)))
    items = tuple(chance.sample(sorted(CHINESE), chance.randint(1, 3)))
    count, window = chance.randint(1, 14), chance.choice([8_000, 12_000, 20_000])
    phrases = [next(p for p, keys in PHRASES.items() if keys == (item,)) for item in items]
    question = f"{', '.join(phrases)} of {' and '.join(tickers)} over the last {count} quarters"
    answer = _ask(tmp_path, question, window).answer
    shown, right = figures(answer), expected(items, tickers, count)
    assert shown.items() <= right.items()
    assert shown == right or "could not be brought back" in answer


def test_follow_ups_in_a_run_use_what_was_fetched(tmp_path: Path) -> None:
    first = _ask(tmp_path, "Apple revenue and net income over the last eight quarters")
    second = _ask(tmp_path, "Only the last four quarters of net income", resume=first.folder)
    assert figures(second.answer) == expected(("net_income",), ("AAPL",), 4)
    assert len(_calls(second, "get_financials")) == 1
    third = _ask(tmp_path, "And Marvell?", resume=first.folder)
    assert figures(third.answer) == expected(("net_income",), ("MRVL",), 4)
    fourth = _ask(tmp_path, "over the last ten quarters", resume=first.folder)
    assert figures(fourth.answer) == expected(("net_income",), ("MRVL",), 10)
    assert len(_calls(fourth, "get_financials")) == 3


def test_older_figures_in_sight_are_not_taken_for_the_newest(tmp_path: Path) -> None:
    first = _ask(tmp_path, "Apple revenue in Q1 2024, Q2 2024, Q3 2024 and Q4 2024")
    assert len(figures(first.answer)) == 4
    second = _ask(tmp_path, "and over the last four quarters?", resume=first.folder)
    assert figures(second.answer) == expected(("revenue",), ("AAPL",), 4)


def test_a_chinese_question_gets_a_chinese_answer(tmp_path: Path) -> None:
    finished = _ask(tmp_path, "英伟达过去四个季度的营收和毛利率")
    named = {"Revenue": "营业收入", "Gross margin": "毛利率"}
    assert figures(finished.answer) == {
        (ticker, named[item], period): value
        for (ticker, item, period), value in expected(
            ("revenue", "gross_margin"), ("NVDA",), 4
        ).items()
    }
    assert "不是语言模型" in finished.answer
    assert "来源" in finished.answer


def test_a_named_year_is_that_fiscal_year(tmp_path: Path) -> None:
    finished = _ask(tmp_path, "What was Apple's net income in fiscal 2024?")
    assert figures(finished.answer) == {("AAPL", "Net income", "FY2024"): Decimal(93_736)}
    assert "FY2024 (2024-09-28)" in finished.answer


def test_a_wrong_ticker_and_an_uncovered_year_are_said_with_what_to_do(tmp_path: Path) -> None:
    answer = _ask(tmp_path, "Apple and Tesla revenue in the latest quarter").answer
    assert figures(answer) == expected(("revenue",), ("AAPL",), 1)
    assert "TSLA: 'TSLA' is not in the embedded sample" in answer
    answer = _ask(tmp_path, "Apple revenue in FY2010").answer
    assert figures(answer) == {}
    assert "it has FY2022 (2022-09-24) to FY2025 (2025-09-27)" in answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why did Apple's revenue fall in 2023?", "cannot give reasons"),
        ("Revenue of Foobarsoft", "Foobarsoft: I know no company of that name"),
        ("hello", "no company in the question"),
        ("Apple's EBITDA in 2024", "Not understood: ebitda"),
        ("Should I buy Apple?", "no advice"),
        ("苹果股价", "没有股价"),
    ],
)
def test_what_cannot_be_answered_is_said(tmp_path: Path, question: str, said: str) -> None:
    assert said in _ask(tmp_path, question).answer


def test_without_its_tool_it_says_what_it_could_do() -> None:
    result = asyncio.run(Agent(OfflineAnalyst(today=TODAY)).run("Apple revenue"))
    assert "I answer questions on companies" in result.output


def test_a_reply_streams_in_the_same_words() -> None:
    analyst = OfflineAnalyst(today=TODAY)
    messages = [ModelRequest.user_text_prompt("hello")]

    async def streamed() -> str:
        parameters = ModelRequestParameters()
        async with analyst.request_stream([*messages], None, parameters) as stream:
            kinds = [event.event_kind async for event in stream]
            assert "part_start" in kinds
            return "".join(getattr(part, "content", "") for part in stream.get().parts)

    plain = asyncio.run(analyst.request([*messages], None, ModelRequestParameters()))
    assert asyncio.run(streamed()) == plain.text
    assert plain.usage.input_tokens == 2
    assert plain.model_name == "offline-analyst"


def test_results_can_be_numbered_in_another_way(tmp_path: Path) -> None:
    def by_id(part: ToolReturnPart) -> int:
        return 700

    analyst = OfflineAnalyst(window=128_000, today=TODAY, seq_of=by_id)
    finished = asyncio.run(ask(Research(analyst, Sample(), tmp_path), "Apple revenue in FY2025"))
    assert "416,161 [700]" in finished.answer
