"""`tallybook runs`: what was asked, newest first."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import msgspec

from tallybook.errors import ScratchpadError, TallybookError
from tallybook.models.prices import Totals, totals
from tallybook.scratchpad import RunInfo, read, runs


class Listed(msgspec.Struct, frozen=True):
    """One run as `--json` lists it."""

    id: str
    question: str
    state: str
    started: datetime | None
    entries: int
    damage: int
    folder: str
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    dollars: float | None


def run_runs(root: Path, *, json: bool) -> int:
    """List the runs; the exit code."""
    found = runs(root)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode([_listed(run) for run in found]) + b"\n")
        return 0
    if not found:
        sys.stdout.write(f'There are no runs in {root} yet. Start one: tallybook ask "…"\n')
    for run in found:
        damage = f" ({run.damage} unreadable places)" if run.damage else ""
        spent = f"  ({_spent(run).sentence()})" if run.entries else ""
        sys.stdout.write(f"{run.id}  {run.state + damage:<12} {run.question[:90]}{spent}\n")
    return 0


def find(root: Path, name: str) -> Path:
    """The folder of a run named by its id, a unique part of it, or `last`."""
    found = runs(root)
    exact = [run for run in found if run.id == name]
    matching = exact or [run for run in found if name in run.id]
    if name == "last" and found:
        matching = found[:1]
    if len(matching) == 1:
        return matching[0].folder
    if matching:
        ids = ", ".join(run.id for run in matching[:4])
        raise TallybookError(f"{name!r} names {len(matching)} runs ({ids} …): give more of the id.")
    raise TallybookError(f"There is no run {name!r} in {root}. `tallybook runs` lists them.")


def _spent(run: RunInfo) -> Totals:
    """What a run cost; nothing for one that cannot be read."""
    try:
        return totals(read(run.folder).outline())
    except ScratchpadError:
        return Totals()


def _listed(run: RunInfo) -> Listed:
    spent = _spent(run)
    return Listed(
        run.id,
        run.question,
        run.state,
        run.started,
        run.entries,
        run.damage,
        str(run.folder),
        spent.input,
        spent.cached,
        spent.output,
        None if spent.dollars is None else float(spent.dollars),
    )
