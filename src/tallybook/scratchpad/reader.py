"""Read a run, whatever state its file is in.

Reading is lenient and says so: a broken line costs itself alone and is reported with its
number. It takes no lock, so any number may read while one writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from tallybook.errors import ScratchpadError
from tallybook.scratchpad import bodies
from tallybook.scratchpad.codec import Unreadable, decode
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Entry,
    RunStarted,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.history import Damage, History
from tallybook.scratchpad.salvage import salvage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "scratchpad.jsonl"


def read(folder: Path) -> Reader:
    """The run in `folder`, for reading; raises ScratchpadError where there is none."""
    return Reader(folder)


class Reader:
    """A run that may still be growing: each call first takes in what came since the last.

    On a damaged run an entry may lack what it refers to (a result its call, an edit its
    result); `damage` names each such case.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.id = folder.name
        self.path = folder / FILE
        self._history = History()
        if not self.path.is_file():
            raise ScratchpadError(
                f"{folder} holds no run: there is no {FILE} in it. `tallybook runs` lists the runs."
            )

    @property
    def seq(self) -> int:
        """The number of the last entry, 0 before the first."""
        self._catch_up()
        return self._history.seq

    @property
    def damage(self) -> tuple[Damage, ...]:
        """All that could not be taken as it stands, by line."""
        self._catch_up()
        return self._history.damage

    def entries(self, start: int = 1) -> Iterator[Entry]:
        """Every entry from `start` on, in rising `seq`, one at a time, long texts filled in.

        A text that is missing or altered stays None, and its body says which.
        """
        for entry in self.outline(start):
            event = entry.event
            if isinstance(event, ToolResult) and event.body.text is None:
                body = bodies.load(self.folder, event.body)
                yield replace(entry, event=replace(event, body=body))
            else:
                yield entry

    def text(self, seq: int) -> str:
        """The original text of entry `seq`, to the letter; raises ScratchpadError."""
        match self._entry(seq).event:
            case ToolResult() as result:
                return self._result_text(seq, result.tool, bodies.load(self.folder, result.body))
            case UserMessage(text=text) | AssistantMessage(text=text) | RunStarted(query=text):
                return text
            case event:
                raise ScratchpadError(
                    f"entry {seq} of run {self.id} is a {type(event).__name__}, not a text"
                )

    def outline(self, start: int = 1) -> Iterator[Entry]:
        """As `entries`, but a text that is a file of its own is not read."""
        history = self._history
        position = history.offsets.get(start, 0) if start <= history.seq else history.end
        try:
            with self.path.open("rb") as file:
                file.seek(position)
                history.forget_tail()
                for line in file:
                    known = position < history.end
                    found = self._again(position, line) if known else history.take(position, line)
                    for entry in found:
                        if entry.seq >= start:
                            yield entry
                    position += len(line)
        except OSError as error:
            raise ScratchpadError(f"Run {self.id} cannot be read: {error}.") from error

    def _again(self, offset: int, line: bytes) -> list[Entry]:
        """The entries of a line taken in before."""
        offsets = self._history.offsets
        try:
            entry = decode(line)
        except Unreadable:
            pieces = salvage(line)
        else:
            return [entry] if offsets.get(entry.seq) == offset else []
        return [p.entry for p in pieces if offsets.get(p.entry.seq) == offset + p.start]

    def _catch_up(self) -> None:
        for _ in self.outline(self._history.seq + 1):
            pass

    def _entry(self, seq: int) -> Entry:
        if seq not in self._history.offsets:
            self._catch_up()
        if seq in self._history.offsets:
            for entry in self.outline(seq):
                return entry
        last = self._history.seq
        raise ScratchpadError(
            f"run {self.id} has no entry {seq} that can be read; its last is {last}"
        )

    def _result_text(self, seq: int, tool: str, body: Body) -> str:
        if body.text is not None:
            return body.text
        state = "is missing or cannot be read"
        if body.damage == "altered":
            state = "was altered: its hash is not the one in the scratchpad"
        raise ScratchpadError(
            f"result {seq} of run {self.id} cannot be served: {self.folder / (body.file or '')} "
            f"{state}. Put the original file back, or call {tool} again"
        )
