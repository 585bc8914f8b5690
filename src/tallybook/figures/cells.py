"""How one value is written where a line of a ledger gives it a place.

A value stands bare when nothing else could be meant by it, and as JSON otherwise, so a
reader needs no rule beyond JSON's own and every cell comes back exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tallybook.figures.exact import DECODER, NUMBER, Json, Num, quote, write

MISSING: Final = ""
"""The cell of a field that a row does not have; an empty text is `""`."""

_ODD: Final = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_WORDLIKE: Final = rf"(?!(?:true|false|null|{NUMBER.pattern})\Z)"
_FIRST: Final = rf"[^\s\"\[{{(*~{_ODD}"
_BARE_CELL: Final = re.compile(rf"{_WORDLIKE}{_FIRST},;](?:[^,;{_ODD}]*[^\s,;{_ODD}])?\Z").match
_BARE_LINE: Final = re.compile(rf"{_WORDLIKE}{_FIRST}](?:[^{_ODD}]*[^\s{_ODD}])?\Z").match
_BARE_TEXT: Final = re.compile(rf"{_FIRST},;](?:[^,;{_ODD}]*[^\s,;{_ODD}])?\Z").match
_BARE_NAME: Final = re.compile(r"\w(?:[\w %&/+'<>-]*[\w%&/+'<>-])?\Z").match
_NAME: Final = r"\"(?:[^\"\\]|\\.)*\"|\w[\w %&/+'<>-]*"
PATH: Final = rf"(?:{_NAME})(?:\.(?:{_NAME}))*"
_NAMES: Final = re.compile(_NAME)

Path = tuple[str, ...]


def cell(value: Json) -> str:
    """Write a value as one of several in a line."""
    if type(value) is str:
        return value if _BARE_CELL(value) else quote(value)
    return write(value)


def column_cells(values: Iterable[Json]) -> list[str]:
    """Write many values as `cell` does; texts repeat in a column, so each is looked at once."""
    known: dict[str, str] = {}
    cells: list[str] = []
    for value in values:
        if type(value) is Num:
            cells.append(value)
        elif type(value) is not str:
            cells.append(write(value))
        elif value in known:
            cells.append(known[value])
        else:
            cells.append(known.setdefault(value, cell(value)))
    return cells


def line_cell(value: Json) -> str:
    """Write a value that has the rest of its line for itself."""
    if type(value) is str:
        return value if _BARE_LINE(value) else quote(value)
    return write(value)


def text_cell(value: str) -> str:
    """Write a text where only texts can stand, so that 007 needs no quotes."""
    return value if _BARE_TEXT(value) else quote(value)


def value_of(text: str) -> Json:
    """Read back what `cell` or `line_cell` wrote."""
    if text[0] in '"[{':
        value: Json = DECODER.decode(text)
        return value
    match text:
        case "null":
            return None
        case "true" | "false":
            return text == "true"
        case _:
            return Num(text) if NUMBER.fullmatch(text) else text


def text_of(text: str) -> str:
    """Read back what `text_cell` wrote, or `cell` of a text."""
    if text.startswith('"'):
        value: str = DECODER.decode(text)
        return value
    return text


def path_text(path: Path) -> str:
    """Write a path of names; a name with marks of ours in it is quoted."""
    return ".".join(name if _BARE_NAME(name) else quote(name) for name in path)


def path_of(text: str) -> Path:
    """Read back what `path_text` wrote."""
    return tuple(text_of(name) for name in _NAMES.findall(text))


def split(line: str) -> list[list[str]]:
    """Cut a line at its semicolons and each part at its commas, but never inside JSON."""
    if not ('"' in line or "[" in line or "{" in line):
        return [part.split(",") for part in line.split(";")]
    parts, at = [[""]], 0
    while at < len(line):
        match line[at]:
            case ";":
                parts.append([""])
                at += 1
            case ",":
                parts[-1].append("")
                at += 1
            case mark:
                end = DECODER.raw_decode(line, at)[1] if mark in '"[{' else _bare_end(line, at)
                parts[-1][-1] += line[at:end]
                at = end
    return parts


_STOP: Final = re.compile("[,;]")


def _bare_end(line: str, at: int) -> int:
    found = _STOP.search(line, at)
    return found.start() if found else len(line)
