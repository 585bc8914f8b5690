"""List the runs under a folder, newest first; a damaged one is listed, and marked."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from tallybook.scratchpad.events import (
    Answered,
    Entry,
    RunStarted,
    Stopped,
    UserMessage,
)
from tallybook.scratchpad.lines import Damage, read_lines
from tallybook.scratchpad.lock import is_locked
from tallybook.scratchpad.reader import FILE

State = Literal["running", "answered", "stopped", "interrupted", "damaged", "empty"]


class RunInfo(msgspec.Struct, frozen=True):
    """One run as a list shows it. `started` is UTC; `damage` counts unreadable places."""

    id: str
    folder: Path
    question: str
    state: State
    started: datetime | None
    entries: int
    damage: int


def runs(root: Path) -> list[RunInfo]:
    """All runs under `root`, newest first; an empty list where there is no such folder."""
    if not root.is_dir():
        return []
    found = [info(folder) for folder in root.iterdir() if (folder / FILE).exists()]
    return sorted(found, key=lambda run: run.id, reverse=True)


def info(folder: Path) -> RunInfo:
    """What a list needs to know of one run."""
    question, entries, damage = "", 0, 0
    started: datetime | None = None
    last: Entry | None = None
    path = folder / FILE
    for spot in read_lines(path) if path.is_file() else [_NO_FILE]:
        if isinstance(spot, Damage):
            damage += not spot.reason.startswith("torn")
            continue
        last = spot.entry
        entries += 1
        started = started or last.at
        match last.event:
            case RunStarted(query=query):
                question = query
            case UserMessage(text=text) if not question:
                question = text
    state = _state(last, damage, running=is_locked(folder))
    return RunInfo(folder.name, folder, question, state, started, entries, damage)


_NO_FILE = Damage(0, 0, 0, f"{FILE} is no file")


def _state(last: Entry | None, damage: int, *, running: bool) -> State:
    if running:
        return "running"
    if damage:
        return "damaged"
    if last is None:
        return "empty"
    match last.event:
        case Answered():
            return "answered"
        case Stopped():
            return "stopped"
        case _:
            return "interrupted"
