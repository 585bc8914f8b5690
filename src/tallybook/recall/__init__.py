"""Floor 3: how what was let go comes back."""

from tallybook.recall.fetch import Part, Recalled, fetch
from tallybook.recall.search import Hit, Spot, search, spots
from tallybook.recall.source import Source
from tallybook.recall.tool import recall, recall_spec

__all__ = [
    "Hit",
    "Part",
    "Recalled",
    "Source",
    "Spot",
    "fetch",
    "recall",
    "recall_spec",
    "search",
    "spots",
]
