"""`tallybook view`: exactly what the model saw at some moment of a run."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from tallybook.errors import TallybookError
from tallybook.scratchpad import read
from tallybook.scratchpad.events import AssistantMessage, ToolResult, UserMessage
from tallybook.view.project import project
from tallybook.view.size import fullness
from tallybook.view.view import Item, View


class Seen(msgspec.Struct, frozen=True):
    """A view as `--json` prints it."""

    at: int
    used: int
    window: int
    system: str
    tools: list[str]
    items: list[SeenItem]
    caution: str


class SeenItem(msgspec.Struct, frozen=True):
    """One message as the model saw it."""

    seq: int
    role: str
    form: str
    text: str
    calls: list[str]


def run_view(folder: Path, at: int | None, *, json: bool) -> int:
    """Print the view after entry `at`, the last one if none is given; the exit code."""
    reader = read(folder)
    last = reader.seq
    if at is not None and not 1 <= at <= last:
        raise TallybookError(
            f"Run {folder.name} has entries 1 to {last}, so --at {at} is no moment."
        )
    view = project(entry for entry in reader.entries() if at is None or entry.seq <= at)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(_seen(view)) + b"\n")
    else:
        sys.stdout.write(f"{_text(view)}\n")
    return 0


def _seen(view: View) -> Seen:
    full = fullness(view)
    return Seen(
        view.at,
        full.used,
        full.window,
        view.system,
        [tool.name for tool in view.tools],
        [_item(item) for item in view.items],
        view.caution,
    )


def _item(item: Item) -> SeenItem:
    calls = item.message.calls if isinstance(item.message, AssistantMessage) else ()
    written = [f"{call.name}{call.arguments}" for call in calls]
    return SeenItem(item.seq, _role(item), item.form, item.text, written)


def _text(view: View) -> str:
    full = fullness(view)
    blocks = [
        f"after entry {view.at}: about {full.used:,} of {full.window:,} tokens",
        f"── system\n{view.system}",
        f"── tools\n{', '.join(tool.name for tool in view.tools)}",
    ]
    for item in map(_item, view.items):
        calls = "".join(f"\ncalls {call}" for call in item.calls)
        form = "" if item.form == "full" else f" ({item.form})"
        blocks.append(f"── [{item.seq}] {item.role}{form}\n{item.text}{calls}")
    if view.caution:
        blocks.append(f"── caution, until the next reply\n{view.caution}")
    return "\n\n".join(blocks)


def _role(item: Item) -> str:
    match item.message:
        case UserMessage():
            return "user"
        case AssistantMessage():
            return "assistant"
        case ToolResult(tool=tool):
            return f"result of {tool}"
