"""The golden run of schema 1: one of every event, as it was first written.

The files were written once by `write` and stay as they are: they stand for all runs that
users have kept. A change of the code that makes them read otherwise is the fault.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import Raw
from msgspec.structs import replace
from tests.scratchpad.helpers import START, ticking

from tallybook.scratchpad import Entry, Event, Scratchpad
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Body,
    Capped,
    Cautioned,
    Cleared,
    Dropped,
    Ledgered,
    Media,
    MemoryFlushed,
    ModelChanged,
    Overflowed,
    RunStarted,
    Stopped,
    Summarized,
    SummaryAsked,
    SummaryRefused,
    ThinkingStripped,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    UserMessage,
)

if TYPE_CHECKING:
    from pathlib import Path

RUN = "2026-03-01-093000_14fc08f8422c"
QUERY = "Compare the revenue of Apple and NVIDIA. 苹果的营收是多少？"
INLINE = 200

TABLE = "period,revenue\r\n" + "".join(f"FY{year},{year * 47.5}\r\n" for year in range(2012, 2026))
BODY = Body(
    text=TABLE,
    file="results/5-get_financials.txt",
    sha256="061a41c8dba73ba1d4bf911364ca479985e7abb3b4bf4e4df261986b1be460dd",
    chars=len(TABLE),
)
TOOLS = (
    ToolSpec("get_financials", "Figures of a company.", Raw(b'{"type":"object"}'), read_only=True),
    ToolSpec("note"),
)


def _short(text: str) -> Body:
    return Body(text=text, chars=len(text))


EVENTS: tuple[Event, ...] = (
    RunStarted(QUERY, "You are an analyst.", TOOLS, "gpt-5", 12_000),
    UserMessage("Mind the splits \u2028 \ud800 \0", Raw(b'{"rate":1.50,"cut":"\\ud83d"}')),
    AssistantMessage(
        "I look it up.",
        "Two calls will do.",
        (
            ToolCall("call_0", "get_financials", '{"ticker": "AAPL",  "n": 4.0}'),
            ToolCall("call_0", "get_financials", "{bad"),
            ToolCall("", "note"),
        ),
        Usage(1500, 90, 1000, 200, 40),
        Raw(b'{"signature":"c2ln","tokens":1500}'),
    ),
    ToolResult("call_0", "get_financials", _short('{"revenue": NaN}'), "error", read_only=True),
    ToolResult("call_0", "get_financials", Body(text=TABLE), read_only=True),
    ToolResult(
        "",
        "note",
        _short(""),
        "denied",
        native=Raw(b'{"image":"aGk="}'),
        media=(Media("image", "image/png", 2, 640, 480),),
    ),
    Capped(5, 100, "one result"),
    Ledgered(5, "| FY2024 | 96140 |", "read-only"),
    Cleared((4, 5), "share", 120),
    ThinkingStripped((3,)),
    Overflowed("too long", 12_000, 14_321),
    SummaryAsked(6, 9000),
    SummaryRefused(6, "empty reply", "gpt-5-mini"),
    MemoryFlushed("- prefers tables"),
    MemoryFlushed(ok=False),
    Summarized(6, "## 1. Query\nApple.", "gpt-5-mini", Raw(b'{"lost":[]}'), 9000, 700),
    ModelChanged("claude", 8000, "Be brief.", ()),
    AssistantMessage("", calls=(ToolCall("call_0", "note", '{"t":"x"}'),)),
    ToolResult("call_0", "note", _short("kept"), "interrupted"),
    Dropped(19, 1, "nothing else helped"),
    Cautioned("note was called twice."),
    Stopped("Ctrl-C", "user"),
    Answered("Apple: 96,140.", Raw(b'{"figures":1}')),
)


def expected() -> list[Entry]:
    """The entries as they must be read."""
    entries = []
    for seq, event in enumerate(EVENTS, 1):
        match event:
            case ToolResult(body=Body(text=text)) if text == TABLE:
                read = replace(event, body=BODY)
                entries.append(Entry(seq, START + timedelta(seconds=seq), read))
            case _:
                entries.append(Entry(seq, START + timedelta(seconds=seq), event))
    return entries


def write(root: Path) -> Path:
    with Scratchpad.create(root, QUERY, clock=ticking(), fsync="never", inline=INLINE) as pad:
        for event in EVENTS:
            pad.append(event)
        return pad.folder
