"""What a loopback provider may answer, and what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tallybook.testing.scripted import Parts

WireName = Literal["chat", "responses", "anthropic"]
Json = dict[str, object]


@dataclass(frozen=True)
class Refusal:
    """An HTTP error. `body` goes out as it is if it is text or bytes, else as JSON."""

    status: int
    body: object = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ErrorInStream:
    """An error within a reply whose status was 200: some parts, then the error as an event.

    A request that is not streamed gets the error as the whole body, still with status 200.
    """

    body: object
    after: Parts = field(default_factory=list)


@dataclass(frozen=True)
class Dropped:
    """A connection that closes in the middle of the reply, after `after`."""

    after: Parts = field(default_factory=list)


@dataclass(frozen=True)
class Bill:
    """Tokens of one exchange: `cached` (read) and `written` to the cache are parts of `input`."""

    input: int
    cached: int = 0
    written: int = 0
    output: int = 0


@dataclass(frozen=True)
class Received:
    """One request: its parsed body, what it was billed, and the status of the answer."""

    number: int
    wire: WireName
    path: str
    headers: Mapping[str, str]
    body: Json
    bill: Bill
    status: int = 200

    @property
    def streamed(self) -> bool:
        """Whether the client asked for a stream."""
        return self.body.get("stream") is True


Answer = Parts | Refusal | ErrorInStream | Dropped
Line = Answer | Callable[[Received], Answer]


def replayed(row: Mapping[str, object]) -> Answer:
    """The answer recorded in an error row (`status`, `body`, perhaps `headers`), verbatim.

    A row with status 200 was an error inside a stream; one without a status counts as 400.
    """
    status, headers = row.get("status"), row.get("headers")
    said = dict(headers) if isinstance(headers, Mapping) else {}
    if status == 200:
        return ErrorInStream(row.get("body", ""))
    return Refusal(status if isinstance(status, int) else 400, row.get("body", ""), said)


def pieces(text: str, count: int = 3) -> Sequence[str]:
    """Text as a stream gives it: a few deltas."""
    size = max(1, -(-len(text) // count))
    return [text[start : start + size] for start in range(0, len(text), size)]
