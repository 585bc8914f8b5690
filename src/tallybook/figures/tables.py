"""Figures in a table: the row says what, the column says when, the caption says how large.

A number takes its label from the row's first words under the last section heading, its
period from the headings above its column, and its scale and unit from itself, its row, its
column and the caption, in this order. Per-share rows, percentages and ratios are exempt from
the scale of their table, as are share counts where the caption says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from tallybook.figures.dates import period_of, whens
from tallybook.figures.grid import Cell, Grid
from tallybook.figures.headers import Column, Headers, is_when
from tallybook.figures.measures import Governing, Place
from tallybook.figures.prose import find_in_prose
from tallybook.figures.tablerow import Line, Number, sorted_row
from tallybook.figures.traps import is_state
from tallybook.figures.units import Heading, Measure, heading

if TYPE_CHECKING:
    from tallybook.figures.figure import Figure
    from tallybook.figures.source import Source

_UNCOUNTED: Final = re.compile(
    r"(?:notes?|refs?\.?|reference|pages?(?: no\.?| number)?|no\.?|nos\.?|#|ids?|item|exhibits?(?: no\.?| number)?|years?|fiscal year|fy|rank|dates?|time|timestamp"
    r"|zip(?: code)?|phone|sic|index|code|file (?:no\.?|number)|filing date|代码|编号|序号|年份|日期|股票代码|period end)\Z",
    re.IGNORECASE,
)
_CONTENTS: Final = re.compile(
    r"(?:item|part|note|section|exhibit|signatures?|schedule)\b", re.IGNORECASE
)
_CIK: Final = re.compile(r"\b(?:CIK|CUSIP|ISIN|accession)\b", re.IGNORECASE)
_TOTAL: Final = re.compile(r"total\b|合计|总计", re.IGNORECASE)
_HEADING_LABEL: Final = re.compile(r"\b(?:ended|ending|year|fiscal|period|as of)\b", re.IGNORECASE)
_DIGIT: Final = re.compile(r"[0-9一二三四五六七八九十]")
_PRICED: Final = re.compile(r"[$€£¥][ ]?[0-9.]*[0-9]")
_LONG: Final = 60


@dataclass(slots=True)
class _Entry:
    """One number with all that governs it, before the columns' currencies are known."""

    number: Number
    column: Column
    label: str
    section: str
    period: str


class Above(NamedTuple):
    """What a table leaves behind for one right below it that has no headings of its own."""

    headers: Headers
    table: Heading


def find_in_grid(source: Source, grid: Grid) -> list[Figure]:
    """Find the figures of a table whose cells stand in `source`."""
    return read_grid(source, grid)[0]


def read_grid(source: Source, grid: Grid, above: Above | None = None) -> tuple[list[Figure], Above]:
    """The figures of a table, and what holds for one that goes on below it."""
    reader = _Reader(source, grid, above)
    for row in grid.rows:
        reader.take(sorted_row(row))
    return reader.figures(), Above(reader.headers, reader.table)


