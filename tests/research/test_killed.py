from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallybook.scratchpad import read, runs
from tallybook.scratchpad.events import Answered, AssistantMessage, ToolResult
from tallybook.view.check import check
from tallybook.view.project import project

POINTS = 25
ROOT = Path(__file__).parents[2]


class Killer:
    """The process that runs and kills children."""

    def __init__(self) -> None:
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.research.killed"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
            cwd=ROOT,
        )

    def run(self, root: Path, seconds: float) -> list[int]:
        """Ask, or go on, in `root`; kill after `seconds`; what was acknowledged."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{root} {seconds}\n")
        self._process.stdin.flush()
        return [int(number) for number in self._process.stdout.readline().split()]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@pytest.fixture(scope="module")
def killer() -> Iterator[Killer]:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork to start fifty children quickly")
    process = Killer()
    yield process
    process.close()


@pytest.fixture(scope="module")
def undisturbed(killer: Killer, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, float]:
    """The answer of a run that nobody kills, and the seconds it takes."""
    root = tmp_path_factory.mktemp("undisturbed")
    began = time.monotonic()
    killer.run(root, 0)
    return _answer(root), time.monotonic() - began


def _answer(root: Path) -> str:
    [*_, last] = read(runs(root)[0].folder).entries()
    assert isinstance(last.event, Answered)
    return last.event.text


@pytest.mark.parametrize("point", range(POINTS))
def test_a_run_killed_at_any_point_resumes_to_the_same_answer(
    killer: Killer, undisturbed: tuple[str, float], tmp_path: Path, point: int
) -> None:
    answer, duration = undisturbed
    chance = random.Random(point)
    acknowledged = killer.run(tmp_path, chance.uniform(0.01, duration))
    if found := runs(tmp_path):
        reader = read(found[0].folder)
        entries = list(reader.entries())
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        assert len(entries) >= max(acknowledged, default=0)
        view = project(entries)
        open_calls = [rule for rule in check(view) if "no result" not in rule and view.items]
        assert not open_calls
    killer.run(tmp_path, chance.uniform(0.01, duration))
    killer.run(tmp_path, 0)
    folder = runs(tmp_path)[0].folder
    assert _unnumbered(_answer(tmp_path)) == _unnumbered(answer)
    assert _asked_twice(folder) == []


def _unnumbered(answer: str) -> str:
    """The answer without the numbers of its results, which a restart moves."""
    return re.sub(r"\[\d+\]", "[]", answer)


def _asked_twice(folder: Path) -> list[str]:
    """Calls made again although their first result was there."""
    asked: dict[str, int] = {}
    known: set[str] = set()
    twice: list[str] = []
    open_calls: list[str] = []
    for entry in read(folder).entries():
        match entry.event:
            case AssistantMessage(calls=calls):
                open_calls = [f"{call.name} {call.arguments}" for call in calls]
                twice += [call for call in open_calls if call in known and "recall" not in call]
            case ToolResult(status=status):
                call = open_calls.pop(0)
                asked[call] = asked.get(call, 0) + 1
                if status != "interrupted":
                    known.add(call)
    return twice
