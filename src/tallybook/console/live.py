"""Show a run while it goes on: rows on standard error, so that the answer can be piped."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from tallybook.adapters.pydantic_ai import Wait
from tallybook.console.rows import call_row, is_edit, row
from tallybook.research.rules import Rules
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Entry,
    RunStarted,
    ToolResult,
    UserMessage,
)
from tallybook.view.project import step
from tallybook.view.size import fullness
from tallybook.view.view import View

_CELLS = 20


class Live:
    """Folds the entries as they come, to draw the fullness meter from what it is shown."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._view = View()

    def __call__(self, entry: Entry) -> None:
        """Draw one entry."""
        self._view = step(self._view, entry)
        match entry.event:
            case RunStarted() | UserMessage() | Answered():
                return
            case AssistantMessage(calls=calls):
                self._print("dim", self._meter())
                for call in calls:
                    self._print("cyan", f"→ {call_row(call)}")
            case ToolResult(status=status):
                self._print("green" if status == "ok" else "red", f"  ⎿ {row(entry)}")
            case _ if is_edit(entry):
                self._print("yellow", f"◆ {row(entry)}")

    def wait(self, wait: Wait) -> None:
        """Say that a failed request is sent again, and when."""
        self._print("yellow", f"◌ again in {wait.seconds:,.0f} s: {wait.why}")

    def rules(self, found: Sequence[Rules]) -> None:
        """Say which standing rules hold."""
        for one in found:
            cut = f", the first {len(one.text):,} of them" if len(one.text) < one.chars else ""
            self._print("dim", f"rules: {one.path}, {one.chars:,} characters{cut}")

    def _print(self, colour: str, text: str) -> None:
        self._console.print(f"[{colour}]{escape(text)}[/]", soft_wrap=True, highlight=False)

    def _meter(self) -> str:
        full = fullness(self._view)
        filled = min(_CELLS, round(full.ratio * _CELLS))
        bar = "█" * filled + "░" * (_CELLS - filled)
        return f"{bar} {full.used:,} of {full.window:,} tokens in view ({full.ratio:.0%})"
