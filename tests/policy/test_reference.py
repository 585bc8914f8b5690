"""`Limits.reference()` row by row: R4 to R18 of the reference scheme, to the number."""

from __future__ import annotations

import pytest
from tests.runs import PROSE, Fold, one_round, opening, text

from tallybook.policy.limits import Limits
from tallybook.policy.needs import NeedMemoryFlush, NeedSummary, template
from tallybook.policy.pressure import pressure
from tallybook.policy.summarize import extract, framed
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Capped,
    Cautioned,
    Cleared,
    Dropped,
    Overflowed,
    ThinkingStripped,
    ToolResult,
    Usage,
    UserMessage,
)

REFERENCE = Limits.reference()
TINY = text(PROSE, 100)


def _billed(tokens: int, number: int = 0) -> list[AssistantMessage | ToolResult]:
    """A round whose reply was billed as so many tokens."""
    reply, shown = one_round(number, TINY)
    assert isinstance(reply, AssistantMessage)
    assert isinstance(shown, ToolResult)
    return [AssistantMessage(calls=reply.calls, usage=Usage(tokens)), shown]


def _rounds(count: int, shown: str = TINY) -> Fold:
    fold = Fold(REFERENCE)
    for number in range(count):
        fold.add(*one_round(number, shown))
    return fold


def _over(rounds: int) -> Fold:
    """A run of so many rounds whose last bill is above the threshold."""
    return _rounds(rounds - 1).add(*_billed(95_001, rounds))


def test_r4_a_cleared_result_reads_as_the_reference_says_and_names_the_way_back() -> None:
    view = _rounds(9).settle()
    cleared = [item for item in view.items if item.form == "cleared"]
    assert cleared[0].text.startswith(f"[Tool result #{cleared[0].seq} cleared from context")
    assert f"recall({cleared[0].seq})" in cleared[0].text


def test_r4_a_summary_supersedes_older_clearing() -> None:
    fold = _rounds(9)
    fold.settle()
    fold.add(*_billed(95_001, 99)).settle(summary="SUMMARY")
    assert [item.form for item in fold.view.items] == ["full", "summary"]


def test_r5_a_warning_comes_with_one_call_left_and_at_the_limit_and_never_blocks() -> None:
    fold = Fold(REFERENCE)
    lines = []
    for number in range(4):
        fold.add(*one_round(number, TINY))
        caution = fold.decide()
        assert isinstance(caution, Cautioned)
        lines.append(caution.text)
        fold.settle()
    assert "get 1/3 calls" in lines[0]
    assert "one call left" in lines[1]
    assert "called 3 times" in lines[2]
    assert "called 4 times" in lines[3]
    for advice in ("another tool", "other words", "go on with what is there"):
        assert advice in lines[2]


@pytest.mark.parametrize(
    ("first", "second", "similar"),
    [
        ("Apple revenue fiscal 2024", "apple, REVENUE: fiscal 2024 of", True),
        ("apple revenue fiscal year 2024", "apple revenue fiscal year 2023", False),
        ("apple revenue 2024", "tesla deliveries 2021", False),
    ],
    ids=["same words", "4 of 6 words", "other words"],
)
def test_r5_a_query_is_similar_from_a_jaccard_of_070(
    first: str, second: str, similar: bool
) -> None:
    fold = Fold(REFERENCE)
    for number, query in enumerate((first, second)):
        reply, shown = one_round(number, TINY)
        assert isinstance(reply, AssistantMessage)
        call = reply.calls[0]
        asked = AssistantMessage(calls=(type(call)(call.id, call.name, f'{{"q":"{query}"}}'),))
        fold.add(asked, shown)
        caution = fold.decide()
        fold.settle()
    assert isinstance(caution, Cautioned)
    assert ("close to an earlier query" in caution.text) is similar


def test_r6_more_than_8_results_of_read_only_tools_are_cleared_down_to_the_newest_4() -> None:
    assert _cleared(_rounds(8)) == []
    fold = _rounds(9)
    fold.settle()
    [edit] = fold.made(Cleared)
    results = [item.seq for item in fold.view.items if isinstance(item.message, ToolResult)]
    assert list(edit.seqs) == results[:-4]


