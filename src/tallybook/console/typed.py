"""Lines typed while the agent works: an answer to its question, else words for its inbox.

Only a terminal is listened to, and only while this process is in its foreground; nothing here
ever waits for a line.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tallybook.adapters.pydantic_ai import Inbox, Verdict
from tallybook.console.rows import call_row
from tallybook.scratchpad.events import ToolCall

_VERDICTS: dict[str, Verdict] = {"y": "once", "yes": "once", "a": "always", "always": "always"}


class Typed:
    """The keyboard of one conversation; `present` says whether somebody may be there."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._asked: asyncio.Future[str] | None = None
        self.present = sys.stdin is not None and sys.stdin.isatty()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take lines as they come; without a terminal, or where that cannot be, none."""
        self.present = self.present and self._hears()
        try:
            yield
        finally:
            if self.present:
                asyncio.get_running_loop().remove_reader(sys.stdin.fileno())

    def _hears(self) -> bool:
        try:
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._readable)
        except (NotImplementedError, OSError):
            return False
        return True

    async def approve(self, call: ToolCall) -> Verdict:
        """Ask whether a call may run; without a terminal, and for anything unclear, no."""
        if not self.present:
            return "no"
        sys.stderr.write(f"May it run {call_row(call)}? [y]es once, [a]lways in this run, [n]o: ")
        sys.stderr.flush()
        self._asked = asyncio.get_running_loop().create_future()
        try:
            return _VERDICTS.get((await self._asked).strip().lower(), "no")
        finally:
            self._asked = None

    def _readable(self) -> None:
        fd = sys.stdin.fileno()
        if not _in_front(fd):
            return
        line = os.read(fd, 65_536).decode("utf-8", "replace")
        if not line:
            asyncio.get_running_loop().remove_reader(fd)
            self.present = False
            self._take("")
        for one in line.splitlines():
            self._take(one)

    def _take(self, line: str) -> None:
        if self._asked is not None and not self._asked.done():
            self._asked.set_result(line)
        elif line.strip():
            self._inbox.put(line.strip())


def _in_front(fd: int) -> bool:
    """Whether this process may read: one in the background that does is stopped for it."""
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return True
