"""List the runs under a folder, newest first; a damaged one is listed, and marked."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from tallybook.errors import ScratchpadError
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Event,
    Queued,
    RunStarted,
    Stopped,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.lock import is_locked
from tallybook.scratchpad.reader import FILE, Reader

State = Literal["running", "answered", "stopped", "interrupted", "damaged", "empty"]

_NAME = re.compile(r"(\d{4}-\d\d-\d\d-\d{6})_[0-9a-f]{12}(?:-(\d+))?")


class RunInfo(msgspec.Struct, frozen=True):
    """One run as a list shows it.

    `started` is UTC; `damage` counts unreadable places, a torn end not among them. `state` is
    `running` while a process writes the run; else `damaged` if it is not whole; else
    `answered` or `stopped` if nothing was said since; else `interrupted`.
    """

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
    found = [info(folder) for folder in root.iterdir() if _is_run(folder)]
    return sorted(found, key=lambda run: _order(run.id), reverse=True)


def info(folder: Path) -> RunInfo:
    """What a list needs to know of one run."""
    question, entries, damage, sound = "", 0, 0, True
    started: datetime | None = None
    state: State = "empty"
    try:
        reader = Reader(folder)
        for entry in reader.outline():
            entries += 1
            started = started or entry.at
            state = _after(entry.event, state)
            match entry.event:
                case RunStarted(query=query):
                    question = query
                case UserMessage(text=text) if not question:
                    question = text
        kinds = [place.kind for place in reader.damage if place.kind != "torn"]
        damage, sound = len(kinds) - kinds.count("contradiction"), not kinds
    except ScratchpadError:
        damage, sound = damage + 1, False
    if is_locked(folder):
        state = "running"
    elif not sound:
        state = "damaged"
    return RunInfo(folder.name, folder, question, state, started, entries, damage)


def _is_run(folder: Path) -> bool:
    """A folder with the name of a run is one, even if its file is gone."""
    named = _NAME.fullmatch(folder.name) is not None
    return folder.is_dir() and (named or (folder / FILE).exists())


def _order(run: str) -> tuple[str, int, str]:
    """By second, then by the number behind a name that was taken."""
    match _NAME.fullmatch(run):
        case None:
            return run, 0, run
        case name:
            return name[1], int(name[2] or 1), run


def _after(event: Event, state: State) -> State:
    match event:
        case Answered():
            return "answered"
        case Stopped():
            return "stopped"
        case RunStarted() | UserMessage() | Queued() | AssistantMessage() | ToolResult():
            return "interrupted"
        case _:
            return state
