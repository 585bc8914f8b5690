"""Real processes: two at once, and one killed at any moment."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests.scratchpad.helpers import reopen, reply

from tallybook.errors import ScratchpadLocked
from tallybook.scratchpad import read, runs
from tallybook.scratchpad.events import ToolResult

ROOT = Path(__file__).parents[2]
WRITER = (str(Path(__file__).with_name("writer.py")),)


def start(program: tuple[str, ...], root: Path) -> subprocess.Popen[str]:
    python_path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, *program, str(root)],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": python_path},
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> str:
    rest, _ = process.communicate()
    return rest


@pytest.mark.parametrize("after", sorted(random.Random(2).sample(range(1, 300), 20)))
def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path, after: int) -> None:
    writer = start(WRITER, tmp_path)
    folder = Path(said(writer))
    acknowledged = [said(writer) for _ in range(after)]
    writer.kill()
    acknowledged += end(writer).split()
    last = int(acknowledged[-1]) if acknowledged[-1] else int(acknowledged[-2])
    assert [run.id for run in runs(tmp_path)] == [folder.name]
    with reopen(folder) as pad:
        entries = list(pad.entries())
        assert [entry.seq for entry in entries] == list(range(1, pad.seq + 1))
        assert pad.seq >= last
        bodies = [entry.event.body for entry in entries if isinstance(entry.event, ToolResult)]
        assert all(body.damage is None and body.text is not None for body in bodies)
        pad.append(reply("on"))
    assert read(folder).damage == ()


CREATE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.events import RunStarted
input()
moment = datetime(2026, 1, 1, tzinfo=UTC)
for _ in range(20):
    with Scratchpad.create(Path(sys.argv[1]), "q", clock=lambda: moment, fsync="never") as pad:
        pad.append(RunStarted("q"))
        print(pad.id)
"""


def test_two_processes_never_share_a_run(tmp_path: Path) -> None:
    processes = [start(("-c", CREATE), tmp_path) for _ in range(2)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    made = [name for process in processes for name in end(process).split()]
    assert len(made) == len(set(made)) == 40
    assert {(run.id, run.entries) for run in runs(tmp_path)} == {(name, 1) for name in made}


def test_a_writer_in_another_process_holds_the_run_until_it_dies(tmp_path: Path) -> None:
    writer = start(WRITER, tmp_path)
    folder = Path(said(writer))
    said(writer)
    with pytest.raises(ScratchpadLocked, match=folder.name):
        reopen(folder)
    assert [run.state for run in runs(tmp_path)] == ["running"]
    assert read(folder).seq >= 1
    writer.kill()
    end(writer)
    with reopen(folder) as pad:
        assert pad.seq >= 1
