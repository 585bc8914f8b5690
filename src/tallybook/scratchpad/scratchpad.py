"""The append-only file of one run: what happened, in order, and nothing else.

An entry is acknowledged when `append` returns: its body file and then its line are with the
system, and on the disk if the sync policy says so. Whatever goes wrong before leaves the
file as it was.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

from msgspec.structs import replace

from tallybook.errors import ScratchpadError
from tallybook.scratchpad import bodies
from tallybook.scratchpad.codec import encode
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Body,
    Entry,
    Event,
    Stopped,
    Summarized,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.grammar import Grammar
from tallybook.scratchpad.lines import Damage, Spot, read_lines
from tallybook.scratchpad.lock import Lock
from tallybook.scratchpad.reader import FILE, Reader

Fsync = Literal["each", "batch", "never"]
Clock = Callable[[], datetime]
Visit = Callable[[Entry], None]

INLINE = 32_000
"""Characters up to which a result stands in its line; longer ones are files."""

_BATCH = 64
_IRREPLACEABLE = (UserMessage, AssistantMessage, ToolResult, Summarized, Answered, Stopped)
"""What cannot be had again; an edit that is lost is simply decided again."""


def _pass_over(entry: Entry) -> None:
    del entry


class Scratchpad(Reader):
    """A run opened for writing, by one process at a time. A context manager."""

    def __init__(
        self, folder: Path, *, clock: Clock, fsync: Fsync, inline: int, visit: Visit
    ) -> None:
        super().__init__(folder)
        self._clock = clock
        self._fsync = fsync
        self._inline = inline
        self._grammar = Grammar()
        self._unsynced = 0
        try:
            self._lock = Lock(folder)
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise ScratchpadError(
                f"run {self.id} cannot be written ({error.strerror}): mend the permissions of "
                f"{folder}, or read it only."
            ) from error
        try:
            self._end = self._follow(visit)
        except BaseException:
            os.close(self._file)
            self._lock.release()
            raise

    @classmethod
    def create(
        cls,
        root: Path,
        query: str,
        *,
        clock: Clock,
        fsync: Fsync = "each",
        inline: int = INLINE,
    ) -> Self:
        """Make the folder of a new run under `root`, named by the time and the query.

        The name is the reference's: UTC time and the first 12 hex digits of the query's MD5,
        with a number behind it where two runs of one query start in the same second.
        """
        try:
            folder = _new_folder(root, query, clock().astimezone(UTC))
            (folder / FILE).touch()
            bodies.sync_folder(folder)
        except OSError as error:
            raise ScratchpadError(
                f"no run can be started in {root} ({error.strerror}): choose a folder that can be "
                "written."
            ) from error
        return cls(folder, clock=clock, fsync=fsync, inline=inline, visit=_pass_over)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        clock: Clock,
        fsync: Fsync = "each",
        inline: int = INLINE,
        visit: Visit = _pass_over,
    ) -> Self:
        """Go on with a run: cut off a torn end, close what a crash left open.

        `visit` is shown every entry in order, in the pass that checks them. Raises
        ScratchpadLocked while another process writes the run, and ScratchpadError where the
        damage leaves nothing to build on.
        """
        scratchpad = cls(folder, clock=clock, fsync=fsync, inline=inline, visit=visit)
        try:
            for event in scratchpad._grammar.interruption():
                visit(scratchpad.append(event))
        except BaseException:
            scratchpad.close()
            raise
        return scratchpad

    @property
    def seq(self) -> int:
        """The number of the last entry, 0 in an empty scratchpad."""
        return self._grammar.seq

    def append(self, event: Event) -> Entry:
        """Write one event; it is safe when this returns.

        Raises BadEvent for an event that may not come next, and ScratchpadError when the
        disk refuses; either way nothing was written.
        """
        self._grammar.check(event)
        sync = self._fsync == "each" and isinstance(event, _IRREPLACEABLE)
        entry = Entry(self.seq + 1, self._clock().astimezone(UTC), event)
        try:
            entry = self._with_body(entry, sync=sync)
            line = encode(_on_disk(entry))
            self._write(line)
            self._sync(now=sync)
        except OSError as error:
            self._undo()
            raise ScratchpadError(
                f"run {self.id}: entry {entry.seq} could not be written ({error.strerror}). Make "
                f"room or mend the permissions of {self.folder}, then resume the run."
            ) from error
        self._places.put(entry.seq, self._end, self._end + len(line))
        self._end += len(line)
        self._grammar.take(entry)
        return entry

    def close(self) -> None:
        """Sync what is not, and let another process write. A second time does nothing."""
        if self._file < 0:
            return
        if self._fsync != "never" and self._unsynced:
            _flush(self._file)
        os.close(self._file)
        self._file = -1
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _follow(self, visit: Visit) -> int:
        """Take in what is there; the offset behind the last whole entry, where writing goes on."""
        end = 0
        tail: Damage | None = None
        for spot in read_lines(self.path):
            match spot:
                case Spot(entry=entry):
                    self._grammar.take(entry)
                    self._places.put(entry.seq, spot.start, spot.end)
                    end, tail = spot.end, None
                    visit(self._filled(entry))
                case Damage():
                    tail = spot
        if not self._grammar.seq and tail and tail.reason.startswith("not an entry"):
            raise ScratchpadError(
                f"{self.path} has no readable entry (line {tail.line}: {tail.reason}). Nothing was "
                "changed; restore the file from a copy to go on with this run."
            )
        return self._cut_after(end)

    def _cut_after(self, end: int) -> int:
        """Cut off what is torn behind the last entry, and make sure that its line is closed."""
        with self.path.open("r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - 1))
            closed = not end or file.read(1) == b"\n"
            if size > end:
                self._keep_aside(file.read(size - end))
                file.truncate(end)
            if not closed:
                file.seek(end)
                file.write(b"\n")
                end += 1
        return end

    def _keep_aside(self, torn: bytes) -> None:
        if torn.strip(b"\r\n \t\x00"):
            with (self.folder / "torn.bin").open("ab") as file:
                file.write(torn)

    def _with_body(self, entry: Entry, *, sync: bool) -> Entry:
        match entry.event:
            case ToolResult(body=Body(text=str(text)) as body) as result:
                if len(text) > self._inline:
                    body = bodies.write(self.folder, entry.seq, result.tool, text, sync=sync)
                else:
                    body = Body(text=text, chars=len(text))
                return replace(entry, event=replace(result, body=body))
        return entry

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._file, rest) :]

    def _sync(self, *, now: bool) -> None:
        self._unsynced += 1
        if now or (self._fsync == "batch" and self._unsynced >= _BATCH):
            _flush(self._file)
            self._unsynced = 0

    def _undo(self) -> None:
        os.ftruncate(self._file, self._end)


def _flush(file: int) -> None:
    """Force the data, and as much of the metadata as reading it back needs, to disk."""
    getattr(os, "fdatasync", os.fsync)(file)


def _on_disk(entry: Entry) -> Entry:
    match entry.event:
        case ToolResult(body=body) as result if body.file:
            return replace(entry, event=replace(result, body=bodies.on_disk(body)))
    return entry


def _new_folder(root: Path, query: str, now: datetime) -> Path:
    digest = hashlib.md5(query.encode("utf-8", "surrogatepass"), usedforsecurity=False)
    name = f"{now:%Y-%m-%d-%H%M%S}_{digest.hexdigest()[:12]}"
    root.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        folder = root / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
        else:
            bodies.sync_folder(root)
            return folder
