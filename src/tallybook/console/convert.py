"""`tallybook import` and `tallybook export`: recordings in, message JSON out."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from tallybook.adapters.export import Format, export
from tallybook.adapters.export.shown import Source
from tallybook.adapters.recorded import Broken, Draft, conversations, load
from tallybook.adapters.recorded.kept import frame
from tallybook.adapters.recorded.values import Json
from tallybook.adapters.rules import violations
from tallybook.errors import ConfigError, ViewError
from tallybook.scratchpad import Scratchpad, read
from tallybook.scratchpad.events import RunStarted
from tallybook.view.project import project


def run_import(path: Path, root: Path, window: int) -> int:
    """Write a scratchpad for each conversation in the file; the exit code."""
    records, broken = load(path)
    for line in broken:
        sys.stderr.write(f"{path.name}, line {line.line} is left out: {line.reason}\n")
    for draft in _found(records, path, broken):
        with Scratchpad.create(root, draft.query, clock=_now, fsync="batch") as pad:
            for event in draft.events(window):
                pad.append(event)
            sys.stdout.write(f"{pad.id}  {pad.seq} entries  {draft.format}\n")
    return 0


def run_export(folder: Path, format: Format, at: int | None) -> int:
    """Write what the model would be sent; the exit code. Raises ViewError, naming the rule."""
    entries = [entry for entry in read(folder).entries() if at is None or entry.seq <= at]
    first = entries[0].event if entries else None
    system = first.system if isinstance(first, RunStarted) else ""
    document = export(project(entries), format, Source(*frame(entries), system))
    if broken := violations(document, format):
        raise ViewError(
            f"this view cannot be sent as {format}: {broken[0].rule} ({broken[0].where}). Choose "
            "another entry with --at."
        )
    sys.stdout.write(json.dumps(document, indent=2) + "\n")
    return 0


def _found(records: list[Json], path: Path, broken: list[Broken]) -> list[Draft]:
    try:
        found = [draft for draft in conversations(records) if draft.said]
    except ConfigError as error:
        raise ConfigError(f"{path} is {error}") from error
    if not found:
        lines = f" ({len(broken)} broken lines)" if broken else ""
        raise ConfigError(f"{path} holds no message{lines}: name another file.")
    return found


def _now() -> datetime:
    return datetime.now(UTC)
