"""Which kind of refusal a provider's words are.

The order of the rules is the knowledge: a limit per minute speaks of tokens like an
overflow does, a gateway's time-out speaks of an exceeded context, and a reply limit names
the window. So what can only be one thing is asked first, and the status code last.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from tallybook.models import vocabulary as says
from tallybook.models.quantities import Quantities

Kind = Literal[
    "overflow",
    "tokens_per_minute",
    "output_too_large",
    "payload_too_large",
    "rate_limit",
    "billing",
    "auth",
    "timeout",
    "overloaded",
    "other",
]

_BY_STATUS: Mapping[int, Kind] = MappingProxyType(
    {
        401: "auth",
        402: "billing",
        403: "auth",
        408: "timeout",
        413: "payload_too_large",
        429: "rate_limit",
        502: "overloaded",
        503: "overloaded",
        504: "timeout",
        520: "overloaded",
        521: "overloaded",
        522: "timeout",
        523: "overloaded",
        524: "timeout",
        529: "overloaded",
    }
)


def kind_of(status: int | None, text: str, numbers: Quantities) -> Kind:
    """The kind of a refusal from its `text` (as `words` returns it) and its numbers."""
    if says.CALLERS_OWN_LIMIT.search(text):
        return "other"
    return _of_rate(status, text) or _of_size(status, text, numbers) or _of_state(status, text)


def counts_characters(text: str) -> bool:
    """True where a schema's length is exceeded: its numbers are characters or items."""
    return bool(says.SCHEMA.search(text))


def _of_rate(status: int | None, text: str) -> Kind | None:
    if says.DEADLINE.search(text):
        return "timeout"
    if says.TOKEN_RATE.search(text):
        return "tokens_per_minute"
    if says.RATE.search(text):
        return "tokens_per_minute" if says.COUNTED_IN_TOKENS.search(text) else "rate_limit"
    if says.BILLING.search(text):
        return "billing"
    return "rate_limit" if status == 429 and "quota" in text else None


def _of_size(status: int | None, text: str, numbers: Quantities) -> Kind | None:
    if says.NO_ROOM_FOR_A_REPLY.search(text):
        return "overflow"
    if says.SCHEMA.search(text):
        return "overflow" if says.SCHEMA_OF_MESSAGES.search(text) else "other"
    if _is_payload(text):
        return "payload_too_large"
    if says.INPUT_TOO_LONG.search(text):
        return "overflow"
    if says.REPLY_LIMIT.search(text):
        return "overflow" if _counts_the_prompt(text, numbers) else "output_too_large"
    if says.CONTEXT_EXCEEDED.search(text) or _is_more_than_allowed(text, numbers):
        return "overflow"
    is_413 = status == 413 or (status is None and "413" in text)
    return "overflow" if is_413 and says.NOTHING.fullmatch(text) else None


def _is_payload(text: str) -> bool:
    if "token" in text or says.CONTEXT.search(text):
        return False
    too_many_bytes = says.BYTES.search(text) and says.COMPLAINT.search(text)
    return bool(says.PAYLOAD.search(text) or too_many_bytes)


def _counts_the_prompt(text: str, numbers: Quantities) -> bool:
    """A reply limit that is only too large beside this prompt is an overflow."""
    counted = numbers.prompt is not None and numbers.prompt != numbers.completion
    return counted and bool(says.CONTEXT.search(text))


def _is_more_than_allowed(text: str, numbers: Quantities) -> bool:
    if numbers.limit is None or numbers.asked is None:
        return False
    of_tokens = "token" in text or says.CONTEXT.search(text)
    return bool(of_tokens) and numbers.asked > numbers.limit


def _of_state(status: int | None, text: str) -> Kind:
    if says.OVERLOADED.search(text):
        return "overloaded"
    if says.TIMEOUT.search(text):
        return "timeout"
    by_status = _BY_STATUS.get(status or 0, "other")
    if by_status not in ("other", "overloaded"):
        return by_status
    if says.AUTH.search(text):
        return "auth"
    if status is not None and 400 <= status < 500:
        return "other"
    inner = [int(code) for code in says.INNER_STATUS.findall(text)]
    known = [_BY_STATUS[code] for code in (*inner, status or 0) if code in _BY_STATUS]
    return min(known, key=lambda kind: kind == "overloaded", default="other")
