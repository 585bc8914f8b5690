"""Weeks and months out of days, and what is missing of them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st
from tests.tools.market.made import days, traded

from tallybook.tools.market.bars import Interval, breaks, rows
from tallybook.tools.market.history import Bar, History


@given(traded(), st.sampled_from(["week", "month"]))
def test_a_longer_bar_spans_its_days(whole: History, interval: Interval) -> None:
    bars = whole.bars
    merged = rows(bars, interval, bars[0].day, bars[-1].day)
    assert merged[-1].close == bars[-1].close
    assert max(row.high for row in merged if row.high) == max(bar.close for bar in bars)
    assert min(row.low for row in merged if row.low) == min(bar.close for bar in bars)
    assert sum(row.volume or 0 for row in merged) == 1000 * len(bars)
    assert [row.date for row in merged] == sorted({row.date for row in merged})


def test_the_first_change_counts_from_the_close_before_the_range() -> None:
    bars = days("100", "110", "99")
    found = rows(bars, "day", bars[1].day, bars[2].day)
    assert [row.change_pct for row in found] == [10, -10]


def test_a_week_that_the_range_cuts_is_partial() -> None:
    two_weeks = [*days("1", "2", "3", "4", "5"), *days("6", "7", "8", start=date(2026, 1, 12))]
    whole = rows(two_weeks, "week", date(2026, 1, 5), date(2026, 1, 14))
    assert [(row.date.day, row.partial) for row in whole] == [(9, False), (14, True)]
    cut = rows(two_weeks, "week", date(2026, 1, 7), date(2026, 1, 9))
    assert [row.partial for row in cut] == [True]


def test_a_month_is_over_on_its_last_weekday_unless_weekends_trade() -> None:
    friday = Bar(date(2026, 1, 30), Decimal(1))
    saturday = Bar(date(2026, 1, 31), Decimal(1))
    assert not rows([friday], "month", friday.day, friday.day)[0].partial
    weekend = [Bar(date(2026, 1, 24), Decimal(1)), friday]
    assert rows(weekend, "month", date(2026, 1, 1), friday.day)[0].partial
    assert not rows([friday, saturday], "month", friday.day, saturday.day)[0].partial


def test_a_part_that_a_day_lacks_is_made_of_the_others() -> None:
    bars = [
        Bar(date(2026, 1, 5), Decimal(2), None, Decimal(3), None, None),
        Bar(date(2026, 1, 6), Decimal(2), Decimal(2), None, Decimal(1), Decimal(7)),
    ]
    (row,) = rows(bars, "week", date(2026, 1, 5), date(2026, 1, 9))
    assert row.open is None
    assert [row.high, row.low, row.volume] == [3, 1, 7]


def test_a_long_pause_is_a_break_and_a_weekend_is_not() -> None:
    bars = [Bar(date(2026, 1, day), Decimal(1)) for day in (2, 5, 6, 16)]
    assert list(breaks(bars, 6)) == [(date(2026, 1, 6), date(2026, 1, 16))]
