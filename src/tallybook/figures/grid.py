"""A table as a grid: cells with their text, their place and the columns they cover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias


class Cell(NamedTuple):
    """One cell: its text without blanks around it, where that begins, and its columns."""

    text: str
    start: int
    column: int
    width: int = 1


Row: TypeAlias = Sequence[Cell]
"""The cells of one row that are not empty, from left to right."""


class Grid(NamedTuple):
    """Rows, the words above them, and whether cells tell the columns they cover.

    Where they do not (`spanned` is false), a heading over several columns stands in one of them
    and the others are empty.
    """

    rows: Sequence[Row]
    caption: str = ""
    spanned: bool = False
    columns: int = 0
