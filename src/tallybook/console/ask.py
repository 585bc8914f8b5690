"""`tallybook ask` and `tallybook resume`: one question, from its first call to its answer."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from pydantic_ai.exceptions import AgentRunError, UserError
from rich.console import Console
from rich.markdown import Markdown

from tallybook.console.live import Live
from tallybook.console.runs import find
from tallybook.errors import ConfigError, TallybookError
from tallybook.figures.marks import marked
from tallybook.figures.trace import Audit
from tallybook.models.errors import understand_exception
from tallybook.research.agent import Finished, Research, ask, prompt
from tallybook.research.audit import audit_run
from tallybook.scratchpad import read
from tallybook.scratchpad.events import Answered, AssistantMessage, ToolResult
from tallybook.view.project import project
from tallybook.view.size import fullness


@dataclass(frozen=True)
class Shown:
    """How the outcome is given: `json` for programs, `quiet` without the rows.

    `strict` sends an answer with unsupported figures back to the model, once.
    """

    json: bool = False
    quiet: bool = False
    strict: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """What `--json` prints. Tokens are those billed; `edits` counts what was let go, by kind.

    `figures` is the audit in one line, `unsupported` are the figures that stand nowhere.
    """

    id: str
    question: str
    state: str
    answer: str
    folder: str
    model: str
    window: int
    rounds: int
    calls: int
    input_tokens: int
    output_tokens: int
    in_view: int
    edits: dict[str, int]
    figures: str
    unsupported: tuple[str, ...]


def run_ask(research: Research, question: str, shown: Shown) -> int:
    """Answer a question; the exit code."""
    if not question.strip():
        raise ConfigError('There is no question. Try: tallybook ask "Apple revenue last year"')
    return _run(research, question, shown)


def run_resume(research: Research, run: str, shown: Shown) -> int:
    """Go on with a run that a crash or Ctrl-C ended; the exit code."""
    folder = find(research.root, run)
    answer = _answer(folder)
    if answer is not None:
        sys.stderr.write(f"Run {folder.name} is answered already.\n")
        return _show(Finished(folder, answer), shown)
    return _run(replace(research, resume=folder), None, shown)


def _run(research: Research, question: str | None, shown: Shown) -> int:
    console = Console(stderr=True, quiet=shown.quiet or shown.json)
    try:
        finished = asyncio.run(_answered(research, question, (shown, Live(console))))
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped. `tallybook runs` names the run, `tallybook resume` goes on.\n")
        return 130
    except UserError as error:
        raise ConfigError(f"{error}") from error
    except AgentRunError as error:
        raise TallybookError(
            f"{understand_exception(error).sentence} `tallybook resume last` goes on."
        ) from error
    return _show(finished, shown)


async def _answered(research: Research, question: str | None, how: tuple[Shown, Live]) -> Finished:
    """The answer; a strict one goes back to the model once if figures of it stand nowhere."""
    shown, live = how
    finished = await ask(research, question, on_entry=live)
    if not shown.strict or not (wrong := audit_run(finished.folder).audit.unsupported):
        return finished
    figures = "\n".join(f"- {one.figure.text}: {one.why}" for one in wrong)
    again = replace(research, resume=finished.folder)
    return await ask(again, prompt("strict").format(figures=figures), on_entry=live)


def _show(finished: Finished, shown: Shown) -> int:
    audit = audit_run(finished.folder).audit
    if shown.json:
        sys.stdout.buffer.write(msgspec.json.encode(outcome(finished, audit)) + b"\n")
        return 0
    answer = f"{marked(finished.answer, audit)}\n\n{audit.line}"
    console = Console()
    if console.is_terminal:
        console.print(Markdown(answer))
    else:
        sys.stdout.write(f"{answer}\n")
    sys.stderr.write(f"\nRun {finished.folder.name}\n")
    return 0


def outcome(finished: Finished, audit: Audit) -> Outcome:
    """Everything a program may want to know of a finished run."""
    entries = list(read(finished.folder).entries())
    view = project(entries)
    replies = [e.event for e in entries if isinstance(e.event, AssistantMessage)]
    usages = [reply.usage for reply in replies if reply.usage]
    edits: dict[str, int] = {}
    for entry in entries:
        name = type(entry.event).__name__
        if name in _EDITS:
            edits[_EDITS[name]] = edits.get(_EDITS[name], 0) + 1
    return Outcome(
        id=finished.folder.name,
        question=view.query,
        state="answered",
        answer=finished.answer,
        folder=str(finished.folder),
        model=view.model,
        window=view.window,
        rounds=len(replies),
        calls=sum(isinstance(entry.event, ToolResult) for entry in entries),
        input_tokens=sum(usage.input for usage in usages),
        output_tokens=sum(usage.output for usage in usages),
        in_view=fullness(view).used,
        edits=edits,
        figures=audit.line,
        unsupported=tuple(one.figure.text for one in audit.unsupported),
    )


_EDITS = {
    "Capped": "cap",
    "Ledgered": "ledger",
    "Cleared": "clear",
    "ThinkingStripped": "strip",
    "Summarized": "summarize",
    "Dropped": "drop",
    "Overflowed": "overflow",
}


def _answer(folder: Path) -> str | None:
    last = None
    for entry in read(folder).entries():
        last = entry.event
    return last.text if isinstance(last, Answered) else None
