"""Floor 3: how what was let go comes back."""

from tallybook.recall.source import Source
from tallybook.recall.tool import recall, recall_spec

__all__ = ["Source", "recall", "recall_spec"]
