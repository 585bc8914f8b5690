"""What an exception carries, read without importing the library that raised it.

SDKs, HTTP clients and agent frameworks wrap each other's errors, so each link of the chain
is read by the attributes that all of them share: `status_code`, `body`, `response`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_LINKS = 8


@dataclass(frozen=True)
class Raised:
    """One exception of a chain: its HTTP status and headers if it has any, and its words."""

    error_class: str
    status: int | None = None
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)


def chain(error: BaseException) -> Iterator[Raised]:
    """The exception, then what caused it, outermost first; groups are looked into."""
    queue: list[BaseException] = [error]
    seen: set[int] = set()
    while queue and len(seen) < _LINKS:
        link = queue.pop(0)
        if id(link) in seen:
            continue
        seen.add(id(link))
        yield _read(link)
        if isinstance(link, BaseExceptionGroup):
            queue.extend(link.exceptions)
        cause = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
        if cause is not None:
            queue.append(cause)


def _read(error: BaseException) -> Raised:
    response = getattr(error, "response", None)
    status = _status(error, response)
    # One of them: each may hold the other again, run together with words of its own.
    body = getattr(error, "body", None) or _text(response) or str(error)
    headers = getattr(error, "headers", None) or getattr(response, "headers", None)
    wait = getattr(error, "retry_after", None)
    return Raised(
        error_class=type(error).__name__,
        status=status,
        body=body,
        headers={
            **({"retry-after": str(wait)} if isinstance(wait, int | float) else {}),
            **(dict(headers) if isinstance(headers, Mapping) else {}),
        },
    )


def _status(error: BaseException, response: object) -> int | None:
    for holder in (error, response):
        for name in ("status_code", "status", "code"):
            value = getattr(holder, name, None)
            if isinstance(value, int) and 100 <= value <= 599:
                return value
    return None


def _text(response: object) -> object:
    """The reply's text; a stream that nobody has read yet says nothing."""
    try:
        return getattr(response, "text", None)
    except RuntimeError:
        return None
