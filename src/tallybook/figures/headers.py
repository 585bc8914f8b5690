"""What the headings of a table say of the numbers below them, column by column."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from tallybook.figures.dates import period_of, whens
from tallybook.figures.grid import Cell, Row
from tallybook.figures.units import Heading, heading

_FILLER: Final = re.compile(
    r"\b(?:for the|as of|as at|at|three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two|fifty-three|[0-9]{1,2}|fiscal|months?|weeks?|quarters?|years?|periods?"
    r"|ended|ending|unaudited|audited)\b|\((?:in|amounts?|dollars|unaudited|\$)[^)]*\)|[(),:;*]|\bin (?:millions|thousands|billions)\b",
    re.IGNORECASE,
)
_PERCENT: Final = re.compile(r"%|\bpercent(?:age)?s?\b|\bpct\b|百分比|占比", re.IGNORECASE)

_MONTH_DAY: Final = re.compile(r"[A-Z][a-z]{2,8}\.? [0-9]{1,2}[ ,:]*\Z")


class Column(NamedTuple):
    """Period, words and measure of one column."""

    period: str = ""
    label: str = ""
    heading: Heading = Heading()


@dataclass(slots=True)
class Headers:
    """The heading rows that hold for the rows being read."""

    spanned: bool
    rows: list[Row] = field(default_factory=list)
    _known: dict[int, Column] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        """Take in one more heading row."""
        self.rows.append(row)
        self._known.clear()

    def reset(self) -> None:
        """Forget all, because another heading begins."""
        self.rows.clear()
        self._known.clear()

    def column(self, column: int, width: int = 1) -> Column:
        """What the headings over a column say together, from the top down."""
        if column not in self._known:
            self._known[column] = self._read(column, width)
        return self._known[column]

    def _read(self, column: int, width: int) -> Column:
        texts = [text for row in self.rows if (text := self._over(row, column, width))]
        if not texts:
            return Column()
        joined = " ".join(texts)
        dated = " ".join(text.lstrip("% ") for text in texts)
        return Column(self._dated(period_of(dated)), _words(texts), _measure(joined))

    def _dated(self, period: str) -> str:
        """A year under "As of December 31," in the first column is that day of the year."""
        if len(period) != 4:
            return period
        for row in self.rows:
            if row[0].column == 0 and _MONTH_DAY.search(row[0].text):
                return period_of(f"{row[0].text.rstrip(' ,:')}, {period}")
        return period

    def _over(self, row: Row, column: int, width: int) -> str:
        over = [c for c in row if c.column < column + width and column < c.column + c.width]
        if not over and not self.spanned:
            beside = [c for c in row if c.column > 0]
            over = [_nearest(beside, column)] if beside and column > 0 else []
        return " ".join(c.text for c in over if c.column > 0 or column == 0)


def is_when(text: str) -> bool:
    """Whether a heading says when, be it without the year that stands below it."""
    return bool(period_of(text) or _MONTH_DAY.search(text))


def _nearest(row: Row, column: int) -> Cell:
    """The heading that spans a column whose own cell is empty.

    Headings stand in the first of their columns if the first one does, else in the middle.
    """
    if row[0].column == 1:
        return [cell for cell in row if cell.column <= column][-1]
    return min(row, key=lambda cell: (abs(cell.column - column), cell.column))


def _words(texts: list[str]) -> str:
    return " ".join(rest for text in texts if (rest := _telling(text)))


@lru_cache(maxsize=4096)
def _telling(text: str) -> str:
    """What a heading says beside its dates and measures."""
    kept, last = [], 0
    for when in whens(text):
        kept.append(text[last : when.start])
        last = when.end
    kept.append(text[last:])
    rest = " ".join(_FILLER.sub(" ", " ".join(kept)).split())
    told = any(letter.isalpha() or letter == "%" for letter in rest) and not _only_measure(rest)
    return rest if told else ""


def _only_measure(text: str) -> bool:
    stated = heading(text)
    return stated.scale is not None and len(text) <= 8


def _measure(text: str) -> Heading:
    stated = heading(text)
    if not stated.unit and _PERCENT.search(text):
        return Heading("%", stated.scale, stated.shares)
    return stated
