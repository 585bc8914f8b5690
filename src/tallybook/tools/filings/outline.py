"""What a filing has: its parts, items, notes and titles, found among its paragraphs.

A contents page names every item before any begins, and sentences refer to items all the time.
So an item begins where a short paragraph of its own names it and leads nowhere; of several such
places the one with the most text below is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tallybook.tools.filings.blocks import Block

_PART = re.compile(r"part\s+(iv|i{1,3})\b", re.I)
_ITEM = re.compile(
    r"(?:part\s+(?P<part>iv|i{1,3})\b[\s,.:–—-]*)?item\s*(?P<item>\d\.\d\d|\d{1,2}\s?[A-C]?(?![A-Za-z]))"
    r"(?:\s*\([a-zA-Z]\))*[\s.:–—|-]*(?P<title>.*)",
    re.I,
)
_NOTE = re.compile(r"note\s+(?P<note>\d{1,2})\b[\s.:–—-]*(?P<title>.*)", re.I)
_NUMBERED = re.compile(r"(?P<note>\d{1,2})\.\s+(?P<title>[A-Z].*)")
_STATEMENT = re.compile(
    r"((condensed|consolidated|combined)\s+)+(statements?|balance sheets?)\b"
    r"|(statements? of (income|operations|earnings|cash flows)|balance sheets?)\b",
    re.I,
)
_SIGNATURES = re.compile(r"signatures?|exhibit index", re.I)
_CLOSE = 3
_CONTINUED = re.compile(r"\(?continued\)?\.?$", re.I)


class Heading(NamedTuple):
    """Where a section begins. `key` is such as "Part I Item 2" or "Note 16", "" for a mere title.

    `level` is 0 for parts and items, 1 for notes and statements, 2 for what stands out below.
    """

    at: int
    level: int
    key: str
    title: str


def outline(blocks: Sequence[Block]) -> tuple[Heading, ...]:
    """The headings in order; each item once, a 10-Q's items with their parts."""
    items = _chosen(tuple(_items(blocks, linked=False)), len(blocks))
    if 2 * len(items) < len(every := _chosen(tuple(_items(blocks, linked=True)), len(blocks))):
        items = every  # a filer whose headings lead back to the contents
    numbers = {block.text for block in blocks if block.stands_out and _NOTE.match(block.text)}
    taken = {heading.at for heading in items}
    rest = (h for h in _others(blocks, named=bool(numbers)) if h.at not in taken)
    return tuple(sorted((*items, *rest)))


def item_key(text: str) -> str | None:
    """The key that a request such as "part ii, item 1a" means, or None."""
    named = _ITEM.fullmatch(text.strip()) or _ITEM.fullmatch(f"item {text.strip()}")
    return _key(named["part"], named["item"]) if named and not named["title"] else None


def note_key(text: str) -> str | None:
    """The key that a request such as "note 16" means, or None."""
    named = _NOTE.fullmatch(text.strip())
    return f"Note {named['note']}" if named and not named["title"] else None


def _key(part: str | None, item: str) -> str:
    number = re.sub(r"\s", "", item).upper()
    return f"Part {part.upper()} Item {number}" if part else f"Item {number}"


def _items(blocks: Sequence[Block], *, linked: bool) -> Iterator[Heading]:
    part = ""
    for at, block in enumerate(blocks):
        if block.grid or (block.linked and not linked) or len(block.text) > 250:
            continue
        if (named := _ITEM.match(block.text)) and _is_title(block, named["title"]):
            if _CONTINUED.search(named["title"]):
                continue
            title = named["title"] or _next_title(blocks, at)
            part = (named["part"] or part).upper()
            yield Heading(at, 0, _key(part, named["item"]), title)
        elif (whole := _PART.match(block.text)) and len(block.text) < 60 and _is_title(block, ""):
            part = whole[1].upper()
            yield Heading(at, 0, "", block.text)
        elif _SIGNATURES.fullmatch(block.text):
            yield Heading(at, 0, "", block.text)


def _is_title(block: Block, title: str) -> bool:
    """Whether it names a section, not a sentence that begins with a reference to one."""
    if block.stands_out or block.text.isupper():
        return True
    words = [word for word in re.findall(r"[A-Za-z]+", title) if len(word) > 3]
    return len(block.text) <= 120 and 3 * sum(word[0].isupper() for word in words) >= 2 * len(words)


def _next_title(blocks: Sequence[Block], at: int) -> str:
    after = blocks[at + 1] if at + 1 < len(blocks) else Block("")
    short = not after.grid and len(after.text) <= 150
    return after.text if short and after.stands_out and not _ITEM.match(after.text) else ""


def _chosen(every: Sequence[Heading], end: int) -> tuple[Heading, ...]:
    """Each item where most follows it; parts and signatures unless a list of contents has them."""
    found = _without_contents(every)
    ends = [*(later.at for later in found[1:]), end][: len(found)]
    best: dict[str, tuple[int, Heading]] = {}
    for heading, until in zip(found, ends, strict=True):
        length = until - heading.at
        if heading.key and length > best.get(heading.key, (0, heading))[0]:
            best[heading.key] = (length, heading)
    kept = {heading for _, heading in best.values()}
    first = min((heading.at for heading in kept), default=0)
    parts = {heading for heading in found if not heading.key and heading.at > first}
    # a 10-K numbers its items through, so parts say nothing; a 10-Q begins again in Part II
    bare = [_bare(heading) for heading in kept]
    if len(set(bare)) == len(bare):
        kept = {heading._replace(key=_bare(heading)) for heading in kept}
    return tuple(sorted(kept | parts))


def _without_contents(found: Sequence[Heading]) -> tuple[Heading, ...]:
    """Without entries of a list of contents: close to one another, and each named again later."""
    last = {key: n for n, h in enumerate(found) if h.key for key in (h.key, _bare(h))}
    again = [last.get(heading.key, -1) > n for n, heading in enumerate(found)]

    def listed(n: int) -> bool:
        beside = [m for m in (n - 1, n + 1) if 0 <= m < len(found)]
        return again[n] and any(
            (again[m] or not found[m].key) and abs(found[m].at - found[n].at) <= _CLOSE
            for m in beside
        )

    return tuple(heading for n, heading in enumerate(found) if not listed(n))


def _bare(heading: Heading) -> str:
    """The key without its part."""
    return "Item " + heading.key.partition("Item ")[2]


def _others(blocks: Sequence[Block], *, named: bool) -> Iterator[Heading]:
    for at, block in enumerate(blocks):
        if not block.stands_out or block.linked:
            continue
        numbered = _NOTE.match(block.text) or (None if named else _NUMBERED.match(block.text))
        if numbered and not _CONTINUED.search(numbered["title"]):
            yield Heading(at, 1, f"Note {numbered['note']}", numbered["title"])
        elif _STATEMENT.match(block.text) and len(block.text) < 120:
            yield Heading(at, 1, "", block.text)
        elif re.search(r"[A-Za-z]{3}", block.text) and not numbered:
            yield Heading(at, 2, "", block.text)
