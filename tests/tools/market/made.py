"""Histories, payloads and clocks for tests of market data."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from urllib.parse import urlencode

from hypothesis import strategies as st
from tests.shared_data import shared

from tallybook.tools.http import Http, Manners
from tallybook.tools.market.history import Bar, Basis, Dividend, History, Split

AAPL = "chart-AAPL-2020-08-31-to-2020-11-07.json"
NVDA = "historical-via-chart-NVDA-split-2021-02-01-to-2022-01-31.csv.json"
BTC = "chart-BTC-USD-2020-01-01-to-2020-01-03.json"
UNDATED = "chart-notimestamp-weird-quote.fake.json"

SPLITS = ((4, 1), (10, 1), (3, 2), (1, 8))


def now() -> datetime:
    return datetime(2026, 4, 1, 12, tzinfo=UTC)


def http(timeout: float = 5.0, tries: int = 2) -> Http:
    return Http(Manners(per_second=1000.0, timeout=timeout, tries=tries, pause=0.01, patience=1.0))


def recorded(name: str) -> bytes:
    """The body of a recorded reply, as Yahoo sent it."""
    document = json.loads(shared("prices", "yahoo", name).read_text())
    return json.dumps(document["response"]["bodyJson"]).encode()


def closes(symbol: str) -> list[tuple[str, Decimal]]:
    """The closes of a file of daily prices, read with nothing of ours."""
    with shared("prices", "daily", f"{symbol}.csv").open() as file:
        return [(row["Date"], Decimal(row["Close"])) for row in csv.DictReader(file)]


def path(symbol: str, start: date, end: date) -> str:
    """What Yahoo is asked for a range: a day more before, two after, for the zones."""
    day = datetime(1970, 1, 1).toordinal()
    first, after = ((d.toordinal() - day) * 86400 for d in (start, end))
    query: Mapping[str, str | int] = {
        "period1": first - 86400,
        "period2": after + 2 * 86400,
        "interval": "1d",
        "events": "div,splits,capitalGains",
        "includePrePost": "false",
    }
    return f"/v8/finance/chart/{symbol}?{urlencode(query)}"


class Given:
    """A source that has one history, whatever it is asked."""

    def __init__(self, history: History) -> None:
        self._history = history

    async def history(self, symbol: str, start: date, end: date) -> History:
        await asyncio.sleep(0)
        return self._history


def history(
    bars: list[Bar],
    basis: Basis = "split_adjusted",
    dividends: list[Dividend] | None = None,
    splits: list[Split] | None = None,
) -> History:
    paid = None if dividends is None else tuple(dividends)
    return History(
        "X", basis, tuple(bars), "made", "made:X", "now", "USD", "", paid, tuple(splits or ())
    )


def days(*closes: str, start: date = date(2026, 1, 5)) -> list[Bar]:
    """Bars of consecutive days; a Monday first."""
    return [Bar(start + timedelta(days=at), Decimal(c)) for at, c in enumerate(closes)]


_CENTS = st.integers(100, 1_000_000).map(lambda cents: Decimal(cents) / 100)


@st.composite
def traded(draw: st.DrawFn) -> History:
    """A split-adjusted history of weekdays with some dividends and some days missing."""
    prices = draw(st.lists(_CENTS, min_size=2, max_size=60))
    first = date(2024, 1, 1)
    weekdays = [d for n in range(200) if (d := first + timedelta(days=n)).weekday() < 5]
    kept = sorted(draw(st.permutations(weekdays[: len(prices) + 5]))[: len(prices)])
    paid = draw(st.lists(st.sampled_from(weekdays[: len(prices) + 5]), max_size=4, unique=True))
    return history(
        [
            Bar(day, price, price, price, price, Decimal(1000))
            for day, price in zip(kept, prices, strict=True)
        ],
        dividends=[Dividend(day, draw(_CENTS) / 100) for day in sorted(paid)],
    )
