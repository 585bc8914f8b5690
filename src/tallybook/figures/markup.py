"""HTML as the text a reader sees, with its tables as grids.

Filings are megabytes of tags around little text, so tags are gone over once and no tree is
built. Hidden XBRL, scripts and raised footnote marks are left out. A cell keeps the columns it
covers, because in filings a heading spans the columns of "$", number and ")".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import Final

from tallybook.figures.grid import Cell, Grid
from tallybook.figures.lines import Block
from tallybook.figures.source import Source, plain

_IS_MARKUP: Final = re.compile(
    r"<(?:html|body|table|tr|td|div|p|span|font|br|li|ul|h[1-6]|b|strong|TABLE|HTML|DIV|P|TR|TD)(?:\s[^<>]*)?/?>"
)
_TOKEN: Final = re.compile(r"<(?:(/?)([A-Za-z][\w:.-]*)([^<>]*)>|!--|[!?][^<>]*>)|&(#?\w{1,10});")
_SPAN: Final = re.compile(r"\b(col|row)span\s*=\s*[\"']?([0-9]{1,3})", re.IGNORECASE)
_HIDDEN: Final = frozenset(("script", "style", "ix:header", "head", "svg", "noscript"))
_BREAKS: Final = frozenset(
    "p div br li ul ol tr table h1 h2 h3 h4 h5 h6 hr section article header footer blockquote pre dt dd title caption thead tbody tfoot document page text type".split()
)
_ACTING: Final = _BREAKS | _HIDDEN | {"td", "th", "sup"}
"""Tags that change what is seen; all others, most of a filing, are passed over."""
_NOTE: Final = re.compile(r"[\s()\[\]0-9a-z*†‡,]{0,6}\Z")
_CAPTION: Final = 600
_SMALL: Final = 3


def is_markup(text: str) -> bool:
    """Whether a text is HTML rather than text with a tag in it."""
    return "</" in text and bool(_IS_MARKUP.search(text))


@dataclass(slots=True)
class _Table:
    """A table being read: rows of cells, each with its start, end, column and width."""

    start: int
    nested: bool
    end: int = 0
    rows: list[list[tuple[int, int, int, int]]] = field(default_factory=list)
    held: dict[int, int] = field(default_factory=dict)
    column: int = 0
    cell: int = -1
    spans: tuple[int, int] = (1, 1)


def rendered(source: Source) -> tuple[Source, list[Block]]:
    """The text that a reader of the markup sees, and its tables and the prose between them.

    A table within a cell of another is a table of its own, so tables may come in any order.
    """
    page = _Page()
    page.read(source.text)
    text = "".join(page.pieces)
    seen = Source(
        text,
        plain(text),
        source.seq,
        source.entity,
        page.starts,
        page.origins,
        source,
        source.depth,
    )
    return seen, _blocks(seen.plain, page.tables)


def _blocks(text: str, tables: list[_Table]) -> list[Block]:
    blocks, last, titled = [], 0, 0
    for table in tables:
        rows = [row for cells in table.rows if (row := _row(text, cells))]
        if not table.nested and last < table.start:
            blocks.append(Block(last, table.start, None))
        if rows:
            caption = text[max(titled, table.start - _CAPTION) : table.start]
            blocks.append(Block(table.start, table.end, Grid(rows, caption, spanned=True)))
        if not table.nested:
            last = table.end
        if len(rows) > _SMALL:
            titled = table.end
    if last < len(text):
        blocks.append(Block(last, len(text), None))
    return blocks


def _row(text: str, cells: list[tuple[int, int, int, int]]) -> list[Cell]:
    row = []
    for start, end, column, width in cells:
        piece = text[start:end]
        if short := piece.strip():
            row.append(Cell(short, start + piece.index(short[0]), column, width))
    return row


class _Page:
    """Writes the visible text piece by piece and remembers where each came from."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.starts: list[int] = []
        self.origins: list[int] = []
        self.tables: list[_Table] = []
        self._open: list[_Table] = []
        self._size = 0
        self._hidden = ""
        self._raised: list[tuple[int, int]] = []

    def read(self, text: str) -> None:
        """Go over all tags once."""
        last = resume = 0
        for token in _TOKEN.finditer(text):
            start, end = token.span()
            if start < resume:
                continue
            if last < start and not self._hidden:
                self._write(text[last:start], last)
            last = end
            if token[4]:
                if not self._hidden:
                    self._write(unescape(token[0]), start)
            elif token[2]:
                if (name := token[2].lower()) in _ACTING:
                    self._tag(name, bool(token[1]), token[3], start)
            elif token[0] == "<!--":
                close = text.find("-->", end)
                last = resume = end if close < 0 else close + 3
        if not self._hidden:
            self._write(text[last:], last)
        while self._open:
            self._close_table()

    def _write(self, piece: str, origin: int) -> None:
        if not piece:
            return
        self.starts.append(self._size)
        self.origins.append(origin)
        self.pieces.append(piece.replace("\n", " "))
        self._size += len(piece)

    def _tag(self, name: str, closing: bool, attributes: str, origin: int) -> None:
        if self._hidden:
            if closing and name == self._hidden:
                self._hidden = ""
            return
        if name in _HIDDEN and not closing and not attributes.endswith("/"):
            self._hidden = name
        elif name in {"td", "th"}:
            self._cell(closing, attributes, origin)
        elif name == "sup":
            self._note(closing)
        elif name in _BREAKS:
            self._break(name, closing, origin)

    def _break(self, name: str, closing: bool, origin: int) -> None:
        if name == "table":
            if not closing:
                self._close_cell(origin)
                self._mark("\n", origin)
                self._open.append(_Table(self._size, bool(self._open)))
                self.tables.append(self._open[-1])
            elif self._open:
                self._close_table()
                self._mark("\n", origin)
                if self._open:
                    self._open[-1].cell = self._size
        elif name == "tr" and self._open:
            self._close_cell(origin)
            if not closing:
                self._open_row()
            self._mark("\n", origin)
        elif name == "caption" and closing and self._open and not self._open[-1].rows:
            self._mark("\n", origin)
            self._open[-1].start = self._size
        else:
            self._mark(" " if self._open and self._open[-1].cell >= 0 else "\n", origin)

    def _mark(self, mark: str, origin: int) -> None:
        if self.pieces and self.pieces[-1] != mark:
            self._write_mark(mark, origin)

    def _write_mark(self, mark: str, origin: int) -> None:
        self.starts.append(self._size)
        self.origins.append(origin)
        self.pieces.append(mark)
        self._size += 1

    def _open_row(self) -> None:
        table = self._open[-1]
        table.rows.append([])
        table.column = 0
        table.held = {column: rows - 1 for column, rows in table.held.items() if rows > 1}

    def _cell(self, closing: bool, attributes: str, origin: int) -> None:
        self._close_cell(origin)
        if closing or not self._open:
            return
        table = self._open[-1]
        if not table.rows:
            self._open_row()
        while table.column in table.held:
            table.column += 1
        table.spans = _spans(attributes) if "span" in attributes.lower() else (1, 1)
        table.cell = self._size
        if attributes.endswith("/"):
            self._close_cell(origin)

    def _close_cell(self, origin: int) -> None:
        if not self._open or self._open[-1].cell < 0:
            return
        table = self._open[-1]
        width, height = table.spans
        if self._size > table.cell:
            table.rows[-1].append((table.cell, self._size, table.column, width))
            self._write_mark("\t", origin)
        if height > 1:
            table.held.update((table.column + at, height) for at in range(width))
        table.column += width
        table.cell = -1

    def _close_table(self) -> None:
        self._close_cell(self.origins[-1] if self.origins else 0)
        self._open.pop().end = self._size

    def _note(self, closing: bool) -> None:
        """Take back a raised mark, which would else run into the number before it."""
        if not closing:
            self._raised.append((len(self.pieces), self._size))
        elif self._raised:
            pieces, size = self._raised.pop()
            if pieces <= len(self.pieces) and _NOTE.match("".join(self.pieces[pieces:])):
                del self.pieces[pieces:], self.starts[pieces:], self.origins[pieces:]
                self._size = size


@lru_cache(maxsize=4096)
def _spans(attributes: str) -> tuple[int, int]:
    """How many columns and rows a cell covers."""
    spans = {kind.lower(): int(count) for kind, count in _SPAN.findall(attributes)}
    return max(spans.get("col", 1), 1), max(spans.get("row", 1), 1)
