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

from tallybook.adapters.pydantic_ai.inbox import undelivered
from tallybook.console.live import Live
from tallybook.console.runs import find
from tallybook.console.typed import Typed
from tallybook.errors import ConfigError, OutOfRounds, TallybookError
from tallybook.figures.marks import marked
from tallybook.figures.trace import Audit
from tallybook.models.errors import understand_exception
from tallybook.models.prices import totals
from tallybook.research.agent import Finished, Research, ask, converse, prompt
from tallybook.research.audit import audit_run
from tallybook.scratchpad import read
from tallybook.scratchpad.events import Answered, ToolResult
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

    `cached_tokens` are part of `input_tokens`; `dollars` is null where a price is not known.
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
    cached_tokens: int
    output_tokens: int
    dollars: float | None
    in_view: int
    edits: dict[str, int]
    figures: str
    unsupported: tuple[str, ...]


def run_ask(research: Research, question: str, shown: Shown, run: str | None = None) -> int:
    """Answer a question, perhaps one that follows up in `run`; the exit code."""
    if not question.strip():
        raise ConfigError('There is no question. Try: tallybook ask "Apple revenue last year"')
    if run is not None:
        research = replace(research, resume=find(research.root, run))
    return _run(research, question, shown)


def run_resume(research: Research, run: str, shown: Shown) -> int:
    """Go on with a run that a crash or Ctrl-C ended; the exit code."""
    folder = find(research.root, run)
    answer = _answer(folder)
    if answer is not None and not undelivered(read(folder).entries()):
        sys.stderr.write(f"Run {folder.name} is answered already.\n")
        return _show(Finished(folder, answer), shown)
    return _run(replace(research, resume=folder), None, shown)


def _run(research: Research, question: str | None, shown: Shown) -> int:
    live = Live(Console(stderr=True, quiet=shown.quiet or shown.json))
    blot = research.conversation.blot
    try:
        return asyncio.run(_conversation(research, question, shown, live))
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped. `tallybook resume last` goes on where it was.\n")
        return 130
    except UserError as error:
        raise ConfigError(blot(f"{error}")) from error
    except OutOfRounds as error:
        raise TallybookError(blot(f"{error} `tallybook resume last` goes on.")) from error
    except AgentRunError as error:
        said = understand_exception(error).sentence
        raise TallybookError(blot(f"{said} `tallybook resume last` goes on.")) from error


async def _conversation(research: Research, question: str | None, shown: Shown, live: Live) -> int:
    """Every answer as it comes; for programs, the last one alone."""
    typed = Typed(research.conversation.inbox)
    with_people = replace(research.conversation, approve=typed.approve, on_wait=live.wait)
    live.rules(research.rules)
    research = replace(research, conversation=with_people)
    code, finished = 0, None
    with typed.listening():
        async for answer in converse(research, question, on_entry=live):
            finished = await _supported(research, answer, live) if shown.strict else answer
            code = code if shown.json else _show(finished, shown)
    return _show(finished, shown) if shown.json and finished else code


async def _supported(research: Research, finished: Finished, live: Live) -> Finished:
    """The answer, sent back to the model once if figures of it stand nowhere."""
    if not (wrong := audit_run(finished.folder).audit.unsupported):
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
    spent = totals(read(finished.folder).entries())
    sys.stderr.write(f"\nRun {finished.folder.name}: {spent.sentence()}\n")
    return 0


def outcome(finished: Finished, audit: Audit) -> Outcome:
    """Everything a program may want to know of a finished run."""
    entries = list(read(finished.folder).entries())
    view = project(entries)
    spent = totals(entries)
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
        rounds=spent.replies,
        calls=sum(isinstance(entry.event, ToolResult) for entry in entries),
        input_tokens=spent.input,
        cached_tokens=spent.cached,
        output_tokens=spent.output,
        dollars=None if spent.dollars is None else float(spent.dollars),
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
