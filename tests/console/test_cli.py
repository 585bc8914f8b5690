from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tallybook.cli import main
from tests.pads import call_and_result, with_results

ROOT = Path(__file__).parents[2]
QUESTION = "Apple revenue and gross margin, last four quarters"


def _tallybook(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tallybook", *arguments, "--home", str(home)],
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def _environment() -> dict[str, str]:
    """No keys, so that the offline analyst answers."""
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    return {**kept, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which one question was answered."""
    home = tmp_path_factory.mktemp("home")
    done = _tallybook(home, "ask", QUESTION, "--offline", "--window", "6000")
    assert done.returncode == 0, done.stderr
    assert "143,756 [4]" in done.stdout
    for sign in ("→ get_financials", "⎿ result [4]", "tokens in view", "Run 20"):
        assert sign in done.stderr
    return home


def test_ask_for_programs_prints_one_object(asked: Path) -> None:
    done = _tallybook(asked, "ask", QUESTION, "--offline", "--json", "--window", "6000")
    told = json.loads(done.stdout)
    assert told["question"] == QUESTION
    assert told["state"] == "answered"
    assert "143,756 [4]" in told["answer"]
    assert told["window"] == 6000
    assert told["edits"]["cap"] >= 1
    assert Path(told["folder"]).name == told["id"]
    assert done.stderr == ""


def test_runs_are_listed_newest_first(asked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "--json", "--home", str(asked)]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {run["question"] for run in listed} == {QUESTION}
    assert {run["state"] for run in listed} == {"answered"}
    assert [run["id"] for run in listed] == sorted((run["id"] for run in listed), reverse=True)
    assert main(["runs", "--home", str(asked)]) == 0
    assert QUESTION in capsys.readouterr().out


def test_show_prints_every_entry_or_one_whole(
    asked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "last", "--home", str(asked)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "run started with tallybook:offline-analyst" in lines[0]
    assert "answered" in lines[-1]
    assert main(["show", "last", "4", "--home", str(asked)]) == 0
    assert json.loads(capsys.readouterr().out)["companies"][0]["ticker"] == "AAPL"
    assert main(["show", "last", "--json", "--home", str(asked)]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["event"]["type"] == "RunStarted"


def test_view_prints_what_the_model_saw_at_a_moment(
    asked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", "last", "--at", "2", "--json", "--home", str(asked)]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert [item["role"] for item in seen["items"]] == ["user"]
    assert seen["tools"] == ["get_financials", "recall"]
    assert main(["view", "last", "--home", str(asked)]) == 0
    shown = capsys.readouterr().out
    assert "(capped)" in shown
    assert "recall(4" in shown


def test_doctor_says_what_is_set_up(tmp_path: Path) -> None:
    done = _tallybook(tmp_path, "doctor")
    assert done.returncode == 0
    for line in ("Tallybook 0.1.0", "full-text search", "offline analyst", "embedded sample"):
        assert line in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["show", "nothing"], 1, "There is no run 'nothing'"),
        (["view", "last", "--at", "99"], 1, "--at 99 is no moment"),
        (["show", "last", "99"], 1, "not 99"),
        (["ask", " "], 2, "There is no question"),
        (["ask", "x", "--window", "100"], 2, "4000 tokens is the least"),
        (["ask", "x", "--rounds", "0"], 2, "1 is the least"),
        (["resume", "nothing"], 1, "There is no run"),
    ],
)
def test_a_mistake_is_one_sentence_and_no_traceback(
    tmp_path: Path,
    arguments: list[str],
    code: int,
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with_results(tmp_path / "runs", "one").close()
    assert main([*arguments, "--home", str(tmp_path)]) == code
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told


def test_a_command_that_does_not_exist_exits_with_2(tmp_path: Path) -> None:
    done = _tallybook(tmp_path, "dance")
    assert done.returncode == 2
    assert "invalid choice" in done.stderr


def test_a_damaged_run_is_listed_and_shown_with_its_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pad = with_results(tmp_path / "runs", "one", "two")
    pad.close()
    lines = pad.path.read_bytes().splitlines(keepends=True)
    lines[3] = b"{broken\n"
    pad.path.write_bytes(b"".join(lines))
    assert main(["runs", "--home", str(tmp_path)]) == 0
    assert "damaged (2 unreadable places)" in capsys.readouterr().out
    assert main(["show", "last", "--home", str(tmp_path)]) == 0
    assert "line 4, 8 bytes unreadable" in capsys.readouterr().err


def test_a_run_that_is_being_written_cannot_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pad = with_results(tmp_path / "runs", "one")
    for event in call_and_result("two", 5):
        pad.append(event)
    assert main(["resume", "last", "--offline", "--home", str(tmp_path)]) == 1
    assert "being written by another process" in capsys.readouterr().err


def test_an_answered_run_is_answered_again_without_asking(asked: Path) -> None:
    done = _tallybook(asked, "resume", "last", "--offline")
    assert done.returncode == 0
    assert "answered already" in done.stderr
    assert "143,756 [4]" in done.stdout


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_stops_cleanly_and_the_run_can_be_resumed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tallybook", "ask", "--home", str(tmp_path), "--offline"]
    with subprocess.Popen(
        [*command, "--window", "8000", f"Compare net income and {QUESTION}, of all big names"],
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stderr
        while "⎿ result" not in child.stderr.readline():
            pass
        child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=60)
    assert child.returncode in (0, 130)
    if child.returncode == 130:
        assert "tallybook resume" in told
        assert "Traceback" not in told
    done = _tallybook(tmp_path, "resume", "last", "--offline", "--window", "8000")
    assert done.returncode == 0, done.stderr
    assert "143,756" in done.stdout


def test_a_terminal_without_chinese_still_gets_its_answer(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tallybook",
            "ask",
            "苹果营收",
            "--offline",
            "--home",
            str(tmp_path),
        ],
        env={**_environment(), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "143,756" in done.stdout


def test_a_home_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = _tallybook(tmp_path / "file", "ask", "Apple revenue", "--offline")
    assert done.returncode == 1
    assert "choose a folder that can be written" in done.stderr
    assert "Traceback" not in done.stderr