class _Reader:
    """Goes down the rows with the headings and the section that hold there."""

    def __init__(self, source: Source, grid: Grid, above: Above | None = None) -> None:
        self.source = source
        self.above = above if above and above.headers.rows else None
        self.grid = grid
        self.headers = Headers(grid.spanned)
        self.entries: list[_Entry] = []
        self.prose: list[Figure] = []
        self.table = _caption(grid.caption)
        self.section = ""
        self._begun = False

    def take(self, line: Line) -> None:
        """Read one row as heading, section or numbers."""
        if line.numbers and self._is_data(line):
            self._data(line)
        elif len(line.words) + len(line.years) == 1 and not line.nils and not line.numbers:
            self._alone((line.words or line.years)[0])
        elif line.words or line.years:
            self._heading(line)

    def _is_data(self, line: Line) -> bool:
        """A row of dates split over cells ("June", "30") is a heading, as is one of columns' numbers."""
        years = len(line.years)
        return self._begun or years < 2 or len(line.numbers) > years

    def _alone(self, cell: Cell) -> None:
        stated = heading(cell.text)
        if stated.scale is not None or stated.unit:
            self.table = _merged(stated, self.table)
        if (is_when(cell.text) and not self._begun) or (cell.column > 0 and not self._begun):
            self.headers.add([cell])
        elif len(cell.text) <= 160 and stated.scale is None:
            self.section = cell.text.rstrip(":：")
        self._tell(cell, "")

    def _heading(self, line: Line) -> None:
        row = sorted(
            (*line.words, *line.years, *(n.cell for n in line.numbers)),
            key=lambda cell: cell.column,
        )
        first = row[0]
        if self._begun:
            label = first if first.column == 0 and first in line.words else None
            if label and line.years and not line.words[1:] and not _is_heading_label(label.text):
                return
            if not line.years and not any(
                period_of(cell.text) for cell in row if cell is not label
            ):
                for cell in row:
                    self._tell(cell, first.text if cell is not first else "")
                return
            self.headers.reset()
            self._begun = False
        self.headers.add(row)
        if first.column == 0 and (stated := heading(first.text)) != Heading():
            self.table = _merged(stated, self.table)
        for cell in row:
            if len(cell.text) > _LONG or _PRICED.search(cell.text):
                self._tell(cell, "")

    def _data(self, line: Line) -> None:
        if self.above and not self._begun and not self.headers.rows:
            self.headers = self.above.headers
            self.table = _merged(self.table, self.above.table)
        self._begun = True
        first = line.numbers[0].cell.column
        names = [cell for cell in line.words if cell.column < first] or line.words[:1]
        label = " ".join(cell.text for cell in names)
        if _TOTAL.match(label):
            self.section = ""
        period = self._row_period(line)
        for number in line.numbers:
            column = self.headers.column(number.cell.column, number.cell.width)
            if not self._counts(line, number, column):
                continue
            self.entries.append(
                _Entry(number, column, label, self.section, column.period or period)
            )
        for cell in line.words:
            self._tell(cell, label if cell not in names else "")

    def _row_period(self, line: Line) -> str:
        for cell in line.years:
            return cell.text[:4]
        for cell in line.words:
            if period := period_of(cell.text):
                return period
        return ""

    def _counts(self, line: Line, number: Number, column: Column) -> bool:
        """Whether a number is a figure, not a note, page, rank or list number."""
        if _UNCOUNTED.match(column.label):
            return False
        text = number.cell.text
        bare = (
            text.strip("().[]# ").isdigit()
            and not number.money
            and not number.unit
            and len(text) <= 5
        )
        if not bare:
            return True
        if number is line.numbers[0] and line.words and line.words[0].column > number.cell.column:
            return bool(column.label) and len(line.numbers) == 1 and not text.startswith("(")
        names = [cell for cell in line.words if cell.column < number.cell.column]
        if len(text) == 5 and names and is_state(names[-1].text.rsplit(None, 1)[-1]):
            return False
        contents = (
            len(line.numbers) == 1 and names and _CONTENTS.match(names[0].text) and len(text) <= 3
        )
        return not (contents and not column.label and not self.table.scale)

    def _tell(self, cell: Cell, label: str) -> None:
        """Read a cell of words as prose."""
        if not _DIGIT.search(cell.text):
            return
        context = (label, self.headers.column(cell.column, cell.width).period if label else "")
        self.prose += find_in_prose(self.source, cell.start, cell.start + len(cell.text), context)

    def figures(self) -> list[Figure]:
        """All figures in order of place, now that the whole table is known."""
        currencies: dict[int, str] = {}
        for entry in self.entries:
            unit = entry.number.money or entry.number.reading.measure.unit
            if len(unit) == 3:
                currencies.setdefault(_right(entry.number.cell), unit)
        governing = Governing(self.table, currencies)
        dated = any(entry.column.period for entry in self.entries)
        fallback = "" if dated else _caption_period(self.grid.caption)
        _spread_percent(self.entries)
        found = [self._figure(entry, governing, fallback) for entry in self.entries]
        if not self.prose:
            return found
        return sorted((*found, *self.prose), key=lambda figure: figure.span)

    def _figure(self, entry: _Entry, governing: Governing, fallback: str) -> Figure:
        number, column = entry.number, entry.column
        reading = number.reading
        shown = Measure(number.unit or reading.measure.unit or number.money, reading.measure.scale)
        place = Place(entry.label, entry.section, column.label, column.heading, _right(number.cell))
        parts = (entry.section, entry.label, column.label)
        start = number.cell.start
        return self.source.figure(
            (start + reading.start, start + reading.end),
            reading.number,
            governing.measure(shown, place, number.cell.text),
            (" | ".join(part for part in parts if part), entry.period or fallback, ""),
            identifier=bool(_CIK.search(column.label) or _CIK.search(entry.label)),
        )


def _spread_percent(entries: list[_Entry]) -> None:
    """Give a column its "%" where only the first and the last number of it show one."""
    columns: dict[int, list[Number]] = {}
    for entry in entries:
        columns.setdefault(_right(entry.number.cell), []).append(entry.number)
    for numbers in columns.values():
        shown = [number.unit or number.reading.measure.unit or number.money for number in numbers]
        if shown[0] == shown[-1] == "%" and set(shown) == {"%", ""}:
            for number in numbers:
                if "." in number.cell.text:
                    number.unit = "%"


def _right(cell: Cell) -> int:
    """The last column of a cell: with and without "$" before it, numbers end in the same one."""
    return cell.column + cell.width - 1


def _is_heading_label(text: str) -> bool:
    return bool(period_of(text) or heading(text) != Heading() or _HEADING_LABEL.search(text))


def _merged(stated: Heading, table: Heading) -> Heading:
    return Heading(
        stated.unit or table.unit,
        table.scale if stated.scale is None else stated.scale,
        table.shares if stated.shares is None else stated.shares,
    )


def _caption(text: str) -> Heading:
    """What the words above a table state; the nearest line that states a scale counts."""
    for line in reversed(text.splitlines()):
        stated = heading(line)
        if stated.scale is not None or (stated.unit and len(line) < 80):
            return stated
    return Heading()


def _caption_period(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()][-2:]
    periods = {when.period for line in lines for when in whens(line) if when.period}
    return periods.pop() if len(periods) == 1 else ""
