"""Read the lines of a scratchpad, each alone: a broken one costs itself and is reported.

Power loss leaves blocks of NUL bytes and torn ends; both are skipped and said so.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tallybook.errors import ScratchpadError
from tallybook.scratchpad.codec import decode
from tallybook.scratchpad.events import Entry

_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n\x00"


class Damage(msgspec.Struct, frozen=True):
    """A place that could not be read: its line (from 1), byte offset, bytes lost, and why."""

    line: int
    offset: int
    lost: int
    reason: str


class Spot(msgspec.Struct, frozen=True):
    """An entry and where its line stands, in bytes from the start of the file."""

    entry: Entry
    start: int
    end: int


def read_line(path: Path, start: int, end: int) -> Entry:
    """The entry whose line stands between two offsets. Raises ScratchpadError if none does."""
    with path.open("rb") as file:
        file.seek(start)
        line = file.read(end - start)
    found = next(
        (spot for spot in _line(line, 1, start, end, torn=False) if isinstance(spot, Spot)), None
    )
    if found is None:
        raise ScratchpadError(f"the line at byte {start} of {path} changed under the reader")
    return found.entry


def read_lines(path: Path) -> Iterator[Spot | Damage]:
    """Every line of the file in order, as an entry or as damage. Blank lines are passed over."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield from _lines(data)


def _lines(data: mmap.mmap) -> Iterator[Spot | Damage]:
    size = len(data)
    start, number, last = 0, 0, 0
    while start < size:
        number += 1
        newline = data.find(b"\n", start)
        end = size if newline < 0 else newline + 1
        line = data[start:end]
        for spot in _line(line, number, start, end, torn=newline < 0):
            if isinstance(spot, Spot):
                if spot.entry.seq <= last:
                    reason = f"number {spot.entry.seq} comes after number {last}"
                    yield Damage(number, start, end - start, reason)
                    continue
                if last and spot.entry.seq > last + 1:
                    reason = f"entries {last + 1} to {spot.entry.seq - 1} are missing"
                    yield Damage(number, start, 0, reason)
                last = spot.entry.seq
            yield spot
        start = end


def _line(line: bytes, number: int, start: int, end: int, *, torn: bool) -> Iterator[Spot | Damage]:
    text = line.removeprefix(_BOM) if number == 1 else line
    text = text.rstrip(b"\r\n")
    if text[:1] != b"{" or text[-1:] != b"}":
        bare = text.strip(_BLANK)
        nul = text.count(b"\x00")
        if nul:
            yield Damage(number, start, nul, f"{nul} NUL bytes, as a power loss leaves them")
        if not bare:
            return
        text = bare
    try:
        yield Spot(decode(text), start, end)
    except ScratchpadError as error:
        reason = f"torn: {error}" if torn else str(error)
        yield Damage(number, start, end - start, reason)
