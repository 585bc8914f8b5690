"""The language of paths: `$.a.b`, `['any key']`, `[3]`, `[-1]`, `[0:4:2]`, `[*]`, `..name`.

What models write by habit is understood too: no `$`, `.0` for `[0]`, `[]` for `[*]`, keys
in brackets without quotes, several picks in one bracket.
"""

from __future__ import annotations

import json
import re

import msgspec

from tallybook.errors import RecallError

EXAMPLES = "Write for example $.revenue[0:4], $.companies[*].name, $..date or $['a key']."
_STEP = re.compile(
    r"""(?P<deep>\.\.)? \.? \s*
    (?: \[ (?P<inside> (?: '(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*" | [^\]'"] )* ) \]
      | (?P<name> [^.\[\]'"]+ ) )""",
    re.VERBOSE,
)
_PICK = re.compile(
    r"""\s* (?: '(?P<single>(?:\\.|[^'\\])*)' | "(?P<double>(?:\\.|[^"\\])*)"
      | (?P<slice>(?:-?\d+)? \s* : \s* (?:-?\d+)? (?:\s* : \s* (?:-?\d+)?)?)
      | (?P<index>-?\d+) | (?P<all>\*) | (?P<bare>[^\W\d][\w\s-]*) ) \s* (?:,|$)""",
    re.VERBOSE,
)

Pick = str | int | slice | None
"""A key, an index, a slice, or None for everything."""


class Step(msgspec.Struct, frozen=True):
    """What to pick of a node, and (`deep`) of everything below it."""

    picks: tuple[Pick, ...]
    deep: bool = False

    @property
    def is_definite(self) -> bool:
        """Whether it leads to one node at most."""
        return not self.deep and len(self.picks) == 1 and isinstance(self.picks[0], str | int)


def parse(path: str) -> tuple[Step, ...]:
    """The steps of a path. Raises RecallError, with the place, for what is no path."""
    rest = path.strip().removeprefix("$")
    if rest and rest[0] not in ".[":
        rest = f".{rest}"
    steps: list[Step] = []
    at = 0
    while at < len(rest):
        if not (found := _STEP.match(rest, at)):
            raise _unreadable(path, rest[at:])
        steps.append(Step(_picks(path, found), deep=bool(found["deep"])))
        at = found.end()
    return tuple(steps)


def shortened(text: str, most: int = 80) -> str:
    """A text as it may stand in a message: quoted, on one line, not long."""
    return repr(text if len(text) <= most else f"{text[: most - 1]}…")


def _picks(path: str, step: re.Match[str]) -> tuple[Pick, ...]:
    name, inside = step["name"], (step["inside"] or "").strip()
    if name is not None:
        return (None if name.strip() == "*" else name.strip(),)
    picks: list[Pick] = []
    at = 0
    while at < len(inside):
        if not (found := _PICK.match(inside, at)):
            raise _unreadable(path, f"[{inside}]")
        picks.append(_pick(found))
        at = found.end()
    return tuple(picks) or (None,)


def _pick(found: re.Match[str]) -> Pick:
    if found["double"] is not None:
        return _unquoted(found["double"])
    if found["single"] is not None:
        return _unquoted(found["single"].replace("\\'", "'").replace('"', '\\"'))
    if found["slice"] is not None:
        ends = [int(end) if end.strip() else None for end in found["slice"].split(":")]
        if ends[2:] == [0]:
            raise RecallError("A slice cannot step by 0: write [start:end] or [start:end:step].")
        return slice(*ends)
    if found["index"] is not None:
        return int(found["index"])
    return None if found["all"] else found["bare"].strip()


def _unquoted(inside: str) -> str:
    """A key as JSON reads it; where it would not, with the backslashes taken out."""
    try:
        return str(json.loads(f'"{inside}"', strict=False))
    except json.JSONDecodeError:
        return re.sub(r"\\(.)", r"\1", inside)


def _unreadable(path: str, rest: str) -> RecallError:
    hint = "Conditions are not known; recall(seq, query=…) finds words. " if "?" in rest else ""
    return RecallError(
        f"path={shortened(path)} cannot be read from {shortened(rest, 20)} on. {hint}{EXAMPLES}"
    )
