"""Bars of weeks and months out of daily ones, each with its change and what is missing of it.

A change is from close to close, so the first bar needs the close before the range. A bar is
partial when the range or the session cut it: its high, low and volume are not the whole ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby, pairwise
from typing import Literal

import msgspec

from tallybook.tools.market import shown
from tallybook.tools.market.history import Bar

Interval = Literal["day", "week", "month"]


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bar as shown: `date` is its last trading day, `change_pct` from the close before."""

    date: date
    open: Decimal | None = None
    high: Decimal | None = None
    low: Decimal | None = None
    close: Decimal | None = None
    volume: Decimal | None = None
    change_pct: Decimal | None = None
    partial: bool = False


def rows(bars: Sequence[Bar], interval: Interval, start: date, end: date) -> tuple[Row, ...]:
    """The bars of a range, oldest first; `bars` may begin before `start` for the first change."""
    lead = [bar for bar in bars if bar.day < start]
    inside = [bar for bar in bars if start <= bar.day <= end]
    weekends = any(bar.day.weekday() >= 5 for bar in bars)
    before = lead[-1] if lead else None
    found: list[Row] = []
    for key, group in groupby(inside, lambda bar: _period(bar.day, interval)):
        merged = _merged(list(group))
        cut = before is not None and _period(before.day, interval) == key
        cut = cut or _last_day(merged.day, interval, weekends=weekends) > end
        found.append(_row(merged, before, partial=merged.partial or cut))
        before = merged
    return tuple(found)


def breaks(bars: Sequence[Bar], days: int) -> Iterator[tuple[date, date]]:
    """Neighbouring trading days that are more than so many days apart."""
    for one, other in pairwise(bars):
        if (other.day - one.day).days > days:
            yield one.day, other.day


def _period(day: date, interval: Interval) -> tuple[int, int]:
    match interval:
        case "day":
            return day.toordinal(), 0
        case "week":
            year, week, _ = day.isocalendar()
            return year, week
        case "month":
            return day.year, day.month


def _last_day(day: date, interval: Interval, *, weekends: bool) -> date:
    """The last day of the period on which there could be trading."""
    match interval:
        case "day":
            return day
        case "week":
            last = day + timedelta(days=6 - day.weekday())
        case "month":
            last = (day.replace(day=1) + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    while not weekends and last.weekday() >= 5:
        last -= timedelta(days=1)
    return last


def _merged(bars: Sequence[Bar]) -> Bar:
    """One bar of several; a part that a day lacks is made of the others."""
    highs = [bar.high for bar in bars if bar.high is not None]
    lows = [bar.low for bar in bars if bar.low is not None]
    volumes = [bar.volume for bar in bars if bar.volume is not None]
    return Bar(
        bars[-1].day,
        bars[-1].close,
        bars[0].open,
        max(highs, default=None),
        min(lows, default=None),
        sum(volumes, Decimal(0)) if volumes else None,
        bars[-1].adjusted,
        bars[-1].partial,
    )


def _row(bar: Bar, before: Bar | None, *, partial: bool) -> Row:
    return Row(
        bar.day,
        _price(bar.open),
        _price(bar.high),
        _price(bar.low),
        shown.price(bar.close),
        None if bar.volume is None else shown.count(bar.volume),
        shown.percent(bar.close / before.close) if before else None,
        partial,
    )


def _price(value: Decimal | None) -> Decimal | None:
    return None if value is None else shown.price(value)
