"""Audit what a run answered: each figure traced to the results that the run recorded.

The scratchpad alone is read, so any run can be audited, by whatever agent it was made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tallybook.errors import TallybookError
from tallybook.figures.subject import subject
from tallybook.figures.trace import Audit, Sources, trace
from tallybook.scratchpad import read
from tallybook.scratchpad.events import (
    RECALL,
    Answered,
    AssistantMessage,
    Entry,
    ToolResult,
    UserMessage,
)


@dataclass(frozen=True)
class Audited:
    """An answer with its audit, and what the results are called that it may cite, by seq."""

    answer: str
    audit: Audit
    results: dict[int, str]


def audit_run(folder: Path) -> Audited:
    """Audit the last answer of a run; TallybookError where it has none yet."""
    entries = list(read(folder).entries())
    at = next((n for n in reversed(range(len(entries))) if _text(entries[n]) is not None), None)
    if at is None:
        raise TallybookError(
            f"Run {folder.name} has no answer yet: `tallybook resume {folder.name}` goes on."
        )
    answer = _text(entries[at]) or ""
    before = entries[:at]
    texts, whose, names = _results(before)
    audit = trace(answer, Sources(texts, whose), _question(before))
    return Audited(answer, audit, names)


def _text(entry: Entry) -> str | None:
    """The text of an answer: a reply that calls nothing, or the end of a turn."""
    match entry.event:
        case Answered(text=text):
            return text
        case AssistantMessage(text=text, calls=()) if text:
            return text
        case _:
            return None


def _results(
    entries: Iterable[Entry],
) -> tuple[dict[int, str], dict[int, str], dict[int, str]]:
    """The texts of all results, whose they are where their call says so, and their names.

    What `recall` brought back stands in an earlier result and is not read twice.
    """
    called: dict[str, str] = {}
    texts: dict[int, str] = {}
    whose: dict[int, str] = {}
    names: dict[int, str] = {}
    for entry in entries:
        match entry.event:
            case AssistantMessage(calls=calls):
                called.update((call.id, call.arguments) for call in calls)
            case ToolResult(call_id=call, tool=tool, body=body) if tool != RECALL:
                arguments = called.get(call, "")
                texts[entry.seq] = body.text or ""
                whose[entry.seq] = subject(arguments)
                names[entry.seq] = f"{tool}{arguments}"
    return texts, whose, names


def _question(entries: Iterable[Entry]) -> str:
    """What the user asked so far, the newest last."""
    return "\n".join(e.event.text for e in entries if isinstance(e.event, UserMessage))
