"""What the engine costs: `python benchmarks/engine.py [rounds|open|append|import|memory] …`.

Prints a table for docs/performance.md. Without names, all sections are run.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tallybook import (
    AssistantMessage,
    Body,
    ContextEngine,
    Need,
    RunStarted,
    Scratchpad,
    ToolCall,
    ToolResult,
    Usage,
    UserMessage,
)
from tallybook.scratchpad.codec import encode
from tallybook.scratchpad.scratchpad import Fsync
from tallybook.view.size import fullness

PAGE = '{"item":"revenue","end":"2026-04-26","value":81615000000,"unit":"USD"}, as reported. '


def now() -> datetime:
    """The clock of the scratchpads."""
    return datetime.now(UTC)


def page(number: int) -> str:
    """About 8,000 characters, different each time."""
    return f"Page {number}. {PAGE}" + PAGE * 95


@contextmanager
def started(fsync: Fsync = "never") -> Iterator[ContextEngine]:
    """An engine in a folder that goes away."""
    root = Path(tempfile.mkdtemp())
    pad = Scratchpad.create(root, "q", clock=now, fsync=fsync)
    engine = ContextEngine(pad)
    engine.record(RunStarted("q", "You are an analyst."))
    engine.record(UserMessage("What was the revenue?"))
    yield engine
    pad.close()
    shutil.rmtree(root)


def play(
    engine: ContextEngine, number: int, clock: Callable[[], float] = time.process_time
) -> float:
    """One round; the seconds that the engine took of it, of this process's time or by `clock`."""
    call = ToolCall(f"c{number}", "get", f'{{"page": {number}}}')
    used = fullness(engine.view).used
    text = page(number)
    began = clock()
    engine.record(AssistantMessage(calls=(call,), usage=Usage(used)))
    engine.record(ToolResult(call.id, call.name, Body(text), read_only=True))
    while isinstance(step := engine.next(), Need):
        engine.supply(step, None)
    return clock() - began


def rounds() -> None:
    """Time per round, record and next, of 8,000-character results in a window of 128,000.

    Without syncing, of this process alone; with it, by the clock on the wall.
    """
    modes: tuple[tuple[Fsync, Callable[[], float]], ...] = (
        ("never", time.process_time),
        ("each", time.perf_counter),
    )
    for fsync, clock in modes:
        for count in (100, 1_000, 10_000):
            if fsync == "each" and count > 1_000:
                continue
            with started(fsync) as engine:
                times = [play(engine, number, clock) * 1_000 for number in range(count)]
            tenth = count // 10
            first, last = statistics.mean(times[:tenth]), statistics.mean(times[-tenth:])
            row(
                f"{count:,} rounds, fsync={fsync}",
                f"median {statistics.median(times):.2f} ms, first tenth {first:.2f}, "
                f"last tenth {last:.2f} ({last / first:.2f} x)",
            )


def opening() -> None:
    """Open and fold a scratchpad of 100 MB: as an engine left it, and without a single edit."""
    with started() as engine:
        for number in range(10_150):
            play(engine, number)
        engine.scratchpad.close()
        report_opening("100 MB, as the engine left it", engine.scratchpad.folder)
    with started() as engine:
        pad = engine.scratchpad
        for number in range(10_150):
            pad.append(AssistantMessage(calls=(ToolCall("c", "get"),)))
            pad.append(ToolResult("c", "get", Body(page(number)), read_only=True))
        pad.close()
        report_opening("100 MB, nothing let go", pad.folder)


def report_opening(name: str, folder: Path) -> None:
    """The best of three."""
    size = (folder / "scratchpad.jsonl").stat().st_size / 1e6

    def once() -> None:
        ContextEngine.open(folder, clock=now).scratchpad.close()

    row(f"{name} ({size:.0f} MB)", f"{best(once, 3):.2f} s")


def append() -> None:
    """Appends a second against bare write and fsync of the same bytes, turn by turn."""
    events = [UserMessage(page(number)) for number in range(600)]
    ours = theirs = 0.0
    with started("each") as engine:
        pad = engine.scratchpad
        bare = os.open(pad.folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for event in events:
            began = time.perf_counter()
            entry = pad.append(event)
            ours += time.perf_counter() - began
            line = encode(entry)
            began = time.perf_counter()
            os.write(bare, line)
            os.fsync(bare)
            theirs += time.perf_counter() - began
        os.close(bare)
    count = len(events)
    row(
        "appends, fsync=each",
        f"{count / ours:,.0f} a second, bare {count / theirs:,.0f} ({theirs / ours:.2f} x)",
    )


def importing() -> None:
    """Import in a process of its own, without the start of the interpreter."""
    for name in ("tallybook", "tallybook.engine"):
        times = []
        for _ in range(7):
            code = (
                f"import time; t=time.perf_counter(); import {name}; print(time.perf_counter()-t)"
            )
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
            times.append(float(done.stdout))
        row(f"import {name}", f"{min(times) * 1_000:.0f} ms, best of 7")


def memory() -> None:
    """Peak memory of a process that opens a 100 MB run, against the text in its view."""
    with started() as engine:
        for number in range(10_150):
            play(engine, number)
        engine.scratchpad.close()
        code = (
            "import sys; from pathlib import Path; from benchmarks.engine import measure; "
            f"measure(Path({str(engine.scratchpad.folder)!r}))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            text=True,
            cwd=Path(__file__).parents[1],
        )
        row("peak memory, 100 MB run opened", done.stdout.strip())


def measure(folder: Path) -> None:
    """In the process: what is resident before and at the peak (VmHWM), and the text held."""
    before = peak_memory()
    engine = ContextEngine.open(folder, clock=now)
    held = sum(len(item.text) for item in engine.view.items) / 1e6
    peak = peak_memory()
    print(
        f"{peak - before:.0f} MB above the {before:.0f} MB at the start; view holds {held:.1f} MB"
    )


def peak_memory() -> float:
    """The most that was resident so far, in MB; Linux."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1_024


def best(work: Callable[[], None], times: int) -> float:
    """Seconds of the fastest run."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


def row(what: str, value: str) -> None:
    """One line of the table."""
    print(f"| {what} | {value} |", flush=True)


SECTIONS = {
    "rounds": rounds,
    "open": opening,
    "append": append,
    "import": importing,
    "memory": memory,
}

if __name__ == "__main__":
    for section in sys.argv[1:] or SECTIONS:
        SECTIONS[section]()
