"""The tool as a model meets it: summary first, whole rows, what is missing, and how to get more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import pytest
from msgspec.structs import replace
from tests.loopback import Reply, serve
from tests.shared_data import shared
from tests.tools.market.made import AAPL, Given, days, history, http, now, path, recorded

from tallybook.tools.failure import ToolFailure
from tallybook.tools.market.files import Files
from tallybook.tools.market.history import Bar, History, PriceSource
from tallybook.tools.market.prices import (
    MarketRequest,
    Series,
    get_market_data,
    market_tool,
)
from tallybook.tools.market.yahoo import Yahoo

PRICES = "adjusted for splits, not for dividends: before a split, the price traded was another"
WEEK = (date(2026, 1, 5), date(2026, 1, 9))


def series(made: History, start: date, end: date, limit: int = 20) -> Series:
    request = MarketRequest(("X",), start, end, limit=limit)
    return asyncio.run(get_market_data(request, Given(made), now())).series[0]


def refused(arguments: Mapping[str, object], source: PriceSource | None = None) -> str:
    tool = market_tool(source or Given(history(days("1", "2"), dividends=[])), now)
    with pytest.raises(ToolFailure) as caught:
        asyncio.run(tool.call(arguments))
    return str(caught.value)


def test_a_recorded_range_is_answered_whole_over_http() -> None:
    asked = path("AAPL", date(2020, 8, 17), date(2020, 11, 6))
    with serve({asked: Reply(recorded(AAPL))}) as server:
        tool = market_tool(Yahoo(http(), now, server.url), now)
        text = asyncio.run(
            tool.call({"symbols": ["AAPL"], "start": "2020-08-31", "end": "2020-11-06", "limit": 2})
        )
    assert tool.read_only
    answer = json.loads(text)["series"][0]
    assert list(answer)[:3] == ["symbol", "currency", "summary"]
    assert answer["summary"]["price_return_pct"] == -8.02
    assert answer["summary"]["total_return_pct"] == -7.86
    assert answer["dividends"] == [{"ex_date": "2020-11-06", "dividend": 0.205}]
    assert answer["splits"] == ["2020-08-31: 4-for-1"]
    assert answer["prices"] == PRICES
    assert answer["url"] == f"{server.url}/v8/finance/chart/AAPL"
    assert answer["as_of"] == "2026-04-01T12:00:00Z"
    assert answer["more"].startswith("47 earlier bars are not shown: set end to 2020-11-04")
    lines = [json.loads(line.rstrip(",]}") + "}") for line in text.splitlines() if "open" in line]
    assert [line["date"] for line in lines] == ["2020-11-05", "2020-11-06"]


def test_what_is_not_shown_can_be_asked_for() -> None:
    source = Files(shared("prices", "daily"))
    seen: list[date] = []
    end = date(2025, 12, 31)
    for _ in range(2):
        request = MarketRequest(("NVDA",), date(2024, 12, 31), end, limit=250)
        (found,) = asyncio.run(get_market_data(request, source, now())).series
        seen = [bar.date for bar in found.bars] + seen
        if found.more:
            end = date.fromisoformat(found.more.split("set end to ")[1][:10])
    assert len(seen) == len(set(seen)) == 251


def test_several_symbols_come_together_and_a_failing_one_is_named() -> None:
    source = Files(shared("prices", "daily"))
    request = MarketRequest(("nvda", "AMD", "NVDA", "NONE"), *WEEK)
    found = asyncio.run(get_market_data(request, source, now()))
    assert [one.symbol for one in found.series] == ["NVDA", "AMD"]
    assert len(found.failures) == 1
    assert "NONE" in found.failures[0]


def test_dates_that_cannot_be_are_refused_with_the_way_out() -> None:
    assert "is after end" in refused({"symbols": ["X"], "start": "2026-01-09", "end": "2026-01-05"})
    future = {"symbols": ["X"], "start": "2026-01-09", "end": "2026-04-03"}
    assert "today is 2026-04-01" in refused(future)
    assert "in the future" in refused({"symbols": ["X"], "start": "2027-01-01"})
    assert "before any price" in refused({"symbols": ["X"], "start": "0001-01-05"})
    assert "arguments of get_market_data" in refused({"symbols": ["X"], "start": "last week"})


def test_wrong_counts_and_fields_are_refused() -> None:
    assert "1 to 10 symbols" in refused({"symbols": []})
    assert "0 to 250" in refused({"symbols": ["X"], "limit": 251})
    assert "unknown field" in refused({"symbols": ["X"], "ticker": "X"})


def test_a_range_without_trading_says_so_and_names_the_last_close() -> None:
    weekend = {"symbols": ["X"], "start": "2026-01-10", "end": "2026-01-11"}
    told = refused(weekend)
    assert "no price from 2026-01-10 to 2026-01-11" in told
    assert "last close before is of 2026-01-06" in told


def test_a_listing_that_begins_or_ends_inside_the_range_is_said() -> None:
    found = series(history(days("1", "2")), date(2025, 12, 1), date(2026, 2, 1))
    assert any("first price there is" in note for note in found.notes)
    assert any("last price there is" in note for note in found.notes)


def test_gaps_and_long_pauses_are_said() -> None:
    bars = [*days("1", "2"), *days("3", start=date(2026, 1, 26))]
    made = replace(history(bars), gaps=(date(2026, 1, 7),))
    assert series(made, date(2026, 1, 5), date(2026, 1, 26)).gaps == (
        "no positive price on 2026-01-07",
        "no trading day between 2026-01-06 and 2026-01-26",
    )


def test_a_session_that_goes_on_is_said() -> None:
    first, last = days("1", "2")
    found = series(history([first, replace(last, partial=True)]), first.day, last.day)
    assert found.bars[-1].partial
    assert any("not over" in note for note in found.notes)


def test_a_jump_that_a_split_explains_is_pointed_at_where_no_basis_is_stated() -> None:
    found = series(history(days("400", "100"), "unstated"), *WEEK)
    assert any("perhaps a split" in note for note in found.notes)
    assert not series(history(days("400", "100")), *WEEK).notes


def test_without_bars_the_summary_stands_alone() -> None:
    found = series(history(days("1", "2", "3"), dividends=[]), *WEEK, limit=0)
    assert found.bars == ()
    assert found.more == "3 bars are not shown: set limit, up to 250."
    assert found.summary.price_return_pct == 200


def test_left_out_dates_mean_the_last_year() -> None:
    bars = [Bar(date(2025, 4, 1), Decimal(1)), Bar(date(2026, 4, 1), Decimal(2))]
    tool = market_tool(Given(history(bars, dividends=[])), now)
    answer = json.loads(asyncio.run(tool.call({"symbols": ["X"]})))["series"][0]
    assert answer["summary"]["start_date"] == "2025-04-01"
    assert answer["summary"]["price_return_pct"] == 100
