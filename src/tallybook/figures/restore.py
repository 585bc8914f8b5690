"""Read a ledger back into the JSON it stands for.

Everything needed is in the headers: no guess is made, and what does not follow them is
refused, so that a ledger that lost lines is never taken for the whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tallybook.errors import TallybookError
from tallybook.figures.cells import MISSING, PATH, Path, path_of, split, text_of, value_of
from tallybook.figures.columns import (
    KEY,
    Days,
    Frame,
    Lookup,
    Plain,
    Same,
    Spec,
    Text,
    spec_of,
    tokens,
    unshifted,
)
from tallybook.figures.exact import Json, read, write
from tallybook.figures.periods import first_day, frame_of
from tallybook.figures.rows import NOTHING, name_of

LEGEND: Final = "# JSON as tables, exact."
"""What every ledger begins with; anything else is JSON."""
_HEADER: Final = re.compile(r"([A-Z][0-9]*)\|")
_ENTRY: Final = re.compile(rf"(\$|-|{PATH})(\[\])?:(?: (.*))?\Z", re.DOTALL)
_TABLE: Final = re.compile(r"([\[{(])([0-9]+) ([A-Z][0-9]*)[\]})](?: (.*))?\Z", re.DOTALL)
_SCALED: Final = re.compile(r"(.*)×1e([0-9]+)\Z", re.DOTALL)

Row = dict[Path, Json]


class LedgerError(TallybookError):
    """A text is no ledger, or lost a line or a header; recall the result by its number."""


def decode(ledger: str) -> str:
    """Give back the JSON that `encode` was given, without spaces between its parts.

    Equal to it as a value: numbers to the digit, texts to the character. LedgerError where
    the text is no whole ledger.
    """
    try:
        if not ledger.startswith(LEGEND):
            return write(read(ledger))
        return write(_Reader(ledger.split("\n")[1:]).whole())
    except (ValueError, KeyError, IndexError) as error:
        raise LedgerError(f"not a whole ledger ({error}); recall the result itself") from error


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a kind of table, or of one table with its own settings."""

    head: tuple[Spec, ...]
    tail: tuple[Spec, ...]
    same: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)

    def with_settings(self, text: str) -> _Columns:
        same, places = {}, {}
        for setting in tokens(text):
            if found := _SCALED.match(setting):
                places[found[1]] = int(found[2])
            else:
                name, _, cell = _cut_setting(setting)
                same[name] = cell
        return _Columns(self.head, self.tail, same, places)


def _cut_setting(text: str) -> tuple[str, str, str]:
    found = re.match(rf"(@[A-Z][0-9]*|{PATH})=", text)
    if not found:
        raise ValueError(f"no setting: {text}")
    return found[1], "=", text[found.end() :]


def _columns_of(header: str) -> _Columns:
    found = tokens(header)
    at = found.index(";") if ";" in found else len(found)
    head = tuple(map(spec_of, found[:at]))
    return _Columns(head, tuple(map(spec_of, found[at + 1 :])))


