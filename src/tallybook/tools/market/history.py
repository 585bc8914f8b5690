"""What a source of prices gives: daily bars, what was paid and split, and on which basis.

A price means nothing without its basis. A source says whether its closes are as traded, adjusted
for later splits, or adjusted for dividends too; `returns` computes from that and never guesses.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal, Protocol

import msgspec

Basis = Literal["as_traded", "split_adjusted", "adjusted", "unstated"]
"""`adjusted` is for splits and dividends; of `unstated` the source says nothing."""


class Bar(msgspec.Struct, frozen=True):
    """One trading day in the listing's own time zone.

    Only the close is certain to be there. `adjusted` is the source's own close adjusted for
    splits and dividends, if it gives one. A `partial` bar is of a session still going on.
    """

    day: date
    close: Decimal
    open: Decimal | None = None
    high: Decimal | None = None
    low: Decimal | None = None
    volume: Decimal | None = None
    adjusted: Decimal | None = None
    partial: bool = False


class Dividend(msgspec.Struct, frozen=True):
    """What was paid per share, on the ex-dividend day; on the same basis as the closes."""

    day: date
    amount: Decimal


class Split(msgspec.Struct, frozen=True):
    """From `day` on, `new` shares stand for `old` ones."""

    day: date
    new: Decimal
    old: Decimal

    @property
    def shrinks(self) -> Decimal:
        """By what an earlier price is multiplied."""
        return self.old / self.new

    def __str__(self) -> str:
        """Say it as companies do."""
        return f"{self.new.normalize():f}-for-{self.old.normalize():f}"


class History(msgspec.Struct, frozen=True):
    """The prices of one symbol, oldest first, each day once.

    `gaps` are days that the source lists without a price. `dividends` is None where the source
    gives none, which is not the same as none paid. `as_of` says how fresh this is, `url` where
    it is from; neither holds a key.
    """

    symbol: str
    basis: Basis
    bars: tuple[Bar, ...]
    source: str
    url: str
    as_of: str
    currency: str = ""
    name: str = ""
    dividends: tuple[Dividend, ...] | None = None
    splits: tuple[Split, ...] = ()
    gaps: tuple[date, ...] = ()
    notes: tuple[str, ...] = ()


class PriceSource(Protocol):
    """Where prices come from."""

    async def history(self, symbol: str, start: date, end: date) -> History:
        """Give the days from `start` to `end`, both included, or raise `ToolFailure`."""
        ...
