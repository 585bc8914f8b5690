"""What may follow what.

A bad event is refused when it is appended, so that nothing ever needs repair when it is
read. The state is one byte for each entry and the calls still open, and each check takes
constant time but for a search through those bytes.
"""

from __future__ import annotations

from tallybook.errors import BadEvent
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Capped,
    Cleared,
    Dropped,
    Event,
    Ledgered,
    RunStarted,
    Summarized,
    SummaryAsked,
    SummaryRefused,
    ThinkingStripped,
    ToolCall,
    ToolResult,
    UserMessage,
)

_OTHER, _USER, _REPLY, _RESULT = range(4)


class Grammar:
    """The rules, and as much of the past as they need.

    `open_calls` have no result yet; `round` is the reply they belong to, 0 before the
    first. `through` is how far summaries and drops reach; `asked` is a summary without
    outcome.
    """

    __slots__ = ("_kinds", "asked", "open_calls", "round", "through")

    def __init__(self) -> None:
        self._kinds = bytearray(1)
        self.open_calls: list[ToolCall] = []
        self.round = 0
        self.through = 0
        self.asked: int | None = None

    def check(self, event: Event) -> None:
        """Raise BadEvent, naming the event and the rule, if `event` may not come now."""
        if len(self._kinds) == 1 and not isinstance(event, RunStarted):
            raise _bad(event, "a run begins with RunStarted")
        match event:
            case ToolResult():
                if not any(call.id == event.call_id for call in self.open_calls):
                    raise _bad(event, f"no call {event.call_id!r} is waiting for a result")
            case AssistantMessage() | Answered():
                if self.open_calls:
                    raise _bad(event, f"{self._waiting()}; give each call its result first")
            case RunStarted():
                if len(self._kinds) > 1:
                    raise _bad(event, "a run starts once")
            case Capped() | Ledgered() | Cleared() | ThinkingStripped():
                self._check_edit(event)
            case Summarized():
                self._check_cut(event, event.through, since=0)
            case Dropped():
                self._check_cut(event, event.through, since=self.through)
            case _:
                pass

    def add(self, seq: int, event: Event) -> None:
        """Take `event` into account, allowed or not: a damaged file must still be read."""
        if seq > len(self._kinds):
            self._kinds.extend(bytes(seq - len(self._kinds)))
        kind = _OTHER
        match event:
            case ToolResult():
                kind = _RESULT
                self._close(event.call_id)
            case AssistantMessage():
                kind = _REPLY
                self.round = seq
                self.open_calls = list(event.calls)
            case UserMessage():
                kind = _USER
            case SummaryAsked():
                self.asked = event.through
            case SummaryRefused():
                self.asked = None
            case Summarized():
                self.asked = None
                self.through = max(self.through, event.through)
            case Dropped():
                self.through = max(self.through, event.through)
            case _:
                pass
        self._kinds.append(kind)

    def _close(self, call_id: str) -> None:
        """Ids may repeat within a round or be empty: the first open call of that id is meant."""
        for place, call in enumerate(self.open_calls):
            if call.id == call_id:
                del self.open_calls[place]
                return

    def _check_edit(self, event: Capped | Ledgered | Cleared | ThinkingStripped) -> None:
        seqs = event.seqs if isinstance(event, Cleared | ThinkingStripped) else (event.seq,)
        if not seqs:
            raise _bad(event, "it names no entry")
        if isinstance(event, Capped) and event.keep < 0:
            raise _bad(event, f"keep is {event.keep}, and cannot be negative")
        kind, what = (
            (_REPLY, "reply") if isinstance(event, ThinkingStripped) else (_RESULT, "result")
        )
        for seq in seqs:
            if not 0 < seq < len(self._kinds) or self._kinds[seq] != kind:
                raise _bad(event, f"#{seq} is not a {what}")
            if kind == _RESULT and seq <= self.through:
                raise _bad(
                    event, f"#{seq} has left the view; it is reached through #{self.through}"
                )

    def _check_cut(self, event: Summarized | Dropped, through: int, since: int) -> None:
        kinds = self._kinds
        if not 0 < through < len(kinds):
            raise _bad(event, f"through names #{through}; there are #1 to #{len(kinds) - 1}")
        if kinds[through] == _USER:
            raise _bad(event, f"#{through} is the user's own words, which stay")
        if self.open_calls and through >= self.round:
            raise _bad(event, f"it would cut a round: {self._waiting()}")
        if self._splits_round(through):
            raise _bad(event, f"#{through} lies inside a round; cut between rounds")
        if through < self.through or (through == self.through and isinstance(event, Dropped)):
            raise _bad(event, f"an earlier edit already reaches through #{self.through}")
        if kinds.find(_REPLY, since + 1, through + 1) < 0:
            raise _bad(event, f"no round ends between #{since} and #{through}")

    def _splits_round(self, through: int) -> bool:
        result = self._kinds.find(_RESULT, through + 1)
        if result < 0:
            return False
        reply = self._kinds.find(_REPLY, through + 1)
        return reply < 0 or result < reply

    def _waiting(self) -> str:
        calls = ", ".join(f"{call.name} ({call.id!r})" for call in self.open_calls)
        return f"reply #{self.round} still waits for {calls}"


def _bad(event: Event, rule: str) -> BadEvent:
    return BadEvent(f"{type(event).__name__} was refused and not written: {rule}.")
