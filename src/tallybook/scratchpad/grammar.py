"""What may follow what. A bad event is refused on append, never repaired on read.

The state is as small as the rules need: the open calls of the newest reply, and for each
number what kind of entry it is, in one byte.
"""

from __future__ import annotations

from tallybook.errors import BadEvent
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Body,
    Capped,
    Cautioned,
    Cleared,
    Dropped,
    Entry,
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
_INTERRUPTED = "The run was interrupted before this call returned; nothing is known of its result."


class Grammar:
    """Follows a scratchpad entry by entry and knows what may come next.

    `reply` is the newest reply and `open_calls` those of its calls that have no result yet;
    `gone` is how far summaries and drops reach, `asked` a summary without outcome, 0 if none.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.open_calls: list[ToolCall] = []
        self.asked = 0
        self.reply = 0
        self.gone = 0
        self._kinds = bytearray(1)

    def check(self, event: Event) -> None:
        """Raise BadEvent, naming the event and the rule, if it may not come next."""
        fault = self._fault(event)
        if fault:
            raise BadEvent(f"{type(event).__name__} refused: {fault}. Nothing was written.")

    def take(self, entry: Entry) -> None:
        """Follow an entry that was written."""
        missing = entry.seq - len(self._kinds)
        if missing > 0:
            self._kinds.extend(bytes(missing))
        self.seq = entry.seq
        event = entry.event
        kind = _OTHER
        match event:
            case UserMessage():
                kind = _USER
            case AssistantMessage(calls=calls):
                kind, self.open_calls, self.reply = _REPLY, list(calls), entry.seq
            case ToolResult():
                kind = _RESULT
                self._close(event)
            case SummaryAsked(through=through):
                self.asked = through
            case SummaryRefused():
                self.asked = 0
            case Summarized(through=through) | Dropped(through=through):
                self.gone, self.asked = max(self.gone, through), 0
        self._kinds[entry.seq :] = bytes([kind])

    def interruption(self) -> list[Event]:
        """The events that close what a crash left open."""
        closing: list[Event] = [
            ToolResult(
                call.id,
                call.name,
                Body(text=_INTERRUPTED, chars=len(_INTERRUPTED)),
                "interrupted",
            )
            for call in self.open_calls
        ]
        if self.asked:
            closing.append(SummaryRefused(self.asked, "interrupted"))
        return closing

    def _close(self, result: ToolResult) -> None:
        for place, call in enumerate(self.open_calls):
            if call.id == result.call_id:
                del self.open_calls[place]
                return

    def _fault(self, event: Event) -> str:
        if isinstance(event, RunStarted):
            return "a run starts once, with its first entry" if self.seq else ""
        if not self.seq:
            return "a run starts with RunStarted"
        match event:
            case ToolResult(call_id=call_id, tool=tool):
                if all(call.id != call_id for call in self.open_calls):
                    return f"no open call of reply {self.reply} has the id {call_id!r} ({tool})"
            case AssistantMessage() | Answered():
                return self._unanswered()
            case Cautioned():
                return self._unanswered()
            case Capped(seq=seq, keep=keep):
                return (
                    f"keep is {keep}, it must be 0 or more" if keep < 0 else self._results((seq,))
                )
            case Ledgered(seq=seq):
                return self._results((seq,))
            case Cleared(seqs=seqs):
                return self._results(seqs)
            case ThinkingStripped(seqs=seqs):
                return self._replies(seqs)
            case Summarized(through=through):
                return self._cut(through, self.gone)
            case Dropped(through=through):
                return self._cut(through, self.gone + 1)
        return ""

    def _unanswered(self) -> str:
        if not self.open_calls:
            return ""
        names = ", ".join(f"{call.name} ({call.id!r})" for call in self.open_calls[:5])
        return f"calls of reply {self.reply} have no result yet: {names}"

    def _results(self, seqs: tuple[int, ...]) -> str:
        if not seqs:
            return "it names no result"
        for seq in seqs:
            if not self._is(seq, _RESULT):
                return f"{seq} is not the number of a tool result"
            if seq <= self.gone:
                return f"result {seq} was summarized or dropped already"
        return ""

    def _replies(self, seqs: tuple[int, ...]) -> str:
        wrong = next((seq for seq in seqs if not self._is(seq, _REPLY)), None)
        return f"{wrong} is not the number of a reply" if wrong is not None else ""

    def _cut(self, through: int, least: int) -> str:
        if through < max(1, least):
            return f"everything up to {self.gone} is gone already"
        if not (self._is(through, _REPLY) or self._is(through, _RESULT)):
            return f"a cut falls after a round, and {through} is not the end of one"
        result, reply = self._next(_RESULT, through), self._next(_REPLY, through)
        if result < reply or (self.reply <= through and self.open_calls):
            return f"cutting after {through} would part a call from its result"
        return ""

    def _next(self, kind: int, after: int) -> int:
        found = self._kinds.find(kind, after + 1)
        return found if found >= 0 else len(self._kinds)

    def _is(self, seq: int, kind: int) -> bool:
        return 0 < seq < len(self._kinds) and self._kinds[seq] == kind
