"""The command line against a provider over real HTTP, as a person at a terminal meets it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tallybook.scratchpad import read, runs
from tallybook.scratchpad.events import AssistantMessage, Queued, RunStarted, Stopped, UserMessage
from tallybook.testing import LoopbackProvider, Refusal, call, say
from tallybook.testing.answers import Answer, Received

ROOT = Path(__file__).parents[2]
KEY = "sk-loopback-0123456789"


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    return {**kept, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}


def _set_up(folder: Path, provider: LoopbackProvider) -> None:
    (folder / ".env").write_text(f"OPENAI_API_KEY={KEY}\nOPENAI_BASE_URL={provider.openai}\n")


def _command(folder: Path, *arguments: str) -> list[str]:
    home = str(folder / "home")
    command = [sys.executable, "-m", "tallybook", *arguments, "--home", home]
    if arguments[0] in ("ask", "resume"):
        command += ["--model", "openai-chat:gpt-4.1", "--window", "64000"]
    return command


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        _command(folder, *arguments),
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def _everything_written(folder: Path) -> str:
    return "".join(path.read_text() for path in (folder / "home").rglob("*") if path.is_file())


def test_key_and_address_from_dotenv_rules_and_totals(tmp_path: Path) -> None:
    (tmp_path / "RULES.md").write_text("Answer in Latin.")
    with LoopbackProvider([say("Salve.")]) as provider:
        _set_up(tmp_path, provider)
        done = _run(tmp_path, "ask", "Hello?")
        [request] = provider.requests
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Salve.")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert "Answer in Latin." in json.dumps(request.body)
    assert "RULES.md, 16 characters" in done.stderr
    assert "tokens in" in done.stderr
    assert "$0.00" in done.stderr
    listed = json.loads(_run(tmp_path, "runs", "--json").stdout)
    assert listed[0]["input_tokens"] > 0
    assert listed[0]["dollars"] > 0
    assert "$0.00" in _run(tmp_path, "runs").stdout
    assert "$0.00" in _run(tmp_path, "show", "last").stderr
    assert KEY not in _everything_written(tmp_path)


def test_a_key_that_the_provider_repeats_is_in_no_file_and_on_no_screen(tmp_path: Path) -> None:
    refusals = [
        Refusal(400, {"error": {"message": f"Unsupported value with {KEY}."}}),
        Refusal(401, {"error": {"message": f"Incorrect API key provided: {KEY}."}}),
    ]
    with LoopbackProvider(refusals) as provider:
        _set_up(tmp_path, provider)
        for _ in refusals:
            done = _run(tmp_path, "ask", "Hello?")
            assert done.returncode == 1
            assert "tallybook resume last" in done.stderr
            assert "Traceback" not in done.stderr
            assert KEY not in done.stdout + done.stderr + _everything_written(tmp_path)


def test_a_question_follows_up_in_a_run(tmp_path: Path) -> None:
    with LoopbackProvider([say("94.0"), say("46.5 %")]) as provider:
        _set_up(tmp_path, provider)
        _run(tmp_path, "ask", "Revenue?")
        done = _run(tmp_path, "ask", "And the margin?", "--run", "last", "--json")
    told = json.loads(done.stdout)
    assert told["answer"] == "46.5 %"
    assert told["rounds"] == 2
    assert told["dollars"] > 0
    assert len(runs(tmp_path / "home" / "runs")) == 1


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_exits_with_130_and_resume_asks_nothing_twice(tmp_path: Path) -> None:
    asked = threading.Event()
    go_on = threading.Event()

    def hang(request: Received) -> Answer:
        asked.set()
        go_on.wait(120)
        return say("too late")

    fetch = call("get_financials", companies=["AAPL"], items=["revenue"])
    with LoopbackProvider([fetch, hang, say("143,756")]) as provider:
        _set_up(tmp_path, provider)
        child = subprocess.Popen(
            _command(tmp_path, "ask", "Revenue?"),
            cwd=tmp_path,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert asked.wait(120)
        child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=120)
        go_on.set()
        assert child.returncode == 130
        assert "tallybook resume" in told
        assert "Traceback" not in told
        folder = runs(tmp_path / "home" / "runs")[0].folder
        stopped = list(read(folder).entries())[-1].event
        assert isinstance(stopped, Stopped)
        assert stopped.kind == "user"
        done = _run(tmp_path, "resume", "last")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("143,756")
    told_all = [entry.event for entry in read(folder).entries()]
    calls = [one for one in told_all if isinstance(one, AssistantMessage) and one.calls]
    assert len(calls) == 1
    assert len([one for one in told_all if isinstance(one, RunStarted | UserMessage)]) == 2


def test_a_line_typed_meanwhile_is_queued_and_answered(tmp_path: Path) -> None:
    asked = threading.Event()
    typed = threading.Event()

    def wait(request: Received) -> Answer:
        asked.set()
        typed.wait(120)
        return say("94.0")

    def last(request: Received) -> Answer:
        return say("margin 46.5 %" if "And the margin?" in json.dumps(request.body) else "lost")

    main, side = pty.openpty()
    with LoopbackProvider([wait, last]) as provider:
        _set_up(tmp_path, provider)
        child = subprocess.Popen(
            _command(tmp_path, "ask", "Revenue?"),
            cwd=tmp_path,
            env=_environment(),
            stdin=side,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        os.close(side)
        assert asked.wait(120)
        os.write(main, b"And the margin?\n")
        assert child.stderr
        while "queued" not in (line := child.stderr.readline()) and line:
            pass
        typed.set()
        out, told = child.communicate(timeout=120)
    os.close(main)
    assert child.returncode == 0, told
    assert out.index("94.0") < out.index("margin 46.5 %")
    assert "lost" not in out
    [folder] = [run.folder for run in runs(tmp_path / "home" / "runs")]
    queued = [one.event.text for one in read(folder).entries() if isinstance(one.event, Queued)]
    assert queued == ["And the margin?"]
