from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Raw
from tests.scratchpad.helpers import START

from tallybook.errors import BadEvent
from tallybook.scratchpad.codec import Unreadable, decode, encode
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Body,
    Capped,
    Cleared,
    Entry,
    Event,
    Media,
    RunStarted,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    UserMessage,
)

ANY = st.text(st.characters(exclude_categories=()), max_size=20)
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))


def entries(text: st.SearchStrategy[str], natives: list[bytes]) -> st.SearchStrategy[Entry]:
    native = st.just(UNSET) | st.sampled_from([Raw(native) for native in natives])
    calls = st.lists(st.builds(ToolCall, text, text, text), max_size=3).map(tuple)
    usage = st.none() | st.builds(Usage, st.integers(0, 9))
    events: st.SearchStrategy[Event] = st.one_of(
        st.builds(RunStarted, text, text, st.tuples(st.builds(ToolSpec, text, text, native)), text),
        st.builds(UserMessage, text, native, st.tuples(st.builds(Media, st.just("image"), text))),
        st.builds(AssistantMessage, text, text, calls, usage, native),
        st.builds(ToolResult, text, text, st.builds(Body, text), native=native),
        st.builds(Cleared, st.lists(st.integers(0, 2**62)).map(tuple), text),
        st.builds(Answered, text, native),
    )
    return st.builds(Entry, st.integers(1, 2**62), MOMENTS, events)


@given(entries(st.text(max_size=20), [b'{"n":1.00e5,"s":"\xe2\x80\xa8"}', b"[1,null]", b"null"]))
def test_what_was_encoded_is_decoded(entry: Entry) -> None:
    line = encode(entry)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line) == entry


@given(entries(ANY, [b'"\\ud800"', b'{"a\\\\":"\\ud83d\\ude00\\udfff"}', '"\U000f0000"'.encode()]))
def test_lone_surrogates_keep_their_line_stable(entry: Entry) -> None:
    line = encode(entry)
    assert encode(decode(line)) == line


@given(ANY)
def test_every_string_comes_back(text: str) -> None:
    """But for two halves of a pair side by side, which JSON reads as the one they make."""
    back = decode(encode(Entry(1, START, UserMessage(text)))).event
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert back == UserMessage(paired)


def test_a_line_says_its_version_number_and_time() -> None:
    line = encode(Entry(7, START, Capped(3, 2000)))
    assert line == (
        b'{"v":1,"seq":7,"at":"2026-03-01T09:30:00.250000Z",'
        b'"event":{"type":"Capped","seq":3,"keep":2000}}\n'
    )


@pytest.mark.parametrize(
    "raw",
    [b'{"a":NaN}', b"[Infinity]", b"", b'{"a":1},"b":2', b'{"a":', b"[" * 99_999, b'"\\udfff"'],
)
def test_native_parts_that_are_no_strict_json_come_back_as_they_were(raw: bytes) -> None:
    events: tuple[Event, ...] = (
        UserMessage("\ud800", Raw(raw)),
        Answered("", Raw(raw)),
        RunStarted("q", tools=(ToolSpec("t", parameters=Raw(raw)), ToolSpec("u"))),
    )
    for event in events:
        assert decode(encode(Entry(1, START, event))).event == event


def test_the_parameters_of_tools_stay_on_their_line() -> None:
    tools = (ToolSpec("t", parameters=Raw(b'{\n  "type": "object"\n}')),)
    line = encode(Entry(1, START, RunStarted("q", tools=tools)))
    assert line.count(b"\n") == 1
    assert b'"parameters":{"type":"object"}' in line


def test_native_parts_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(BadEvent, match="not UTF-8"):
        encode(Entry(1, START, UserMessage("", Raw(b'"\xff"'))))


def test_an_event_or_version_of_later_days_is_told_from_a_broken_line() -> None:
    head = b'"seq":1,"at":"2026-03-01T09:30:00Z","event":'
    for line, foreign in (
        (b'{"v":1,' + head + b'{"type":"Dreamt"}}', True),
        (b'{"v":2,' + head + b'{"type":"Capped","seq":1,"keep":2}}', True),
        (b'{"v":2,' + head + b'{"type":"Dreamt","t":"\\ud800"}}', True),
        (b'{"v":1,' + head + b'{"type":"Dreamt","t":"to', False),
        (b'{"v":1,' + head, False),
        (b"[1,2]", True),
        (b"hello", False),
        (b"[" * 99_999, False),
    ):
        with pytest.raises(Unreadable) as caught:
            decode(line)
        assert caught.value.foreign is foreign, line


def test_unknown_fields_of_later_days_are_passed_over() -> None:
    line = encode(Entry(1, START, Capped(3, 5))).replace(b'"keep":5', b'"keep":5,"new":[1]')
    assert decode(line) == Entry(1, START, Capped(3, 5))
