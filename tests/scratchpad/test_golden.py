"""Old scratchpads load for ever, and what is written today is read the same tomorrow."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from tests.scratchpad import golden
from tests.scratchpad.helpers import lines

from tallybook.scratchpad import Event, read
from tallybook.scratchpad.codec import decode, encode
from tallybook.scratchpad.events import ToolResult

V1 = Path(__file__).parents[1] / "scratchpads" / "v1" / golden.RUN


def test_the_golden_run_holds_every_event_there_is() -> None:
    assert {type(event) for event in golden.EVENTS} == set(get_args(Event))


def test_the_golden_run_is_read_as_it_was_written() -> None:
    reader = read(V1)
    assert list(reader.entries()) == golden.expected()
    assert reader.damage == ()
    assert reader.text(5) == golden.TABLE


@pytest.mark.parametrize("line", lines(V1))
def test_an_old_line_is_encoded_as_it_was(line: bytes) -> None:
    assert encode(decode(line)) == line


def test_what_is_written_today_is_what_was_written_then(tmp_path: Path) -> None:
    folder = golden.write(tmp_path)
    assert folder.name == golden.RUN
    assert lines(folder) == lines(V1)
    for entry in read(folder).entries():
        if isinstance(entry.event, ToolResult) and entry.event.body.file:
            assert (folder / entry.event.body.file).read_bytes() == golden.TABLE.encode()
