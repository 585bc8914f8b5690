"""What recall needs of a scratchpad: a reader or a writer will do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from tallybook.scratchpad.events import Entry


class Source(Protocol):
    """One run's folder. `text` gives the original of an entry, byte for byte."""

    folder: Path

    @property
    def seq(self) -> int:
        """The number of the last entry."""

    def entries(self, start: int = 1) -> Iterator[Entry]:
        """The entries from number `start`."""

    def text(self, seq: int) -> str:
        """The original; raises ScratchpadError where there is none, or not as it was written."""
