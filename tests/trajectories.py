"""Recorded runs of real agents: what is in shared/data/trajectories, read as users import it."""

from __future__ import annotations

from pathlib import Path

from tallybook.adapters.recorded import Draft, conversations, load
from tallybook.scratchpad.events import Event
from tests.shared_data import ROOT, shared

FOLDERS = ("tau2_bench", "tau_bench", "deerflow", "pi")


def recorded() -> list[Path]:
    """Every recorded run of the four formats that the engine is replayed on."""
    return sorted(path for folder in FOLDERS for path in shared("trajectories", folder).iterdir())


def everything() -> list[Path]:
    """Every recording there is; empty without the data."""
    return sorted((ROOT / "data" / "trajectories").glob("*/*.gz"))


def drafts(path: Path) -> list[Draft]:
    """The conversations of a file."""
    records, _ = load(path)
    return conversations(records)


def events(path: Path) -> list[Event]:
    """The run as a legal order of events: every call answered, every result called for."""
    [draft] = drafts(path)
    return draft.events()
