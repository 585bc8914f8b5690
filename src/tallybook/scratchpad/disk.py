"""A file that only grows, a whole line at a time.

After a failed write the file is cut back to what it was, so that there is never half a
line. A failed sync cannot be undone (the system forgets what it could not write), so
after one the file takes nothing more until it is opened again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tallybook.errors import ScratchpadError

if TYPE_CHECKING:
    from pathlib import Path


class AppendFile:
    """`path`, open for writing until `close`; the methods raise ScratchpadError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._broken = ""
        self._fd = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
        self.size = os.fstat(self._fd).st_size

    def append(self, line: bytes, *, sync: bool = False) -> None:
        """Write `line` at the end, and with `sync` force all of the file to disk; or do nothing."""
        self.check()
        try:
            write_all(self._fd, line)
        except OSError as error:
            self._undo()
            raise ScratchpadError(no_room(self._path, error)) from error
        if sync:
            self.sync()
        self.size += len(line)

    def check(self) -> None:
        """Raise unless the file can take more: still there, and as long as it was left."""
        if self._fd < 0:
            self._broken = "it was closed"
        elif not self._broken:
            state = os.fstat(self._fd)
            if state.st_nlink == 0:
                self._broken = "it was deleted"
            elif state.st_size != self.size:
                self._broken = "something else changed it"
        if self._broken:
            raise ScratchpadError(self._refusal())

    def sync(self) -> None:
        """Force all that was written to disk."""
        try:
            getattr(os, "fdatasync", os.fsync)(self._fd)
        except OSError as error:
            self._undo()
            self._broken = f"it could not be forced to disk: {error.strerror}"
            raise ScratchpadError(self._refusal()) from error

    def cut(self, size: int) -> bytes:
        """Keep the first `size` bytes only; those cut off."""
        try:
            with self._path.open("rb") as file:
                file.seek(size)
                rest = file.read()
            os.ftruncate(self._fd, size)
            os.fsync(self._fd)
        except OSError as error:
            raise ScratchpadError(f"{self._path} cannot be mended ({error.strerror}).") from error
        self.size = size
        return rest

    def ends_line(self) -> bool:
        """Whether the next byte begins a line."""
        with self._path.open("rb") as file:
            file.seek(max(0, self.size - 1))
            return file.read(1) in (b"", b"\n")

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _undo(self) -> None:
        try:
            os.ftruncate(self._fd, self.size)
        except OSError as error:
            self._broken = f"half a line could not be cut off again: {error.strerror}"

    def _refusal(self) -> str:
        return f"{self._path} takes nothing more: {self._broken}. Open the run again."


def no_room(path: Path, error: OSError) -> str:
    """What to tell of a write that failed and was undone."""
    return (
        f"{path} could not be written ({error.strerror}); nothing was recorded. "
        f"Make room or mend the permissions of {path.parent}, then resume the run."
    )


def write_all(fd: int, data: bytes) -> None:
    """Write `data` whole: near a full disk, or past 2 GB, the system takes less at once."""
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, memoryview(data)[written:])


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` survive a power loss, where the system can."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
