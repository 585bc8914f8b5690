"""A file that only grows, a whole line at a time, under one writer.

After a failed write the file is cut back to what it was, so that there is never half a
line. A failed sync cannot be undone (the system forgets what it could not write), so
after one the file takes nothing more until it is opened again.
"""

from __future__ import annotations

import fcntl
import os
import time
from typing import TYPE_CHECKING, Self

from tallybook.errors import ScratchpadError, ScratchpadLocked

if TYPE_CHECKING:
    from pathlib import Path

_TRIES = 5
_PAUSE = 0.01


class AppendFile:
    """`path`, locked for this process until `close`; all methods raise ScratchpadError."""

    def __init__(self, path: Path, *, new: bool) -> None:
        self._path = path
        self._broken = ""
        flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT | os.O_EXCL if new else 0)
        try:
            self._fd = os.open(path, flags, 0o644)
        except OSError as error:
            raise ScratchpadError(f"{path} cannot be opened for writing: {error}.") from error
        try:
            self._lock()
        except BaseException:
            os.close(self._fd)
            raise
        self.size = os.fstat(self._fd).st_size

    def append(self, line: bytes, *, sync: bool = False) -> None:
        """Write `line` at the end, and with `sync` force all of the file to disk; or do nothing."""
        self.check()
        try:
            write_all(self._fd, line)
        except OSError as error:
            self._undo()
            raise ScratchpadError(
                f"{self._path} could not be written: {error}. Nothing was recorded; "
                "make room or give access, and append it again."
            ) from error
        if sync:
            self.sync()
        self.size += len(line)

    def ends_line(self) -> bool:
        """Whether the next byte begins a line."""
        return self.size == 0 or os.pread(self._fd, 1, self.size - 1) == b"\n"

    def cut(self, size: int) -> None:
        """Keep the first `size` bytes only."""
        try:
            os.ftruncate(self._fd, size)
            os.fsync(self._fd)
        except OSError as error:
            raise ScratchpadError(f"{self._path} could not be mended: {error}.") from error
        self.size = size

    def sync(self) -> None:
        """Force all that was written to disk."""
        try:
            os.fsync(self._fd)
        except OSError as error:
            self._undo()
            self._broken = f"it could not be forced to disk: {error}"
            raise ScratchpadError(self._refusal()) from error

    def check(self) -> None:
        """Raise unless the file can take more: still ours alone, and where it should be."""
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

    def close(self) -> None:
        """Let others write the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        for tries in range(_TRIES):
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                # Whoever asks `is_locked` holds the lock for an instant.
                if tries == _TRIES - 1:
                    raise ScratchpadLocked(
                        f"Run {self._path.parent.name} is being written by another process. "
                        "Wait until it is done, or stop it; reading is possible meanwhile."
                    ) from error
                time.sleep(_PAUSE)
            except OSError as error:
                raise ScratchpadError(f"{self._path} cannot be locked: {error}.") from error
            else:
                return

    def _undo(self) -> None:
        try:
            os.ftruncate(self._fd, self.size)
        except OSError as error:
            self._broken = f"half a line could not be cut off again: {error}"

    def _refusal(self) -> str:
        return f"{self._path} takes nothing more: {self._broken}. Open the run again."


def is_locked(path: Path) -> bool:
    """Whether some process has `path` open as AppendFile."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(fd)
    return False


def write_all(fd: int, data: bytes) -> None:
    """Write `data` whole: near a full disk, or past 2 GB, the kernel takes less at once."""
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, memoryview(data)[written:])


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable; a synced file without its name is lost all the same."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
