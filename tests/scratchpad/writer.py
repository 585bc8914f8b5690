"""A process that writes a run as fast as it can and says each number once it is written."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Capped,
    RunStarted,
    ToolCall,
    ToolResult,
)


def main(root: Path) -> None:
    with Scratchpad.create(root, "q", clock=lambda: datetime.now(UTC), inline=2000) as pad:
        print(pad.folder, flush=True)
        print(pad.append(RunStarted("q")).seq, flush=True)
        for number in count():
            calls = (ToolCall("x", "a"), ToolCall("x", "b"))
            print(pad.append(AssistantMessage("t" * number, calls=calls)).seq, flush=True)
            for size in (number * 50, 100):
                seq = pad.append(ToolResult("x", "a", Body("é" * size))).seq
                print(seq, flush=True)
            print(pad.append(Capped(seq, 10)).seq, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