@dataclass(slots=True)
class _Reader:
    lines: list[str]
    at: int = 0
    columns: dict[str, _Columns] = field(default_factory=dict)
    lookups: dict[str, dict[str, Row]] = field(default_factory=dict)

    def whole(self) -> Json:
        while self.at < len(self.lines) and (found := _HEADER.match(self.lines[self.at])):
            columns = _columns_of(self.lines[self.at][found.end() :])
            self.at += 1
            self.columns[found[1]] = columns
            self.lookups[found[1]] = dict(self.numbered(columns))
        root = self.at < len(self.lines) and self.lines[self.at].startswith("$")
        value = self.block(0)
        if self.at < len(self.lines):
            raise ValueError(f"line {self.at + 2} belongs to nothing")
        return value["$"] if root and isinstance(value, dict) else value

    def numbered(self, columns: _Columns) -> list[tuple[str, Row]]:
        rows = []
        while self.indent() == 1:
            number, *cells = split(self.lines[self.at][1:])[0]
            rows.append((number, self.row(columns.head, cells, columns)))
            self.at += 1
        return rows

    def indent(self) -> int:
        """The indent of the line we are at; -1 after the last."""
        if self.at >= len(self.lines):
            return -1
        line = self.lines[self.at]
        return len(line) - len(line.lstrip(" "))

    def block(self, indent: int, into: dict[str, Json] | None = None) -> Json:
        """Read the entries at one indent: a list if they are called `-`, else an object."""
        named: dict[str, Json] = {} if into is None else into
        items: list[Json] = []
        while self.indent() == indent:
            found = _ENTRY.match(self.lines[self.at][indent:])
            if not found:
                raise ValueError(f"line {self.at + 2} is no entry")
            self.at += 1
            value = self.entry(found[2], found[3], indent)
            match found[1]:
                case "-":
                    items.append(value)
                case "$":
                    named["$"] = value
                case path:
                    _put(named, path_of(path), value)
        if not items and not named:
            raise ValueError(f"nothing below line {self.at + 1}")
        return items or named

    def entry(self, listed: str | None, text: str | None, indent: int) -> Json:
        if text is None:
            return self.block(indent + 1)
        if listed:
            return [value_of(cell) for cell in split(text)[0]]
        found = _TABLE.match(text)
        if not found:
            return value_of(text)
        columns = self.columns[found[3]].with_settings(found[4] or "")
        rows = self.rows(columns, int(found[2]), indent + 1)
        match found[1]:
            case "[":
                return [_nested(row, below) for row, below in rows]
            case "{":
                return {_key(row): _nested(row, below) for row, below in rows}
            case _:
                paths = dict.fromkeys(path for row, _ in rows for path in row)
                return {path[0]: [row[path] for row, _ in rows] for path in paths}

    def rows(self, columns: _Columns, count: int, indent: int) -> list[tuple[Row, dict[str, Json]]]:
        """Read so many rows: flush left where nothing stands below any of them."""
        rows: list[tuple[Row, dict[str, Json]]] = []
        if self.indent() != indent:
            indent = 0
        while len(rows) < count:
            if self.indent() != indent:
                raise ValueError(f"line {self.at + 2} should be one of {count} rows")
            text = self.lines[self.at][indent:]
            self.at += 1
            if not text:
                raise ValueError(f"line {self.at + 1} is empty")
            rows.extend((row, {}) for row in self.line(text, columns))
            if indent and self.indent() == indent + 1:
                self.block(indent + 1, rows[-1][1])
        return rows

    def line(self, text: str, columns: _Columns) -> list[Row]:
        """Read one line: a row, or as many as it has tails."""
        head, *tails = [[]] if text == NOTHING else split(text)
        specs = (*columns.head, *columns.tail)
        width = len(_own(columns.head, columns))
        if not columns.tail or not width:
            return [self.row(specs, head, columns)]
        head += [MISSING] * (width - len(head))
        return [self.row(specs, [*head, *tail], columns) for tail in tails]

    def row(self, specs: Sequence[Spec], cells: Sequence[str], columns: _Columns) -> Row:
        own = _own(specs, columns)
        if len(cells) > len(own) and any(cells[len(own) :]):
            raise ValueError(f"line {self.at + 1} has more cells than its header")
        given = dict(zip(own, cells, strict=False))
        row: Row = {}
        later: list[tuple[Spec, str]] = []
        for spec in specs:
            cell = given.get(spec, columns.same.get(name_of(spec), MISSING))
            match spec:
                case Same(path, same):
                    row[path] = value_of(same)
                case _ if not cell:
                    pass
                case Lookup(table):
                    row |= self.lookups[table][cell]
                case Text(path, prefix):
                    row[path] = prefix + text_of(cell)
                case Plain(path):
                    places = columns.places.get(name_of(spec), 0)
                    row[path] = _value(cell, places)
                case _:
                    later.append((spec, cell))
        _periods(row, later)
        return row


def _own(specs: Sequence[Spec], columns: _Columns) -> list[Spec]:
    """The columns that have a cell in every line."""
    return [s for s in specs if not isinstance(s, Same) and name_of(s) not in columns.same]


def _value(cell: str, places: int) -> Json:
    if not places or cell == "null":
        return value_of(cell)
    return value_of(unshifted(cell, places))


def _periods(row: Row, later: Sequence[tuple[Spec, str]]) -> None:
    """Days first: frames are named after the days that they give."""
    for spec, cell in later:
        match spec:
            case Days(path, end):
                row[path] = first_day(cell, str(row[end]))
    for spec, cell in later:
        match spec:
            case Frame(path, start, end) if cell == "*":
                row[path] = frame_of(str(row.get(start, "")), str(row[end]))
            case Frame(path):
                row[path] = text_of(cell)


def _key(row: Row) -> str:
    key = row[KEY]
    if not isinstance(key, str):
        raise ValueError("a row without its key")  # noqa: TRY004
    return key


def _nested(row: Row, below: dict[str, Json]) -> dict[str, Json]:
    """Put what stood below a row, and its cells, where their paths say."""
    value = below
    for path, item in row.items():
        if path != KEY:
            _put(value, path, item)
    return value


def _put(target: dict[str, Json], path: Path, value: Json) -> None:
    for name in path[:-1]:
        inner = target.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ValueError(f"{name} is both a value and an object")  # noqa: TRY004
        target = inner
    target[path[-1]] = value
