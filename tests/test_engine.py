"""The engine as a whole: what it asks for, what it survives, what it learns."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tallybook.engine import ContextEngine
from tallybook.errors import BadEvent, ViewTooLarge
from tallybook.policy.limits import Limits
from tallybook.policy.needs import NOTHING, Need, NeedMemoryFlush, NeedSummary
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Dropped,
    Event,
    Media,
    MemoryFlushed,
    ModelChanged,
    Overflowed,
    RunStarted,
    Summarized,
    SummaryRefused,
    ToolCall,
    ToolResult,
    Usage,
    UserMessage,
)
from tallybook.view.measure import exactly
from tallybook.view.project import project, step
from tallybook.view.size import fullness, most
from tallybook.view.view import View
from tests.pads import new_pad, reopened
from tests.runs import NOW, PROSE, Step, one_round, opening, runs, text

PAGE = text(PROSE, 3_000)
SMALL = 8_000


def _engine(root: Path, window: int = SMALL, limits: Limits | None = None) -> ContextEngine:
    engine = ContextEngine(new_pad(root), limits or Limits())
    for event in opening(window):
        engine.record(event)
    return engine


def _round(engine: ContextEngine, shown: str = PAGE, *, read_only: bool = False) -> None:
    for event in one_round(engine.view.at, shown, read_only=read_only):
        engine.record(event)


def _until_need(engine: ContextEngine) -> Need:
    for _ in range(60):
        _round(engine)
        if isinstance(step := engine.next(), Need):
            return step
    raise AssertionError("no need came up")


def _events(engine: ContextEngine) -> list[Event]:
    return [entry.event for entry in engine.scratchpad.entries()]


def test_a_need_under_way_is_handed_out_again_and_asked_for_once(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    need = _until_need(engine)
    at = engine.view.at
    assert engine.next() is need
    assert engine.compact() is need
    assert engine.view.at == at


def test_asking_twice_gives_the_same_view_and_writes_nothing(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    for _ in range(30):
        _round(engine)
        while isinstance(first := engine.next(), Need):
            engine.supply(first, None)
        at = engine.view.at
        assert engine.next() is first
        assert engine.view.at == at


def test_a_need_of_another_run_is_ignored(tmp_path: Path) -> None:
    engine, other = _engine(tmp_path / "one"), _engine(tmp_path / "other")
    need, theirs = _until_need(engine), _until_need(other)
    engine.supply(theirs, "<summary>THEIRS</summary>")
    assert engine.next() is need
    assert not [e for e in _events(engine) if isinstance(e, Summarized)]


def test_a_second_answer_to_one_need_is_ignored(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    need = _until_need(engine)
    engine.supply(need, "<summary>FIRST</summary>")
    engine.supply(need, "<summary>SECOND</summary>")
    assert [e.summary.count("FIRST") for e in _events(engine) if isinstance(e, Summarized)] == [1]


def test_a_summary_that_cannot_be_had_is_put_together_without_a_model(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    engine.record(AssistantMessage("Revenue was 94.9 billion [4]."))
    need = _until_need(engine)
    engine.supply(need, None)
    [summary] = [e for e in _events(engine) if isinstance(e, Summarized)]
    assert summary.model == ""
    assert "Revenue was 94.9 billion **[unsupported]** [4]." in summary.summary
    assert isinstance(engine.next(), View)


def test_in_the_reference_a_failed_summary_falls_to_dropping(tmp_path: Path) -> None:
    engine = _engine(tmp_path, 64_000, Limits(counts=Limits.reference().counts))
    for _ in range(7):
        _round(engine, read_only=True)
    engine.record(AssistantMessage("billed", usage=Usage(60_000)))
    need = engine.next()
    assert isinstance(need, NeedSummary)
    engine.supply(need, "")
    assert isinstance(engine.next(), View)
    kinds = [type(event) for event in _events(engine)]
    assert kinds[-2:] == [SummaryRefused, Dropped]


def test_stopping_in_the_middle_of_a_summary_leaves_the_view_as_it_was(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    need = _until_need(engine)
    before = [(item.seq, item.text) for item in engine.view.items]
    engine.scratchpad.close()
    again = ContextEngine(reopened(engine.scratchpad.folder))
    assert [(item.seq, item.text) for item in again.view.items] == before
    assert isinstance(_events(again)[-1], SummaryRefused)
    assert isinstance(again.next(), View)
    again.supply(need, "<summary>TOO LATE</summary>")
    assert not [e for e in _events(again) if isinstance(e, Summarized)]


def test_what_the_user_types_during_a_summary_is_kept_and_comes_last(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    need = _until_need(engine)
    engine.record(UserMessage("Use fiscal years."))
    engine.supply(need, "<summary>S</summary>")
    view = engine.next()
    assert isinstance(view, View)
    assert view.items[-1].text == "Use fiscal years."


def test_a_summary_by_hand_during_a_reply_does_no_harm(tmp_path: Path) -> None:
    engine = _engine(tmp_path, 128_000)
    for _ in range(12):
        _round(engine, text(PROSE, 30_000))
    need = engine.compact()
    assert isinstance(need, NeedSummary)
    engine.record(AssistantMessage("meanwhile"))
    engine.supply(need, "<summary>S</summary>")
    texts = [item.text for item in engine.view.items]
    assert texts[-1] == "meanwhile"
    assert any("S" in one and "recall(number)" in one for one in texts)


def test_summaries_that_are_too_long_are_cut_to_their_budget_however_often(
    tmp_path: Path,
) -> None:
    engine = _engine(tmp_path)
    sizes = []
    for _ in range(12):
        _until_need(engine)
        while isinstance(need := engine.next(), NeedSummary):
            said = "6. Revenue was 94,036 million.\n" * 4_000
            engine.supply(need, f"<summary>{said}</summary>")
        [summary] = [item for item in engine.view.items if item.form == "summary"]
        assert "cut here to fit" in summary.text
        sizes.append(len(summary.text))
    assert max(sizes) < 1.3 * min(sizes) < 8_000


def test_memory_is_flushed_once_and_nothing_to_keep_is_understood(tmp_path: Path) -> None:
    engine = _engine(tmp_path, limits=Limits(memory=True))
    need = _until_need(engine)
    assert isinstance(need, NeedMemoryFlush)
    assert "What was the revenue?" in need.prompt
    engine.supply(need, f"{NOTHING}\n")
    assert isinstance(engine.next(), NeedSummary)
    assert [e for e in _events(engine) if isinstance(e, MemoryFlushed)] == [MemoryFlushed("")]


def test_only_replies_carry_bills(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    engine.record(AssistantMessage("ok", usage=Usage(1_500)))
    need = _until_need(engine)
    billed = engine.view.billed
    engine.supply(need, "<summary>S</summary>", model="fast")
    assert engine.view.billed == billed == 1_500


def test_a_reply_without_a_bill_leaves_the_last_one_standing(tmp_path: Path) -> None:
    engine = _engine(tmp_path, 128_000)
    engine.record(AssistantMessage("one", usage=Usage(5_000)))
    after_bill = fullness(engine.view).used
    engine.record(AssistantMessage("two"))
    engine.record(AssistantMessage("three", usage=Usage(0)))
    assert engine.view.billed == 5_000
    assert after_bill < fullness(engine.view).used < after_bill + 100


def test_after_an_edit_the_bill_stands_less_what_was_taken_out(tmp_path: Path) -> None:
    engine = _engine(tmp_path, 128_000)
    hidden = 10_000
    for _ in range(12):
        _round(engine, text(PROSE, 12_000))
    engine.record(AssistantMessage("ok", usage=Usage(fullness(engine.view).used + hidden)))
    before = fullness(engine.view).used
    need = engine.compact()
    assert isinstance(need, NeedSummary)
    engine.supply(need, "<summary>S</summary>")
    estimate = engine.view.rates.tokens(engine.view.total)
    after = fullness(engine.view).used
    assert estimate < after < before
    assert engine.view.billed > before - 100


def test_a_smaller_window_holds_from_the_next_request_on(tmp_path: Path) -> None:
    engine = _engine(tmp_path, 128_000)
    for _ in range(12):
        _round(engine)
    assert isinstance(engine.next(), View)
    engine.record(ModelChanged(model="smaller", window=SMALL))
    while isinstance(view := engine.next(), Need):
        engine.supply(view, None)
    assert most(view) <= view.window == SMALL


def test_images_and_json_count(tmp_path: Path) -> None:
    engine = _engine(tmp_path, 128_000)
    empty = fullness(engine.view).used
    engine.record(UserMessage("look", media=(Media("image", bytes=3_000_000),)))
    with_image = fullness(engine.view).used
    assert 1_000 < with_image - empty < 2_000
    _round(engine, '{"a": 1}' * 1_000)
    assert fullness(engine.view).used > with_image + 2_000


def test_the_real_window_is_learned_and_every_retry_is_smaller_until_it_gives_up(
    tmp_path: Path,
) -> None:
    engine = _engine(tmp_path, 128_000)
    for _ in range(20):
        _round(engine, read_only=True)
    sizes: list[int] = []
    with pytest.raises(ViewTooLarge, match="larger window"):
        _refused_for_ever(engine, sizes)
    assert all(after <= 0.9 * before for before, after in pairwise(sizes))
    assert engine.view.window < sizes[0]
    assert 1 < len(sizes) <= engine.limits.max_overflows + 1
    assert len([e for e in _events(engine) if isinstance(e, Overflowed)]) == len(sizes)


def _refused_for_ever(engine: ContextEngine, sizes: list[int]) -> None:
    while True:
        while isinstance(step := engine.next(), Need):
            engine.supply(step, None)
        sizes.append(fullness(engine.view).used)
        engine.overflowed("prompt is too long")


def test_what_a_refusal_states_is_taken_as_a_bill(tmp_path: Path) -> None:
    engine = _engine(tmp_path, 128_000)
    for _ in range(10):
        _round(engine)
    engine.overflowed(limit=16_000, requested=20_000)
    assert (engine.view.window, engine.view.billed) == (16_000, 20_000)
    while isinstance(view := engine.next(), Need):
        engine.supply(view, None)
    assert fullness(engine.view).used < 16_000


def test_with_a_tokenizer_fullness_is_exact(tmp_path: Path) -> None:
    pad = new_pad(tmp_path)
    engine = ContextEngine(pad, count=exactly(lambda words: len(words.split())))
    for event in (RunStarted("q", "one two three"), UserMessage("four five")):
        engine.record(event)
    assert engine.view.total.exact == 5
    before = fullness(engine.view).used
    engine.record(UserMessage("word " * 1_000))
    template = fullness(engine.view).used - before - 1_000
    assert 0 <= template <= 10


def test_a_bad_event_changes_nothing(tmp_path: Path) -> None:
    engine = _engine(tmp_path)
    before = engine.view
    with pytest.raises(BadEvent):
        engine.record(ToolResult("nobody", "get", Body("x")))
    assert engine.view is before


def test_everyone_is_told_of_every_entry_after_it_is_written(tmp_path: Path) -> None:
    told = []
    engine = ContextEngine(new_pad(tmp_path), on_entry=lambda entry: told.append(entry.seq))
    for event in opening():
        engine.record(event)
    _round(engine)
    assert told == [1, 2, 3, 4]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(run=runs(most=12, longest=6_000))
def test_a_reopened_engine_has_the_same_view_and_everything_comes_back(
    tmp_path_factory: pytest.TempPathFactory, run: list[Step]
) -> None:
    engine = _engine(tmp_path_factory.mktemp("run"))
    views = [View()]
    for one in run:
        engine.record(one.reply)
        for result in one.results:
            engine.record(result)
        while isinstance(view := engine.next(), Need):
            engine.supply(view, "<summary>S</summary>")
    entries = list(engine.scratchpad.entries())
    for entry in entries:
        views.append(step(views[-1], entry))
    assert views[-1].items == project(entries).items == engine.view.items
    engine.scratchpad.close()
    again = ContextEngine.open(engine.scratchpad.folder, clock=lambda: NOW)
    assert again.view.items == engine.view.items
    assert again.view.total == engine.view.total
    assert again.view.rates == engine.view.rates
    assert again.next() == view
    assert fullness(again.view) == fullness(engine.view)
    results = [result for one in run for result in one.results]
    kept = [entry.seq for entry in entries if isinstance(entry.event, ToolResult)]
    assert [again.scratchpad.text(seq) for seq in kept] == [r.body.text for r in results]
    again.scratchpad.close()


def test_a_call_without_arguments_or_with_broken_ones_is_recorded_as_it_was(
    tmp_path: Path,
) -> None:
    engine = _engine(tmp_path)
    engine.record(
        AssistantMessage(calls=(ToolCall("a", "get", "{broken"), ToolCall("b", "get", "")))
    )
    engine.record(ToolResult("b", "get", Body("second first")))
    engine.record(ToolResult("a", "get", Body("first second")))
    view = engine.next()
    assert isinstance(view, View)
    [one] = view.rounds()
    assert [result.text for result in one.results] == ["first second", "second first"]
