"""Floor 1: what happened. Immutable events, appended to a file, never changed."""

from tallybook.scratchpad.history import Damage
from tallybook.scratchpad.reader import Reader, read
from tallybook.scratchpad.runs import RunInfo, runs
from tallybook.scratchpad.scratchpad import Scratchpad

__all__ = ["Damage", "Reader", "RunInfo", "Scratchpad", "read", "runs"]
