"""One sentence for a person: what happened, and what to do."""

from __future__ import annotations

import re

from tallybook.models.kinds import Kind
from tallybook.models.quantities import Quantities

_QUOTE = 240
_KEY = re.compile(r"\b(?:sk|pk|key|xai|gsk|AIza)[-_]?[A-Za-z0-9_-]{12,}")


def remedy(kind: Kind, numbers: Quantities, wait: float | None) -> str:
    """What a user of the agent should read; numbers are shown where the provider said them."""
    match kind:
        case "overflow":
            return (
                f"The request is longer than the model's window{_counts(numbers)}. "
                "It is shortened and sent again; if that does not help, choose a model with a "
                "larger window or lower --window."
            )
        case "tokens_per_minute":
            return _token_rate(numbers, wait)
        case "output_too_large":
            return (
                f"The reply limit asked for is more than this model allows{_counts(numbers)}. "
                "Lower max_tokens."
            )
        case "payload_too_large":
            return (
                "The request has too many bytes for the provider, whatever its tokens. "
                "Send fewer or smaller images and files."
            )
        case _:
            return _state(kind, wait)


def _token_rate(numbers: Quantities, wait: float | None) -> str:
    counts = _counts(numbers)
    if numbers.limit and numbers.asked and numbers.asked > numbers.limit:
        return (
            f"This one request is more than the account may send in a minute{counts}: waiting "
            "cannot help. Set --window below that limit, or raise the account's limit."
        )
    return f"The account's tokens per minute are used up{counts}. {_wait(wait)}"


def _state(kind: Kind, wait: float | None) -> str:
    match kind:
        case "rate_limit":
            return f"The provider limits how often it may be asked. {_wait(wait)}"
        case "billing":
            return (
                "The provider's account has no credit or quota left. Add credit, or choose "
                "another provider with --model; the run can then be resumed."
            )
        case "auth":
            return (
                "The provider does not accept the key, or the key may not use this model. "
                "Check the API key and the model's name, then resume the run."
            )
        case "timeout":
            return f"No complete answer came from the provider. {_wait(wait)}"
        case "overloaded":
            return f"The provider is overloaded or down. {_wait(wait)}"
        case _:
            return refused("")


def refused(words: str) -> str:
    """What is said where the kind is not known: the provider's own words, keys blotted out."""
    said = _KEY.sub("…", " ".join(words.split()))[:_QUOTE]
    because = f": {said.rstrip('.')}." if said else " without saying why."
    return f"The request was refused{because} The run can be resumed."


def _counts(numbers: Quantities) -> str:
    said = (("sent", numbers.asked), ("allowed", numbers.limit))
    parts = [f"{count:,} {word}" for word, count in said if count is not None]
    return f" ({', '.join(parts)})" if parts else ""


def _wait(wait: float | None) -> str:
    if wait is None:
        return "It is tried again after a pause; if it goes on, resume the run later."
    return f"It can be tried again in {wait:,.0f} s." if wait >= 1 else "It is tried again at once."
