"""Find every figure in a text, whatever kind of text it is.

JSON, HTML, Markdown tables, CSV and prose are told apart by looking; a text may hold several
of them, and a string in JSON may hold any of them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tallybook.figures.grid import Cell, Grid
from tallybook.figures.jsonpaths import find_in_json
from tallybook.figures.jsonregions import json_regions
from tallybook.figures.lines import blocks
from tallybook.figures.markup import is_markup, rendered
from tallybook.figures.prose import find_in_prose
from tallybook.figures.source import Source, plain
from tallybook.figures.tables import Above, find_in_grid, read_grid

if TYPE_CHECKING:
    from tallybook.figures.figure import Figure

__all__ = ["find", "find_in_rows"]

_BETWEEN = 100
"""Characters between two tables that still go together."""


def find(text: str, *, seq: int = 0, entity: str = "") -> list[Figure]:
    """All figures and identifiers of a text in order of place, never overlapping.

    `seq` and `entity` are written into each figure; an entity that the text itself names
    for a figure wins.
    """
    return find_in_source(Source(text, plain(text), seq, entity))


def find_in_rows(
    rows: Sequence[Sequence[str]], caption: str = "", *, seq: int = 0, entity: str = ""
) -> list[Figure]:
    """All figures of a table given as rows of cells, as if joined by tabs and newlines.

    Spans count in that joined text. `caption` is read for scale, unit and period only.
    """
    text = "\n".join("\t".join(row) for row in rows)
    source = Source(text, plain(text), seq, entity)
    grid_rows, start = [], 0
    for row in rows:
        cells = []
        for column, written in enumerate(row):
            short = source.plain[start : start + len(written)].strip()
            if short:
                cells.append(Cell(short, source.plain.index(short, start), column))
            start += len(written) + 1
        grid_rows.append(cells)
        start += not row
    return find_in_grid(source, Grid(grid_rows, plain(caption)))


def find_in_source(source: Source) -> list[Figure]:
    """All figures of a source, of which the text may be a decoded copy."""
    found: list[Figure] = []
    last = 0
    for start, end in json_regions(source.text):
        found += _find_in_text(source, last, start)
        found += find_in_json(source, start, end, find_in_source)
        last = end
    found += _find_in_text(source, last, len(source.text))
    return found


def _find_in_text(source: Source, start: int, end: int) -> list[Figure]:
    """All figures of text that is no JSON: HTML, or lines with tables in them."""
    if start == 0 and is_markup(source.text):
        found = list(_find_in_markup(source))
        found.sort(key=_place)
        return found
    return _find_in_lines(source, start, end) if start < end else []


def _place(figure: Figure) -> tuple[int, int]:
    return figure.span


def _find_in_markup(source: Source) -> Iterator[Figure]:
    """The figures of HTML, block by block; a table may go on where another ended."""
    seen, parts = rendered(source)
    above: Above | None = None
    for part in parts:
        if part.grid:
            found, above = read_grid(seen, part.grid, above)
            yield from found
        else:
            above = above if part.end - part.start <= _BETWEEN else None
            yield from _find_in_lines(seen, part.start, part.end)


def _find_in_lines(source: Source, start: int, end: int) -> list[Figure]:
    found: list[Figure] = []
    for block in blocks(source.plain, start, end):
        if block.grid:
            found += find_in_grid(source, block.grid)
        else:
            found += find_in_prose(source, block.start, block.end)
    return found
