"""What a run cost: every bill of its scratchpad, at the prices of `genai-prices`.

A price that is not known is said to be unknown, never taken for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from msgspec import Struct

from tallybook.models.windows import resolve
from tallybook.scratchpad.events import AssistantMessage, Entry, ModelChanged, RunStarted, Usage


class Totals(Struct, frozen=True):
    """Tokens of all replies of a run; `cached` and `cache_write` are parts of `input`.

    `dollars` is what they cost; None where a price or a bill is not known.
    """

    replies: int = 0
    input: int = 0
    cached: int = 0
    cache_write: int = 0
    output: int = 0
    unbilled: int = 0
    dollars: Decimal | None = Decimal(0)

    def sentence(self) -> str:
        """For a person: tokens, and what they cost."""
        cached = f", {self.cached:,} of them cached" if self.cached else ""
        bills = f"; {self.unbilled} replies came without a bill" if self.unbilled else ""
        return f"{self.input:,} tokens in{cached}, {self.output:,} out{bills}; {self.cost()}"

    def cost(self) -> str:
        """The cost, or that it is not known."""
        if self.dollars is None:
            return "price unknown"
        return f"${self.dollars:.4f}" if self.dollars else "no cost"


def totals(entries: Iterable[Entry]) -> Totals:
    """Add up the bills of a run; each reply at the price of the model that gave it, then."""
    model, sum_ = "", Totals()
    for entry in entries:
        match entry.event:
            case RunStarted(model=name):
                model = name
            case ModelChanged(model=str(name)):
                model = name
            case AssistantMessage(usage=usage):
                sum_ = _plus(sum_, usage, price(model, usage, entry.at) if usage else None)
    return sum_


def price(model: str, usage: Usage, at: datetime) -> Decimal | None:
    """Dollars for one bill, None if unknown. Models of this process cost nothing."""
    if model.startswith("tallybook:"):
        return Decimal(0)
    try:
        from genai_prices import Usage as Billed
        from genai_prices import calc_price
    except ImportError:
        return None
    info = resolve(model)
    billed = Billed(
        input_tokens=usage.input,
        cache_read_tokens=usage.cached,
        cache_write_tokens=usage.cache_write,
        output_tokens=usage.output,
    )
    try:
        found = calc_price(
            billed, info.name, provider_id=info.provider or None, genai_request_timestamp=at
        )
    except (LookupError, ValueError):
        return None
    return found.total_price


def _plus(before: Totals, usage: Usage | None, dollars: Decimal | None) -> Totals:
    known = before.dollars is not None and dollars is not None
    bill = usage or Usage(0)
    return Totals(
        before.replies + 1,
        before.input + bill.input,
        before.cached + bill.cached,
        before.cache_write + bill.cache_write,
        before.output + bill.output,
        before.unbilled + (usage is None),
        (before.dollars or Decimal(0)) + (dollars or Decimal(0)) if known else None,
    )
