"""One section of a document: found by item, note or title, and given page by page.

Only one reading is ever taken: a name that means several sections fails with their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import NamedTuple

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.blocks import Block
from tallybook.tools.filings.outline import Heading, item_key, note_key, outline

_ALIASES = {
    "mda": ("management s discussion and analysis",),
    "md a": ("management s discussion and analysis",),
    "balance sheet": ("balance sheets",),
    "income statement": ("statements of income", "statements of operations"),
    "cash flow statement": ("statements of cash flows",),
}
_SCALE = re.compile(r"\bin (thousands|millions|billions)\b|\bunaudited\b|\$000", re.I)
_ABOVE = 4


class Section(NamedTuple):
    """A section: its name, and its blocks from `first` up to `end`."""

    name: str
    first: int
    end: int


class Page(NamedTuple):
    """A part of a text; `following` is the offset that goes on, None at the end."""

    text: str
    following: int | None
    total: int


class _Line(NamedTuple):
    """A line of text, and what must be said above it where a page begins with it."""

    text: str
    above: str = ""


@dataclass(frozen=True)
class Document:
    """A document as blocks and what it has."""

    blocks: tuple[Block, ...]

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """Everything that begins a section."""
        return outline(self.blocks)

    @cached_property
    def contents(self) -> tuple[Section, ...]:
        """Items, statements and notes, in order."""
        return tuple(self._section(h) for h in self.headings if h.level < 2 and (h.key or h.level))

    @property
    def whole(self) -> Section:
        """All of it."""
        return Section("whole document", 0, len(self.blocks))

    def find(self, asked: str) -> Section:
        """The one section that is meant, or ToolFailure with the likely ones."""
        key = item_key(asked) or note_key(asked)
        found = [h for h in self.headings if key and _same_key(h.key, key)]
        if not found and not key:
            found = self._titled(asked)
        names = list(dict.fromkeys(self._section(h).name for h in found))
        if len(names) == 1:
            return max(map(self._section, found), key=self.size)
        if names:
            raise ToolFailure(
                f"{asked!r} may be {' or '.join(map(repr, names[:6]))}. Ask for one of them."
            )
        raise ToolFailure(f"This document has no section {asked!r}. {self._hint(asked)}")

    def size(self, section: Section) -> int:
        """How many characters it has."""
        return sum(len(line.text) + 1 for line in self._lines(section))

    def page(self, section: Section, offset: int, limit: int) -> Page:
        """What begins at a character, whole lines of it, at most `limit` characters.

        A page that begins inside a table repeats what stands above the table and its head.
        """
        lines = list(self._lines(section))
        total = sum(len(line.text) + 1 for line in lines)
        at, taken = 0, 0
        shown: list[str] = []
        for line in lines:
            end = at + len(line.text) + 1
            if end > offset:
                text = line.text[max(0, offset - at) :]
                if taken + len(text) > limit and (taken or line.above):
                    return Page("\n".join(shown), at, total)
                if not shown and line.above:
                    shown.append(line.above)
                shown.append(text[: limit - taken])
                if len(text) > limit - taken:
                    return Page("\n".join(shown), max(offset, at) + limit - taken, total)
                taken += len(text) + 1
            at = end
        return Page("\n".join(shown), None, total)

    def _section(self, heading: Heading) -> Section:
        style = self.blocks[heading.at].style
        end = next(
            (
                h.at
                for h in self.headings
                if h.at > heading.at
                and (
                    h.level < heading.level
                    or (h.level == heading.level and (h.level < 2 or self._like(h, style)))
                )
            ),
            len(self.blocks),
        )
        name = f"{heading.key}. {heading.title}" if heading.key else heading.title
        return Section(name.removesuffix(". "), heading.at, end)

    def _like(self, heading: Heading, style: object) -> bool:
        return self.blocks[heading.at].style == style

    def _titled(self, asked: str) -> list[Heading]:
        """Headings of that title; else beginning so; else with all its words. Higher ones first."""
        titles = [(h, _plain(h.title)) for h in self.headings]
        plain = _plain(asked)
        for wanted in filter(None, _ALIASES.get(plain, (plain,))):
            words = set(wanted.split())
            for near in (
                [h for h, title in titles if title == wanted],
                [h for h, title in titles if title.startswith(wanted)],
                [h for h, title in titles if words <= set(title.split())],
            ):
                level = min((h.level for h in near), default=0)
                if near:
                    return [h for h in near if h.level == level]
        return []

    def _hint(self, asked: str) -> str:
        titles = list(dict.fromkeys(self._section(h).name for h in self.headings))
        close = get_close_matches(asked, titles, n=3, cutoff=0.4)
        if close:
            return f"Near it: {'; '.join(close)}. Leave section out for the contents."
        return "Leave section out for the contents."

    def _lines(self, section: Section) -> Iterator[_Line]:
        for at in range(section.first, section.end):
            block = self.blocks[at]
            if block.grid is None:
                yield _Line(f"## {block.text}" if block.stands_out else block.text)
            else:
                title, rule, *rows = block.grid.lines()
                caption = self._caption(at)
                yield _Line(title, caption)
                yield _Line(rule)
                above = "\n".join(filter(None, (caption, title, rule)))
                yield from (_Line(row, above) for row in rows)
            yield _Line("")

    def _caption(self, at: int) -> str:
        """The title and scale of a table: the paragraphs above it up to its title, if near."""
        told: list[str] = []
        for block in reversed(self.blocks[max(0, at - _ABOVE) : at]):
            if block.grid:
                break
            scale = _SCALE.search(block.text)
            if scale or block.stands_out:
                told.insert(0, block.text[-200:])
            if block.stands_out and not scale:
                break
        return f"({'; '.join(told)})" if told else ""


def _same_key(key: str, asked: str) -> bool:
    """Whether a request means a key: "Item 2" is also "Part I Item 2"."""
    return key == asked or key.endswith(f" {asked}") or asked.endswith(f" {key}")


def _plain(text: str) -> str:
    """Words alone, without those that statements are titled with or without."""
    words = re.sub(r"[\W_]+", " ", text.casefold()).split()
    return " ".join(w for w in words if w not in {"condensed", "consolidated", "unaudited"})
