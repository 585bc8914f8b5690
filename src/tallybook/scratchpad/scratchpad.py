"""The scratchpad of one run, open for its one writer.

An append that returns is whole and stays; one that raises has changed nothing. Nothing
else touches the file but cutting off what a crash left unfinished at its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Literal, Self

from msgspec.structs import replace

from tallybook.errors import BadEvent, ScratchpadError
from tallybook.scratchpad import bodies
from tallybook.scratchpad.codec import Unreadable, check_native, decode, encode
from tallybook.scratchpad.disk import AppendFile, sync_folder
from tallybook.scratchpad.events import (
    Body,
    Capped,
    Cautioned,
    Cleared,
    Dropped,
    Entry,
    Event,
    Ledgered,
    SummaryRefused,
    ThinkingStripped,
    ToolResult,
)
from tallybook.scratchpad.folders import new_folder
from tallybook.scratchpad.reader import FILE, Reader

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

Fsync = Literal["each", "batch", "never"]

_BATCH = 64
_NO_TEXT = Body(text="")
_INTERRUPTED = "Interrupted: the run ended before this call gave a result."
_RECOMPUTED = (Capped, Ledgered, Cleared, ThinkingStripped, Dropped, Cautioned)
"""Decided by pure functions of what came before: lost, they are decided again, the same."""


@dataclass(frozen=True)
class _Options:
    clock: Callable[[], datetime]
    fsync: Fsync
    inline: int


class Scratchpad(Reader):
    """A run open for writing; make one by `create` or `open`, end it by `close` or `with`.

    `fsync` is when an append is forced to disk. "each": before it returns, for every
    event that cannot be had again. "batch": every 64 events and on closing. "never":
    when the system likes. A killed process loses nothing under any of them; they differ
    after a power cut. `inline` is the longest text of a result, in characters, that
    stands in its line. `clock` gives aware times.
    """

    def __init__(self, folder: Path, file: AppendFile, options: _Options) -> None:
        super().__init__(folder)
        self._file = file
        self._options = options
        self._unsynced = 0
        super()._catch_up()

    @classmethod
    def create(
        cls,
        root: Path,
        query: str,
        *,
        clock: Callable[[], datetime],
        fsync: Fsync = "each",
        inline: int = 32_000,
    ) -> Self:
        """A new run under `root`, with no event yet; raises ScratchpadError."""
        try:
            folder = new_folder(root, query, clock())
            file = AppendFile(folder / FILE, new=True)
            if fsync != "never":
                sync_folder(folder)
                sync_folder(root)
        except OSError as error:
            raise ScratchpadError(f"No run can be made in {root}: {error}.") from error
        return cls(folder, file, _Options(clock, fsync, inline))

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        clock: Callable[[], datetime],
        fsync: Fsync = "each",
        inline: int = 32_000,
    ) -> Self:
        """The run in `folder`, to go on with.

        A torn last line is cut off, and what a crash left open is closed: a call without
        result gets one with status `interrupted`, a summary without outcome is refused.
        Raises ScratchpadLocked while another process writes it, and ScratchpadError where
        damage leaves nothing sound to build on.
        """
        file = AppendFile(folder / FILE, new=False)
        try:
            pad = cls(folder, file, _Options(clock, fsync, inline))
            pad._recover()
        except BaseException:
            file.close()
            raise
        return pad

    @property
    def seq(self) -> int:
        """The number of the last entry, 0 before the first."""
        return self._history.seq

    def append(self, event: Event) -> Entry:
        """Write `event` as the next entry, and give that entry as a reader will.

        Raises BadEvent if it contradicts the run or has no form in JSON, ScratchpadError
        if the disk fails; in both cases nothing was written.
        """
        self._history.grammar.check(event)
        if isinstance(event, ToolResult):
            return self._append_result(event)
        entry = self._proven(event)
        self._write(entry)
        return entry

    def close(self) -> None:
        """Force out what is not on disk yet, and let others write the run."""
        try:
            if self._unsynced and self._options.fsync != "never":
                self._file.sync()
        finally:
            self._unsynced = 0
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _catch_up(self) -> None:
        """Nothing to do: the only writer knows all that is written."""

    def _append_result(self, event: ToolResult) -> Entry:
        text = event.body.text
        if text is None:
            raise BadEvent("ToolResult was refused and not written: its body has no text.")
        entry = self._proven(replace(event, body=_NO_TEXT))
        if len(text) <= self._options.inline and _is_utf8(text):
            entry = _with_body(entry, Body(text=text, chars=len(text)))
            self._write(entry)
            return entry
        body = self._store(bodies.name_of(entry.seq, event.tool), text)
        try:
            self._write(_with_body(entry, body))
        except ScratchpadError:
            bodies.discard(self.folder, body)
            raise
        return _with_body(entry, replace(body, text=text))

    def _store(self, name: str, text: str) -> Body:
        self._file.check()
        try:
            return bodies.store(self.folder, name, text, sync=self._options.fsync != "never")
        except OSError as error:
            raise ScratchpadError(
                f"{self.folder / name} could not be written: {error}. Nothing was recorded; "
                "make room or give access, and append it again."
            ) from error

    def _proven(self, event: Event) -> Entry:
        """The next entry, as it will be read: it has been encoded and decoded once."""
        try:
            check_native(event)
            at = self._options.clock().astimezone(UTC)
            return decode(encode(Entry(self.seq + 1, at, event)))
        except (Unreadable, TypeError, OverflowError) as error:
            name = type(event).__name__
            raise BadEvent(f"{name} was refused and not written: {error}.") from error

    def _write(self, entry: Entry) -> None:
        line = encode(entry)
        offset = self._file.size
        due = self._is_due(entry.event)
        self._file.append(line, sync=due)
        self._unsynced = 0 if due else self._unsynced + 1
        self._history.append(offset, line, entry)

    def _is_due(self, event: Event) -> bool:
        match self._options.fsync:
            case "each":
                return not isinstance(event, _RECOMPUTED)
            case "batch":
                return self._unsynced + 1 >= _BATCH
            case "never":
                return False

    def _recover(self) -> None:
        self._refuse_damage()
        history = self._history
        if history.end < self._file.size:
            self._file.cut(history.end)
            history.settle_tail()
        if not self._file.ends_line():
            history.take(self._file.size, b"\n")
            self._file.append(b"\n")
        for call in tuple(history.grammar.open_calls):
            body = Body(text=_INTERRUPTED)
            self.append(ToolResult(call.id, call.name, body, status="interrupted"))
        if history.grammar.asked is not None:
            self.append(SummaryRefused(history.grammar.asked, reason="interrupted"))

    def _refuse_damage(self) -> None:
        """Refuse what a writer would build on; what an edit has let go since is no matter."""
        history = self._history
        matters = [d for d in history.damage if d.kind == "unknown"]
        matters += [d for seq, d in history.unsound if seq > history.grammar.through]
        if not history.tail_is_torn:
            matters += [d for d in history.damage if d.offset >= history.end]
        if matters:
            lines = "; ".join(f"line {damage.line}: {damage.reason}" for damage in matters)
            raise ScratchpadError(
                f"Run {self.id} is damaged where going on would build on it ({lines}). "
                "It can still be read. Restore the file from a copy, or start a new run."
            )


def _with_body(entry: Entry, body: Body) -> Entry:
    match entry.event:
        case ToolResult() as result:
            return replace(entry, event=replace(result, body=body))
        case _:
            return entry


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
