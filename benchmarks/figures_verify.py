"""What a lossy summarizer costs once its summaries are verified.

The summarizer drops half of the figures it reads and alters one in twenty. Run
`python -m benchmarks.figures_verify`; nothing but the repository is needed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.lossy import ITEMS, LossySummarizer, play, rows_of, unmarked
from tests.pads import new_pad

from tallybook.engine import ContextEngine
from tallybook.figures.find import find
from tallybook.figures.ledger import parse
from tallybook.policy.evidence import LEDGER
from tallybook.scratchpad.events import Summarized, ToolResult
from tallybook.view.size import tokens
from tallybook.view.view import View

SEEDS = range(5)
WINDOWS = (12_000, 16_000, 32_000, 64_000)


def main() -> None:
    """A row for each window."""
    print("window  summaries  altered  unmarked  asked for  in view  largest / budget")
    for window in WINDOWS:
        rows = [_row(seed, window) for seed in SEEDS]
        summaries, altered, wrong, asked, shown = (sum(row[n] for row in rows) for n in range(5))
        largest = max(row[5] for row in rows)
        print(
            f"{window:6}  {summaries:9}  {altered:7}  {wrong:8}  {asked:9}  "
            f"{shown / asked:7.2%}  {largest:7.2f}"
        )


def _row(seed: int, window: int) -> tuple[int, int, int, int, int, float]:
    summarizer = LossySummarizer(seed)
    summaries = wrong = asked = shown = 0
    largest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        engine = ContextEngine(new_pad(Path(folder)))
        for view in play(engine, summarizer, window):
            text = next((item.text for item in view.items if item.form == "summary"), None)
            if text is None:
                continue
            summaries += 1
            wrong += len(unmarked(text, summarizer.altered))
            wanted, held = _asked_for(engine), _shown(view)
            asked += len(wanted)
            shown += sum(value in held for value in wanted)
            budget = int(engine.limits.room(window) * engine.limits.summary_share)
            framed = text.partition("Results in reach")[0]
            largest = max(largest, tokens(view, view.count(framed)) / budget)
    return summaries, len(summarizer.altered), wrong, asked, shown, largest


def _asked_for(engine: ContextEngine) -> list[object]:
    entries = list(engine.scratchpad.entries())
    through = max(e.event.through for e in entries if isinstance(e.event, Summarized))
    return [
        row.value
        for entry in entries
        if isinstance(entry.event, ToolResult) and entry.seq <= through
        for row in rows_of(entry.event.body.text or "")
        if row.item in ITEMS
    ]


def _shown(view: View) -> set[object]:
    def figures() -> Iterator[object]:
        for item in view.items:
            prose, _, tables = item.text.partition(LEDGER)
            yield from (figure.value for figure in (*find(prose), *parse(tables).figures))

    return set(figures())


if __name__ == "__main__":
    main()
