"""A document of a filing as paragraphs and tables, in the order a reader meets them.

What is not for readers is left out: hidden XBRL, page numbers and running titles. Which words
stand out is kept as a style, because filers mark their headings by looks alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tallybook.tools.filings.grid import Cell, Grid, grid

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_BREAKING = frozenset(
    "address article blockquote body center dd div dl dt h1 h2 h3 h4 h5 h6 hr html li ol p pre "
    "section table tbody td tfoot th thead tr ul".split()
)
_UNSEEN = frozenset("head script style title noscript ix:header".split())
_BOLD = frozenset("b strong h1 h2 h3 h4 h5 h6 th".split())
_HTML = re.compile(r"<(html|body|div|p|font)\b", re.I)
_TYPED = re.compile(r"</?(page|table|caption|s|c|fn|f\d+)>", re.I)
_CLOSED = re.compile(r"<((?:div|span|p|a|b|i|u|font|td|th|tr|table|ix:\w+)\b[^<>]*)/>", re.I)
_PAGE = re.compile(r"(page )?[\divxf-]{1,6}|table of contents", re.I)
_RUNNING = re.compile(
    r"\|.*\d|financial statements\b|(corporation|corp|inc|company|subsidiaries|ltd|plc)\.?$", re.I
)


class Style(NamedTuple):
    """How words look; inherited from the outside in."""

    bold: bool = False
    italic: bool = False
    underlined: bool = False
    size: str = ""
    color: str = ""


PLAIN = Style()


@dataclass(frozen=True)
class Block:
    """A paragraph, or a table with its `grid`. `linked` words lead to a place in the document."""

    text: str
    style: Style = PLAIN
    linked: bool = False
    grid: Grid | None = None

    @property
    def stands_out(self) -> bool:
        """Whether it looks like a heading."""
        apart = self.style.bold or self.style.italic or self.style.underlined
        return self.grid is None and apart and len(self.text) <= 200


class _Run(NamedTuple):
    text: str
    style: Style
    linked: bool


def read_blocks(html: str) -> tuple[Block, ...]:
    """Read an HTML document, or plain text as filers sent it before 2001."""
    from selectolax.lexbor import LexborHTMLParser

    if not _HTML.search(html[:200_000]):
        plain = _TYPED.sub("", html.replace("\r\n", "\n"))
        parts = re.split(r"\n\s*\n", plain)
        return tuple(Block(part.strip("\n")) for part in parts if part.strip())
    opened = _CLOSED.sub(lambda tag: f"<{tag[1]}></{_name(tag[1])}>", html)
    root = LexborHTMLParser(opened).root
    return _without_furniture(tuple(_walk(root, PLAIN))) if root else ()


def _name(tag: str) -> str:
    return tag.split(maxsplit=1)[0]


def _walk(root: LexborNode, style: Style) -> Iterator[Block]:
    """The blocks below a node, without recursion: filings nest deeper than Python may."""
    runs: list[_Run] = []
    todo: list[tuple[LexborNode | None, Style, bool, bool]] = [(root.child, style, False, False)]
    while todo:
        node, style, linked, breaks = todo.pop()
        if node is None:
            if breaks:
                yield from _flushed(runs)
            continue
        todo.append((node.next, style, linked, breaks))
        tag = node.tag or ""
        if tag == "-text":
            runs.append(_Run(node.text_content or "", style, linked))
            continue
        if tag in _UNSEEN or tag[:1] in "-!":
            continue
        looks = node.attrs.sget("style", "") or ""
        if "display:none" in looks.replace(" ", ""):
            continue
        if tag == "br":
            runs.append(_Run(" ", style, linked))
        elif tag == "table" and not node.css("table table"):
            yield from _flushed(runs)
            yield from _table(node, style)
        else:
            breaking = tag in _BREAKING
            if breaking:
                yield from _flushed(runs)
            href = (node.attrs.sget("href", "") or "") if tag == "a" else ""
            inner = _styled(style, tag, looks)
            todo.append((node.child, inner, linked or href.startswith("#"), breaking))
    yield from _flushed(runs)


def _flushed(runs: list[_Run]) -> Iterator[Block]:
    text = " ".join("".join(run.text for run in runs).split())
    seen = [run for run in runs if run.text.strip()]
    runs.clear()
    if text:
        yield Block(text, _common(seen), any(run.linked for run in seen))


def _common(runs: Sequence[_Run]) -> Style:
    """What all words share; the first run's size and colour stand for the rest."""
    first = runs[0].style
    return first._replace(
        bold=all(run.style.bold for run in runs),
        italic=all(run.style.italic for run in runs),
        underlined=all(run.style.underlined for run in runs),
    )


