"""Read a run, without a lock and while it is written: lenient, and open about what is missing."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from tallybook.errors import ScratchpadError
from tallybook.scratchpad import bodies
from tallybook.scratchpad.events import AssistantMessage, Entry, ToolResult, UserMessage
from tallybook.scratchpad.lines import Damage, Spot, read_line, read_lines

FILE = "scratchpad.jsonl"


class Places:
    """Where each entry's line stands, in bytes: two numbers an entry, whatever a run's length."""

    def __init__(self) -> None:
        self._starts = array("Q")
        self._ends = array("Q")

    def put(self, seq: int, start: int, end: int) -> None:
        """Note the line of entry `seq`; entries come in order."""
        missing = [0] * (seq - len(self._starts))
        self._starts.extend([*missing, start])
        self._ends.extend([*missing, end])

    def of(self, seq: int) -> tuple[int, int]:
        """The line of an entry that is known."""
        return self._starts[seq], self._ends[seq]

    def __contains__(self, seq: int) -> bool:
        return 0 < seq < len(self._ends) and self._ends[seq] > 0


class Reader:
    """One run's folder, read-only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._places = Places()
        if not self.path.is_file():
            raise ScratchpadError(
                f"{folder} holds no run: there is no {FILE} in it. `tallybook runs` lists the runs."
            )

    @property
    def id(self) -> str:
        """The name of the run, which is that of its folder."""
        return self.folder.name

    @property
    def seq(self) -> int:
        """The number of the last entry, 0 in an empty scratchpad."""
        return max((spot.entry.seq for spot in self._spots()), default=0)

    @property
    def damage(self) -> tuple[Damage, ...]:
        """What could not be read, in the order of the file."""
        return tuple(spot for spot in read_lines(self.path) if isinstance(spot, Damage))

    def entries(self, start: int = 1) -> Iterator[Entry]:
        """The entries from number `start`, with the texts of long results filled in."""
        for spot in self._spots():
            if spot.entry.seq >= start:
                yield self._filled(spot.entry)

    def text(self, seq: int) -> str:
        """What entry `seq` says, byte for byte: a result, or somebody's words.

        Raises ScratchpadError where there is no such text, or its file is missing or altered.
        """
        if seq not in self._places:
            self._places = Places()
            for spot in self._spots():
                self._places.put(spot.entry.seq, spot.start, spot.end)
        if seq not in self._places:
            raise ScratchpadError(f"run {self.id} has no entry {seq}")
        return _text(self._filled(read_line(self.path, *self._places.of(seq))), self.id)

    def _spots(self) -> Iterator[Spot]:
        return (spot for spot in read_lines(self.path) if isinstance(spot, Spot))

    def _filled(self, entry: Entry) -> Entry:
        match entry.event:
            case ToolResult(body=body) as result if body.file:
                return replace(entry, event=replace(result, body=bodies.read(self.folder, body)))
        return entry


def read(folder: Path) -> Reader:
    """Open a run for reading. Raises ScratchpadError if the folder holds none."""
    return Reader(folder)


def _text(entry: Entry, run: str) -> str:
    match entry.event:
        case UserMessage(text=text) | AssistantMessage(text=text):
            return text
        case ToolResult(body=body) if body.text is not None:
            return body.text
        case ToolResult(body=body):
            raise ScratchpadError(
                f"result {entry.seq} of run {run} cannot be served: its file {body.file} is "
                f"{body.damage}"
            )
        case other:
            kind = type(other).__name__
            raise ScratchpadError(f"entry {entry.seq} of run {run} is a {kind}, not a text")
