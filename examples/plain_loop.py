"""The engine in a plain loop: no framework, a toy model, a real scratchpad."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from tallybook import (
    Answered,
    AssistantMessage,
    Body,
    ContextEngine,
    Need,
    RunStarted,
    Scratchpad,
    ToolCall,
    ToolResult,
    UserMessage,
    View,
    fullness,
)

QUESTION = "Which page has the highest figure?"


def model(view: View, pages: Iterator[int]) -> AssistantMessage:
    """Stands for a language model: reads page by page, then answers."""
    page = next(pages, None)
    if page is None:
        return AssistantMessage(f"The last one. I was shown {len(view.items)} messages.")
    return AssistantMessage(calls=(ToolCall("call", "read_page", f'{{"page": {page}}}'),))


def read_page(call: ToolCall) -> str:
    """Stands for a tool with long results."""
    return f"{call.arguments}: figures of the page, 1,234.5 and more. " * 80


def main() -> None:
    """Ask one question in a window of 8,000 tokens."""
    with TemporaryDirectory() as folder:
        pad = Scratchpad.create(Path(folder), QUESTION, clock=lambda: datetime.now(UTC))
        engine = ContextEngine(pad)
        engine.record(RunStarted(QUESTION, window=8_000))
        engine.record(UserMessage(QUESTION))
        pages = iter(range(60))
        while True:
            while isinstance(step := engine.next(), Need):
                engine.supply(step, None)
            reply = model(step, pages)
            engine.record(reply)
            if not reply.calls:
                engine.record(Answered(reply.text))
                break
            for call in reply.calls:
                engine.record(ToolResult(call.id, call.name, Body(read_page(call)), read_only=True))
        full = fullness(engine.view)
        print(reply.text)
        print(f"{pad.seq} entries on disk, {full.used:,} of {full.window:,} tokens in view")
        print(engine.recall('{"seq": 4}').splitlines()[0])
        pad.close()


if __name__ == "__main__":
    main()
