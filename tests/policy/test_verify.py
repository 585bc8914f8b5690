"""A summary's figures: invented ones are marked, those of the results are put back."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import msgspec
import pytest
from tests.lossy import COMPANIES, ITEMS, LossySummarizer, Row, play, rows_of, unmarked
from tests.pads import new_pad

from tallybook.engine import ContextEngine
from tallybook.figures.figure import Figure
from tallybook.figures.find import find
from tallybook.figures.ledger import parse
from tallybook.figures.marks import MARK
from tallybook.policy.evidence import LEDGER
from tallybook.policy.limits import Limits
from tallybook.policy.needs import NeedSummary
from tallybook.policy.verdict import Check
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    RunStarted,
    Summarized,
    SummaryAsked,
    ToolCall,
    ToolResult,
    UserMessage,
)
from tallybook.view.size import tokens
from tallybook.view.view import View

TABLE = """| Contoso, in millions | FY2023 | FY2024 |
| --- | --- | --- |
| Revenue | 812.4 | 941.7 |
| Net income | 55.1 | 61.3 |
| Headcount | 3,120 | 3,344 |
"""


def _asking(root: Path, question: str, result: str = TABLE) -> tuple[ContextEngine, NeedSummary]:
    """A run with one result to be summed up, and the need for its summary."""
    engine = ContextEngine(new_pad(root))
    engine.record(RunStarted(question, window=8_000))
    engine.record(UserMessage(question))
    for number, text in enumerate((result, "nothing more " * 300, "nothing at all " * 300)):
        call = ToolCall(f"c{number}", "get", "{}")
        engine.record(AssistantMessage("", calls=(call,)))
        engine.record(ToolResult(call.id, "get", Body(text), read_only=True))
    need = engine.compact()
    assert isinstance(need, NeedSummary)
    return engine, need


def _summary(engine: ContextEngine) -> str:
    return next(item.text for item in engine.view.items if item.form == "summary")


def _check(engine: ContextEngine) -> Check:
    checks = [e.event.check for e in engine.scratchpad.entries() if isinstance(e.event, Summarized)]
    assert isinstance(checks[-1], msgspec.Raw)
    return msgspec.json.decode(checks[-1], type=Check)


def test_an_invented_figure_is_sent_back_once_by_name_and_then_marked(tmp_path: Path) -> None:
    engine, need = _asking(tmp_path, "How did Contoso do?")
    invented = "<summary>Revenue was 941.7 million in FY2024, net income 77.8 million.</summary>"
    engine.supply(need, invented)
    again = engine.next()
    assert isinstance(again, NeedSummary)
    assert "77.8 million" in again.prompt
    assert "941.7" not in again.prompt.removeprefix(need.prompt)
    engine.supply(again, invented)
    assert f"net income 77.8 million **{MARK}**" in _summary(engine)
    assert f"941.7 million **{MARK}**" not in _summary(engine)
    check = _check(engine)
    assert (check.figures, check.quoted, check.unsupported) == (2, 1, ("77.8 million",))
    assert check.retried


def test_a_summary_that_mends_itself_is_taken_as_it_is(tmp_path: Path) -> None:
    engine, need = _asking(tmp_path, "How did Contoso do?")
    engine.supply(need, "<summary>Net income was 77.8 million.</summary>")
    again = engine.next()
    assert isinstance(again, NeedSummary)
    engine.supply(again, "<summary>Net income was 61.3 million in FY2024.</summary>")
    assert MARK not in _summary(engine)
    assert [e for e in engine.scratchpad.entries() if isinstance(e.event, SummaryAsked)][1:]


def test_a_figure_that_follows_from_the_results_is_not_invented(tmp_path: Path) -> None:
    engine, need = _asking(tmp_path, "How did Contoso do?")
    engine.supply(need, "<summary>Revenue grew 15.9 % from FY2023 to FY2024.</summary>")
    assert _check(engine).derived == 1


def test_figures_the_summary_lost_come_back_as_tables_that_name_their_result(
    tmp_path: Path,
) -> None:
    engine, need = _asking(tmp_path, "What was Contoso's net income?")
    engine.supply(need, "<summary>The accounts were read.</summary>")
    held = parse(_summary(engine).partition(LEDGER)[2]).figures
    shown = {(figure.value, figure.seq) for figure in held}
    assert {(Decimal(55_100_000), 4), (Decimal(61_300_000), 4)} <= shown
    assert _check(engine).lost == 0


def test_figures_in_the_users_words_and_in_calls_are_no_inventions(tmp_path: Path) -> None:
    engine, need = _asking(tmp_path, "Is revenue above 900 million, at a margin over 12.5 %?")
    engine.supply(need, "<summary>The user wants 900 million at least and 12.5 %.</summary>")
    assert _check(engine).unsupported == ()


def test_a_mark_survives_the_next_summary_and_supports_nothing(tmp_path: Path) -> None:
    engine, need = _asking(tmp_path, "How did Contoso do?")
    wrong = "<summary>Net income was 77.8 million [4].</summary>"
    engine.supply(need, wrong)
    again = engine.next()
    assert isinstance(again, NeedSummary)
    engine.supply(again, wrong)
    call = ToolCall("c9", "get", "{}")
    engine.record(AssistantMessage("", calls=(call,)))
    engine.record(ToolResult(call.id, "get", Body("more of nothing"), read_only=True))
    third = engine.compact()
    while isinstance(third, NeedSummary):
        engine.supply(third, wrong)
        step = engine.next()
        third = step if isinstance(step, NeedSummary) else None
    assert f"77.8 million **{MARK}**" in _summary(engine)


def test_without_a_model_the_figures_stand_in_and_what_is_missing_is_said(tmp_path: Path) -> None:
    engine, need = _asking(tmp_path, "Contoso: net income and free cash flow, please.")
    engine.supply(need, None)
    assert "Asked for, and in no figure so far: free cash flow." in _summary(engine)
    assert "61.3" in _summary(engine)


def test_the_reference_scheme_takes_a_summary_unchecked(tmp_path: Path) -> None:
    engine, _ = _asking(tmp_path, "How did Contoso do?")
    engine = ContextEngine(engine.scratchpad, Limits.reference())
    need = engine.compact()
    assert isinstance(need, NeedSummary)
    engine.supply(need, "<summary>Net income was 77.8 million.</summary>")
    assert MARK not in _summary(engine)
    assert LEDGER not in _summary(engine)


@pytest.mark.parametrize("window", [12_000, 16_000, 32_000])
def test_a_lossy_summarizer_costs_no_figure_that_was_asked_for(tmp_path: Path, window: int) -> None:
    engine = ContextEngine(new_pad(tmp_path))
    summarizer = LossySummarizer(seed=3)
    needed: dict[Row, None] = {}
    for count, view in enumerate(play(engine, summarizer, window)):
        summary = next((item for item in view.items if item.form == "summary"), None)
        if summary is None:
            continue
        assert unmarked(summary.text, summarizer.altered) == []
        assert tokens(view, summary.size) < 0.3 * window
        needed |= dict.fromkeys(_asked_for(engine))
        shown = _shown(view)
        lost = [row for row in needed if row.value not in shown]
        assert lost == [], f"after summary {count}"
    assert len(needed) >= 96
    assert len(summarizer.altered) > 5


def _asked_for(engine: ContextEngine) -> list[Row]:
    """The figures that the question asks for, of the results that were summed up."""
    entries = list(engine.scratchpad.entries())
    through = max(e.event.through for e in entries if isinstance(e.event, Summarized))
    return [
        row
        for entry in entries
        if isinstance(entry.event, ToolResult) and entry.seq <= through
        for row in rows_of(entry.event.body.text or "")
        if row.item in ITEMS and row.ticker in COMPANIES
    ]


def _shown(view: View) -> set[Decimal]:
    figures: list[Figure] = []
    for item in view.items:
        prose, _, tables = item.text.partition(LEDGER)
        figures += [*find(prose), *parse(tables).figures]
    return {figure.value for figure in figures}
