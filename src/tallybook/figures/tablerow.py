"""One row of a table, sorted into words, numbers and years.

In filings a number's currency, bracket and "%" often stand in cells of their own beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from tallybook.figures.grid import Cell, Row
from tallybook.figures.tablecell import NIL, Reading, read_cell
from tallybook.figures.units import money_of

_CLOSERS: Final = {
    ")": "",
    "%": "%",
    ")%": "%",
    "%)": "%",
    "pts": "pp",
    "pp": "pp",
    "x": "x",
    "bps": "bps",
    "pts)": "pp",
    ") %": "%",
}
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}(?:[ ]?(?:\([0-9a-z]\)|[*†‡]))?\Z")
"""A year, perhaps with the mark of a footnote."""


@dataclass(slots=True)
class Number:
    """A cell's number, with the currency and unit that stand in cells beside it."""

    cell: Cell
    reading: Reading
    money: str = ""
    unit: str = ""


@dataclass(slots=True)
class Line:
    """One row, sorted into words and numbers."""

    words: list[Cell] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    years: list[Cell] = field(default_factory=list)
    nils: int = 0


def sorted_row(row: Row) -> Line:
    """Tell the cells of a row apart."""
    line, money = Line(), ""
    for cell in row:
        text = cell.text
        if text in NIL:
            line.nils += 1
        elif len(text) <= 4 and text in _CLOSERS:
            if line.numbers and not line.numbers[-1].unit:
                line.numbers[-1].unit = _CLOSERS[text]
        elif (
            len(text) <= 4
            and not text.isalnum()
            and text.strip("( -")
            and money_of(text.strip("( -"))
        ):
            money = text
            continue
        elif _YEAR.match(text) and not money:
            line.years.append(cell)
        elif reading := read_cell(text):
            line.numbers.append(_number(cell, reading, money))
        else:
            line.words.append(cell)
        money = ""
    return line


def _number(cell: Cell, reading: Reading, money: str) -> Number:
    if money.startswith(("(", "-")) or money.endswith(("(", "-")):
        number = reading.number._replace(value=-abs(reading.number.value))
        reading = reading._replace(number=number)
    return Number(cell, reading, money_of(money.strip("( -")) if money else "")
