"""Every kind of event that a scratchpad can hold.

An event is what changes the view, or what it cost; progress and spinners are signals and are not
kept. Events are immutable, and edits name entries by `seq`, never by position. The set may grow;
what exists keeps its meaning for ever, because old scratchpads must give the same views.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec
from msgspec import UNSET, Raw, UnsetType

RECALL = "recall"
"""The name under which every shell mounts recall, so that the view knows its results."""

Native = Raw | UnsetType
"""JSON as someone else wrote it, digits and all; UNSET where there is none."""

Status = Literal["ok", "error", "denied", "interrupted"]


class Struct(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Base of all records: frozen, and fields at their default are not written.

    Records cannot form cycles, so the garbage collector need not look at them.
    """


class ToolSpec(Struct, frozen=True):
    """A tool as the model is told of it. `parameters` is its JSON schema."""

    name: str
    description: str = ""
    parameters: Native = UNSET
    read_only: bool = False


class ToolCall(Struct, frozen=True):
    """A call as the model wrote it; `arguments` is its JSON to the letter.

    `id` pairs a call with its result within one round only: providers reuse ids.
    """

    id: str
    name: str
    arguments: str = "{}"


class Usage(Struct, frozen=True):
    """Tokens billed for one request.

    `input` counts all of it, cached or not; `cached` (read) and `cache_write` are
    parts of `input`. `output` includes `thinking`.
    """

    input: int
    output: int = 0
    cached: int = 0
    cache_write: int = 0
    thinking: int = 0


class Media(Struct, frozen=True):
    """Something that is not text. Its bytes are in the message's `native` JSON.

    `bytes` is the decoded size; `width` and `height` are pixels, 0 where unknown.
    """

    kind: Literal["image", "audio", "video", "document", "other"]
    media_type: str = ""
    bytes: int = 0
    width: int = 0
    height: int = 0


class Body(Struct, frozen=True):
    """The text of a result.

    On disk a short text stands in the line; a long one is a file named by `file` (relative to the
    run's folder) with its `sha256` (hex, of the UTF-8 bytes), and `text` is filled in on reading.
    `damage` says why it could not be.
    """

    text: str | None = None
    file: str | None = None
    sha256: str | None = None
    chars: int = 0
    damage: Literal["missing", "altered"] | None = None


class RunStarted(Struct, frozen=True, tag=True):
    """The first event of a run. `window` is in tokens.

    With `numbered`, each result is shown under its number, so that the model can cite it.
    """

    query: str
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    model: str = ""
    window: int = 128_000
    numbered: bool = False


class ModelChanged(Struct, frozen=True, tag=True):
    """From here on another model answers, or other instructions hold; None is unchanged."""

    model: str | None = None
    window: int | None = None
    system: str | None = None
    tools: tuple[ToolSpec, ...] | None = None


class UserMessage(Struct, frozen=True, tag=True):
    """The user's own words. No line of defence removes them."""

    text: str
    native: Native = UNSET
    media: tuple[Media, ...] = ()


class Queued(Struct, frozen=True, tag=True):
    """Said while the agent worked, and written at once; a UserMessage before the next request."""

    text: str


class Allowed(Struct, frozen=True, tag=True):
    """From here on the user lets this tool run unasked, for the rest of the run."""

    tool: str


class AssistantMessage(Struct, frozen=True, tag=True):
    """One reply of the model; with the results of its calls it makes a round.

    `native` is the provider's own JSON, thinking signatures untouched.
    """

    text: str = ""
    thinking: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    native: Native = UNSET
    media: tuple[Media, ...] = ()


class ToolResult(Struct, frozen=True, tag=True):
    """What a tool gave back, whole. A failing tool is a result with status `error`."""

    call_id: str
    tool: str
    body: Body
    status: Status = "ok"
    read_only: bool = False
    native: Native = UNSET
    media: tuple[Media, ...] = ()


class Capped(Struct, frozen=True, tag=True):
    """Line 1: the view keeps the first `keep` characters of result `seq`."""

    seq: int
    keep: int
    reason: str = ""


class Ledgered(Struct, frozen=True, tag=True):
    """Line 2: result `seq` is replaced by `text`, its figures in compact tables."""

    seq: int
    text: str
    reason: str = ""


class Cleared(Struct, frozen=True, tag=True):
    """Line 2: results `seqs` are replaced by notes that name the way back."""

    seqs: tuple[int, ...]
    trigger: str = ""
    saved: int = 0


class ThinkingStripped(Struct, frozen=True, tag=True):
    """The thinking of replies `seqs` is dropped whole; with `text`, all words beside calls too."""

    seqs: tuple[int, ...]
    text: bool = False


class SummaryAsked(Struct, frozen=True, tag=True):
    """A summary of everything up to `through` was asked for; its outcome follows.

    Without an outcome on reopening, it counts as refused: the run does not go back in.
    """

    through: int
    tokens: int = 0


class Summarized(Struct, frozen=True, tag=True):
    """Line 3: `summary` stands for everything up to `through` but the user's words.

    `check` is what verification found, as JSON; `tokens_before` and `tokens_after`
    are the fullness on either side.
    """

    through: int
    summary: str
    model: str = ""
    check: Native = UNSET
    tokens_before: int = 0
    tokens_after: int = 0


class SummaryRefused(Struct, frozen=True, tag=True):
    """A summary failed or was refused; the next line of defence takes over."""

    through: int
    reason: str
    model: str = ""


class Dropped(Struct, frozen=True, tag=True):
    """Line 4: the rounds after `since` up to `through` left the view; an index of results stays."""

    through: int
    since: int = 0
    rounds: int = 0
    reason: str = ""


class Overflowed(Struct, frozen=True, tag=True):
    """The provider refused a request as too long. `limit` and `requested` in tokens, if said."""

    message: str = ""
    limit: int | None = None
    requested: int | None = None


class MemoryFlushed(Struct, frozen=True, tag=True):
    """What was worth keeping beyond this run went to the notes; `text` may be empty."""

    text: str = ""
    ok: bool = True


class Cautioned(Struct, frozen=True, tag=True):
    """Advice on repeated calls, at the end of the view until the next reply."""

    text: str


class Answered(Struct, frozen=True, tag=True):
    """The turn is over: the final answer was given."""

    text: str
    check: Native = UNSET


class Stopped(Struct, frozen=True, tag=True):
    """The run ended without an answer; it can be resumed."""

    reason: str
    kind: Literal["user", "error", "limit"] = "error"


Message = UserMessage | AssistantMessage | ToolResult
Edit = Capped | Ledgered | Cleared | ThinkingStripped | Summarized | Dropped
Event = (
    RunStarted
    | ModelChanged
    | Message
    | Queued
    | Allowed
    | Edit
    | SummaryAsked
    | SummaryRefused
    | Overflowed
    | MemoryFlushed
    | Cautioned
    | Answered
    | Stopped
)


class Entry(Struct, frozen=True):
    """One line of a scratchpad: its number, when, and what happened."""

    seq: int
    at: datetime
    event: Event
