"""Recorded conversations of other programs as scratchpad events: one module per format."""

from tallybook.adapters.recorded.detect import conversations
from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.load import Broken, load

__all__ = ["Broken", "Draft", "conversations", "load"]
