"""`tallybook show`: the entries of a run, or one of them whole."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from tallybook.console.rows import row
from tallybook.errors import TallybookError
from tallybook.models.prices import totals
from tallybook.scratchpad import read
from tallybook.scratchpad.events import AssistantMessage, Entry, Summarized, ToolResult, UserMessage


def run_show(folder: Path, seq: int | None, *, json: bool) -> int:
    """Print all entries in a line each, or entry `seq` whole; the exit code."""
    reader = read(folder)
    if seq is None:
        for entry in reader.entries():
            line = msgspec.json.encode(entry).decode() if json else _line(entry)
            sys.stdout.write(f"{line}\n")
    else:
        one = next((entry for entry in reader.entries(seq) if entry.seq == seq), None)
        if one is None:
            raise TallybookError(f"Run {folder.name} has entries 1 to {reader.seq}, not {seq}.")
        sys.stdout.write(msgspec.json.encode(one).decode() if json else _whole(one))
        sys.stdout.write("\n")
    if seq is None and not json:
        sys.stderr.write(f"{totals(reader.outline()).sentence()}\n")
    for place in reader.damage:
        sys.stderr.write(f"line {place.line}, {place.lost} bytes unreadable: {place.reason}\n")
    return 0


def _line(entry: Entry) -> str:
    return f"{entry.seq:>5}  {entry.at:%H:%M:%S}  {row(entry)}"


def _whole(entry: Entry) -> str:
    match entry.event:
        case UserMessage(text=text) | Summarized(summary=text):
            return text
        case ToolResult(body=body):
            return body.text if body.text is not None else f"[{body.file} is {body.damage}]"
        case AssistantMessage(text=text, thinking=thinking, calls=calls):
            said = [f"(thinking) {thinking}"] if thinking else []
            return "\n".join([*said, text, *(f"{call.name}{call.arguments}" for call in calls)])
        case _:
            return row(entry)
