"""What the model sees at one moment, and what a policy may look at to decide.

A view is immutable and strictly ordered by `seq`. It holds texts as shown: what was let
go is no longer in it, only the note that names the way back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from tallybook.scratchpad.events import (
    AssistantMessage,
    Message,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from tallybook.view.items import Items
from tallybook.view.measure import Count, Measure, by_kind
from tallybook.view.notes import Index
from tallybook.view.rates import Rates

Form = Literal["full", "capped", "ledger", "cleared", "stripped", "summary", "index"]


class Item(msgspec.Struct, frozen=True, gc=False):
    """One message as shown. `seq` is its number, and what `recall` takes.

    The `native` JSON is there only in form `full`. For a summary or an index the message
    is a UserMessage written by us. `chars` is the length of the original.
    """

    seq: int
    message: Message
    form: Form
    size: Measure

    @property
    def text(self) -> str:
        """The text as the model sees it."""
        match self.message:
            case ToolResult(body=body):
                return body.text or ""
            case UserMessage(text=text) | AssistantMessage(text=text):
                return text

    @property
    def chars(self) -> int:
        """The length of the original, whatever is shown of it."""
        return self.message.body.chars if isinstance(self.message, ToolResult) else len(self.text)


class Round(msgspec.Struct, frozen=True, gc=False):
    """A reply with the results of its calls, in the order of the calls."""

    reply: Item
    results: tuple[Item, ...]

    @property
    def last(self) -> int:
        """The `seq` at which the round ends."""
        return max((self.reply.seq, *(result.seq for result in self.results)))

    @property
    def items(self) -> tuple[Item, ...]:
        """The reply, then its results."""
        return (self.reply, *self.results)

    @property
    def size(self) -> Measure:
        """The measure of all of it."""
        return sum((item.size for item in self.items), Measure())


class Tally(msgspec.Struct, frozen=True, gc=False):
    """How often a tool was called in this turn, and the arguments of its latest calls."""

    tool: str
    calls: int = 0
    arguments: tuple[str, ...] = ()


class View(msgspec.Struct, frozen=True, gc=False):
    """The fold of a scratchpad.

    `total` measures all that is shown. `billed` is the input of the last bill in tokens (0
    before the first), `at_bill` the total it was for and `bill_seq` the reply it came with.
    `recalled` counts how often each result was brought back. `refusals` are the failed
    summaries in a row, `refused` says that the present compaction has had one; `overflowed`
    counts refused requests since the last reply, `refused_size` is the smallest of them in
    tokens and `shrunk` says that an edit came after it. `settled` says that rounds were
    summarized or dropped since the last reply. `index` lists what was dropped since the last
    summary, `kept` all results that left with their rounds. `turn` is the number of the user
    message that opened this turn, `at` the last entry folded.
    """

    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    items: Items = Items()
    query: str = ""
    model: str = ""
    window: int = 128_000
    numbered: bool = False
    at: int = 0
    turn: int = 0
    count: Count = by_kind
    rates: Rates = Rates()
    total: Measure = Measure()
    at_bill: Measure = Measure()
    billed: int = 0
    bill_seq: int = 0
    overflowed: int = 0
    refused_size: int = 0
    shrunk: bool = False
    settled: bool = False
    refusals: int = 0
    refused: bool = False
    flushed: bool = False
    caution: str = ""
    tallies: tuple[Tally, ...] = ()
    recalled: tuple[tuple[int, int], ...] = ()
    index: Index = Index()
    kept: Index = Index()
    answered: bool = False

    @property
    def since(self) -> Measure:
        """What came and went since the last bill."""
        return self.total - self.at_bill

    def position(self, seq: int) -> int:
        """The place of item `seq` in `items`, or where it would stand."""
        return self.items.position(seq)

    def item(self, seq: int) -> Item | None:
        """The item with this number, if it is still in the view."""
        place = self.position(seq)
        if place < len(self.items) and self.items[place].seq == seq:
            return self.items[place]
        return None

    def rounds(self) -> tuple[Round, ...]:
        """The rounds in view, oldest first."""
        return tuple(self._rounds())

    def newest(self) -> Round | None:
        """The last round in view."""
        for place in range(len(self.items) - 1, -1, -1):
            if isinstance(self.items[place].message, AssistantMessage):
                return _round(self.items[place:])
        return None

    def times_recalled(self, seq: int) -> int:
        """How often result `seq` was brought back."""
        return next((times for number, times in self.recalled if number == seq), 0)

    def _rounds(self) -> Iterator[Round]:
        starts = [
            place
            for place, item in enumerate(self.items)
            if isinstance(item.message, AssistantMessage)
        ]
        for start, end in pairwise((*starts, len(self.items))):
            yield _round(self.items[start:end])


def _round(items: Sequence[Item]) -> Round:
    results = tuple(item for item in items[1:] if isinstance(item.message, ToolResult))
    return Round(items[0], _in_call_order(items[0], results))


def _in_call_order(reply: Item, results: tuple[Item, ...]) -> tuple[Item, ...]:
    if len(results) < 2 or not isinstance(reply.message, AssistantMessage):
        return results
    waiting: dict[str, list[Item]] = {}
    for result in results:
        if isinstance(result.message, ToolResult):
            waiting.setdefault(result.message.call_id, []).append(result)
    return tuple(waiting[call.id].pop(0) for call in reply.message.calls if waiting.get(call.id))
