from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.scratchpad.helpers import START, lines, make, reply, result, rewrite, ticking

from tallybook.scratchpad import Scratchpad, runs
from tallybook.scratchpad.events import (
    Answered,
    Event,
    MemoryFlushed,
    RunStarted,
    Stopped,
    UserMessage,
)

if TYPE_CHECKING:
    from pathlib import Path


def state(root: Path, *events: Event) -> str:
    make(root, events)
    (run,) = runs(root)
    return run.state


def test_a_run_is_listed_with_its_question_and_state(tmp_path: Path) -> None:
    folder = make(tmp_path, [UserMessage("x"), Answered("42")])
    (run,) = runs(tmp_path)
    assert (run.id, run.folder, run.question) == (folder.name, folder, "q")
    assert run.started is not None
    assert (run.state, run.entries, run.damage) == ("answered", 3, 0)


def test_the_state_is_what_came_last(tmp_path: Path) -> None:
    assert state(tmp_path / "1") == "interrupted"
    assert state(tmp_path / "2", Stopped("Ctrl-C", "user")) == "stopped"
    assert state(tmp_path / "3", Answered("x"), UserMessage("and?")) == "interrupted"
    assert state(tmp_path / "4", reply("a"), result("a"), Answered("x")) == "answered"


def test_a_run_being_written_is_running_and_asking_does_not_disturb_it(tmp_path: Path) -> None:
    with Scratchpad.create(tmp_path, "q", clock=ticking()) as pad:
        pad.append(RunStarted("q"))
        assert [run.state for run in runs(tmp_path)] == ["running"]
        pad.append(Answered("x"))
    assert [run.state for run in runs(tmp_path)] == ["answered"]


def test_runs_come_newest_first(tmp_path: Path) -> None:
    made = []
    for second in (0, 0, 5, 3):
        with Scratchpad.create(
            tmp_path, "q", clock=ticking(START + timedelta(seconds=second))
        ) as pad:
            made.append(pad.id)
    first, again, last, third = made
    assert again == f"{first}-2"
    assert [run.id for run in runs(tmp_path)] == [last, third, again, first]


def test_a_damaged_run_is_listed_and_marked(tmp_path: Path) -> None:
    folder = make(tmp_path, [UserMessage("x"), Answered("42")])
    one, two, three = lines(folder)
    rewrite(folder, [b"\0" * len(one) + b"\n", two, three])
    (run,) = runs(tmp_path)
    assert (run.state, run.question, run.entries) == ("damaged", "x", 2)
    assert run.damage == 2
    (folder / "scratchpad.jsonl").unlink()
    (run,) = runs(tmp_path)
    assert (run.state, run.entries) == ("damaged", 0)
    (folder / "scratchpad.jsonl").mkdir()
    assert [run.state for run in runs(tmp_path)] == ["damaged"]


def test_a_torn_last_line_is_no_damage_to_the_state(tmp_path: Path) -> None:
    folder = make(tmp_path, [Stopped("x"), UserMessage("y")])
    rewrite(folder, [*lines(folder)[:2], b'{"v":1,"se\0\0\n'])
    (run,) = runs(tmp_path)
    assert run.state == "stopped"
    assert run.damage == 0


def test_what_is_no_run_is_not_listed(tmp_path: Path) -> None:
    assert runs(tmp_path / "nowhere") == []
    (tmp_path / "notes").mkdir()
    (tmp_path / "file").write_text("")
    assert runs(tmp_path) == []


def test_an_answered_run_stays_so_whatever_was_noted_since(tmp_path: Path) -> None:
    assert state(tmp_path, Answered("x"), MemoryFlushed("- likes tables")) == "answered"
