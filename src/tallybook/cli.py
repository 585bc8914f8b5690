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
from tallybook.policy.limits import Limits

if TYPE_CHECKING:
    from tallybook.research.agent import Research
    from tallybook.tools.finance.financials import FactsSource

_MODELS = {
    "OPENAI_API_KEY": "openai:gpt-5.4",
    "ANTHROPIC_API_KEY": "anthropic:claude-sonnet-4-6",
    "GOOGLE_API_KEY": "google-gla:gemini-3.5-flash",
    "DEEPSEEK_API_KEY": "deepseek:deepseek-v4-pro",
}
_LIMITS = {"default": Limits, "reference": Limits.reference}


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
    root = _home(options) / "runs"
    match options.command:
        case "ask" | "resume":
            return _answer(options, root)
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
            from tallybook.console.doctor import Setup, run_doctor

            keys = tuple(name for name in _MODELS if os.environ.get(name))
            return run_doctor(Setup(root, _model_name(options) or "", keys, _identity()))


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


def _answer(options: argparse.Namespace, root: Path) -> int:
    from tallybook.console.ask import Shown, run_ask, run_resume

    shown = Shown(json=options.json, quiet=options.quiet, strict=options.strict)
    research = _research(options, root)
    if options.command == "resume":
        return run_resume(research, options.run, shown)
    return run_ask(research, options.question, shown)


def _research(options: argparse.Namespace, root: Path) -> Research:
    from tallybook.models.windows import resolve
    from tallybook.research.agent import Research
    from tallybook.research.analyst import OfflineAnalyst

    if options.window is not None and options.window < 4_000:
        raise ConfigError(f"--window {options.window} is too small: 4000 tokens is the least.")
    if options.rounds < 1:
        raise ConfigError(f"--rounds {options.rounds} leaves no round: 1 is the least.")
    name = _model_name(options)
    known = resolve(name, window=options.window, fast=options.fast) if name else None
    return Research(
        model=name or OfflineAnalyst(window=options.window),
        facts=_facts(options),
        root=root,
        limits=_LIMITS[options.limits](),
        window=known.window if known else options.window,
        fast=known.fast_sibling if known else None,
        rounds=options.rounds,
    )


def _model_name(options: argparse.Namespace) -> str | None:
    """The model asked for, else the usual one of the first key that is set, else none."""
    if getattr(options, "offline", False):
        return None
    chosen = getattr(options, "model", None) or os.environ.get("TALLYBOOK_MODEL")
    if chosen:
        return str(chosen)
    return next((model for key, model in _MODELS.items() if os.environ.get(key)), None)


def _facts(options: argparse.Namespace) -> FactsSource:
    from tallybook.tools.finance.sample import Sample

    mirror = options.edgar or os.environ.get("TALLYBOOK_EDGAR_URL", "")
    if options.offline or not (_identity() or mirror):
        return Sample()
    from tallybook.tools.finance.edgar import Edgar, EdgarOptions

    cache = _home(options) / "cache" / "edgar"
    if mirror:
        return Edgar(EdgarOptions(_identity(), mirror, mirror, cache))
    return Edgar(EdgarOptions(_identity(), cache=cache))


def _identity() -> str:
    return os.environ.get("TALLYBOOK_EDGAR_IDENTITY") or os.environ.get("EDGAR_IDENTITY", "")


def _home(options: argparse.Namespace) -> Path:
    chosen = options.home or os.environ.get("TALLYBOOK_HOME")
    return Path(chosen).expanduser() if chosen else Path.home() / ".tallybook"


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
    command.add_argument("--limits", choices=sorted(_LIMITS), default="default")
    command.add_argument("--rounds", type=int, default=60, help="most requests to the model")
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
