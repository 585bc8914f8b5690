"""One writer a run. The lock is the system's, so it goes with the process that held it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from tallybook.errors import ScratchpadLocked

FILE = "lock"
_PAUSES = (0.0, 0.005, 0.02)
"""Seconds before each try: who asks `is_locked` holds the lock for an instant."""


class Lock:
    """Held from creation until `release`."""

    def __init__(self, run: Path) -> None:
        self._file = os.open(run / FILE, os.O_RDWR | os.O_CREAT, 0o644)
        if not any(_try(self._file, pause) for pause in _PAUSES):
            os.close(self._file)
            raise ScratchpadLocked(
                f"run {run.name} is being written by another process. Wait until it ends, or stop "
                "it; reading the run is possible meanwhile."
            )

    def release(self) -> None:
        """Give the lock back; a second time does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def is_locked(run: Path) -> bool:
    """Whether somebody is writing this run now."""
    path = run / FILE
    if not path.exists():
        return False
    with path.open("rb") as file:
        return not _take(file.fileno(), shared=True)


def _try(handle: int, pause: float) -> bool:
    if pause:
        time.sleep(pause)
    return _take(handle)


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
