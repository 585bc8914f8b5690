from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.runs import entries

from tallybook.adapters.pydantic_ai.inbox import Inbox, undelivered
from tallybook.scratchpad.events import Event, Queued, UserMessage


def _taken(inbox: Inbox) -> list[str]:
    return list(iter(inbox.take, None))


def test_what_is_said_before_the_run_opens_is_kept_when_it_does() -> None:
    inbox, kept = Inbox(), list[str]()
    inbox.put("first")
    inbox.attach(kept.append, [])
    inbox.put("second")
    inbox.put("  ")
    assert kept == ["first", "second"]
    assert _taken(inbox) == ["first", "second"]


def test_what_waits_in_the_scratchpad_comes_first_and_is_not_kept_twice() -> None:
    inbox, kept = Inbox(), list[str]()
    inbox.attach(kept.append, ["old"])
    inbox.detach()
    inbox.put("new")
    inbox.attach(kept.append, ["old"])
    assert kept == ["new"]
    assert _taken(inbox) == ["old", "new"]


@given(st.lists(st.sampled_from("abc")), st.data())
def test_whatever_was_queued_and_not_said_is_undelivered_in_order(
    texts: list[str], data: st.DataObject
) -> None:
    said = data.draw(st.integers(0, len(texts)))
    events: list[Event] = [Queued(text) for text in texts]
    events += [UserMessage(text) for text in texts[:said]]
    assert undelivered(entries(events)) == texts[said:]
