from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scratchpad.helpers import START, reply, result

from tallybook.errors import BadEvent
from tallybook.scratchpad.events import (
    Answered,
    Capped,
    Cleared,
    Dropped,
    Entry,
    Event,
    Ledgered,
    RunStarted,
    Stopped,
    Summarized,
    SummaryAsked,
    SummaryRefused,
    ThinkingStripped,
    UserMessage,
)
from tallybook.scratchpad.grammar import Grammar

TWO_ROUNDS = (
    RunStarted("q"),  # 1
    reply("a", "b"),  # 2
    result("a"),  # 3
    UserMessage("hurry"),  # 4
    result("b"),  # 5
    reply("a"),  # 6
    result("a"),  # 7
)


def after(*events: Event) -> Grammar:
    grammar = Grammar()
    for seq, event in enumerate(events, 1):
        grammar.check(event)
        grammar.take(Entry(seq, START, event))
    return grammar


def refused(grammar: Grammar, event: Event, rule: str) -> None:
    with pytest.raises(BadEvent, match=rule) as caught:
        grammar.check(event)
    assert type(event).__name__ in str(caught.value)


def test_a_run_begins_with_its_start_and_starts_once() -> None:
    refused(after(), UserMessage("hi"), "starts with RunStarted")
    refused(after(RunStarted("q")), RunStarted("q"), "starts once")


def test_a_result_answers_an_open_call_of_the_newest_reply() -> None:
    grammar = after(*TWO_ROUNDS)
    refused(grammar, result("a"), "no open call .* has the id 'a'")
    refused(grammar, result("b"), "no open call .* has the id 'b'")


def test_equal_and_empty_ids_are_paired_in_order() -> None:
    grammar = after(RunStarted("q"), reply("", "", "x", "x"))
    for seq, call_id in enumerate(("", "x", "", "x"), 3):
        grammar.check(result(call_id))
        grammar.take(Entry(seq, START, result(call_id)))
    assert grammar.open_calls == []
    refused(grammar, result(""), "no open call .* has the id ''")


def test_an_id_may_come_back_in_a_later_round() -> None:
    after(RunStarted("q"), reply("call_0"), result("call_0"), reply("call_0"), result("call_0"))


def test_an_open_round_can_be_neither_followed_nor_cut() -> None:
    grammar = after(*TWO_ROUNDS, reply("c", "d"), result("c"))
    refused(grammar, reply(), "reply 8 have no result yet: lookup")
    refused(grammar, Answered("done"), "reply 8 have no result yet")
    for through in (8, 9):
        refused(grammar, Dropped(through), "part a call from its result")
    grammar.check(Dropped(7))


def test_the_user_may_speak_and_the_run_may_stop_at_any_time() -> None:
    grammar = after(RunStarted("q"), reply("a"))
    grammar.check(UserMessage("wait"))
    grammar.check(Stopped("Ctrl-C", kind="user"))


@pytest.mark.parametrize("through", [2, 3])
def test_a_cut_falls_between_rounds(through: int) -> None:
    refused(after(*TWO_ROUNDS), Summarized(through, "s"), "part a call from its result")
    refused(after(*TWO_ROUNDS), Dropped(6), "part a call from its result")


def test_a_cut_stands_for_a_round_and_never_takes_the_users_place() -> None:
    grammar = after(*TWO_ROUNDS, UserMessage("and?"))
    refused(grammar, Dropped(1), "not the end of one")
    refused(grammar, Dropped(8), "not the end of one")
    refused(grammar, Dropped(9), "not the end of one")
    refused(grammar, Dropped(0), "gone already")


def test_a_drop_goes_further_than_all_before_it() -> None:
    grammar = after(*TWO_ROUNDS, Dropped(5), Answered("x"))
    refused(grammar, Dropped(5), "up to 5 is gone already")
    refused(after(*TWO_ROUNDS, Dropped(7)), Dropped(8), "not the end of one")
    grammar.check(Dropped(7))


def test_a_summary_goes_at_least_as_far_as_all_before_it() -> None:
    grammar = after(*TWO_ROUNDS, Summarized(7, "s"))
    refused(grammar, Summarized(5, "s"), "up to 7 is gone already")
    grammar.check(Summarized(7, "better"))


def test_edits_name_results_that_are_still_there() -> None:
    grammar = after(*TWO_ROUNDS, Dropped(5))
    for edit in (Capped(3, 10), Ledgered(5, "t"), Cleared((7, 3))):
        refused(grammar, edit, "was summarized or dropped already")
    for edit in (Capped(6, 10), Ledgered(1, "t"), Cleared((7, 99)), Capped(-1, 1)):
        refused(grammar, edit, "is not the number of a tool result")
    refused(grammar, Capped(7, -1), "0 or more")
    refused(grammar, Cleared(()), "names no result")
    grammar.check(Cleared((7,)))


def test_thinking_is_stripped_from_replies_only() -> None:
    refused(after(*TWO_ROUNDS), ThinkingStripped((2, 3)), "3 is not the number of a reply")
    after(*TWO_ROUNDS, ThinkingStripped((2, 6)))


def test_a_summary_is_open_until_its_outcome() -> None:
    grammar = after(*TWO_ROUNDS, SummaryAsked(5))
    assert grammar.asked == 5
    grammar.take(Entry(9, START, SummaryRefused(5, "empty")))
    assert grammar.asked == 0


@given(st.lists(st.tuples(st.sampled_from(["reply", "result", "user", "cut"]), st.integers(0, 9))))
def test_no_allowed_cut_ever_parts_a_call_from_its_result(steps: list[tuple[str, int]]) -> None:
    grammar, seq = after(RunStarted("q")), 1
    asked: list[int] = []
    pairs: list[tuple[int, int]] = []
    for kind, back in steps:
        events: dict[str, Event] = {
            "reply": reply("x", "x"),
            "result": result("x"),
            "user": UserMessage("u"),
            "cut": Summarized(seq - back, "s"),
        }
        event = events[kind]
        try:
            grammar.check(event)
        except BadEvent:
            continue
        seq += 1
        grammar.take(Entry(seq, START, event))
        if kind == "reply":
            asked = [seq, seq]
        elif kind == "result":
            pairs.append((asked.pop(), seq))
        elif kind == "cut":
            assert not any(call <= grammar.gone < answer for call, answer in pairs)
            assert not any(call <= grammar.gone for call in asked)
