from __future__ import annotations

import re

from tests.runs import PROSE, Fold, one_round, opening, result, text

from tallybook.policy.limits import Limits
from tallybook.policy.pressure import pressure
from tallybook.policy.shed import shed
from tallybook.scratchpad.events import AssistantMessage, Dropped, Summarized, ToolCall
from tallybook.view.size import most

SMALL = 8_000
OURS = Limits()


def _run(written: int) -> Fold:
    """A summary and an index in view, and a newest reply that wrote so many characters."""
    fold = Fold(OURS, opening(SMALL))
    for number in range(4):
        fold.add(*one_round(number, text(PROSE, 300)))
    fold.add(Summarized(fold.view.at, "SUMMARY " + text(PROSE, 5_000)))
    fold.add(*one_round(4, "short"))
    fold.add(Dropped(fold.view.at))
    call = ToolCall("w", "write", text(PROSE, written))
    return fold.add(AssistantMessage(calls=(call,)), result("w", "ok"))


def test_a_newest_round_that_fits_is_never_refused_for_the_sake_of_notes_on_older_ones() -> None:
    fold = _run(29_000)
    assert most(fold.view) > SMALL
    view = fold.settle()
    [shrunk] = fold.made(Summarized)
    assert most(view) <= SMALL
    assert shrunk.tokens_after < shrunk.tokens_before
    assert [item.form for item in view.items] == ["full", "summary", "full", "full"]


def test_what_is_left_names_the_way_back_to_every_result() -> None:
    left = _run(29_000).settle().items[1].text
    assert re.search(r"Results #4 to #13 are kept: recall\(number\)", left)


def test_the_beginning_of_the_summary_stays_where_it_fits() -> None:
    assert "SUMMARY Revenue rose" in _run(28_000).settle().items[1].text


def test_notes_stay_where_the_view_fits_with_them_or_would_not_fit_without() -> None:
    for written in (1_000, 60_000):
        view = _run(written).view
        assert shed(view, pressure(view, OURS)) is None
