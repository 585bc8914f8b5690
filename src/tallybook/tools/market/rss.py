"""Read an RSS feed from anyone: its items, or a plain refusal.

Expat itself expands entities, so a feed of a kilobyte can become gigabytes, or name a file of
this machine. Both need a document type declaration, which no feed has needed since RSS 0.91:
one is refused as soon as it begins, before an entity is declared. That is the whole guard that
defusedxml would add here, so it is not needed. Size and time are bounded where it is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import msgspec

from tallybook.tools.failure import ToolFailure


class Item(msgspec.Struct, frozen=True):
    """One headline. `published` is UTC, or None where the feed gives no time that can be read."""

    title: str
    link: str
    published: datetime | None
    publisher: str = ""


class _Declared(Exception):
    """A document type declaration began."""


def parse(body: bytes, source: str) -> tuple[Item, ...]:
    """Give the items of a feed in its order; raise `ToolFailure` for anything but a feed."""
    try:
        root = _tree(body)
    except _Declared as error:
        raise ToolFailure(
            f"{source} sent a document with a type declaration: a web page, or a feed that could "
            "expand without end. It was not read. Use another news source."
        ) from error
    except (expat.ExpatError, AssertionError, ValueError) as error:
        raise ToolFailure(
            f"{source} sent no whole feed ({error}). Try again later, or use another news source."
        ) from error
    if root.tag not in ("rss", "rdf:RDF"):
        raise ToolFailure(
            f"{source} sent a <{root.tag}> document instead of an RSS feed. Check the base URL."
        )
    return tuple(_items(root))


def _tree(body: bytes) -> Element:
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = _refuse
    parser.Parse(body, True)
    return builder.close()


def _refuse(*_: object) -> None:
    raise _Declared


def _items(root: Element) -> Iterator[Item]:
    for item in root.iter("item"):
        title, link = _text(item, "title"), _text(item, "link")
        publisher = _text(item, "source")
        if title and link.startswith(("https://", "http://")):
            yield Item(
                title.removesuffix(f" - {publisher}") if publisher else title,
                link,
                _moment(_text(item, "pubDate")),
                publisher,
            )


def _text(item: Element, name: str) -> str:
    return " ".join((item.findtext(name) or "").split())


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
