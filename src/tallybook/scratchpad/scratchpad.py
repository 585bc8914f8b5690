"""The scratchpad of one run, open for its one writer.

An append that returns is whole and stays; one that raises has changed nothing. Nothing
else touches the file but cutting off what a crash left unfinished at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

from msgspec.structs import replace

from tallybook.errors import BadEvent, ScratchpadError
from tallybook.scratchpad import bodies
from tallybook.scratchpad.codec import Unreadable, decode, encode
from tallybook.scratchpad.disk import AppendFile, no_room, sync_folder
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Capped,
    Cautioned,
    Cleared,
    Dropped,
    Entry,
    Event,
    Ledgered,
    ThinkingStripped,
    ToolResult,
    UserMessage,
)
from tallybook.scratchpad.folders import new_folder
from tallybook.scratchpad.lock import Lock
from tallybook.scratchpad.reader import FILE, Reader

Fsync = Literal["each", "batch", "never"]
Clock = Callable[[], datetime]
Visit = Callable[[Entry], None]

INLINE = 32_000
"""Characters up to which a result stands in its line; longer ones are files."""

_BATCH = 64
_NO_TEXT = Body(text="")
_RECOMPUTED = (Capped, Ledgered, Cleared, ThinkingStripped, Dropped, Cautioned)
"""Decided by pure functions of what came before: lost, they are decided again, the same."""


@dataclass(frozen=True)
class _Options:
    clock: Clock
    fsync: Fsync
    inline: int


class Scratchpad(Reader):
    """A run opened for writing, by one process at a time. A context manager.

    `fsync` is when an append is forced to disk. "each": before it returns, for every
    event that cannot be had again. "batch": every 64 events and on closing. "never":
    when the system likes. A killed process loses nothing under any of them; they differ
    after a power cut. `inline` is the longest text of a result, in characters, that
    stands in its line.
    """

    def __init__(self, folder: Path, options: _Options) -> None:
        super().__init__(folder)
        self._options = options
        self._unsynced = 0
        try:
            self._lock = Lock(folder)
            self._file = self._opened()
        except OSError as error:
            raise ScratchpadError(
                f"run {self.id} cannot be written ({error.strerror}): mend the permissions of "
                f"{folder}, or read it only."
            ) from error

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

        It holds no event yet. Raises ScratchpadError.
        """
        try:
            folder = new_folder(root, query, clock())
            (folder / FILE).touch(exist_ok=False)
            if fsync != "never":
                sync_folder(folder)
                sync_folder(root)
        except OSError as error:
            raise ScratchpadError(
                f"no run can be started in {root} ({error.strerror}): choose a folder that can be "
                "written."
            ) from error
        return cls(folder, _Options(clock, fsync, inline))

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        clock: Clock,
        fsync: Fsync = "each",
        inline: int = INLINE,
        visit: Visit | None = None,
    ) -> Self:
        """Go on with a run: cut off a torn end, close what a crash left open.

        A call without result gets one with status `interrupted`, a summary without outcome is
        refused. `visit` is shown every entry in order, in the pass that checks them. Raises
        ScratchpadLocked while another process writes the run, and ScratchpadError where damage
        leaves nothing sound to build on.
        """
        pad = cls(folder, _Options(clock, fsync, inline))
        try:
            for entry in pad.outline() if visit is None else pad.entries():
                if visit:
                    visit(entry)
            pad._mend()
            for event in pad._history.grammar.interruption():
                entry = pad.append(event)
                if visit:
                    visit(entry)
        except BaseException:
            pad.close()
            raise
        return pad

    @property
    def seq(self) -> int:
        """The number of the last entry, 0 before the first."""
        return self._history.seq

    def append(self, event: Event) -> Entry:
        """Write `event` as the next entry, and give that entry as a reader will.

        Raises BadEvent for an event that may not come next or has no form in JSON, and
        ScratchpadError when the disk refuses; either way nothing was written.
        """
        self._history.grammar.check(event)
        if isinstance(event, ToolResult):
            return self._append_result(event)
        entry, line = self._proven(event)
        self._write(entry, line)
        return entry

    def close(self) -> None:
        """Force out what is not on disk yet, and let others write the run."""
        try:
            if self._unsynced and self._options.fsync != "never":
                self._file.sync()
        finally:
            self._unsynced = 0
            self._file.close()
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _catch_up(self) -> None:
        """Nothing to do: the only writer knows all that is written."""

    def _append_result(self, event: ToolResult) -> Entry:
        text = event.body.text
        if text is None:
            raise BadEvent("ToolResult refused: its body has no text. Nothing was written.")
        entry, _ = self._proven(replace(event, body=_NO_TEXT))
        if len(text) <= self._options.inline and _is_utf8(text):
            entry = _with_body(entry, Body(text=text, chars=len(text)))
            self._write(entry, encode(entry))
            return entry
        body = self._store(bodies.name_of(entry.seq, event.tool), text)
        try:
            self._write(entry, encode(_with_body(entry, body)))
        except ScratchpadError:
            bodies.discard(self.folder, body)
            raise
        return _with_body(entry, replace(body, text=text))

    def _store(self, name: str, text: str) -> Body:
        self._file.check()
        try:
            return bodies.store(self.folder, name, text, sync=self._options.fsync != "never")
        except OSError as error:
            raise ScratchpadError(no_room(self.folder / name, error)) from error

    def _proven(self, event: Event) -> tuple[Entry, bytes]:
        """The next entry as it will be read, and its line, from which it was decoded."""
        at = self._options.clock().astimezone(UTC)
        try:
            entry = Entry(self.seq + 1, at, event)
            line = encode(entry)
            plain = isinstance(event, UserMessage | AssistantMessage) and not event.native
            same = plain and line.isascii() and b"\\ud" not in line
            return entry if same else decode(line), line
        except Unreadable as error:
            name = type(event).__name__
            raise BadEvent(f"{name} refused: {error}. Nothing was written.") from error

    def _write(self, entry: Entry, line: bytes) -> None:
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

    def _opened(self) -> AppendFile:
        try:
            return AppendFile(self.path)
        except BaseException:
            self._lock.release()
            raise

    def _mend(self) -> None:
        """Cut off what is torn behind the last entry, and make sure that its line is closed."""
        self._refuse_damage()
        history = self._history
        if history.end < self._file.size:
            self._keep_aside(self._file.cut(history.end))
            history.settle_tail()
        if not self._file.ends_line():
            history.take(self._file.size, b"\n")
            self._file.append(b"\n")

    def _keep_aside(self, torn: bytes) -> None:
        if torn.strip(b"\r\n \t\x00"):
            with (self.folder / "torn.bin").open("ab") as file:
                file.write(torn)

    def _refuse_damage(self) -> None:
        """Refuse what a writer would build on; what an edit has let go since is no matter."""
        history = self._history
        matters = [damage for damage in history.damage if damage.kind == "unknown"]
        matters += [damage for seq, damage in history.unsound if seq > history.grammar.gone]
        if not history.tail_is_torn:
            matters += [damage for damage in history.damage if damage.offset >= history.end]
        if matters:
            lines = "; ".join(f"line {damage.line}: {damage.reason}" for damage in matters[:5])
            raise ScratchpadError(
                f"run {self.id} is damaged where going on would build on it ({lines}). Nothing was "
                f"changed, and it can still be read. Restore {self.path} from a copy, or start a "
                "new run."
            )


def _with_body(entry: Entry, body: Body) -> Entry:
    match entry.event:
        case ToolResult() as result:
            return replace(entry, event=replace(result, body=body))
        case _:
            return entry


def _is_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
