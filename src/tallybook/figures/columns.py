"""The kinds of column a ledger's table may have, and how its header names them.

A column is written in the shortest way that a reader still understands without
computing: a start as days before the end, a frame as the period it is named after, a
text without the beginning all texts share. The header says which, so decoding needs
nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tallybook.figures.cells import PATH, Path, path_of, path_text


@dataclass(frozen=True, slots=True)
class Plain:
    """Each cell says its own value."""

    path: Path


@dataclass(frozen=True, slots=True)
class Text:
    """Texts only, without the beginning that all of them share."""

    path: Path
    prefix: str


@dataclass(frozen=True, slots=True)
class Days:
    """A first day, written as the length in days of the period that `end` closes."""

    path: Path
    end: Path


@dataclass(frozen=True, slots=True)
class Frame:
    """The calendar period nearest to start..end (or to the instant `end`), written `*`."""

    path: Path
    start: Path
    end: Path


@dataclass(frozen=True, slots=True)
class Same:
    """One cell for every row."""

    path: Path
    cell: str


@dataclass(frozen=True, slots=True)
class Lookup:
    """The number of a line in another table, which stands for all columns of that table."""

    table: str


Spec: TypeAlias = Plain | Text | Days | Frame | Same | Lookup


@dataclass(frozen=True, slots=True)
class Column:
    """How a column is written, and its cells over all rows of all tables of its kind.

    It varies unless each table has one value for all its rows.
    """

    spec: Spec
    cells: list[str]
    varies: bool = True


Spans: TypeAlias = "Sequence[tuple[int, int]]"
"""Where each table of a kind begins and ends among all rows."""
KEY: Final[Path] = ()
"""The path of the column that holds the keys of an object."""

DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_TOKENS: Final = re.compile(r';|(?:"(?:[^"\\]|\\.)*"|[^",;])+')
_TEXT: Final = re.compile(rf"({PATH}|key:)\((.*)…\)\Z", re.DOTALL)
_DAYS: Final = re.compile(rf"days\(({PATH})\.\.({PATH})\)\Z")
_FRAME: Final = re.compile(rf"frame\(({PATH}) of ({PATH}|)\.\.({PATH})\)\Z")
_SAME: Final = re.compile(rf"({PATH})=(.*)\Z", re.DOTALL)


def token(spec: Spec) -> str:
    """Name a column in a header."""
    match spec:
        case Plain(path):
            return _name(path)
        case Text(path, prefix):
            return f"{_name(path)}({prefix}…)"
        case Days(path, end):
            return f"days({path_text(path)}..{path_text(end)})"
        case Frame(path, start, end):
            return f"frame({path_text(path)} of {path_text(start)}..{path_text(end)})"
        case Same(path, cell):
            return f"{path_text(path)}={cell}"
        case Lookup(table):
            return f"@{table}"


def spec_of(text: str) -> Spec:
    """Read back what `token` wrote."""
    if text.startswith("@"):
        return Lookup(text[1:])
    if found := _TEXT.match(text):
        return Text(_path(found[1]), found[2])
    if found := _DAYS.match(text):
        return Days(path_of(found[1]), path_of(found[2]))
    if found := _FRAME.match(text):
        return Frame(path_of(found[1]), path_of(found[2]), path_of(found[3]))
    if found := _SAME.match(text):
        return Same(path_of(found[1]), found[2])
    return Plain(_path(text))


def tokens(header: str) -> list[str]:
    """Cut a header or a table's own settings at commas; a semicolon stays as a token."""
    return [text for text in _TOKENS.findall(header) if text != ","]


def _name(path: Path) -> str:
    return path_text(path) if path else "key:"


def _path(text: str) -> Path:
    return KEY if text == "key:" else path_of(text)


def shifted(number: str, places: int) -> str:
    """Write a whole number in units of 10**places: 693641000 as 693.641 for six places."""
    sign, digits = ("-", number[1:]) if number[0] == "-" else ("", number)
    if digits == "0":
        return number
    digits = digits.rjust(places + 1, "0")
    whole, rest = digits[:-places], digits[-places:].rstrip("0")
    return f"{sign}{whole}.{rest}" if rest else sign + whole


def unshifted(number: str, places: int) -> str:
    """Read back what `shifted` wrote."""
    whole, _, rest = number.partition(".")
    sign, whole = ("-", whole[1:]) if whole[0] == "-" else ("", whole)
    digits = (whole + rest.ljust(places, "0")).lstrip("0")
    return sign + (digits or "0")