def _styled(style: Style, tag: str, looks: str) -> Style:
    if tag in _BOLD:
        style = style._replace(bold=True)
    elif tag in {"i", "em"}:
        style = style._replace(italic=True)
    elif tag == "u":
        style = style._replace(underlined=True)
    if not looks:
        return style
    for part in looks.lower().split(";"):
        name, _, value = (word.strip() for word in part.partition(":"))
        match name:
            case "font-weight":
                style = style._replace(bold=value in {"bold", "bolder", "600", "700", "800", "900"})
            case "font-style":
                style = style._replace(italic=value in {"italic", "oblique"})
            case "text-decoration":
                style = style._replace(underlined="underline" in value)
            case "font-size":
                style = style._replace(size=value)
            case "color":
                style = style._replace(color=value)
    return style


def _table(table: LexborNode, style: Style) -> Iterator[Block]:
    """A table, or its rows as paragraphs where it only lays text out."""
    rows = [list(_cells(row, style)) for row in table.css("tr")]
    placed = grid(_spanned(rows))
    if placed:
        yield Block("\n".join(placed.lines()), style, grid=placed)
        return
    for row in rows:
        parts = [block for _, _, blocks in row for block in blocks]
        if parts:
            text = " ".join(part.text for part in parts)
            linked = any(part.linked for part in parts)
            yield Block(text, _common([_Run(p.text, p.style, p.linked) for p in parts]), linked)


def _cells(row: LexborNode, style: Style) -> Iterator[tuple[int, int, list[Block]]]:
    """Each cell's width and height in columns and rows, and what it holds."""
    cell = row.child
    while cell is not None:
        if cell.tag in {"td", "th"}:
            width, height = (_count(cell.attrs.sget(name)) for name in ("colspan", "rowspan"))
            looks = cell.attrs.sget("style", "") or ""
            yield width, height, list(_walk(cell, _styled(style, cell.tag, looks)))
        cell = cell.next


def _spanned(rows: Iterable[Sequence[tuple[int, int, list[Block]]]]) -> list[list[Cell]]:
    """Cells at their columns, aside of cells that reach down from above."""
    taken: dict[int, int] = {}
    placed: list[list[Cell]] = []
    for row in rows:
        at, cells = 0, []
        below = {column: left - 1 for column, left in taken.items() if left > 1}
        for width, height, blocks in row:
            while taken.get(at, 0) > 0:
                at += 1
            cells.append(Cell(at, at + width, " ".join(block.text for block in blocks)))
            if height > 1:
                below.update(dict.fromkeys(range(at, at + width), height - 1))
            at += width
        taken = below
        placed.append(cells)
    return placed


def _count(text: str | None) -> int:
    return min(max(int(text), 1), 1000) if text and text.isdigit() else 1


def _without_furniture(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Without page numbers, links back to the contents, and titles that run on each page."""
    often = Counter(_mask(block) for block in blocks if len(block.text) <= 100 and not block.grid)
    met: set[str] = set()
    kept: list[Block] = []
    for block in blocks:
        runs = often[_mask(block)] > 3 and bool(_RUNNING.search(block.text))
        again = runs and ("|" in block.text or _mask(block) in met)
        met.add(_mask(block))
        if not block.grid and (again or _PAGE.fullmatch(block.text)):
            continue
        if kept and _goes_on(kept[-1], block):
            kept[-1] = replace(block, text=f"{kept[-1].text} {block.text}")
        else:
            kept.append(block)
    return tuple(kept)


def _goes_on(above: Block, block: Block) -> bool:
    """Whether a page's end has cut a paragraph in two."""
    prose = not (above.grid or block.grid) and above.style == block.style and len(above.text) > 80
    return prose and above.text[-1] not in ".:;!?”)" and block.text[0].islower()


def _mask(block: Block) -> str:
    return re.sub(r"\d+", "#", block.text)
