"""`Limits()`: what our default does better than the reference, fault by fault and row by row."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from tests.runs import BASE64, CHINESE, PROSE, TABLE, Fold, Step, one_round, opening, runs, text

from tallybook.policy.decide import decide
from tallybook.policy.limits import Limits
from tallybook.policy.needs import NeedSummary
from tallybook.policy.sizes import too_large
from tallybook.policy.summarize import framed, need_summary
from tallybook.scratchpad.events import (
    RECALL,
    AssistantMessage,
    Capped,
    Cautioned,
    Cleared,
    Dropped,
    Media,
    ModelChanged,
    Overflowed,
    Summarized,
    SummaryAsked,
    SummaryRefused,
    ThinkingStripped,
    ToolCall,
    ToolResult,
    Usage,
    UserMessage,
)
from tallybook.view.check import check
from tallybook.view.size import fullness, most

OURS = Limits()
SMALL = 12_000
A_PAGE = text(PROSE, 3_000)


def _run(window: int, rounds: int, shown: str = A_PAGE, limits: Limits = OURS) -> Fold:
    fold = Fold(limits, opening(window))
    for number in range(rounds):
        fold.add(*one_round(number, shown))
        fold.settle(summary="SUMMARY")
    return fold


def test_nothing_is_cleared_while_there_is_room() -> None:
    fold = _run(128_000, 40)
    assert not [d for d in fold.decisions if not isinstance(d, Cautioned)]


def test_clearing_is_rare_and_goes_well_below_the_mark() -> None:
    fold = _run(SMALL, 40)
    cleared = fold.made(Cleared)
    assert 0 < len(cleared) < 12
    first = Fold(OURS, opening(SMALL))
    while not first.made(Cleared):
        first.add(*one_round(first.view.at, A_PAGE))
        first.settle(summary="SUMMARY")
    assert fullness(first.view).used < 0.7 * OURS.threshold(SMALL)


def test_what_came_since_the_last_bill_counts() -> None:
    fold = Fold(OURS, opening(SMALL)).add(AssistantMessage("ok", usage=Usage(1_000)))
    before = fullness(fold.view).used
    fold.add(UserMessage(text(TABLE, 4_000)))
    assert fullness(fold.view).used > before + 1_000


def test_after_an_edit_the_bill_stays_the_anchor_less_what_was_taken_out() -> None:
    fold = Fold(OURS, opening(128_000))
    for number in range(6):
        fold.add(*one_round(number, text(PROSE, 20_000)))
    fold.add(AssistantMessage("ok", usage=Usage(60_000)))
    anchored = fullness(fold.view).used
    fold.add(Cleared((4, 6)))
    after = fullness(fold.view).used
    share = (anchored - after) / anchored
    assert 0.25 < share < 0.4


def test_the_newest_round_is_never_cleared() -> None:
    fold = _run(SMALL, 30)
    newest = fold.view.newest()
    assert newest is not None
    assert all(item.form in ("full", "capped") for item in newest.results)


def test_errors_are_cleared_before_good_results() -> None:
    fold = Fold(OURS, opening(SMALL))
    reply, good = one_round(0, A_PAGE)
    fold.add(reply, good)
    failed_reply, failed = one_round(1, A_PAGE)
    assert isinstance(failed, ToolResult)
    broken = ToolResult(failed.call_id, failed.tool, failed.body, "error", read_only=True)
    fold.add(failed_reply, broken)
    while not (cleared := fold.made(Cleared)):
        fold.add(*one_round(fold.view.at, A_PAGE))
        fold.settle(summary="S")
    need = cleared[0].seqs
    assert 6 in need
    assert (4 in need) <= (6 in need)


def test_what_was_recalled_twice_is_kept_longer() -> None:
    fold = Fold(OURS, opening(SMALL)).add(*one_round(0, A_PAGE))
    for number in range(2):
        call = ToolCall(f"r{number}", RECALL, '{"seq": 4}')
        answer = one_round(9, "revenue 1")[1]
        assert isinstance(answer, ToolResult)
        fold.add(AssistantMessage(calls=(call,)))
        fold.add(ToolResult(call.id, RECALL, answer.body, read_only=True))
        fold.settle()
    assert fold.view.times_recalled(4) == 2
    assert any("recalled 2 times" in caution.text for caution in fold.made(Cautioned))
    while not fold.made(Cleared):
        fold.add(*one_round(fold.view.at, A_PAGE))
        fold.settle(summary="S")
    assert 4 not in fold.made(Cleared)[0].seqs


def test_an_oversized_result_is_capped_to_a_share_of_a_small_window() -> None:
    fold = Fold(OURS, opening(SMALL)).add(*one_round(0, text(TABLE, 20_000)))
    view = fold.settle()
    assert view.items[-1].form == "capped"
    assert fullness(view).used < 3_000


def test_a_turn_of_parallel_results_that_exceeds_the_window_is_capped_till_it_fits() -> None:
    fold = Fold(OURS, opening(SMALL)).add(*one_round(0, *[text(TABLE, 4_500)] * 12))
    view = fold.settle()
    assert fullness(view).used <= OURS.room(SMALL)
    assert not check(view)


def test_recalled_pages_are_never_capped_into_another_pointer() -> None:
    fold = Fold(OURS, opening(SMALL))
    page = text(TABLE, OURS.recall_chars(SMALL))
    calls = tuple(ToolCall(f"r{n}", RECALL, '{"seq": 4}') for n in range(3))
    fold.add(AssistantMessage(calls=calls))
    for call in calls:
        fold.add(ToolResult(call.id, RECALL, one_round(0, page)[1].body, read_only=True))  # type: ignore[union-attr]
    fold.settle()
    assert not fold.made(Capped)


def test_a_recall_is_below_what_line_1_would_cap() -> None:
    for window in (4_000, 8_000, SMALL, 32_000, 128_000, 1_000_000):
        for kind in (PROSE, TABLE, CHINESE, BASE64):
            fold = Fold(OURS, opening(window))
            fold.add(*one_round(0, text(kind, OURS.recall_chars(window))))
            fold.settle()
            assert not fold.made(Capped), (window, kind[:10])


def test_a_summary_keeps_the_newest_rounds_and_every_word_of_the_user() -> None:
    fold = Fold(Limits(summarize=True), opening(SMALL))
    said = []
    while not fold.made(NeedSummary):
        fold.add(*one_round(fold.view.at, A_PAGE, read_only=False))
        if fold.view.at % 7 == 0:
            said.append(f"Mind footnote {fold.view.at}.")
            fold.add(UserMessage(said[-1]))
        fold.settle(summary="SUMMARY")
    shown = [item.text for item in fold.view.items]
    assert "SUMMARY" in shown
    assert fold.view.rounds()
    for words in ("What was the revenue?", *said):
        assert words in shown


def test_the_latest_question_is_restated_after_a_summary_that_comes_behind_it() -> None:
    fold = Fold(OURS, opening(SMALL))
    for number in range(3):
        fold.add(*one_round(number, A_PAGE))
    fold.add(UserMessage("And what about margins?"))
    for number in range(3, 6):
        fold.add(*one_round(number, A_PAGE))
    last = fold.view.rounds()[-1].last
    assert "And what about margins?" in framed(fold.view, last, "SUMMARY")


def test_a_summary_says_that_it_is_a_digest_and_which_results_can_be_recalled() -> None:
    fold = Fold(OURS, opening(SMALL))
    for number in range(3):
        fold.add(*one_round(number, A_PAGE))
    shown = framed(fold.view, fold.view.at, "SUMMARY")
    assert "digest" in shown
    assert "recall(number)" in shown
    assert '#4 get{"q":"item 0 part 0"}: ok, 3,000 characters' in shown


def test_dropped_rounds_leave_an_index_line_per_result() -> None:
    fold = Fold(Limits(summarize=False), opening(SMALL))
    while not fold.made(Dropped):
        fold.add(*one_round(fold.view.at, A_PAGE, read_only=False))
        fold.settle()
    [index] = [item for item in fold.view.items if item.form == "index"]
    assert "#4 get" in index.text
    assert "recall(number)" in index.text


def test_thinking_goes_whole_and_words_beside_calls_stay() -> None:
    fold = Fold(Limits(summarize=False), opening(SMALL))
    while not fold.made(ThinkingStripped):
        reply, shown = one_round(fold.view.at, text(PROSE, 500), read_only=False)
        assert isinstance(reply, AssistantMessage)
        thought = AssistantMessage("Revenue was 94.9.", text(PROSE, 2_000), reply.calls)
        fold.add(thought, shown)
        fold.settle()
    stripped = [item for item in fold.view.items if item.form == "stripped"]
    assert stripped
    for item in stripped:
        assert isinstance(item.message, AssistantMessage)
        assert item.message.thinking == ""
        assert item.message.native is UNSET
        assert item.text == "Revenue was 94.9."


def test_the_thinking_of_the_newest_rounds_is_untouched() -> None:
    fold = _run(SMALL, 20)
    assert all(one.reply.form == "full" for one in fold.view.rounds()[-2:])


def test_a_summary_under_way_that_died_is_not_entered_again() -> None:
    fold = Fold(OURS, opening(SMALL))
    while (need := fold.need()) is None:
        fold.add(*one_round(fold.view.at, A_PAGE, read_only=False))
    fold.add(SummaryAsked(need.through), SummaryRefused(need.through, "interrupted"))
    assert isinstance(fold.decide(), Dropped)


def test_a_frame_that_fills_the_window_is_not_compacted_after_every_reply() -> None:
    fold = Fold(OURS, opening(32_000, system=text(PROSE, 98_000)))
    for number in range(20):
        fold.add(*one_round(number, text(PROSE, 400)))
        fold.settle(summary="S")
    assert len(fold.made(NeedSummary)) <= 2
    assert len(fold.made(Dropped)) <= 12


def test_a_newest_round_that_cannot_fit_is_named_with_the_way_out() -> None:
    fold = Fold(OURS, opening(4_000))
    reply = AssistantMessage(calls=(ToolCall("c0_0", "get", f'"{text(PROSE, 40_000)}"'),))
    fold.add(reply, one_round(0, "ok")[1])
    view = fold.settle()
    assert fullness(view).used > 4_000
    said = too_large(view)
    assert "the newest round (reply 3)" in said
    assert "larger window" in said


def test_words_of_the_user_that_cannot_fit_are_said_so() -> None:
    fold = Fold(OURS, [*opening(4_000), UserMessage(text(PROSE, 60_000))])
    assert "user's own words" in too_large(fold.settle())


def test_a_smaller_window_takes_effect_at_the_next_decision() -> None:
    fold = _run(128_000, 20)
    assert not fold.made(Cleared)
    fold.add(ModelChanged("small", SMALL))
    view = fold.settle(summary="S")
    assert fullness(view).used <= OURS.room(SMALL)


def test_each_retry_after_a_refusal_is_strictly_smaller_than_what_was_refused() -> None:
    fold = _run(128_000, 30)
    for _ in range(3):
        before = fullness(fold.view).used
        fold.add(Overflowed("too long"))
        fold.settle(summary=None)
        assert fullness(fold.view).used < 0.9 * before


def test_the_real_window_is_learned_from_a_refusal() -> None:
    fold = _run(128_000, 30)
    fold.add(Overflowed("maximum context length is 16384", limit=16_384, requested=30_000))
    view = fold.settle(summary=None)
    assert view.window == 16_384
    assert fullness(view).used <= OURS.room(16_384)


def test_an_image_does_not_trigger_compaction() -> None:
    fold = Fold(OURS, opening(32_000))
    picture = Media("image", "image/png", bytes=2_000_000)
    for number in range(5):
        fold.add(UserMessage(f"picture {number}", media=(picture,)))
        fold.add(AssistantMessage("seen"))
    fold.settle()
    assert not [d for d in fold.decisions if not isinstance(d, Cautioned)]


def test_a_compaction_by_hand_needs_no_pressure() -> None:
    fold = Fold(OURS, opening())
    for number in range(3):
        fold.add(*one_round(number, text(PROSE, 90_000)))
    fold.settle()
    assert need_summary(fold.view, OURS, by_hand=True) is not None


@settings(max_examples=60, deadline=None)
@given(runs(), st.sampled_from([4_000, 8_000, SMALL, 32_000]), st.booleans(), st.booleans())
def test_for_any_run_and_window_the_view_settles_is_sound_and_fits(
    run: list[Step], window: int, summarize: bool, succeeds: bool
) -> None:
    fold = Fold(Limits(summarize=summarize), opening(window))
    for one in run:
        fold.add(one.reply, *one.results)
        if one.said:
            fold.add(UserMessage(one.said))
        view = fold.settle(summary=text(PROSE, 1_000) if succeeds else None)
        assert not check(view)
        assert most(view) <= window or "nothing more may be let go" in too_large(view)
        assert decide(view, fold.limits) is None


@settings(max_examples=40, deadline=None)
@given(runs(most=15), st.sampled_from([8_000, SMALL]))
def test_the_words_of_the_user_are_never_dropped_and_the_order_is_by_number(
    run: list[Step], window: int
) -> None:
    fold = Fold(OURS, opening(window))
    said = ["What was the revenue?"]
    for one in run:
        fold.add(one.reply, *one.results)
        if one.said:
            said.append(one.said)
            fold.add(UserMessage(one.said))
        view = fold.settle(summary="S")
        shown = [i.text for i in view.items if i.form == "full"]
        assert [words for words in said if words not in shown] == []
        numbers = [item.seq for item in view.items]
        assert numbers == sorted(set(numbers))


@settings(max_examples=40, deadline=None)
@given(runs(most=15))
def test_what_is_shown_changes_only_at_an_edit(run: list[Step]) -> None:
    fold = Fold(OURS, opening(SMALL))
    for one in run:
        before = [(item.seq, item.text) for item in fold.view.items]
        made = len(fold.decisions)
        fold.add(one.reply, *one.results)
        fold.settle(summary="S")
        edits = [d for d in fold.decisions[made:] if not isinstance(d, Cautioned)]
        after = [(item.seq, item.text) for item in fold.view.items][: len(before)]
        assert edits or after == before


@pytest.mark.parametrize("rounds", [60, 120])
def test_ten_summaries_in_a_row_do_not_grow(rounds: int) -> None:
    fold = Fold(OURS, opening(8_000))
    sizes = []
    for number in range(rounds):
        fold.add(*one_round(number, A_PAGE, read_only=False))
        while need := fold.need():
            shown = framed(fold.view, need.through, text(PROSE, need.tokens * 4))
            fold.add(SummaryAsked(need.through), Summarized(need.through, shown))
            sizes.append(len(shown))
    assert len(sizes) >= 10
    assert max(sizes) < 1.2 * sizes[0]
