"""One writer a run. The lock is the system's, so it goes with the process that held it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tallybook.errors import ScratchpadLocked

FILE = "lock"


class Lock:
    """Held from creation until `release`."""

    def __init__(self, run: Path) -> None:
        self._file = os.open(run / FILE, os.O_RDWR | os.O_CREAT, 0o644)
        if not _take(self._file):
            os.close(self._file)
            raise ScratchpadLocked(
                f"run {run.name} is being written by another process. Wait until it ends, or stop "
                "it; reading the run is possible meanwhile."
            )

    def release(self) -> None:
        """Give the lock back."""
        os.close(self._file)


def is_locked(run: Path) -> bool:
    """Whether somebody is writing this run now."""
    path = run / FILE
    if not path.exists():
        return False
    with path.open("rb") as file:
        return not _take(file.fileno(), shared=True)


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int, *, shared: bool = False) -> bool:
        del shared
        os.lseek(handle, 0, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(handle: int, *, shared: bool = False) -> bool:
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
