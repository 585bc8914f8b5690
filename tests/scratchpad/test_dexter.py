from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.scratchpad.helpers import ticking

from tallybook.errors import ScratchpadError
from tallybook.scratchpad import Entry, Event, Scratchpad, read_dexter
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    RunStarted,
    ToolCall,
    ToolResult,
    UserMessage,
)

if TYPE_CHECKING:
    from pathlib import Path

AT = '"timestamp":"2026-01-30T11:14:00.123Z"'
INIT = f'{{"type":"init","content":"Apple revenue?",{AT}}}'
THINKING = f'{{"type":"thinking","content":"I need figures.",{AT}}}'
RESULT = (
    f'{{"type":"tool_result",{AT},"toolName":"get_financials",'
    '"args":{"ticker":"AAPL","n":1.0},"result":{"revenue":94.90,"note":"x\\n"}}'
)
TEXT = f'{{"type":"tool_result",{AT},"toolName":"web_search","args":{{}},"result":"plain \\ud800"}}'


def events(path: Path, *given: str | bytes) -> list[Event]:
    write(path, *given)
    return [entry.event for entry in read_dexter(path)[0]]


def write(path: Path, *given: str | bytes) -> None:
    path.write_bytes(b"".join((g.encode() if isinstance(g, str) else g) + b"\n" for g in given))


def test_a_dexter_run_becomes_rounds_of_ours(tmp_path: Path) -> None:
    text = '{"revenue":94.90,"note":"x\\n"}'
    assert events(tmp_path / "run.jsonl", INIT, THINKING, RESULT, TEXT, THINKING) == [
        RunStarted("Apple revenue?"),
        AssistantMessage(
            "I need figures.",
            calls=(ToolCall("dexter_2", "get_financials", '{"ticker":"AAPL","n":1.0}'),),
        ),
        ToolResult("dexter_2", "get_financials", Body(text, chars=len(text))),
        AssistantMessage("", calls=(ToolCall("dexter_4", "web_search", "{}"),)),
        ToolResult("dexter_4", "web_search", Body("plain \ud800", chars=7)),
        AssistantMessage("I need figures."),
    ]


def test_broken_lines_cost_themselves_and_are_reported(tmp_path: Path) -> None:
    write(
        tmp_path / "run.jsonl",
        b"\xef\xbb\xbf" + INIT.encode(),
        "not json",
        '{"type":"thinking","content":"no time"}',
        f'{{"content":"no type",{AT}}}',
        b"\0\0\0",
        b"\xff",
        "",
        RESULT,
        RESULT[:60],
    )
    entries, damage = read_dexter(tmp_path / "run.jsonl")
    assert [type(entry.event) for entry in entries] == [RunStarted, AssistantMessage, ToolResult]
    assert [d.line for d in damage] == [2, 3, 4, 5, 6, 9]


def test_a_file_shared_by_two_runs_is_one_with_two_questions(tmp_path: Path) -> None:
    second = INIT.replace("Apple", "Google")
    assert events(tmp_path / "run.jsonl", INIT, THINKING, second) == [
        RunStarted("Apple revenue?"),
        AssistantMessage("I need figures."),
        UserMessage("Google revenue?"),
    ]


def test_a_run_without_its_start_has_an_unknown_question(tmp_path: Path) -> None:
    assert events(tmp_path / "run.jsonl", TEXT)[0] == RunStarted("")
    assert events(tmp_path / "run.jsonl", '{"type":"dream",' + AT + "}") == [RunStarted("")]


def test_what_was_read_can_be_appended_to_a_run_of_ours(tmp_path: Path) -> None:
    write(tmp_path / "run.jsonl", INIT, THINKING, RESULT, TEXT, RESULT, INIT, TEXT)
    found: list[Entry] = read_dexter(tmp_path / "run.jsonl")[0]
    with Scratchpad.create(tmp_path, "q", clock=ticking(), inline=10) as pad:
        texts = [pad.append(entry.event).event for entry in found]
    assert len(texts) == len(found)


def test_a_missing_file_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(ScratchpadError, match=r"none.jsonl cannot be read"):
        read_dexter(tmp_path / "none.jsonl")
