"""Tiingo and financialdatasets.ai over real HTTP: their layouts, and where a key may go."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from decimal import Decimal

import pytest
from tests.loopback import Reply, serve
from tests.tools.market.made import http, now

from tallybook.errors import ConfigError
from tallybook.tools.failure import ToolFailure
from tallybook.tools.market.financial_datasets import FinancialDatasets
from tallybook.tools.market.history import History
from tallybook.tools.market.prices import MarketRequest, get_market_data
from tallybook.tools.market.tiingo import Tiingo

KEY = "k-1234567890"
START, END = date(2024, 1, 2), date(2024, 1, 4)
TIINGO = "/tiingo/daily/x/prices?startDate=2024-01-02&endDate=2024-01-04&format=json"
PRICES = (
    "/prices?ticker=X&interval=day&interval_multiplier=1&start_date=2024-01-02&end_date=2024-01-04"
)


def row(day: int, close: float, **more: float) -> dict[str, object]:
    return {
        "date": f"2024-01-{day:02}T00:00:00.000Z",
        "close": close,
        "open": close,
        "high": close,
        "low": close,
        "volume": 1000,
        "adjClose": close,
        "divCash": 0.0,
        "splitFactor": 1.0,
        **more,
    }


ROWS = [
    row(2, 400.0, divCash=2.0, adjClose=98.0),
    row(3, 100.0, splitFactor=4.0, adjClose=98.0),
    row(4, 102.0, divCash=0.51, adjClose=100.48),
]


def tiingo(reply: Reply) -> History:
    with serve({TIINGO: reply}) as server:
        found = asyncio.run(Tiingo(http(), now, KEY, server.url).history("X", START, END))
        assert server.asked[0].headers["Authorization"] == f"Token {KEY}"
        assert KEY not in server.asked[0].path
        return found


def test_tiingo_gives_prices_as_traded_with_splits_and_dividends() -> None:
    found = tiingo(Reply(json.dumps(ROWS).encode()))
    assert (found.basis, len(found.bars)) == ("as_traded", 3)
    assert [str(split) for split in found.splits] == ["4-for-1"]
    assert [d.amount for d in found.dividends or ()] == [2, Decimal("0.51")]
    assert KEY not in repr(found)


def test_prices_as_traded_are_put_on_one_basis_before_a_return_is_computed() -> None:
    asked = TIINGO.replace("startDate=2024-01-02", "startDate=2023-12-19")
    with serve({asked: Reply(json.dumps(ROWS).encode())}) as server:
        source = Tiingo(http(), now, KEY, server.url)
        request = MarketRequest(("X",), START, END)
        (series,) = asyncio.run(get_market_data(request, source, now())).series
    assert (series.summary.start_close, series.summary.price_return_pct) == (
        Decimal(100),
        Decimal(2),
    )
    assert series.summary.total_return_pct == Decimal("2.51")
    assert series.prices.startswith("adjusted for splits, not for dividends")
    assert series.splits == ("2024-01-03: 4-for-1",)


def test_a_reverse_split_is_named_by_whole_shares() -> None:
    rows = [row(2, 1.0), row(3, 30.0, splitFactor=0.0333333333)]
    assert [str(split) for split in tiingo(Reply(json.dumps(rows).encode())).splits] == ["1-for-30"]


def test_a_refusal_never_names_the_key() -> None:
    for reply in (
        Reply(b'{"detail":"Error: Ticker \'X\' not found"}', 404),
        Reply(b'{"detail":"Invalid token."}', 401),
        Reply(b"<html>", 200),
        Reply(json.dumps(ROWS).encode(), keep=40),
        Reply(b'{"detail":"You have run over your limit."}', 200),
    ):
        with pytest.raises(ToolFailure) as caught:
            tiingo(reply)
        assert KEY not in str(caught.value)


def test_without_a_key_the_way_out_is_said() -> None:
    with pytest.raises(ConfigError, match="TIINGO_API_KEY"):
        Tiingo(http(), now, " ")
    with pytest.raises(ConfigError, match="FINANCIAL_DATASETS_API_KEY"):
        FinancialDatasets(http(), now, "")


def page(*days: int, after: str | None = None) -> Reply:
    rows = [
        {"time": f"2024-01-{day:02}T05:00:00Z", "open": 1, "high": 2, "low": 1, "close": day}
        for day in days
    ]
    return Reply(json.dumps({"ticker": "X", "prices": rows, "next_page_url": after}).encode())


def test_financial_datasets_gives_bars_of_all_pages_and_states_no_basis() -> None:
    replies = {PRICES: page(2, 3)}
    with serve(replies) as server:
        source = FinancialDatasets(http(), now, KEY, server.url)
        found = asyncio.run(source.history("X", START, END))
        assert server.asked[0].headers["X-API-KEY"] == KEY
    assert [bar.close for bar in found.bars] == [2, 3]
    assert (found.basis, found.dividends) == ("unstated", None)


def test_the_key_does_not_follow_a_next_page_to_another_server() -> None:
    with (
        serve({"/prices?page=2": page(4)}) as other,
        serve({PRICES: page(2, after=f"{other.url}/prices?page=2")}) as server,
    ):
        source = FinancialDatasets(http(), now, KEY, server.url)
        with pytest.raises(ToolFailure, match="another server"):
            asyncio.run(source.history("X", START, END))
        assert not other.asked


def test_a_next_page_on_the_same_server_is_read() -> None:
    replies = {PRICES: page(2, after="/prices?page=2"), "/prices?page=2": page(4)}
    with serve(replies) as server:
        source = FinancialDatasets(http(), now, KEY, server.url)
        found = asyncio.run(source.history("X", START, END))
        assert server.paths() == [PRICES, "/prices?page=2"]
    assert [bar.day.day for bar in found.bars] == [2, 4]
