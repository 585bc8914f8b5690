"""How each edit changes the view. An edit only ever lets go; nothing here brings back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from tallybook.scratchpad.events import (
    RECALL,
    AssistantMessage,
    Body,
    Capped,
    Cleared,
    Dropped,
    Edit,
    Ledgered,
    Message,
    Summarized,
    ThinkingStripped,
    ToolResult,
    UserMessage,
)
from tallybook.view import notes
from tallybook.view.items import Items
from tallybook.view.measure import Measure
from tallybook.view.view import Form, Item, Round, View


def apply(view: View, edit: Edit) -> View:
    """Apply one recorded edit; numbers that already left the view are passed over."""
    return replace(_apply(view, edit), shrunk=True, refused=False)


def _apply(view: View, edit: Edit) -> View:
    match edit:
        case Capped(seq=seq, keep=keep):
            return _rewrite(view, (seq,), "capped", lambda item: _cap(item, keep))
        case Ledgered(seq=seq, text=table):
            return _rewrite(view, (seq,), "ledger", lambda item: _ledger(item, table))
        case Cleared(seqs=seqs):
            return _rewrite(view, seqs, "cleared", _clear)
        case ThinkingStripped(seqs=seqs, text=text):
            return _rewrite(view, seqs, "stripped", lambda item: _strip(item, text))
        case Summarized(through=through, summary=summary):
            return _summarize(view, through, summary)
        case Dropped(through=through, since=since):
            return _drop(view, through, since)


def resized(view: View, change: Measure) -> View:
    """Book a change of size."""
    return replace(view, total=view.total + change)


def with_text(result: ToolResult, text: str) -> ToolResult:
    """The same result showing another text; native JSON and media leave the view with it."""
    body = Body(text=text, chars=result.body.chars, file=result.body.file)
    return replace(result, body=body, native=UNSET, media=())


def _rewrite(
    view: View, seqs: Iterable[int], form: Form, change: Callable[[Item], Message | None]
) -> View:
    items = list(view.items)
    grown = Measure()
    for seq in seqs:
        place = view.position(seq)
        item = items[place] if place < len(items) and items[place].seq == seq else None
        message = change(item) if item else None
        if item is None or message is None:
            continue
        size = view.count(_text(message)).as_message()
        items[place] = Item(seq, message, form, size)
        grown = grown + size - item.size
    return resized(replace(view, items=Items(items)), grown)


def _text(message: Message) -> str:
    match message:
        case AssistantMessage():
            return notes.spoken(message)
        case ToolResult(body=body):
            return body.text or ""
        case UserMessage(text=text):
            return text


def _cap(item: Item, keep: int) -> Message | None:
    match item.message:
        case ToolResult(body=body) as result if item.form in ("full", "capped"):
            shown = notes.capped(item.seq, body.text or "", keep, body.chars)
            return with_text(result, shown)
    return None


def _ledger(item: Item, text: str) -> Message | None:
    match item.message:
        case ToolResult(body=body) as result:
            return with_text(result, notes.ledger(item.seq, text, body.chars))
    return None


def _clear(item: Item) -> Message | None:
    match item.message:
        case ToolResult(body=body) as result:
            return with_text(result, notes.cleared(item.seq, body))
    return None


def _strip(item: Item, text: bool) -> Message | None:
    match item.message:
        case AssistantMessage() as reply:
            kept = "" if text and reply.calls else reply.text
            return replace(reply, thinking="", text=kept, native=UNSET)
    return None


def _summarize(view: View, through: int, summary: str) -> View:
    pinned, gone, rest = _cut(view, through, 0, pinned_forms=("full",))
    size = view.count(summary).as_message()
    item = Item(through, UserMessage(summary), "summary", size)
    change = size - sum((one.size for one in gone), Measure())
    summed = replace(
        view,
        items=Items((*pinned, item, *rest)),
        refusals=0,
        flushed=False,
        settled=True,
        index=notes.Index(),
        kept=kept_after(view, through),
    )
    return resized(summed, change)


def _drop(view: View, through: int, since: int) -> View:
    pinned, gone, rest = _cut(view, through, since, pinned_forms=("full", "summary"))
    index = _indexed(view.index, view, through, since)
    text = notes.dropped(index)
    size = view.count(text).as_message()
    item = Item(through, UserMessage(text), "index", size)
    change = size - sum((one.size for one in gone), Measure())
    left = replace(
        view,
        items=Items((*pinned, item, *rest)),
        flushed=False,
        settled=True,
        index=index,
        kept=kept_after(view, through, since),
    )
    return resized(left, change)


def kept_after(view: View, through: int, since: int = 0) -> notes.Index:
    """All results of rounds that will have left the view when those up to `through` go."""
    return _indexed(view.kept, view, through, since)


def _indexed(index: notes.Index, view: View, through: int, since: int) -> notes.Index:
    for one in view.rounds():
        if since < one.reply.seq and one.last <= through:
            index = index.with_round(_lines(one), notes.index_lines(view.window))
    return index


def _cut(
    view: View, through: int, since: int, pinned_forms: tuple[Form, ...]
) -> tuple[Sequence[Item], Sequence[Item], Sequence[Item]]:
    place = view.position(through + 1)
    pinned: list[Item] = []
    gone: list[Item] = []
    for item in view.items[:place]:
        words = isinstance(item.message, UserMessage) and item.form in pinned_forms
        stays = words or (item.seq <= since and item.form != "index")
        (pinned if stays else gone).append(item)
    return pinned, gone, view.items[place:]


def _lines(one: Round) -> tuple[tuple[int, str], ...]:
    if not isinstance(one.reply.message, AssistantMessage):
        return ()
    pairs = zip(one.reply.message.calls, one.results, strict=False)
    return tuple(
        (item.seq, notes.index_line(call, item.seq, item.message))
        for call, item in pairs
        if isinstance(item.message, ToolResult) and item.message.tool != RECALL
    )
