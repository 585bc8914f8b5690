"""Put prices on one basis, and say by how much they grew with and without dividends.

A split changes the count of shares and nothing else, so earlier prices shrink by it. A dividend
is reinvested at the close of its ex-dividend day: a holder has `1 + dividend / close` times as
many shares from then on. Both are exact in `Decimal`; only what is shown is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from tallybook.tools.market.history import Bar, Dividend, History, Split

_ONE = Decimal(1)

_SLACK = Decimal("0.0002")
_SLACK_OF_PAID = Decimal("0.1")


def split_adjusted(history: History) -> History:
    """Prices as traded on the basis of the newest day known; any other basis as it is."""
    if history.basis != "as_traded":
        return history
    splits = history.splits
    paid = history.dividends
    return replace(
        history,
        basis="split_adjusted",
        bars=tuple(_shrunk(bar, _factor(bar.day, splits)) for bar in history.bars),
        dividends=paid and tuple(Dividend(d.day, d.amount * _factor(d.day, splits)) for d in paid),
    )


def growth(bars: Sequence[Bar]) -> Decimal:
    """What one unit of money in the first close is worth in the last, dividends left out."""
    return bars[-1].close / bars[0].close


def growth_reinvested(bars: Sequence[Bar], dividends: Iterable[Dividend]) -> Decimal:
    """As `growth`, with what was paid after the first day reinvested.

    Where nothing traded on an ex-dividend day, the next day with a price counts.
    """
    return growth(bars) * _shares(bars, dividends)


def growth_adjusted(bars: Sequence[Bar]) -> Decimal | None:
    """As `growth_reinvested`, by the source's own adjusted closes, where it gives them."""
    first, last = bars[0].adjusted, bars[-1].adjusted
    return last / first if first and last else None


def agree(bars: Sequence[Bar], dividends: Iterable[Dividend]) -> bool:
    """Whether the dividends listed explain the source's adjusted closes.

    They differ a little by method: a source reinvests at the close before. More than a tenth of
    what was paid means that the list lacks a payment, or has one too many.
    """
    told = growth_adjusted(bars)
    if told is None:
        return True
    shares = _shares(bars, dividends)
    return abs(told / growth(bars) - shares) <= (shares - 1) * _SLACK_OF_PAID + _SLACK


def received(bars: Sequence[Bar], dividends: Iterable[Dividend]) -> tuple[Dividend, ...]:
    """What a holder from the first close to the last one was paid."""
    return tuple(d for d in dividends if bars[0].day < d.day <= bars[-1].day)


def _shares(bars: Sequence[Bar], dividends: Iterable[Dividend]) -> Decimal:
    shares = _ONE
    for paid in received(bars, dividends):
        at = next(bar.close for bar in bars if bar.day >= paid.day)
        shares *= 1 + paid.amount / at
    return shares


def _factor(day: date, splits: Iterable[Split]) -> Decimal:
    factor = _ONE
    for split in splits:
        if split.day > day:
            factor *= split.shrinks
    return factor


def _shrunk(bar: Bar, factor: Decimal) -> Bar:
    if factor == 1:
        return bar
    return replace(
        bar,
        close=bar.close * factor,
        open=_times(bar.open, factor),
        high=_times(bar.high, factor),
        low=_times(bar.low, factor),
        volume=_times(bar.volume, 1 / factor),
    )


def _times(value: Decimal | None, factor: Decimal) -> Decimal | None:
    return None if value is None else value * factor
