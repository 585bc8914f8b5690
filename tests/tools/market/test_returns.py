"""Returns over a range of dates, with what the source's basis does not allow left out."""

from __future__ import annotations

import asyncio
import math
from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from msgspec.structs import replace
from tests.shared_data import shared
from tests.tools.market.made import Given, closes, days, history, now, traded

from tallybook.tools.market.bars import rows
from tallybook.tools.market.files import Files
from tallybook.tools.market.history import Dividend, History
from tallybook.tools.market.prices import MarketRequest, get_market_data
from tallybook.tools.market.returns import Summary

RANGES = (
    ("2024-12-31", "2025-12-31"),
    ("2025-01-01", "2025-12-31"),
    ("2024-06-30", "2024-07-06"),
    ("2024-03-29", "2026-03-20"),
    ("2025-05-26", "2025-09-01"),
)


def summary(made: History, start: date, end: date) -> Summary:
    request = MarketRequest(("X",), start, end)
    return asyncio.run(get_market_data(request, Given(made), now())).series[0].summary


@pytest.mark.parametrize("symbol", ["AAPL", "AMD", "GOOGL", "MSFT", "NVDA", "SPY"])
@pytest.mark.parametrize(("start", "end"), RANGES)
def test_returns_are_those_of_a_few_lines_over_the_file(symbol: str, start: str, end: str) -> None:
    known = closes(symbol)
    first = [close for day, close in known if day <= start][-1]
    last = [close for day, close in known if day <= end][-1]
    request = MarketRequest((symbol,), date.fromisoformat(start), date.fromisoformat(end))
    source = Files(shared("prices", "daily"))
    found = asyncio.run(get_market_data(request, source, now())).series[0].summary
    assert found.price_return_pct is not None
    assert abs(found.price_return_pct - (last / first * 100 - 100)) <= Decimal("0.005")
    assert found.total_return_pct is None
    assert "no dividends" in found.missing["total_return_pct"]


@given(traded())
def test_daily_changes_multiply_to_the_price_return(whole: History) -> None:
    bars = whole.bars
    every = rows(bars, "day", bars[0].day, bars[-1].day)
    exact = math.prod(float(one.close / two.close) for two, one in pairwise(bars))
    told = summary(whole, bars[0].day, bars[-1].day).price_return_pct
    assert len(every) == len(bars)
    assert told is not None
    assert float(told) == pytest.approx((exact - 1) * 100, abs=0.0051, rel=1e-9)


def test_a_range_begins_at_the_last_close_before_a_holiday() -> None:
    bars = days("100", "110", "121")
    found = summary(history(bars, dividends=[]), date(2026, 1, 6), date(2026, 1, 11))
    assert (found.start_close, found.end_close) == (Decimal(110), Decimal(121))
    assert found.price_return_pct == 10
    wide = [bars[0], replace(bars[2], day=date(2026, 1, 8))]
    found = summary(history(wide, dividends=[]), date(2026, 1, 7), date(2026, 1, 8))
    assert (found.start_date, found.price_return_pct) == (date(2026, 1, 5), Decimal(21))


def test_one_close_has_no_return() -> None:
    monday = date(2026, 1, 5)
    found = summary(history(days("100"), dividends=[]), monday, monday)
    assert found.price_return_pct is None
    assert "one close only" in found.missing["price_return_pct"]


def test_adjusted_closes_give_a_total_return_only() -> None:
    found = summary(history(days("100", "150"), "adjusted"), date(2026, 1, 5), date(2026, 1, 6))
    assert (found.price_return_pct, found.total_return_pct) == (None, Decimal(50))


def test_both_returns_are_named_and_their_formulas_given() -> None:
    bars = days("100", "120", "110")
    made = history(bars, dividends=[Dividend(bars[1].day, Decimal(6))])
    found = summary(made, bars[0].day, bars[2].day)
    assert found.price_return_pct == 10
    assert found.total_return_pct == Decimal("15.50")
    assert found.dividends_per_share == 6
    assert found.formulas["price_return_pct"] == "(110 - 100) / 100"
    assert "reinvested" in found.formulas["total_return_pct"]


def test_more_than_a_year_has_a_return_per_year_too() -> None:
    first, last = days("100", "121")
    made = history([first, replace(last, day=date(2028, 1, 5))], dividends=[])
    request = MarketRequest(("X",), first.day, date(2028, 1, 5))
    later = now().replace(year=2028)
    found = asyncio.run(get_market_data(request, Given(made), later)).series[0].summary
    assert found.price_return_annualized_pct == Decimal("10.01")
    assert "years" in found.formulas["price_return_annualized_pct"]


def test_dividends_that_are_not_listed_are_not_said_to_be_none() -> None:
    first, last = days("100", "100")
    bars = [replace(first, adjusted=Decimal(95)), replace(last, adjusted=Decimal(100))]
    found = summary(history(bars, dividends=[]), first.day, last.day)
    assert (found.price_return_pct, found.total_return_pct) == (Decimal(0), Decimal("5.26"))
    assert found.dividends_per_share is None
    assert "do not explain" in found.formulas["total_return_pct"]
