"""The user's standing rules: `RULES.md`, appended to the system prompt.

They are part of the system prompt and not of the conversation, so no summary can lose them
and the provider's cache holds over them. A file that is too long is cut, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tallybook.errors import ConfigError

FILE = "RULES.md"
MOST_CHARS = 8_000
"""Of each file: about 2,000 tokens, which every request carries."""

_INTRODUCTION = "Standing rules of the user, from {path}. They hold for every answer."
_CUT = "[{path} goes on; only its first {most:,} of {chars:,} characters are rules.]"


@dataclass(frozen=True)
class Rules:
    """One file of rules: where it is, what it says, and its whole length in characters."""

    path: Path
    text: str
    chars: int


def find_rules(folders: Iterable[Path]) -> tuple[Rules, ...]:
    """The rules of `folders` in their order, each file once. Raises ConfigError."""
    found: dict[Path, Rules] = {}
    for folder in folders:
        path = (folder / FILE).resolve()
        if path not in found and path.is_file():
            found[path] = _read(path)
    return tuple(rules for rules in found.values() if rules.text)


def with_rules(prompt: str, rules: Iterable[Rules]) -> str:
    """The system prompt with the rules behind it, general ones first."""
    return "\n\n".join([prompt.rstrip(), *map(_section, rules)])


def _section(rules: Rules) -> str:
    cut = len(rules.text) < rules.chars
    end = _CUT.format(path=FILE, most=len(rules.text), chars=rules.chars) if cut else ""
    return "\n".join(filter(None, (_INTRODUCTION.format(path=FILE), rules.text, end)))


def _read(path: Path) -> Rules:
    try:
        text = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path} cannot be read ({error}): save it as UTF-8 text, or move it away."
        ) from error
    return Rules(path, text[:MOST_CHARS], len(text))
