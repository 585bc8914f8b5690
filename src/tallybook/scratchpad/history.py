"""What the lines of a file add up to: which entries stand where, and what is damaged.

Lines go in one after another; nothing here reads a file. What stands after the last
sound entry stays provisional, because it may be a line that is just being written.
"""

from __future__ import annotations

import sys
from typing import Literal

import msgspec
from msgspec.structs import replace

from tallybook.errors import BadEvent
from tallybook.scratchpad.codec import Unreadable, decode
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Entry,
    RunStarted,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.grammar import Grammar
from tallybook.scratchpad.salvage import salvage

_PADDING = b"\0 \t\r\n"
_BOM = b"\xef\xbb\xbf"
_WIDEST_GAP = 1_000_000


class Damage(msgspec.Struct, frozen=True):
    """Something in a scratchpad that could not be taken as it stands.

    `line` counts from 1; `offset` and `lost` say where and how many bytes are lost (0
    where only the order is wrong). `kind` is `torn` for an unfinished end (nothing
    acknowledged is missing), `lost` for a broken line or a hole, `unknown` for a line of
    a newer Tallybook, `order` for numbers that repeat or skip, and `contradiction` for
    an entry that does not follow from what is left before it.
    """

    line: int
    offset: int
    lost: int
    reason: str
    kind: Literal["torn", "lost", "unknown", "order", "contradiction"] = "lost"
    padding: bool = False


class History:
    """The state of reading a file up to byte `end`, the end of its last sound line.

    `offsets` says where each entry stands and `newlines` how many lines `end` lies behind.
    `unsound` are contradictions, each with the entry an edit must have let go for it not
    to matter.
    """

    def __init__(self) -> None:
        self.grammar = Grammar()
        self.offsets: dict[int, int] = {}
        self.end = 0
        self.newlines = 0
        self.unsound: list[tuple[int, Damage]] = []
        self._damage: list[Damage] = []
        self._tail: list[Damage] = []
        self._tail_newlines = 0

    @property
    def seq(self) -> int:
        """The number of the last entry, 0 before the first."""
        return self.grammar.seq

    @property
    def damage(self) -> tuple[Damage, ...]:
        """All that is damaged, by line; one broken line at the end is a torn one."""
        torn = self.tail_is_torn
        tail = [replace(damage, kind="torn") if torn else damage for damage in self._tail]
        return (*self._damage, *tail)

    @property
    def tail_is_torn(self) -> bool:
        """Whether what follows the last sound entry is the trace of one write cut short."""
        return sum(not damage.padding for damage in self._tail) <= 1

    def forget_tail(self) -> None:
        """Go back to `end`, before the tail is taken anew."""
        self._tail.clear()
        self._tail_newlines = 0

    def settle_tail(self) -> None:
        """The tail was cut off: remember that it was torn, and go on from `end`."""
        self._damage = list(self.damage)
        self.forget_tail()

    def take(self, offset: int, line: bytes) -> list[Entry]:
        """Take in the next line, which begins at byte `offset`; the entries it gives."""
        try:
            entry = decode(line)
        except Unreadable as error:
            return self._take_broken(offset, line, error)
        self._extend(offset + len(line))
        admitted = self.admit(offset, entry)
        self.newlines += line.endswith(b"\n")
        return [entry] if admitted else []

    def append(self, offset: int, line: bytes, entry: Entry) -> None:
        """Take in a line just written, which the grammar allowed."""
        self._extend(offset + len(line))
        self.newlines += 1
        self.grammar.take(entry)
        self.offsets[entry.seq] = offset

    def admit(self, offset: int, entry: Entry) -> bool:
        """Make `entry`, at byte `offset`, part of the run unless its number is out of order."""
        seq, event = entry.seq, entry.event
        if not self.seq < seq <= self.seq + _WIDEST_GAP:
            self._report(
                offset, "order", f"number {seq} comes after number {self.seq}; it is left out"
            )
            return False
        if seq > self.seq + 1:
            self._report(offset, "order", f"entries {self.seq + 1} to {seq - 1} are missing")
        try:
            self.grammar.check(event)
        except BadEvent as error:
            self._contradict(offset, entry, error)
        self.grammar.take(entry)
        self.offsets[seq] = offset
        return True

    def _contradict(self, offset: int, entry: Entry, error: BadEvent) -> None:
        reason = f"entry {entry.seq} does not follow from what is left before it: {error}"
        damage = self._report(offset, "contradiction", reason)
        match entry.event:
            case _ if self.seq == 0:
                self.unsound.append((sys.maxsize, damage))
            case AssistantMessage() | Answered() if self.grammar.open_calls:
                self.unsound.append((self.grammar.reply, damage))
            case AssistantMessage() | Answered() | ToolResult() | RunStarted() | UserMessage():
                self.unsound.append((entry.seq, damage))
            case _:
                pass

    def _take_broken(self, offset: int, line: bytes, error: Unreadable) -> list[Entry]:
        pieces = salvage(line)
        if error.foreign and not pieces:
            self._extend(offset + len(line))
            self._report(offset, "unknown", str(error), lost=len(line))
            self.newlines += line.endswith(b"\n")
            return []
        entries: list[Entry] = []
        done = 0
        for piece in pieces:
            self._lose(offset + done, line[done : piece.start], str(error))
            self._extend(offset + piece.end)
            if self.admit(offset + piece.start, piece.entry):
                entries.append(piece.entry)
            done = piece.end
        self._lose(offset + done, line[done:], str(error))
        return entries

    def _lose(self, offset: int, data: bytes, reason: str) -> None:
        """Note `data` as lost unless it is blank; provisional until something sound follows."""
        if data.strip() and data != _BOM:
            padding = not data.strip(_PADDING)
            nuls = data.count(b"\0")
            why = f"{nuls} NUL bytes, as a power loss leaves them" if nuls else reason
            self._tail.append(Damage(self._line, offset, len(data), why, padding=padding))
        self._tail_newlines += data.endswith(b"\n")

    def _extend(self, end: int) -> None:
        """What stood provisionally is followed by something sound, so it is lost for good."""
        if self._tail:
            self._damage += self._tail
        self.newlines += self._tail_newlines
        self.forget_tail()
        self.end = end

    def _report(
        self,
        offset: int,
        kind: Literal["unknown", "order", "contradiction"],
        reason: str,
        lost: int = 0,
    ) -> Damage:
        damage = Damage(self._line, offset, lost, reason, kind)
        self._damage.append(damage)
        return damage

    @property
    def _line(self) -> int:
        return self.newlines + self._tail_newlines + 1
