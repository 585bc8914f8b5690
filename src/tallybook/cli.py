"""The command line: parses arguments, reads the environment, calls one function.

Nothing else in Tallybook looks at the environment.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from tallybook import __version__
from tallybook.errors import ConfigError, TallybookError

if TYPE_CHECKING:
    from tallybook.console.assemble import Choices
    from tallybook.console.settings import Settings

_LIMITS = ("default", "reference")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 done, 1 failed, 2 called wrongly, 130 stopped."""
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _run(options)
    except ConfigError as error:
        return _fail(error, 2)
    except TallybookError as error:
        return _fail(error, 1)
    except ModuleNotFoundError as error:
        sys.stderr.write(
            f"tallybook: {error.name} is not installed: pip install 'tallybook[agent]'\n"
        )
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _run(options: argparse.Namespace) -> int:
    home, settings = _settings(options)
    root = home / "runs"
    match options.command:
        case "ask" | "resume":
            return _answer(options, home, settings)
        case "runs":
            from tallybook.console.runs import run_runs

            return run_runs(root, json=options.json)
        case "show":
            from tallybook.console.runs import find
            from tallybook.console.show import run_show

            return run_show(find(root, options.run), options.seq, json=options.json)
        case "view":
            from tallybook.console.runs import find
            from tallybook.console.view import run_view

            return run_view(find(root, options.run), options.at, json=options.json)
        case "import" | "export":
            return _convert(options, root)
        case "audit":
            return _audit(options, root)
        case _:
            return _doctor(home, settings)


def _audit(options: argparse.Namespace, root: Path) -> int:
    from tallybook.console.audit import audit_files, run_audit
    from tallybook.console.runs import find

    if options.answer or options.sources:
        if options.run or not (options.answer and options.sources):
            raise ConfigError(
                "Give --answer FILE and --sources FILE…, or a run: tallybook audit last"
            )
        return audit_files(options.answer, options.sources, json=options.json)
    return run_audit(find(root, options.run or "last"), json=options.json)


def _convert(options: argparse.Namespace, root: Path) -> int:
    from tallybook.console.convert import run_export, run_import
    from tallybook.console.runs import find

    if options.command == "import":
        return run_import(Path(options.file), root, options.window)
    return run_export(find(root, options.run), options.format, options.at)


def _answer(options: argparse.Namespace, home: Path, settings: Settings) -> int:
    from tallybook.console.ask import Shown, run_ask, run_resume
    from tallybook.console.assemble import research_of

    shown = Shown(json=options.json, quiet=options.quiet, strict=options.strict)
    research = research_of(_choices(options, home), settings)
    if options.command == "resume":
        return run_resume(research, options.run, shown)
    return run_ask(research, options.question, shown, options.run)


def _choices(options: argparse.Namespace, home: Path) -> Choices:
    from tallybook.console.assemble import Choices

    return Choices(
        home=home,
        folder=Path.cwd(),
        model=options.model or "",
        fast=options.fast or "",
        window=options.window,
        limits=options.limits,
        rounds=options.rounds,
        edgar=options.edgar or "",
        offline=options.offline,
    )


def _doctor(home: Path, settings: Settings) -> int:
    from tallybook.console.assemble import USUAL, Choices, identity, model_name
    from tallybook.console.doctor import Setup, run_doctor

    name = model_name(Choices(home, Path.cwd()), settings)
    keys = tuple(key for key in USUAL if settings.get(key))
    return run_doctor(Setup(home / "runs", name, keys, identity(settings)))


def _settings(options: argparse.Namespace) -> tuple[Path, Settings]:
    from tallybook.console.settings import read_settings

    chosen = options.home or os.environ.get("TALLYBOOK_HOME")
    home = Path(chosen).expanduser() if chosen else Path.home() / ".tallybook"
    return home, read_settings(os.environ, Path.cwd(), home)


def _fail(error: TallybookError, code: int) -> int:
    sys.stderr.write(f"tallybook: {error}\n")
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tallybook",
        description="Ask about companies; every figure in the answer names where it stands.",
    )
    parser.add_argument("--version", action="version", version=f"tallybook {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    ask = _command(commands, "ask", "answer a question")
    ask.add_argument("question", help='for example "Apple revenue over the last eight quarters"')
    ask.add_argument("--run", metavar="RUN", help="a run that the question follows up")
    _agent_options(ask)
    resume = _command(commands, "resume", "go on with a run after a crash or Ctrl-C")
    _run_argument(resume)
    _agent_options(resume)
    _json(_command(commands, "runs", "list the runs, newest first"))
    show = _command(commands, "show", "the entries of a run, or one of them whole")
    _run_argument(show)
    show.add_argument("seq", nargs="?", type=int, help="number of one entry")
    _json(show)
    view = _command(commands, "view", "exactly what the model saw")
    _run_argument(view)
    view.add_argument(
        "--at", type=int, metavar="SEQ", help="after this entry; the last if not given"
    )
    _json(view)
    _conversion(commands)
    audit = _command(commands, "audit", "where each figure of an answer comes from")
    audit.add_argument("run", nargs="?", help="id of a run, a part of it, or: last")
    audit.add_argument("--answer", metavar="FILE", help="an answer of another origin; - for stdin")
    audit.add_argument("--sources", metavar="FILE", nargs="+", help="what it rests on")
    _json(audit)
    _command(commands, "doctor", "what is set up and what is missing")
    return parser


def _conversion(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    brought = _command(commands, "import", "recorded conversations of other programs, as runs")
    brought.add_argument("file", metavar="FILE", help="JSON or JSON lines, gzipped or not")
    brought.add_argument("--window", type=int, default=128_000, metavar="TOKENS")
    sent = _command(commands, "export", "what the model would be sent, as JSON")
    _run_argument(sent)
    sent.add_argument(
        "--as",
        dest="format",
        required=True,
        choices=("openai", "responses", "anthropic", "pydantic-ai"),
    )
    sent.add_argument("--at", type=int, metavar="SEQ", help="after this entry")


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, what: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    command.add_argument("--home", metavar="DIR", help="where runs and caches are kept")
    return command


def _agent_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--model", help='as Pydantic AI names it, such as "openai:gpt-5.4"')
    command.add_argument("--fast", metavar="MODEL", help="who writes summaries")
    command.add_argument("--offline", action="store_true", help="no network: analyst and sample")
    command.add_argument("--window", type=int, metavar="TOKENS", help="the model's window")
    command.add_argument("--limits", choices=_LIMITS, default="default")
    command.add_argument("--rounds", type=int, default=60, help="most rounds before the answer")
    command.add_argument("--edgar", metavar="URL", help="a mirror of EDGAR")
    command.add_argument(
        "--strict", action="store_true", help="send unsupported figures back to the model once"
    )
    command.add_argument("--quiet", action="store_true", help="the answer alone")
    _json(command)


def _run_argument(command: argparse.ArgumentParser) -> None:
    command.add_argument("run", help="id of a run, a part of it, or: last")


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="for programs")
