from __future__ import annotations

from pathlib import Path

import pytest

from tallybook.errors import ScratchpadError
from tallybook.scratchpad.dexter import read_dexter
from tallybook.scratchpad.events import AssistantMessage, RunStarted, ToolResult, UserMessage
from tallybook.view.check import check
from tallybook.view.project import project

AT = '"timestamp":"2026-01-02T03:04:05.000Z"'
LINES = "\n".join(
    [
        f'{{"type":"init",{AT},"content":"AAPL revenue?"}}',
        f'{{"type":"thinking",{AT},"content":"I need the income statement."}}',
        f'{{"type":"tool_result",{AT},"toolName":"get_financials","args":{{"ticker":"AAPL"}},'
        '"result":{"revenue":391035000000}}',
        '{"broken',
        '{"type":"thinking","content":"no timestamp"}',
        f'{{"type":"tool_result",{AT},"toolName":"web_search","args":{{}},"result":"plain text"}}',
        f'{{"type":"thinking",{AT},"content":"Now I know."}}',
    ]
)


def test_a_scratchpad_of_dexter_becomes_a_sound_view(tmp_path: Path) -> None:
    path = tmp_path / "dexter.jsonl"
    path.write_text(LINES)
    entries = list(read_dexter(path))
    events = [entry.event for entry in entries]
    assert [entry.seq for entry in entries] == list(range(1, 8))
    assert events[0] == RunStarted("AAPL revenue?")
    assert events[1] == UserMessage("AAPL revenue?")
    assert isinstance(events[2], AssistantMessage)
    assert events[2].text == "I need the income statement."
    assert events[2].calls[0].arguments == '{"ticker":"AAPL"}'
    results = [event for event in events if isinstance(event, ToolResult)]
    assert [r.body.text for r in results] == ['{"revenue":391035000000}', "plain text"]
    assert check(project(entries)) == ()


def test_a_file_that_is_none_of_dexters_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text("hello\n")
    with pytest.raises(ScratchpadError, match="no line of a Dexter"):
        list(read_dexter(path))
