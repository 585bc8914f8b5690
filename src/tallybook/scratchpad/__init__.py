"""Floor 1: what happened. Immutable events, appended to a file, never changed."""

from tallybook.scratchpad.dexter import read_dexter
from tallybook.scratchpad.events import Entry, Event
from tallybook.scratchpad.grammar import Grammar
from tallybook.scratchpad.history import Damage
from tallybook.scratchpad.reader import Reader, read
from tallybook.scratchpad.runs import RunInfo, runs
from tallybook.scratchpad.scratchpad import Fsync, Scratchpad

__all__ = [
    "Damage",
    "Entry",
    "Event",
    "Fsync",
    "Grammar",
    "Reader",
    "RunInfo",
    "Scratchpad",
    "read",
    "read_dexter",
    "runs",
]
