from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.scratchpad.helpers import ticking

from tallybook.errors import ScratchpadError
from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.dexter import read_dexter
from tallybook.scratchpad.events import (
    AssistantMessage,
    Event,
    RunStarted,
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
    return [entry.event for entry in read_dexter(path)]


def write(path: Path, *given: str | bytes) -> None:
    path.write_bytes(b"".join((g.encode() if isinstance(g, str) else g) + b"\n" for g in given))


def test_results_keep_their_digits_and_texts_their_characters(tmp_path: Path) -> None:
    odd = TEXT.replace("plain", "plain \u2028 \u0085")
    found = events(tmp_path / "run.jsonl", b"\xef\xbb\xbf" + INIT.encode(), RESULT, odd)
    results = [event.body.text for event in found if isinstance(event, ToolResult)]
    assert results == ['{"revenue":94.90,"note":"x\\n"}', "plain \u2028 \u0085 \ud800"]
    assert isinstance(found[2], AssistantMessage)
    assert found[2].calls[0].arguments == '{"ticker":"AAPL","n":1.0}'


@pytest.mark.parametrize(
    "broken",
    [
        b"not json",
        b'{"type":"thinking","content":"no time"}',
        f'{{"content":"no type",{AT}}}'.encode(),
        b"\0\0\0",
        b"\xff",
        b"",
        b"[" * 99_999,
        RESULT[:60].encode(),
    ],
)
def test_a_broken_line_costs_itself(tmp_path: Path, broken: bytes) -> None:
    found = events(tmp_path / "run.jsonl", INIT, broken, RESULT)
    assert [type(event) for event in found] == [
        RunStarted,
        UserMessage,
        AssistantMessage,
        ToolResult,
    ]


def test_what_was_read_can_be_appended_to_a_run_of_ours(tmp_path: Path) -> None:
    """Even where two runs of Dexter shared a file, as two of one query in one second do."""
    write(tmp_path / "run.jsonl", INIT, THINKING, RESULT, TEXT, THINKING, INIT, TEXT, THINKING)
    found = list(read_dexter(tmp_path / "run.jsonl"))
    with Scratchpad.create(tmp_path, "q", clock=ticking(), inline=10) as pad:
        assert [pad.append(entry.event).seq for entry in found] == [entry.seq for entry in found]


def test_a_missing_file_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(ScratchpadError, match=r"none.jsonl cannot be read"):
        list(read_dexter(tmp_path / "none.jsonl"))
