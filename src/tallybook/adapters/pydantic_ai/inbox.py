"""What the user says while the agent works: kept at once, delivered between rounds.

Between a request and its reply nothing may be said, or the reply would stand behind words
that it never saw. So words wait here; the scratchpad has them as `Queued` from the start.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from tallybook.scratchpad.events import Entry, Queued, UserMessage


class Inbox:
    """A queue of the user's messages; `put` is called on the agent's own thread."""

    def __init__(self) -> None:
        self._waiting: deque[str] = deque()
        self._keep: Callable[[str], None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, text: str) -> None:
        """Queue a message; blank ones are none."""
        if not text.strip():
            return
        if self._keep:
            self._keep(text)
        self._waiting.append(text)

    def take(self) -> str | None:
        """The message that has waited longest."""
        return self._waiting.popleft() if self._waiting else None

    def attach(self, keep: Callable[[str], None], recorded: Iterable[str]) -> None:
        """Have messages kept by `keep`; `recorded` wait in the scratchpad, newer ones behind."""
        earlier = list(recorded)
        mine = list(self._waiting)
        unknown = mine[len(earlier) :] if mine[: len(earlier)] == earlier else mine
        self._waiting = deque(earlier)
        self._keep = keep
        for text in unknown:
            self.put(text)

    def detach(self) -> None:
        """The scratchpad is closed: messages wait here alone until the next turn."""
        self._keep = None


def undelivered(entries: Iterable[Entry]) -> list[str]:
    """What was queued and not said yet, oldest first."""
    waiting: deque[str] = deque()
    for entry in entries:
        match entry.event:
            case Queued(text=text):
                waiting.append(text)
            case UserMessage(text=text) if waiting and waiting[0] == text:
                waiting.popleft()
    return list(waiting)