def test_r6_above_80_000_tokens_the_newest_4_are_kept() -> None:
    exactly = int(80_000 * 3.5) // 7
    assert _cleared(_rounds(7, text(PROSE, exactly))) == []
    above = _cleared(_rounds(7, text(PROSE, exactly + 1)))
    assert len(above) == 3


def test_r6_results_of_other_tools_do_not_count_and_are_not_cleared() -> None:
    fold = Fold(REFERENCE)
    for number in range(12):
        fold.add(*one_round(number, TINY, read_only=number % 2 == 0))
    assert _cleared(fold) == []


def test_r6_ids_and_names_stay_and_what_was_saved_is_reported() -> None:
    fold = _rounds(9, text(PROSE, 5_000))
    before = {i.seq: i.message for i in fold.view.items if isinstance(i.message, ToolResult)}
    fold.settle()
    [edit] = fold.made(Cleared)
    assert edit.saved > 5 * 5_000 // 8
    for item in fold.view.items:
        if isinstance(item.message, ToolResult):
            assert item.message.call_id == before[item.seq].call_id
            assert item.message.tool == before[item.seq].tool


def test_r7_words_beside_calls_are_emptied_except_in_the_newest_2_and_calls_stay() -> None:
    fold = Fold(REFERENCE)
    for number in range(4):
        fold.add(*one_round(number, TINY, words=f"thinking {number}"))
    fold.settle()
    assert fold.made(ThinkingStripped)
    replies = [i.message for i in fold.view.items if isinstance(i.message, AssistantMessage)]
    assert [reply.text for reply in replies] == ["", "", "thinking 2", "thinking 3"]
    assert all(len(reply.calls) == 1 for reply in replies)


