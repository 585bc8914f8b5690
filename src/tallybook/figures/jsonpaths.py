"""Figures in JSON: the path is the label, and what stands beside a value says the rest.

One pattern goes over the text, so a place is known for every value and a text that was cut
off is read as far as it goes. Period, unit and entity come from fields of the same object or
of those around it, and from keys that are themselves a period, a currency or a ticker.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from tallybook.figures.keys import Beside, Role, Roles, beside
from tallybook.figures.numbers import Numeral, read_digits
from tallybook.figures.source import Source, plain
from tallybook.figures.tablecell import read_cell
from tallybook.figures.units import ONE, Measure

if TYPE_CHECKING:
    from tallybook.figures.figure import Figure

Reader = Callable[[Source], "list[Figure]"]
"""Reads a string found in JSON as a text of its own."""

_TEXT: Final = r'[^"\\]*(?:\\.[^"\\]*)*'
_NUMBER: Final = r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])"
_TOKEN: Final = re.compile(
    rf'"({_TEXT})"(?:\s*:\s*(?:({_NUMBER})|"({_TEXT})"|()(?=[\[{{])|()))?|({_NUMBER})|([{{}}\[\]])',
    re.DOTALL,
)
_PLAIN_KEY: Final = re.compile(r"[^\s.\[\]\"']+\Z")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SHORT_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_NO_DIGIT: Final = re.compile(r"[^0-9]+")
_WORTH_READING: Final = re.compile(r"[0-9一二三四五六七八九十]|illion|housand")
_DEEPEST: Final = 4


@dataclass(slots=True)
class _Frame:
    """An object or array that was opened, and its fields that say something of the others."""

    above: _Frame | None
    key: str | int
    array: bool
    count: int = 0
    fields: dict[Role, str] = field(default_factory=dict)
    path: str = ""
    known: Beside | None = None


class _Leaf(NamedTuple):
    frame: _Frame
    key: str | int
    start: int
    end: int
    text: bool


def find_in_json(source: Source, start: int, end: int, read: Reader) -> list[Figure]:
    """Find the figures of the JSON at `start:end`; strings that hold text are given to `read`."""
    roles = Roles()
    leaves = _leaves(source.text, start, end, roles)
    writer = _Writer(source, roles, read)
    for leaf in leaves:
        writer.take(leaf)
    return writer.found


def _leaves(text: str, start: int, end: int, roles: Roles) -> list[_Leaf]:
    leaves: list[_Leaf] = []
    frame = root = _Frame(None, "$", False)
    key: str | int = ""
    for token in _TOKEN.finditer(text, start, end):
        kind = token.lastindex
        if kind in {2, 3}:
            key = token[1]
            role = roles.of(key)
            if role is not None:
                frame.fields[role] = token[kind]
            leaves.append(_Leaf(frame, key, *token.span(kind), kind == 3))
        elif kind == 7:
            mark = token[7]
            if mark in "{[":
                if frame.array:
                    key, frame.count = frame.count, frame.count + 1
                frame = _Frame(frame, key, mark == "[")
                key = ""
            elif frame is not root and frame.above:
                frame = frame.above
        elif kind in {4, 5}:
            key = token[1]
        else:
            if frame.array:
                key, frame.count = frame.count, frame.count + 1
            if (
                kind == 1
                and frame.array
                and Role.PERIOD not in frame.fields
                and roles.period(token[1])
            ):
                frame.fields[Role.PERIOD] = token[1]
            leaves.append(_Leaf(frame, key, *token.span(kind or 0), kind == 1))
    return leaves


class _Writer:
    """Turns values into figures, with what holds for each frame worked out once."""

    def __init__(self, source: Source, roles: Roles, read: Reader) -> None:
        self.source, self.roles, self.read = source, roles, read
        self.found: list[Figure] = []
        self._barren: set[str] = set()

    def take(self, leaf: _Leaf) -> None:
        """Write the figures of one value."""
        written = self.source.text[leaf.start : leaf.end]
        role = self.roles.of(leaf.key) if isinstance(leaf.key, str) else None
        if role is Role.IDENTIFIER:
            self._identifier(leaf, written)
        elif role is Role.NAME:
            return
        elif not leaf.text:
            if role is None and (number := read_digits(written.lstrip("-"))):
                value = -number.value if written[0] == "-" else number.value
                self._figure(leaf, (leaf.start, leaf.end), Numeral(value, number.step), Measure())
        elif role is None and written not in self._barren and _WORTH_READING.search(written):
            self._text(leaf, written)

    def _identifier(self, leaf: _Leaf, written: str) -> None:
        digits = _NO_DIGIT.sub("", written)
        if digits and len(digits) <= 25:
            self._figure(
                leaf,
                (leaf.start, leaf.end),
                Numeral(Decimal(digits), ONE),
                Measure(),
                identifier=True,
            )

    def _figure(
        self,
        leaf: _Leaf,
        span: tuple[int, int],
        number: Numeral,
        own: Measure,
        *,
        identifier: bool = False,
    ) -> None:
        near = self._beside(leaf.frame)
        key = self.roles.said(leaf.key)
        if key.counted and len(near.unit) == len("USD"):
            near = near._replace(unit="", scale=ONE)
        measure = Measure(
            own.unit or key.unit or near.unit,
            own.scale if own.scale != ONE else key.scale * near.scale,
        )
        if identifier:
            measure = Measure()
        elif measure.unit in ("%", "x", "bps", "pp"):
            measure = Measure(measure.unit, own.scale)
        words = (
            f"{self._path(leaf.frame)}{_step(leaf.key)}",
            key.period or near.period,
            near.entity,
        )
        self.found.append(self.source.figure(span, number, measure, words, identifier=identifier))

    def _text(self, leaf: _Leaf, written: str) -> None:
        if (
            len(written) <= 40
            and "\\" not in written
            and (cell := read_cell(plain(written).strip()))
        ):
            if (written[:1] == "0" and written[1:2].isdigit()) or (
                leaf.frame.array and self.roles.period(written) == written
            ):
                return
            lead = leaf.start + len(written) - len(written.lstrip())
            self._figure(leaf, (lead + cell.start, lead + cell.end), cell.number, cell.measure)
            return
        if self.source.depth >= _DEEPEST or (
            written.startswith(("http://", "https://", "data:")) and " " not in written
        ):
            return
        near = self._beside(leaf.frame)
        inner = _decoded(self.source, leaf.start, written, near.entity)
        found = self.read(inner)
        self.found += found
        if not found and len(written) <= 80:
            self._barren.add(written)

    def _path(self, frame: _Frame) -> str:
        if not frame.path:
            if frame.above is None:
                frame.path = "$"
            else:
                step = "" if frame.above.above is None and frame.key == "" else _step(frame.key)
                frame.path = self._path_above(frame) + step
        return frame.path

    def _path_above(self, frame: _Frame) -> str:
        chain = []
        above = frame.above
        while above and not above.path:
            chain.append(above)
            above = above.above
        for each in reversed(chain):
            if each.above is None:
                each.path = "$"
            else:
                step = "" if each.above.above is None and each.key == "" else _step(each.key)
                each.path = each.above.path + step
        return frame.above.path if frame.above else "$"

    def _beside(self, frame: _Frame) -> Beside:
        chain = []
        at: _Frame | None = frame
        while at and at.known is None:
            chain.append(at)
            at = at.above
        near = at.known if at and at.known else Beside()
        for each in reversed(chain):
            near = each.known = beside(near, self.roles.said(each.key), each.fields, self.roles)
        return near


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    if not key:
        return ""
    return f".{key}" if _PLAIN_KEY.match(key) else f'["{key}"]'


def _decoded(source: Source, start: int, written: str, entity: str) -> Source:
    """The text that a JSON string stands for, with the way back to its places."""
    pieces, starts, origins, size, last = [], [], [], 0, 0
    for escape in _ESCAPE.finditer(written):
        pieces.append(written[last : escape.start()])
        starts.append(size)
        origins.append(start + last)
        size += escape.start() - last
        letter = chr(int(escape[1], 16)) if escape[1] else _SHORT_ESCAPES.get(escape[2], escape[2])
        pieces.append(letter)
        starts.append(size)
        origins.append(start + escape.start())
        size += 1
        last = escape.end()
    pieces.append(written[last:])
    starts.append(size)
    origins.append(start + last)
    text = "".join(pieces)
    return Source(
        text,
        plain(text),
        source.seq,
        entity or source.entity,
        starts,
        origins,
        source,
        source.depth + 1,
    )
