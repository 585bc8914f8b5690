"""`tallybook doctor`: what is set up, what is missing, and what to do about it."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import tallybook

KEYS: Mapping[str, str] = {
    "OPENAI_API_KEY": "openai",
    "ANTHROPIC_API_KEY": "anthropic",
    "GOOGLE_API_KEY": "google-gla",
    "DEEPSEEK_API_KEY": "deepseek",
}


@dataclass(frozen=True)
class Setup:
    """What the command line found: which keys are set (never their values), and where."""

    root: Path
    model: str
    keys: tuple[str, ...]
    identity: str


def run_doctor(setup: Setup) -> int:
    """Print one line a check; the exit code is 1 if something must be mended."""
    checks = [
        (True, f"Tallybook {tallybook.__version__}, Python {sys.version.split()[0]}"),
        _writable(setup.root),
        _fts5(),
        (True, _model(setup)),
        (True, _facts(setup)),
        *(_extra(name, module) for name, module in _EXTRAS),
    ]
    for ok, line in checks:
        sys.stdout.write(f"{'ok ' if ok else 'BAD'}  {line}\n")
    return 0 if all(ok for ok, _ in checks) else 1


_EXTRAS = (("agent", "pydantic_ai"), ("finance", "httpx"))


def _model(setup: Setup) -> str:
    if setup.keys:
        return f"model: {setup.model} (keys set: {', '.join(setup.keys)})"
    return (
        "model: the rule-based offline analyst, since no key is set. Set "
        f"{', '.join(KEYS)} in the environment to use a language model"
    )


def _facts(setup: Setup) -> str:
    if setup.identity:
        return f"figures: SEC EDGAR, as {setup.identity}"
    return (
        "figures: the embedded sample (NVDA, AAPL, GOOGL, MRVL). Set TALLYBOOK_EDGAR_IDENTITY to "
        "your name and e-mail address to use SEC EDGAR"
    )


def _writable(root: Path) -> tuple[bool, str]:
    try:
        root.mkdir(parents=True, exist_ok=True)
        probe = root / ".doctor"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        return False, f"runs cannot be written to {root} ({error.strerror}): choose --home"
    return True, f"runs are kept in {root}"


def _fts5() -> tuple[bool, str]:
    try:
        with sqlite3.connect(":memory:") as memory:
            memory.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='trigram')")
    except sqlite3.OperationalError:
        return False, f"SQLite {sqlite3.sqlite_version} has no FTS5: use a Python built with it"
    return True, f"SQLite {sqlite3.sqlite_version} with full-text search"


def _extra(name: str, module: str) -> tuple[bool, str]:
    if find_spec(module):
        return True, f"extra [{name}] is installed"
    return False, f"extra [{name}] is missing: pip install 'tallybook[{name}]'"
