"""Read the lines of a scratchpad, each alone: a broken one costs itself and is reported.

Power loss leaves blocks of NUL bytes and torn ends; both are skipped and said so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from tallybook.errors import ScratchpadError
from tallybook.scratchpad.codec import decode
from tallybook.scratchpad.events import Entry

_BOM = b"\xef\xbb\xbf"
_BUFFER = 1 << 20
_BLANK = b" \t\r\n\x00"


class Damage(msgspec.Struct, frozen=True):
    """A place that could not be read: its line (from 1), byte offset, bytes lost, and why."""

    line: int
    offset: int
    lost: int
    reason: str


class Spot(msgspec.Struct, frozen=True, gc=False):
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
    start, last = 0, 0
    with path.open("rb", buffering=_BUFFER) as file:
        for number, line in enumerate(file, 1):
            end = start + len(line)
            for spot in _line(line, number, start, end, torn=line[-1:] != b"\n"):
                if isinstance(spot, Spot):
                    fault = _out_of_order(spot.entry.seq, last)
                    if fault:
                        lost = end - start if spot.entry.seq <= last else 0
                        yield Damage(number, start, lost, fault)
                    if spot.entry.seq <= last:
                        continue
                    last = spot.entry.seq
                yield spot
            start = end


def _out_of_order(seq: int, last: int) -> str:
    if seq <= last:
        return f"number {seq} comes after number {last}"
    return f"entries {last + 1} to {seq - 1} are missing" if last and seq > last + 1 else ""


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
