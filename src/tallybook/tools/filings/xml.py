"""XML read safely: no document type, so no entity can be declared, expanded or fetched.

Names lose their namespaces, because filers bind the same one to whatever prefix they like.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from xml.parsers import expat

from tallybook.tools.failure import ToolFailure

_DEEPEST = 64


@dataclass(slots=True)
class Element:
    """One element; `text` is its own, with blanks at both ends removed."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> Iterator[Element]:
        """The children of that name."""
        return (child for child in self.children if child.name == name)

    def at(self, path: str) -> Element | None:
        """The first element on a path such as "issuer/issuerName"."""
        found: Element | None = self
        for name in path.split("/"):
            found = next(found.all(name), None) if found else None
        return found

    def words(self, path: str) -> str:
        """The text at a path as one line, "" where there is none."""
        found = self.at(path)
        return " ".join(found.text.split()) if found else ""

    def number(self, path: str) -> Decimal | None:
        """The number at a path, None where there is none."""
        text = self.words(path).replace(",", "")
        try:
            return Decimal(text) if text else None
        except InvalidOperation as error:
            raise ToolFailure(f"{path} holds {text!r}, which is no number.") from error


def parse(body: bytes, where: str) -> Element:
    """The root element; ToolFailure where `body` is a web page, not whole, or declares types."""
    if body.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise ToolFailure(
            f"{where} answered with a web page instead of XML: a notice or a block stands in "
            "between. Check the address and the identity, and try again later."
        )
    top = Element("", {})
    parser = _parser(top, where)
    try:
        parser.Parse(body.strip(), True)
    except expat.ExpatError as error:
        raise ToolFailure(
            f"{where} is not whole XML ({error}). Try again, or open the filing's index."
        ) from error
    return top.children[0]


def _parser(top: Element, where: str) -> expat.XMLParserType:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    opened = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(opened) > _DEEPEST:
            raise ToolFailure(f"{where} nests more than {_DEEPEST} elements: no filing does.")
        element = Element(name.rpartition(" ")[2], attributes)
        opened[-1].children.append(element)
        opened.append(element)

    def end(_: str) -> None:
        element = opened.pop()
        element.text = element.text.strip()

    def data(text: str) -> None:
        if not text.isspace():
            opened[-1].text += text

    def declared(*_: object) -> None:
        raise ToolFailure(
            f"{where} declares a document type, which no filing does. It is not read, because "
            "such a declaration can blow up or reach other files."
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = data
    parser.StartDoctypeDeclHandler = declared
    return parser
