"""Replay a run: what the model saw at every step, from the scratchpad alone."""

from __future__ import annotations

import asyncio
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from tallybook import fullness, project, read
from tallybook.research.agent import Research, ask
from tallybook.research.analyst import OfflineAnalyst
from tallybook.tools.finance.sample import Sample

QUESTION = "Compare revenue and gross margin of NVIDIA and Apple over the last eight quarters"


def main() -> None:
    """Ask a question in a small window, then walk through its run."""
    with TemporaryDirectory() as folder:
        research = Research(OfflineAnalyst(window=8_000), Sample(), Path(folder))
        finished = asyncio.run(ask(research, QUESTION))
        reader = read(finished.folder)
        for step in range(1, reader.seq + 1):
            view = project(islice(reader.entries(), step))
            forms = [item.form for item in view.items if item.form != "full"]
            print(f"{step:>3} {fullness(view).used:>6} tokens  {' '.join(forms)}")


if __name__ == "__main__":
    main()
