"""Fold the scratchpad into what the model sees.

`project` has no knobs that change what is shown: the same entries always give the same
view. Replay, the inspector and the benchmarks rest on that. Whatever should change what
the model sees has to be an event.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from msgspec import UNSET
from msgspec.structs import replace

from tallybook.scratchpad.events import (
    Allowed,
    Answered,
    AssistantMessage,
    Capped,
    Cautioned,
    Cleared,
    Dropped,
    Entry,
    Ledgered,
    Media,
    MemoryFlushed,
    ModelChanged,
    Overflowed,
    Queued,
    RunStarted,
    Stopped,
    Summarized,
    SummaryAsked,
    SummaryRefused,
    ThinkingStripped,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from tallybook.view import edits, notes
from tallybook.view.measure import Count, Measure, by_kind, of_media
from tallybook.view.rates import Rates
from tallybook.view.tallies import counted, recalls
from tallybook.view.view import Item, View

_PLAUSIBLE = 0.2
"""A bill below this share of the estimate is a miscount (cached tokens left out, say)."""


def project(entries: Iterable[Entry], count: Count = by_kind) -> View:
    """Fold all entries. `count` measures text; it changes sizes, never what is shown."""
    return reduce(step, entries, View(count=count))


def step(view: View, entry: Entry) -> View:
    """Take one entry into account."""
    seen = replace(view, at=entry.seq)
    match entry.event:
        case RunStarted() as start:
            return _start(seen, start)
        case ModelChanged() as change:
            return _change(seen, change)
        case UserMessage() as message:
            return _hear(seen, entry.seq, message)
        case AssistantMessage() as reply:
            return _reply(seen, entry.seq, reply)
        case ToolResult() as result:
            return _result(seen, entry.seq, result)
        case Capped() | Ledgered() | Cleared() | ThinkingStripped() | Summarized() | Dropped():
            return edits.apply(seen, entry.event)
        case SummaryRefused():
            return replace(seen, refusals=seen.refusals + 1, refused=True)
        case Overflowed() as overflow:
            return _overflow(seen, overflow)
        case MemoryFlushed():
            return replace(seen, flushed=True)
        case Cautioned(text=text):
            return edits.resized(replace(seen, caution=text), seen.count(text) - _caution(seen))
        case Answered():
            return replace(seen, answered=True)
        case SummaryAsked() | Stopped() | Queued() | Allowed():
            return seen


def shown(view: View, seq: int, result: ToolResult) -> ToolResult:
    """The result as it stands in the view in full: under its number, damage said."""
    text = result.body.text
    if text is None:
        return edits.with_text(result, notes.damaged(seq, result.body))
    if view.numbered:
        body = replace(result.body, text=notes.numbered(seq, text))
        return replace(result, body=body, native=result.native if result.media else UNSET)
    return result


def _start(view: View, start: RunStarted) -> View:
    begun = replace(
        view,
        query=start.query,
        model=start.model,
        window=start.window,
        numbered=start.numbered,
        system=start.system,
        tools=start.tools,
    )
    return edits.resized(begun, _frame(view.count, start.system, start.tools))


def _change(view: View, change: ModelChanged) -> View:
    system = view.system if change.system is None else change.system
    tools = view.tools if change.tools is None else change.tools
    other = change.model is not None and change.model != view.model
    changed = replace(
        view,
        model=view.model if change.model is None else change.model,
        window=view.window if change.window is None else change.window,
        system=system,
        tools=tools,
        billed=0 if other else view.billed,
        rates=replace(view.rates, spread=Rates().spread) if other else view.rates,
    )
    before = _frame(view.count, view.system, view.tools)
    return edits.resized(changed, _frame(view.count, system, tools) - before)


def _hear(view: View, seq: int, message: UserMessage) -> View:
    size = _size(view, message.text, message.media)
    opens = view.answered or not view.turn
    heard = replace(view, answered=False, turn=seq, tallies=()) if opens else view
    return _append(heard, Item(seq, message, "full", size))


def _reply(view: View, seq: int, reply: AssistantMessage) -> View:
    billed = _billed(view, seq, reply)
    size = _size(billed, notes.spoken(reply), reply.media)
    return replace(
        billed,
        items=billed.items.with_item(Item(seq, reply, "full", size)),
        total=billed.total + size - _caution(billed),
        caution="",
        overflowed=0,
        refused_size=0,
        settled=False,
        refused=False,
        tallies=counted(billed.tallies, reply.calls),
        recalled=recalls(billed.recalled, reply.calls),
    )


def _result(view: View, seq: int, result: ToolResult) -> View:
    message = shown(view, seq, result)
    size = _size(view, message.body.text or "", result.media)
    return _append(view, Item(seq, message, "full", size))


def _billed(view: View, seq: int, reply: AssistantMessage) -> View:
    """Anchor fullness to the bill of the request that this reply answers, and learn from it."""
    if reply.usage is None:
        return view
    bill = reply.usage.input
    if bill < _PLAUSIBLE * view.rates.tokens(view.total):
        return view
    change = bill - view.billed
    rates = (
        view.rates.learned(view.since, change)
        if view.billed
        else view.rates.learned(view.total, bill)
    )
    return replace(view, billed=bill, bill_seq=seq, at_bill=view.total, rates=rates)


def _overflow(view: View, overflow: Overflowed) -> View:
    """Learn from a refusal: the real window, and what this view really counts."""
    estimate = max(1, round(view.rates.tokens(view.total)))
    refused = min(overflow.requested or estimate, view.refused_size or estimate)
    learned = overflow.limit or (None if overflow.requested else round(estimate * 0.9))
    window = min(view.window, learned) if learned else view.window
    hit = replace(
        view, window=window, overflowed=view.overflowed + 1, refused_size=refused, shrunk=False
    )
    if overflow.requested and overflow.requested > _PLAUSIBLE * estimate:
        rates = view.rates.learned(view.total, overflow.requested)
        return replace(
            hit, billed=overflow.requested, bill_seq=view.at, at_bill=view.total, rates=rates
        )
    return hit


def _append(view: View, item: Item) -> View:
    return replace(view, items=view.items.with_item(item), total=view.total + item.size)


def _size(view: View, text: str, media: tuple[Media, ...]) -> Measure:
    size = view.count(text).as_message()
    return sum((of_media(one) for one in media), size) if media else size


def _frame(count: Count, system: str, tools: tuple[ToolSpec, ...]) -> Measure:
    specs = (
        count(f"{tool.name}{tool.description}{bytes(tool.parameters or b'').decode()}")
        for tool in tools
    )
    return sum(specs, count(system) + Measure(parts=1 + len(tools)))


def _caution(view: View) -> Measure:
    return view.count(view.caution) if view.caution else Measure()
