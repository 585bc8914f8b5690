"""Real recordings of every format come in whole, and go out as their provider takes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.pads import new_pad
from tests.trajectories import drafts, everything

from tallybook.adapters.export import FORMATS, Format, export
from tallybook.adapters.export.anthropic import OPENING
from tallybook.adapters.export.shown import SILENT, Source, given
from tallybook.adapters.recorded import Draft, conversations, load
from tallybook.adapters.recorded.kept import frame, kept
from tallybook.adapters.recorded.values import fields
from tallybook.adapters.rules import violations
from tallybook.engine import ContextEngine
from tallybook.errors import ConfigError, ViewTooLarge
from tallybook.policy.needs import Need
from tallybook.scratchpad.events import (
    AssistantMessage,
    Entry,
    Event,
    RunStarted,
    ToolResult,
    UserMessage,
)
from tallybook.testing import anthropic, chat, responses
from tallybook.view.project import project
from tallybook.view.view import View

AT = datetime(2026, 1, 1, tzinfo=UTC)
WIRE: dict[str, Format] = {
    "openai": "openai",
    "responses": "responses",
    "anthropic": "anthropic",
}
RECORDINGS = [
    pytest.param(path, id=f"{path.parent.name}-{path.name[:40]}") for path in everything()
]


@pytest.mark.parametrize("path", RECORDINGS)
def test_every_recording_comes_in_with_every_record_of_it(path: Path) -> None:
    records, broken = load(path)
    assert not broken
    found = conversations(records)
    assert all(draft.events() for draft in found)
    written = json.dumps([_held(draft) for draft in found])
    for text in _texts(records):
        assert json.dumps(text)[1:-1] in written


@pytest.mark.parametrize("path", [one for one in RECORDINGS if "api_cassettes" in str(one.id)])
def test_an_unedited_request_goes_out_equal_to_what_was_recorded(path: Path) -> None:
    records, _ = load(path)
    for record, draft in zip(records, drafts(path), strict=True):
        if draft.format in WIRE:
            entries = _entries(draft.events())
            assert _out(entries, WIRE[draft.format]) == record["request"]


@pytest.mark.parametrize("format", WIRE.values())
@pytest.mark.parametrize("path", RECORDINGS)
def test_an_unedited_view_says_the_same_after_a_journey_through_another_format(
    path: Path, format: Format
) -> None:
    for draft in drafts(path):
        events = draft.events()
        document = _out(_entries(events), format)
        assert _broken(document, format) == ()
        [back] = conversations([fields(document)])
        assert _said(back.events()) == _said(events)


@pytest.mark.parametrize("path", RECORDINGS)
def test_after_clearing_summarizing_and_dropping_every_request_obeys_its_provider(
    path: Path, tmp_path: Path
) -> None:
    for number, draft in enumerate(drafts(path)):
        views = _views(draft.events(8_000), tmp_path / str(number))
        for sent, (source, view) in enumerate(views):
            for format in FORMATS if sent % 4 == 0 else ():
                document = export(view, format, source)
                assert _broken(document, format) == (), (sent, format)


def test_a_broken_line_costs_itself_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(
        '{"role": "user", "content": "a"}\n{"role": "assi\n{"role": "user", "content": 1}\n'
    )
    records, broken = load(path)
    assert [line.line for line in broken] == [2]
    assert len(records) == 2


def test_a_file_of_another_kind_is_refused_with_a_sentence() -> None:
    with pytest.raises(ConfigError, match="no known recording"):
        conversations([{"rows": [1, 2]}])


def test_spans_of_the_genai_conventions_come_in() -> None:
    asked = [
        {"role": "user", "parts": [{"type": "text", "content": "What is it?"}]},
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "look"}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "42"}]},
    ]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "42."}]}]
    values = {
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(said),
    }
    attributes = [{"key": k, "value": {"stringValue": v}} for k, v in values.items()]
    [draft] = conversations(
        [{"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": attributes}]}]}]}]
    )
    kinds = [type(event).__name__ for event in draft.events()]
    assert kinds == [
        "RunStarted",
        "UserMessage",
        "AssistantMessage",
        "ToolResult",
        "AssistantMessage",
    ]


def _views(events: list[Event], root: Path) -> Iterator[tuple[Source, View]]:
    """What is sent in an 8k window, with a summary every other time one is asked for."""
    start, *rest = events
    assert isinstance(start, RunStarted)
    asked = 0
    with new_pad(root, "run") as pad:
        engine = ContextEngine(pad)
        engine.record(start)
        head: list[Entry] = []
        for event in rest:
            if isinstance(event, AssistantMessage) and engine.view.items:
                asked += 1
                if view := _sendable(engine, "1. Work went on." if asked % 2 else None):
                    yield Source(*frame(head), start.system), view
            entry = engine.record(_unbilled(event))
            head = head or [entry]


def _sendable(engine: ContextEngine, summary: str | None) -> View | None:
    try:
        while isinstance(step := engine.next(), Need):
            engine.supply(step, summary)
    except ViewTooLarge:
        return None
    return step


def _entries(events: list[Event]) -> list[Entry]:
    return [Entry(seq, AT, event) for seq, event in enumerate(events, 1)]


def _out(entries: list[Entry], format: Format) -> object:
    start = entries[0].event
    assert isinstance(start, RunStarted)
    return export(project(entries), format, Source(*frame(entries), start.system))


def _broken(document: object, format: Format) -> tuple[object, ...]:
    """Rules broken, by our reading of the documentation and by the loopback provider's."""
    objection = {
        "openai": chat.objection,
        "responses": responses.objection,
        "anthropic": anthropic.objection,
    }.get(format)
    said = objection(fields(document)) if objection else None
    return (*violations(document, format), *([said] if said else []))


def _held(draft: Draft) -> list[object]:
    """All the JSON that the events of a conversation keep."""
    found = [kept(event) for event in draft.events()]
    return [(one.data, one.aside, one.frame) for one in found if one]


def _texts(value: object) -> Iterator[str]:
    """Every string in a document."""
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)


def _said(events: list[Event]) -> tuple[list[object], list[str], str]:
    """Calls with their arguments, results, and all words in order, blanks aside."""
    calls = [
        (call.name, given(call.arguments))
        for event in events
        if isinstance(event, AssistantMessage)
        for call in event.calls
    ]
    results = [e.body.text or "" for e in events if isinstance(e, ToolResult)]
    words = [e.text for e in events if isinstance(e, UserMessage | AssistantMessage)]
    return [*calls], [*map(_bare, results)], _bare("".join(words))


def _bare(text: str) -> str:
    """Words without blanks, and without what an export has to add."""
    added = (re.escape(SILENT), re.escape(OPENING), r"\[\w+ [\w/]*, [\d,]+ bytes\]")
    return "".join(re.sub("|".join(added), "", text).split())


def _unbilled(event: Event) -> Event:
    """Without the bill of a view that was never cut."""
    return replace(event, usage=None) if isinstance(event, AssistantMessage) else event
