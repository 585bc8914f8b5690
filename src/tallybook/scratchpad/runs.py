"""The runs under one root, newest first; a damaged one is listed and marked, never left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tallybook.errors import ScratchpadError
from tallybook.scratchpad.disk import is_locked
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Event,
    RunStarted,
    Stopped,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.history import Damage
from tallybook.scratchpad.reader import FILE, Reader

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

State = Literal["running", "answered", "stopped", "interrupted", "damaged"]

_NAME = re.compile(r"\d{4}-\d\d-\d\d-\d{6}_[0-9a-f]{12}(-\d+)?")


@dataclass(frozen=True)
class RunInfo:
    """One run at a glance.

    `state`: `running` while a process writes it; else `damaged` if something of it is
    lost; else `answered` or `stopped` if that came last; else `interrupted`. `started`
    is None and `question` empty where the first entry cannot be read.
    """

    id: str
    folder: Path
    question: str
    started: datetime | None
    state: State
    entries: int
    damage: tuple[Damage, ...] = ()


def runs(root: Path) -> list[RunInfo]:
    """The runs in the folders under `root`, newest first; none if there is no `root`."""
    if not root.is_dir():
        return []
    found = [_info(folder) for folder in root.iterdir() if _is_run(folder)]
    return sorted(found, key=lambda run: _order(run.id), reverse=True)


def _is_run(folder: Path) -> bool:
    return folder.is_dir() and (
        (folder / FILE).exists() or _NAME.fullmatch(folder.name) is not None
    )


def _order(run: str) -> tuple[str, int, str]:
    """By second, then by the number of a name that was taken."""
    number = run[30:].removeprefix("-")
    return run[:17], int(number) if number.isdigit() else 1, run


def _info(folder: Path) -> RunInfo:
    question, started, entries = "", None, 0
    state: State = "interrupted"
    running = is_locked(folder / FILE)
    try:
        reader = Reader(folder)
        for entry in reader.outline():
            entries += 1
            state = _state(entry.event, state)
            if isinstance(entry.event, RunStarted):
                question, started = entry.event.query, entry.at
        damage = reader.damage
    except ScratchpadError as error:
        damage = (Damage(0, 0, 0, "lost", str(error)),)
    if running:
        state = "running"
    elif any(d.kind != "torn" for d in damage):
        state = "damaged"
    return RunInfo(folder.name, folder, question, started, state, entries, damage)


def _state(event: Event, before: State) -> State:
    match event:
        case Answered():
            return "answered"
        case Stopped():
            return "stopped"
        case UserMessage() | AssistantMessage() | ToolResult():
            return "interrupted"
        case _:
            return before
