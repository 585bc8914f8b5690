"""A JSON text as nodes that know where they stand in it, so that they can be cut out of it.

The standard library's scanner says where a value ends; of the values it builds on the way
only keys are used. It takes what tools really write: NaN, lone surrogates, control
characters, a line of prose before the JSON, one JSON a line, JSON inside a JSON string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec

from tallybook.errors import RecallError

_SCANNER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, strict=False)
_BLANK = re.compile(r"[ \t\r\n]*")
_LINE = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)
_ANYWHERE = re.compile(r"(?=[\[{])")
_TRIES = 20


class Node(msgspec.Struct, frozen=True):
    """The value in `source[start:end]`."""

    source: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """The value as it was written."""
        return self.source[self.start : self.end]

    @property
    def is_object(self) -> bool:
        """Whether it has keys."""
        return self.source[self.start] == "{"

    @property
    def is_array(self) -> bool:
        """Whether it has elements."""
        return self.source[self.start] == "["

    @property
    def is_string(self) -> bool:
        """Whether it is a string."""
        return self.source[self.start] == '"'


def document(text: str) -> Node:
    """The JSON of a text: all of it, the lines of it as an array, or the largest part that is.

    Raises RecallError for a text that holds none.
    """
    best = _run(text, _after_blank(text, 0)) or _longest(text, _LINE) or _longest(text, _ANYWHERE)
    if not best:
        raise RecallError("This text is not JSON, so it has no paths: use line=, char= or query=.")
    if len(best) == 1:
        return opened(best[0])
    lines = ",\n".join(node.text for node in best)
    return Node(f"[{lines}]", 0, len(lines) + 2)


def opened(node: Node) -> Node:
    """The JSON inside a string, where a string holds JSON; else the node itself."""
    if not node.is_string:
        return node
    inside = _SCANNER.decode(node.text)
    if not isinstance(inside, str) or not inside.lstrip().startswith(("{", "[")):
        return node
    start = _after_blank(inside, 0)
    end = _end(inside, start)
    whole = end is not None and _after_blank(inside, end) == len(inside)
    return Node(inside, start, end) if end is not None and whole else node


def children(node: Node) -> Iterator[tuple[str | int, Node]]:
    """The members of an object by key, the elements of an array by index; a value has none."""
    if not (node.is_object or node.is_array):
        return
    text = node.source
    place = _after_blank(text, node.start + 1)
    index = 0
    while text[place] not in "}]":
        key: str | int = index
        if node.is_object:
            key, place = _SCANNER.raw_decode(text, place)
            place = _after_blank(text, _after_blank(text, place) + 1)
        _, end = _SCANNER.raw_decode(text, place)
        yield key, Node(text, place, end)
        index += 1
        place = _after_blank(text, end)
        if text[place] == ",":
            place = _after_blank(text, place + 1)


def _run(text: str, start: int) -> list[Node]:
    """The JSON values that stand one behind the other from a place on, each on a new line."""
    found: list[Node] = []
    while start < len(text) and text[start] in '{["' and (end := _end(text, start)) is not None:
        found.append(Node(text, start, end))
        start = _after_blank(text, end)
        if text.count("\n", end, start) == 0:
            break
    is_one = len(found) == 1 and found[0].is_string
    return [] if is_one and opened(found[0]).is_string else found


def _longest(text: str, places: re.Pattern[str]) -> list[Node]:
    """The longest run of JSON values among the first few places where one may begin."""
    best: list[Node] = []
    behind, tries = 0, 0
    for found in places.finditer(text):
        if tries == _TRIES:
            break
        if found.end() < behind:
            continue
        tries += 1
        if run := _run(text, found.end()):
            behind = run[-1].end
            best = max(best, run, key=_length)
    return best


def _length(run: list[Node]) -> int:
    return run[-1].end - run[0].start if run else 0


def _end(text: str, start: int) -> int | None:
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
