"""Recordings come in as runs by the command line, and go out as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tallybook.cli import main

CHAT = {
    "model": "gpt-5",
    "service_tier": "flex",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What is 2 + 2?", "name": "ann"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "add", "arguments": '{"a":2, "b":2}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "4"},
    ],
}


def test_a_chat_comes_in_and_goes_out_with_fields_nobody_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(CHAT))
    assert main(["import", str(file), "--home", str(tmp_path)]) == 0
    assert "4 entries  openai" in capsys.readouterr().out
    assert main(["export", "last", "--as", "openai", "--home", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == CHAT


def test_a_broken_line_is_named_and_the_rest_comes_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "chat.jsonl"
    file.write_text('{"role": "user", "content": "a"}\n{"role": "assis')
    assert main(["import", str(file), "--home", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert "chat.jsonl, line 2 is left out" in told.err
    assert "2 entries" in told.out


def test_a_view_that_a_provider_would_refuse_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(CHAT))
    main(["import", str(file), "--home", str(tmp_path)])
    capsys.readouterr()
    cut = ["export", "last", "--as", "anthropic", "--at", "3", "--home", str(tmp_path)]
    assert main(cut) == 1
    told = capsys.readouterr()
    assert "every-call-answered-in-the-next-message" in told.err
    assert told.out == ""


def test_a_file_that_is_no_recording_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.json"
    file.write_text('{"rows": []}')
    assert main(["import", str(file), "--home", str(tmp_path)]) == 2
    assert "table.json is no known recording" in capsys.readouterr().err
