"""A JSON text as nodes that are pieces of it, so that what is selected is as it was written.

msgspec cuts what is strictly JSON, fast. The standard library's scanner cuts what tools
write besides: NaN, lone surrogates, control characters, a line of prose before the JSON,
one JSON a line, JSON inside a JSON string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec
from msgspec import Raw

from tallybook.errors import RecallError

_MEMBERS = msgspec.json.Decoder(dict[str, Raw])
_ELEMENTS = msgspec.json.Decoder(list[Raw])
_ANY = msgspec.json.Decoder(Raw)
_SCANNER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, strict=False)
_BLANK = re.compile(r"[ \t\r\n]*")
_LINE = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)
_ANYWHERE = re.compile(r"(?=[\[{])")
_TRIES = 20


class Node(msgspec.Struct, frozen=True):
    """A value as it was written, in UTF-8, blanks around it taken off."""

    raw: Raw

    @property
    def text(self) -> str:
        """The value in its own characters."""
        return bytes(self.raw).decode("utf-8", "surrogatepass")

    @property
    def kind(self) -> str:
        """The first character: `{` for an object, `[` for an array, `"` for a string."""
        return chr(memoryview(self.raw)[0])


def document(text: str) -> Node:
    """The JSON of a text: all of it, the lines of it as an array, or the largest part that is.

    Raises RecallError for a text that holds none.
    """
    whole = text.strip(" \t\r\n")
    if whole[:1] in ("{", "[") and (node := _strict(whole)):
        return node
    best = _run(text, _after_blank(text, 0)) or _longest(text, _LINE) or _longest(text, _ANYWHERE)
    if not best:
        raise RecallError("This text is not JSON, so it has no paths: use line=, char= or query=.")
    values = [text[start:end] for start, end in best]
    if len(values) == 1:
        return opened(_node(values[0]))
    lines = ",\n".join(values)
    return _node(f"[{lines}]")


def opened(node: Node) -> Node:
    """The JSON inside a string, where a string holds JSON; else the node itself."""
    if node.kind != '"':
        return node
    inside = _SCANNER.decode(node.text).strip(" \t\r\n")
    if inside[:1] not in ("{", "["):
        return node
    return _node(inside) if _end(inside, 0) == len(inside) else node


def children(node: Node) -> Iterator[tuple[str | int, Node]]:
    """The members of an object by key, the elements of an array by index; a value has none.

    Of equal keys the last one counts, as everywhere in JSON.
    """
    try:
        match node.kind:
            case "{":
                members = _MEMBERS.decode(node.raw)
                return ((key, Node(value)) for key, value in members.items())
            case "[":
                return ((key, Node(value)) for key, value in enumerate(_ELEMENTS.decode(node.raw)))
            case _:
                return iter(())
    except msgspec.DecodeError:
        return iter(dict(_scanned(node.text)).items())


def _strict(text: str) -> Node | None:
    """A text as a node, if it is JSON to the letter."""
    raw = Raw(text.encode("utf-8", "surrogatepass"))
    try:
        _ANY.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None
    return Node(raw)


def _node(text: str) -> Node:
    return Node(Raw(text.encode("utf-8", "surrogatepass")))


def _scanned(text: str) -> Iterator[tuple[str | int, Node]]:
    """The children of an object or array whose text the scanner has accepted."""
    place = _after_blank(text, 1)
    index = 0
    while text[place] not in "}]":
        key: str | int = index
        if text[0] == "{":
            key, place = _SCANNER.raw_decode(text, place)
            place = _after_blank(text, _after_blank(text, place) + 1)
        _, end = _SCANNER.raw_decode(text, place)
        yield key, _node(text[place:end])
        index += 1
        place = _after_blank(text, end)
        if text[place] == ",":
            place = _after_blank(text, place + 1)


def _run(text: str, start: int) -> list[tuple[int, int]]:
    """The spans of JSON values one behind the other from a place on, each on a new line."""
    found: list[tuple[int, int]] = []
    while start < len(text) and text[start] in '{["' and (end := _end(text, start)) is not None:
        found.append((start, end))
        start = _after_blank(text, end)
        if text.count("\n", end, start) == 0:
            break
    if len(found) == 1 and text[found[0][0]] == '"':
        return found if opened(_node(text[slice(*found[0])])).kind != '"' else []
    return found


def _longest(text: str, places: re.Pattern[str]) -> list[tuple[int, int]]:
    """The longest run of JSON values among the first few places where one may begin."""
    best: list[tuple[int, int]] = []
    behind, tries = 0, 0
    for found in places.finditer(text):
        if tries == _TRIES:
            break
        if found.end() < behind:
            continue
        tries += 1
        if run := _run(text, found.end()):
            behind = run[-1][1]
            best = max(best, run, key=_length)
    return best


def _length(run: list[tuple[int, int]]) -> int:
    return run[-1][1] - run[0][0] if run else 0


def _end(text: str, start: int) -> int | None:
    """Where the value that begins here ends; None if none does."""
    try:
        return _SCANNER.raw_decode(text, start)[1]
    except json.JSONDecodeError:
        return None
    except RecursionError as error:
        raise RecallError(
            "This JSON is nested too deep for a path: use line=, char= or query=."
        ) from error


def _after_blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place
