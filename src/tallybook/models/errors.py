"""What a provider's refusal means, and what to do about it.

One place decides by meaning: which thing is said to be too large, by which unit, and what
would help. Status and error codes are only the last resort, because overflows arrive as
400, 413, 422, 429, 500, 502 and inside a 200, and rate limits speak of "too many tokens".
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tallybook.models.kinds import Kind, counts_characters, kind_of
from tallybook.models.quantities import Quantities, quantities
from tallybook.models.raised import Raised, chain
from tallybook.models.remedy import refused, remedy
from tallybook.models.waiting import retry_after
from tallybook.models.wording import words

_WORTH_A_RETRY = frozenset({"tokens_per_minute", "rate_limit", "timeout", "overloaded"})
_COUNTS_TOKENS = frozenset({"overflow", "tokens_per_minute", "output_too_large"})
_ONLY_TOO_LARGE = 413
"""Of this status the exception's class says no more than the number does."""

_VAGUE = ("other", "overloaded", "timeout", "rate_limit", "auth")
"""Kinds that a wrapper may seem to be while its cause says more, the vaguest first."""


class Failure(Struct, frozen=True):
    """One refusal, understood.

    `limit`, `requested` (prompt and completion together), `prompt` and `completion` are in
    tokens, None where not said; `retry_after` in seconds. For `tokens_per_minute` the limit
    is a rate, for `output_too_large` the most a reply may have: never a window. `retryable`
    means that the same request may succeed later. `sentence` is for a person.
    """

    kind: Kind
    sentence: str
    limit: int | None = None
    requested: int | None = None
    prompt: int | None = None
    completion: int | None = None
    retry_after: float | None = None
    retryable: bool = False

    @property
    def by_reply(self) -> bool:
        """The prompt alone would fit: a lower `max_tokens` is enough, history need not be cut."""
        if self.kind == "output_too_large":
            return True
        if self.kind != "overflow" or self.limit is None or self.prompt is None:
            return False
        return bool(self.completion) and self.prompt < self.limit


def understand(
    status: int | None,
    body: object,
    *,
    error_class: str = "",
    headers: Mapping[str, str] | None = None,
) -> Failure:
    """Say what a refusal means; never raises, whatever `body` is (bytes, text, parsed JSON)."""
    text = words([error_class if status != _ONLY_TOO_LARGE else "", body])
    numbers = quantities(text)
    kind = kind_of(status, text, numbers)
    wait = retry_after(headers or {}, text)
    if kind not in _COUNTS_TOKENS or counts_characters(text):
        numbers = Quantities()
    return Failure(
        kind=kind,
        sentence=remedy(kind, numbers, wait) if kind != "other" else refused(_quoted(body)),
        limit=numbers.limit,
        requested=numbers.asked,
        prompt=numbers.prompt,
        completion=numbers.completion,
        retry_after=wait,
        retryable=_is_retryable(kind, status, numbers),
    )


def understand_exception(error: BaseException) -> Failure:
    """Say what an exception of an SDK, an HTTP client or an agent framework means.

    It and its causes are read by their attributes; the most telling of them counts.
    """
    found = [_of(link) for link in chain(error)]
    return max(found, key=lambda failure: (_telling(failure), failure.retry_after or 0))


def _of(link: Raised) -> Failure:
    return understand(link.status, link.body, error_class=link.error_class, headers=link.headers)


def _quoted(body: object) -> str:
    """The provider's own sentence, as far as one can be made out."""
    match body:
        case str():
            return body
        case {"error": {"message": str(message)}} | {"message": str(message)}:
            return message
        case [*_, str(message)]:
            return message
        case _:
            return ""


def _telling(failure: Failure) -> int:
    return _VAGUE.index(failure.kind) if failure.kind in _VAGUE else len(_VAGUE)


def _is_retryable(kind: Kind, status: int | None, numbers: Quantities) -> bool:
    """A request larger than a whole minute's allowance fails for ever, however long one waits."""
    if kind == "tokens_per_minute" and numbers.limit and numbers.asked:
        return numbers.asked <= numbers.limit
    return kind in _WORTH_A_RETRY or (kind == "other" and (status or 0) >= 500)
