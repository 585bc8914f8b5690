"""One short line for each entry of a run, live or afterwards."""

from __future__ import annotations

import msgspec

from tallybook.policy.verdict import Check
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
    ToolCall,
    ToolResult,
    UserMessage,
)

_WIDE = 96


def row(entry: Entry) -> str:
    """What happened, in one line."""
    match entry.event:
        case RunStarted(model=model, window=window):
            return f"run started with {model or 'a model'}, window {window:,} tokens"
        case ModelChanged(model=model, window=window):
            return f"model is now {model}, window {window or 0:,} tokens"
        case UserMessage(text=text):
            return f"asked: {_short(text)}"
        case Queued(text=text):
            return f"queued: {_short(text)}"
        case Allowed(tool=tool):
            return f"allowed: {tool} may run unasked for the rest of this run"
        case AssistantMessage() as reply:
            return _reply(reply)
        case ToolResult(tool=tool, status=status, body=body):
            outcome = "" if status == "ok" else f" {status}: {_short(body.text or '', 60)}"
            return f"result [{entry.seq}] of {tool}, {body.chars:,} characters{outcome}"
        case Answered(text=text):
            return f"answered, {len(text):,} characters"
        case Stopped(reason=reason):
            return f"stopped: {reason}"
        case other:
            return _edit(other)


def is_edit(entry: Entry) -> bool:
    """Whether the entry let something go, or has to do with that."""
    return not isinstance(
        entry.event, RunStarted | UserMessage | AssistantMessage | ToolResult | Answered
    )


def _edit(event: object) -> str:
    match event:
        case Capped(seq=seq, keep=keep, reason=reason):
            return f"cap: result [{seq}] is shown to character {keep:,} ({reason})"
        case Ledgered(seq=seq, reason=reason):
            return f"ledger: result [{seq}] is shown as its figures ({reason})"
        case Cleared(seqs=seqs, trigger=trigger, saved=saved):
            return f"clear: {_numbers(seqs)} let go, about {saved:,} tokens saved ({trigger})"
        case ThinkingStripped(seqs=seqs):
            return f"strip: thinking of {len(seqs)} replies let go"
        case SummaryAsked(through=through):
            return f"summarize: a summary of everything up to [{through}] is being written"
        case Summarized() as summary:
            return _summary(summary)
        case SummaryRefused(reason=reason):
            return f"summarize: refused, {reason}"
        case Dropped(rounds=rounds, reason=reason):
            return f"drop: the {rounds} oldest rounds ({reason})"
        case Overflowed(limit=limit, requested=requested):
            said = f", {requested or '?'} tokens where {limit or '?'} fit" if limit else ""
            return f"overflow: the provider refused the request as too long{said}"
        case MemoryFlushed(text=text):
            return f"memory: {'nothing to keep' if not text else _short(text)}"
        case Cautioned(text=text):
            return f"caution: {_short(text)}"
        case _:
            return type(event).__name__


def call_row(call: ToolCall) -> str:
    """A call with as much of its arguments as a line holds."""
    return f"{call.name} {_short(call.arguments, _WIDE - len(call.name))}"


def _reply(reply: AssistantMessage) -> str:
    calls = "; ".join(call_row(call) for call in reply.calls)
    return f"calls {_short(calls)}" if calls else f"replied: {_short(reply.text)}"


def _numbers(seqs: tuple[int, ...]) -> str:
    listed = ", ".join(map(str, seqs[:6])) + (", …" if len(seqs) > 6 else "")
    return f"{'result' if len(seqs) == 1 else f'{len(seqs)} results'} [{listed}]"


def _short(text: str, most: int = _WIDE) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _summary(event: Summarized) -> str:
    sizes = f"{event.tokens_before:,} → {event.tokens_after:,} tokens"
    check = _check(event)
    if check is None:
        return f"summarize: up to [{event.through}], {sizes}"
    wrong = f", {len(check.unsupported)} unsupported" * bool(check.unsupported)
    lost = f", {check.lost} of {check.asked} asked for to be recalled" * bool(check.lost)
    return (
        f"summarize: up to [{event.through}], {sizes}, {check.figures} figures checked{wrong}, "
        f"{check.ledger} put back{lost}"
    )


def _check(event: Summarized) -> Check | None:
    """What verification found; None where there was none, or one of the caller's own."""
    if not isinstance(event.check, msgspec.Raw):
        return None
    try:
        return msgspec.json.decode(event.check, type=Check)
    except msgspec.ValidationError:
        return None
