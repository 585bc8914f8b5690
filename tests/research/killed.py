"""Runs the research agent in children of its own and kills them; started by the test.

Each line on standard input is a folder and a number of seconds. A child asks the question in
that folder and is killed with SIGKILL after so long (0: never); the numbers of the entries
that it had acknowledged come back on standard output.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

from tallybook.research.agent import Research, ask
from tallybook.research.analyst import OfflineAnalyst
from tallybook.scratchpad import runs
from tallybook.tools.finance.sample import Sample

QUESTION = "Compare revenue and free cash flow of NVIDIA and Apple over the last eight quarters"


def research(root: Path, resume: Path | None = None) -> Research:
    """The agent as the command line puts it together."""
    return Research(OfflineAnalyst(window=8_000), Sample(), root, window=8_000, resume=resume)


def _child(root: Path, pipe: int) -> None:
    def acknowledge(entry: object) -> None:
        os.write(pipe, f"{getattr(entry, 'seq', 0)}\n".encode())

    found = runs(root)
    resume = found[0].folder if found and found[0].entries else None
    question = None if resume else QUESTION
    asyncio.run(ask(research(root, resume), question, on_entry=acknowledge))


def _run(root: Path, seconds: float) -> list[int]:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _child(root, writing)
        os._exit(0)
    os.close(writing)
    if seconds:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading) as pipe:
        acknowledged = [int(line) for line in pipe.read().split()]
    os.waitpid(child, 0)
    return acknowledged


def main() -> None:
    """Serve until standard input ends."""
    asyncio.run(Sample().facts(["NVDA"]))
    for line in sys.stdin:
        root, seconds = line.rsplit(" ", 1)
        print(*_run(Path(root), float(seconds)), flush=True)


if __name__ == "__main__":
    main()
