"""`tallybook audit`, the closing line of `ask`, and `--strict`, used as people use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tallybook.cli import main
from tallybook.console.ask import Shown, run_ask
from tallybook.research.agent import Research
from tallybook.scratchpad import read
from tallybook.scratchpad.events import Answered, UserMessage
from tallybook.testing import ScriptedModel, call, say
from tallybook.tools.finance.sample import Sample

SOURCE = """Contoso Ltd, year ended June 30, 2025 (in millions)

| | 2025 | 2024 |
| --- | --- | --- |
| Net sales | 1,482.6 | 1,310.2 |
| Operating income | 212.9 | 187.4 |
| Net income | 160.3 | 141.8 |
| Capital expenditure | 77.5 | 64.1 |
"""
RIGHT = "Net sales were $1,482.6 million in 2025, up 13.2 % from $1,310.2 million in 2024."
QUESTION = "What was NVIDIA's revenue in the newest quarter?"
WRONG = "NVIDIA's revenue was $81,615 million in Q1 FY2027 [4], and it employs 77,777 people."


def _files(root: Path, answer: str) -> list[str]:
    (root / "answer.md").write_text(answer, "utf-8")
    (root / "source.md").write_text(SOURCE, "utf-8")
    return ["--answer", str(root / "answer.md"), "--sources", str(root / "source.md")]


def test_an_answer_of_any_origin_is_audited_against_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *_files(tmp_path, RIGHT)]) == 0
    assert capsys.readouterr().out.endswith("3 figures: 2 quoted, 1 derived, 0 unsupported\n")


def test_an_unsupported_figure_is_named_and_the_exit_code_is_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = RIGHT.replace("1,482.6", "1,582.6")
    assert main(["audit", *_files(tmp_path, wrong), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["line"] == "3 figures: 1 quoted, 1 derived, 1 unsupported"
    assert [row["verdict"] for row in told["figures"]] == ["unsupported", "derived", "quoted"]


def test_exactly_the_five_of_twelve_figures_that_stand_nowhere_are_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = (
        "Contoso's net sales were $1,482.6 million in 2025 and $1,310.2 million in 2024. "
        "Operating income was $212.9 million in 2025 and $187.4 million in 2024. "
        "Net income was $160.3 million in 2025 and $141.8 million in 2024. "
        "Capital expenditure was $77.5 million in 2025.\n"
        "Research cost $93.7 million in 2025. Inventory was $38.4 million. "
        "The order book stood at $2.91 billion. Total debt was $512.6 million. "
        "The company has 4,871 employees.\n"
    )
    assert main(["audit", *_files(tmp_path, answer), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    wrong = [row["figure"] for row in told["figures"] if row["verdict"] == "unsupported"]
    assert len(told["figures"]) == 12
    assert wrong == [
        "$93.7 million",
        "$38.4 million",
        "$2.91 billion",
        "$512.6 million",
        "4,871",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["audit", "--answer", "answer.md"], "--sources FILE"),
        (["audit", "--answer", "nowhere.md", "--sources", "x"], "cannot be read"),
        (["audit", "last"], "no run"),
    ],
)
def test_what_cannot_be_audited_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert main([*arguments, "--home", str(tmp_path)]) in {1, 2}
    assert told in capsys.readouterr().err


def test_a_run_is_audited_and_its_figures_lead_to_their_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = "Apple revenue and gross margin, last four quarters"
    assert main(["ask", question, "--offline", "--quiet", "--home", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert shown.rstrip().endswith("quoted, 0 derived, 0 unsupported")
    assert main(["audit", "last", "--json", "--home", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)
    newest = next(row for row in told["figures"] if row["figure"].startswith("143,756"))
    assert newest["result"] == 4
    assert "143756000000" in newest["words"]


def _research(root: Path, *answers: str) -> Research:
    asked = call("get_financials", tickers=["NVDA"], items=["revenue"], limit=1)
    replies = [asked, *(say(answer) for answer in answers)]
    return Research(ScriptedModel(replies), Sample(), root, window=32_000)


def test_what_stands_nowhere_is_marked_in_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_ask(_research(tmp_path, WRONG), QUESTION, Shown(quiet=True)) == 0
    shown = capsys.readouterr().out
    assert (
        "$81,615 million in Q1 FY2027 [4], and it employs 77,777 **[unsupported]** people" in shown
    )
    assert "2 figures: 1 quoted, 0 derived, 1 unsupported" in shown


def test_a_strict_answer_goes_back_to_the_model_once_with_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mended = "NVIDIA's revenue was $81,615 million in Q1 FY2027 [4]."
    research = _research(tmp_path, WRONG, mended)
    assert run_ask(research, QUESTION, Shown(quiet=True, strict=True)) == 0
    assert "1 figure: 1 quoted, 0 derived, 0 unsupported" in capsys.readouterr().out
    [run] = tmp_path.iterdir()
    events = [entry.event for entry in read(run).entries()]
    asked = [event.text for event in events if isinstance(event, UserMessage)]
    assert len(asked) == 2
    assert "77,777" in asked[1]
    assert "81,615" not in asked[1]
    assert sum(isinstance(event, Answered) for event in events) == 2
