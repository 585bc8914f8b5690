from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse

from tallybook.research.analyst import MOST_STEPS
from tallybook.tools.finance.financials import NAME
from tests.research.forgetful import (
    Edit,
    Memory,
    agent,
    calls_of,
    drop_rounds,
    forget_results,
    forget_words,
    on_results,
    see_all,
)
from tests.research.reading import expected, figures, in_millions, rows, sources

DEMO = (
    "Compare revenue, gross margin and free cash flow of NVIDIA, Apple, Alphabet and Marvell "
    "over the last eight quarters"
)
ITEMS = ("revenue", "gross_margin", "free_cash_flow")
COMPANIES = ("NVDA", "AAPL", "GOOGL", "MRVL")


def run(question: str, edit: Edit) -> tuple[str, Memory, list[ModelMessage]]:
    memory = Memory()
    result = asyncio.run(agent(memory, edit).run(question))
    return result.output, memory, result.all_messages()


@pytest.mark.parametrize("edit", [see_all, forget_results, forget_words])
def test_the_answer_is_the_same_whatever_left_the_view(edit: Edit) -> None:
    answer, _, messages = run(DEMO, edit)
    assert figures(answer) == expected(ITEMS, COMPANIES, 8)
    fetched = Counter(call for call in calls_of(messages) if call[0] == NAME)
    assert set(fetched.values()) == {1}
    assert len(fetched) == 4


@pytest.mark.parametrize("edit", [see_all, forget_results, forget_words])
def test_every_figure_cites_a_result_that_holds_it(edit: Edit) -> None:
    answer, memory, _ = run("Apple and Nvidia revenue and eps over the last ten quarters", edit)
    cited = sources(answer)
    held = {
        (row.ticker, row.period, in_millions(row)): row
        for row in rows(("revenue", "eps_diluted"), ("AAPL", "NVDA"), 10)
    }
    assert len(cited) == len(held) >= 2 * (10 + 7)
    for (ticker, item, period), value in figures(answer).items():
        row = held[ticker, period, value]
        [seq] = cited[ticker, item, period]
        assert f'"period":"{period}","end":"{row.end}","value":{row.value},' in memory.text(seq)


def test_recalls_name_pages_of_the_rows_that_are_lacking() -> None:
    _, _, messages = run("Nvidia revenue over the last ten quarters", forget_results)
    paths = [arguments for tool, arguments in calls_of(messages) if tool == "recall"]
    assert paths == [
        '{"seq":3,"path":"$.companies[0].items.revenue[0:5]"}',
        '{"seq":3,"path":"$.companies[0].items.revenue[5:10]"}',
    ]


def test_why_a_figure_is_missing_is_recalled_too() -> None:
    answer, _, messages = run("Apple EPS over the last eight quarters", forget_results)
    assert any("missing.eps_diluted" in arguments for _, arguments in calls_of(messages))
    assert "Q4 FY2025" in answer
    assert "no fourth quarter is reported" in answer


def test_notes_are_written_again_where_words_are_stripped() -> None:
    _, _, messages = run(DEMO, forget_words)
    replies = [message for message in messages if isinstance(message, ModelResponse)]
    notes = [reply.text or "" for reply in replies]
    assert len(replies) <= MOST_STEPS
    assert notes[-2].count("NVDA revenue USD") == 1
    assert notes[-3].count("NVDA revenue USD") == 1


def test_where_rounds_vanish_without_a_trace_it_ends_and_owns_up() -> None:
    answer, _, messages = run(DEMO, drop_rounds)
    assert figures(answer).items() <= expected(ITEMS, COMPANIES, 8).items()
    assert "could not be brought back" in answer
    replies = [message for message in messages if isinstance(message, ModelResponse)]
    assert len(replies) <= MOST_STEPS + 1


def test_a_note_of_unknown_wording_with_the_way_back_is_enough() -> None:
    def reword(messages: list[ModelMessage]) -> list[ModelMessage]:
        edited = forget_results(messages)
        return [
            *(
                on_results(
                    message,
                    lambda part: (
                        type(part)(
                            part.tool_name,
                            f"(gone: see recall({part.metadata['seq']}))",
                            part.tool_call_id,
                            metadata=part.metadata,
                        )
                        if part.tool_name == NAME
                        else part
                    ),
                )
                for message in edited
            )
        ]

    answer, _, _ = run("Apple and Marvell net income over the last five quarters", reword)
    assert figures(answer) == expected(("net_income",), ("AAPL", "MRVL"), 5)