def test_r8_tokens_are_characters_by_35_until_the_provider_has_billed() -> None:
    system = text(PROSE, 3_500)
    fold = Fold(REFERENCE, [*opening(system=system)])
    chars = len(system) + len("What was the revenue?")
    assert pressure(fold.view, REFERENCE).used == -(-chars * 2 // 7)
    fold.add(*_billed(77_000))
    assert pressure(fold.view, REFERENCE).used == 77_000


@pytest.mark.parametrize(
    ("window", "threshold"), [(128_000, 95_000), (200_000, 167_000), (64_000, 31_000), (0, 95_000)]
)
def test_r9_the_threshold_leaves_20_000_for_the_summary_and_13_000(
    window: int, threshold: int
) -> None:
    assert REFERENCE.threshold(window) == threshold


@pytest.mark.parametrize("window", [4_000, 8_000, 12_000, 32_000, 33_000, 39_999])
def test_r9_a_small_window_scales_the_reserves_down(window: int) -> None:
    assert 0 < REFERENCE.threshold(window) < window


def test_r10_at_the_threshold_nothing_happens_above_it_memory_comes_first() -> None:
    fold = _rounds(3).add(*_billed(95_000, 3))
    fold.settle()
    assert not fold.made(NeedMemoryFlush)
    fold = _over(8)
    fold.settle()
    kinds = [type(decision) for decision in fold.decisions]
    assert kinds == [Cautioned, NeedMemoryFlush, NeedSummary, Dropped]


def test_r11_the_prompt_says_first_and_last_that_only_text_will_do_and_has_nine_sections() -> None:
    fold = _over(4)
    fold.settle()
    [need] = fold.made(NeedSummary)
    lines = need.prompt.strip().splitlines()
    assert "text only" in lines[0]
    assert "call no tool" in lines[-1]
    assert [line[:2] for line in lines if line[:1].isdigit() and line[1] == "."] == [
        f"{n}." for n in range(1, 10)
    ]
    assert "6. Numerical data" in need.prompt
    assert TINY in need.prompt


def test_r11_the_analysis_is_thrown_away_and_an_empty_reply_is_a_failure() -> None:
    assert extract("<analysis>draft 1</analysis>\n<summary>\n1. All\n</summary>") == "1. All"
    assert extract("<analysis>only a draft") == ""
    assert extract("  ") == ""
    assert extract("plain words") == "plain words"


def test_r12_after_a_summary_the_view_is_the_query_then_the_summary_as_a_continuation() -> None:
    fold = _over(4)
    fold.settle(summary="S")
    query, summary = fold.view.items
    assert query.text == "What was the revenue?"
    assert isinstance(summary.message, UserMessage)
    shown = framed(_over(4).view, 9, "SUMMARY")
    assert "SUMMARY" in shown
    for wish in ("ran out of room", "Go on", "do not recap", "do not ask"):
        assert wish in template("continue")


def test_r13_summarizing_needs_3_active_results() -> None:
    fold = _over(2)
    fold.settle(summary="S")
    assert not fold.made(NeedSummary)
    fold = _over(3)
    fold.settle(summary="S")
    assert fold.made(NeedSummary)


def test_r13_after_3_failures_in_a_row_it_is_not_tried_and_a_success_resets_the_count() -> None:
    fold = _rounds(3)
    for number in range(3, 7):
        fold.add(*_billed(95_001, number))
        fold.settle(summary=None)
    assert len(fold.made(NeedSummary)) == 3
    fold = _rounds(3)
    for number in range(3, 5):
        fold.add(*_billed(95_001, number))
        fold.settle(summary=None)
    fold.add(*_billed(95_001, 6))
    fold.settle(summary="S")
    assert fold.view.refusals == 0


def test_r14_whole_rounds_go_oldest_first_and_5_are_kept() -> None:
    fold = _over(8)
    fold.settle(summary=None)
    assert len(fold.view.rounds()) == 5
    [edit] = fold.made(Dropped)
    assert edit.rounds == 3
    assert fold.view.items[0].text == "What was the revenue?"


def test_r14_earlier_conversation_stays() -> None:
    fold = Fold(REFERENCE)
    fold.add(AssistantMessage("It was 94.9 billion."), Answered("It was 94.9 billion."))
    fold.add(UserMessage("And the year before?"))
    for number in range(7):
        fold.add(*one_round(number, TINY))
    fold.add(*_billed(95_001, 8)).settle(summary=None)
    assert [item.text for item in fold.view.items[:3]] == [
        "What was the revenue?",
        "It was 94.9 billion.",
        "And the year before?",
    ]
    assert len(fold.view.rounds()) == 6


def test_r15_after_a_refusal_3_rounds_are_kept_and_the_request_is_smaller() -> None:
    fold = _rounds(7)
    fold.settle()
    before = fold.view.total.chars
    fold.add(Overflowed("too long"))
    fold.settle()
    assert len(fold.view.rounds()) == 3
    assert fold.view.total.chars < before


def test_r15_with_nothing_to_drop_there_is_no_second_try() -> None:
    fold = _rounds(3)
    fold.settle()
    fold.add(Overflowed("too long"))
    assert not isinstance(fold.decide(), Dropped)
    assert REFERENCE.max_overflows == 2


def test_r16_a_result_over_50_000_characters_shows_its_first_2_000_its_size_and_the_way() -> None:
    fold = Fold(REFERENCE).add(*one_round(0, text("abcdefghij", 50_000)))
    fold.settle()
    assert not fold.made(Capped)
    whole = text("abcdefghij", 50_001)
    fold = Fold(REFERENCE).add(*one_round(0, whole))
    view = fold.settle()
    shown = view.items[-1]
    assert shown.form == "capped"
    assert shown.text.startswith(whole[:2_000] + "\n[")
    assert "50,001" in shown.text
    assert f"recall({shown.seq}" in shown.text


def test_r17_a_turn_over_200_000_characters_sends_its_largest_to_disk_until_the_rest_fits() -> None:
    sizes = [49_000, 48_000, 47_000, 46_000, 45_000]
    fold = Fold(REFERENCE).add(*one_round(0, *(text(PROSE, size) for size in sizes)))
    view = fold.settle()
    forms = [item.form for item in view.items if isinstance(item.message, ToolResult)]
    assert forms == ["capped", "full", "full", "full", "full"]


def test_r18_the_order_within_a_round() -> None:
    fold = _rounds(9)
    whole = text(PROSE, 60_000)
    fold.add(*one_round(9, whole, words="words"))
    fold.settle()
    kinds = [type(decision) for decision in fold.decisions]
    assert kinds.index(Capped) < kinds.index(Cautioned) < kinds.index(Cleared)


def test_r10_a_step_that_fails_falls_to_the_next() -> None:
    fold = _over(8)
    fold.settle(summary=None)
    assert len(fold.made(NeedSummary)) == 1
    assert len(fold.made(Dropped)) == 1


def _cleared(fold: Fold) -> list[int]:
    fold.settle()
    return [seq for edit in fold.made(Cleared) for seq in edit.seqs]
