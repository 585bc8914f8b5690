"""What holding a share over a range of dates returned, with and without its dividends.

The range begins at the last close on or before its first day, and ends at the last close on or
before its last: what the share was worth on these dates, holidays or not. So a calendar year is
asked for from 31 December. A return that the source's basis does not allow is left out and the
reason is given; it is never filled with the other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import msgspec

from tallybook.tools.market import shown
from tallybook.tools.market.adjust import (
    agree,
    growth,
    growth_adjusted,
    growth_reinvested,
    received,
)
from tallybook.tools.market.history import Bar, Dividend, History

_YEAR = Decimal("365.25")


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A range at a glance; closes are on the basis that the result states.

    `price_return_pct` leaves dividends out, `total_return_pct` has them reinvested; the
    annualized ones are for ranges of more than a year. `formulas` says how each was computed
    and `missing` why one was not.
    """

    start_date: date
    start_close: Decimal
    end_date: date
    end_close: Decimal
    price_return_pct: Decimal | None = None
    total_return_pct: Decimal | None = None
    price_return_annualized_pct: Decimal | None = None
    total_return_annualized_pct: Decimal | None = None
    highest: Decimal | None = None
    highest_date: date | None = None
    lowest: Decimal | None = None
    lowest_date: date | None = None
    dividends_per_share: Decimal | None = None
    trading_days: int = 0
    formulas: dict[str, str] = {}
    missing: dict[str, str] = {}


class _Return(msgspec.Struct, frozen=True):
    """A growth factor and how it was computed, or None and why it was not."""

    growth: Decimal | None
    how: str


def summarize(history: History, bars: Sequence[Bar], days: Sequence[Bar]) -> Summary:
    """Sum up a range: `bars` from its base to its end, `days` those inside it (at least one).

    `history` is split-adjusted where its basis allows.
    """
    found = {"price_return_pct": _price(history, bars), "total_return_pct": _total(history, bars)}
    years = Decimal((bars[-1].day - bars[0].day).days) / _YEAR
    amounts = {key: r.growth for key, r in found.items() if r.growth is not None}
    long = amounts if years > 1 else {}
    yearly = {key: value ** (1 / years) for key, value in long.items()}
    lows = [(bar.low if bar.low is not None else bar.close, bar.day) for bar in days]
    highs = [(bar.high if bar.high is not None else bar.close, bar.day) for bar in days]
    lowest, highest = min(lows), max(highs, key=lambda pair: pair[0])
    return Summary(
        bars[0].day,
        shown.price(bars[0].close),
        bars[-1].day,
        shown.price(bars[-1].close),
        _percent(amounts.get("price_return_pct")),
        _percent(amounts.get("total_return_pct")),
        _percent(yearly.get("price_return_pct")),
        _percent(yearly.get("total_return_pct")),
        shown.price(highest[0]),
        highest[1],
        shown.price(lowest[0]),
        lowest[1],
        _paid(history, bars),
        len(days),
        {key: r.how for key, r in found.items() if r.growth is not None} | _yearly(years, long),
        {key: r.how for key, r in found.items() if r.growth is None},
    )


def _price(history: History, bars: Sequence[Bar]) -> _Return:
    if len(bars) < 2:
        return _Return(None, _ONE_CLOSE)
    if history.basis == "adjusted":
        return _Return(
            None,
            "The closes are adjusted for dividends too, so only a total return follows from them.",
        )
    first, last = shown.price(bars[0].close), shown.price(bars[-1].close)
    caution = (
        "" if history.basis != "unstated" else "; right only if the closes are adjusted for splits"
    )
    return _Return(growth(bars), f"({last} - {first}) / {first}{caution}")


def _total(history: History, bars: Sequence[Bar]) -> _Return:
    if len(bars) < 2:
        return _Return(None, _ONE_CLOSE)
    if history.basis == "adjusted":
        first, last = shown.price(bars[0].close), shown.price(bars[-1].close)
        return _Return(growth(bars), f"({last} - {first}) / {first}, adjusted closes")
    told = growth_adjusted(bars)
    if history.dividends is not None and agree(bars, history.dividends):
        return _Return(growth_reinvested(bars, history.dividends), _how(bars, history.dividends))
    if told is not None and bars[0].adjusted and bars[-1].adjusted:
        first, last = shown.price(bars[0].adjusted), shown.price(bars[-1].adjusted)
        return _Return(
            told,
            f"({last} - {first}) / {first}, the source's adjusted closes; the dividends it "
            "lists do not explain them",
        )
    return _Return(None, "The source gives no dividends. Use Yahoo or Tiingo for a total return.")


_ONE_CLOSE = "The range has one close only. Begin it a trading day earlier."


def _how(bars: Sequence[Bar], dividends: Sequence[Dividend]) -> str:
    paid = len(received(bars, dividends))
    if paid == 0:
        return "as price_return_pct: no dividend in the range"
    times = "dividend" if paid == 1 else f"each of {paid} dividends"
    return (
        f"end_close / start_close * (1 + {times} / close of its ex-dividend day) - 1: "
        "dividends reinvested"
    )


def _paid(history: History, bars: Sequence[Bar]) -> Decimal | None:
    """What was paid per share; None where the source gives no list, or one that lacks some."""
    paid = history.dividends
    if paid is None or not agree(bars, paid):
        return None
    return shown.price(sum((d.amount for d in received(bars, paid)), Decimal(0)))


def _yearly(years: Decimal, growths: dict[str, Decimal]) -> dict[str, str]:
    return {
        key.replace("_pct", "_annualized_pct"): (f"(1 + {key} / 100) ^ (1 / {years:.2f} years) - 1")
        for key in growths
    }


def _percent(value: Decimal | None) -> Decimal | None:
    return None if value is None else shown.percent(value)
