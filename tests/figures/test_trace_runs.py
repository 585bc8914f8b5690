"""What the offline analyst answers is all supported; what is altered in it afterwards is not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random

import pytest

from tallybook.figures.trace import Sources, Traced, trace
from tallybook.research.agent import Research, ask
from tallybook.research.analyst import OfflineAnalyst
from tallybook.scratchpad import read
from tallybook.scratchpad.events import ToolResult
from tallybook.tools.finance.sample import Sample

QUESTIONS = (
    "Compare Apple and NVIDIA revenue growth and margins over the last 4 years",
    "Compare free cash flow of Apple, NVIDIA and Alphabet for the last three years",
    "What is the CAGR of NVIDIA revenue from FY2022 to FY2026?",
    "How much larger is Apple's revenue than NVIDIA's?",
    "英伟达和苹果最近三年的营收和净利润对比",
)


def answered(root: Path, question: str) -> tuple[str, dict[int, str]]:
    analyst = OfflineAnalyst(window=64_000, today=date(2026, 12, 1))
    finished = asyncio.run(ask(Research(analyst, Sample(), root), question))
    results = {
        entry.seq: entry.event.body.text
        for entry in read(finished.folder).entries()
        if isinstance(entry.event, ToolResult) and entry.event.body.text
    }
    return finished.answer, results


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_figure_of_the_offline_analyst_is_quoted_or_derived(
    tmp_path: Path, question: str
) -> None:
    answer, results = answered(tmp_path, question)
    audit = trace(answer, results, question)
    assert len(audit.traced) > 3
    assert [(one.figure.text, one.why) for one in audit.unsupported] == []
    assert not any(one.ambiguous for one in audit.traced)


def test_altered_figures_of_an_answer_are_flagged(tmp_path: Path) -> None:
    answer, results = answered(tmp_path, QUESTIONS[0])
    sources = Sources(results)
    outcomes = list(_altered(answer, sources))
    assert len(outcomes) > 50
    assert sum(outcomes) >= 0.97 * len(outcomes)


def _altered(answer: str, sources: Sources) -> Iterator[bool]:
    """For each figure with its last digit but one changed, whether it is flagged."""
    random = Random(3)
    for one in trace(answer, sources).traced:
        start, end = one.figure.span
        digits = [at for at in range(start, end) if answer[at].isdigit()]
        if one.figure.kind == "figure" and len(digits) > 2:
            at = digits[-2]
            other = str((int(answer[at]) + random.randint(1, 9)) % 10)
            audit = trace(answer[:at] + other + answer[at + 1 :], sources)
            found: list[Traced] = [one for one in audit.traced if one.figure.span[0] == start]
            yield any(one.verdict == "unsupported" or one.ambiguous for one in found)
