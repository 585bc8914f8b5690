"""Prices from financialdatasets.ai, by key: bars alone.

The service gives neither dividends nor splits, nor does it say whether its closes are adjusted
for them, so a result says that too, and no total return is computed from it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from urllib.parse import urljoin, urlsplit

import msgspec

from tallybook.errors import ConfigError
from tallybook.tools.failure import ToolFailure
from tallybook.tools.http import Http, NotFound
from tallybook.tools.market.decode import day_of, decode, host, stamp, symbol_of
from tallybook.tools.market.history import Bar, History

FINANCIAL_DATASETS = "https://api.financialdatasets.ai"

MOST_PAGES = 10


class _Row(msgspec.Struct, frozen=True):
    time: str
    close: Decimal | None
    open: Decimal | None = None
    high: Decimal | None = None
    low: Decimal | None = None
    volume: Decimal | None = None


class _Page(msgspec.Struct, frozen=True):
    prices: list[_Row]
    next_page_url: str | None = None


class FinancialDatasets:
    """The daily prices of financialdatasets.ai; the key travels in a header only."""

    def __init__(
        self, http: Http, now: Callable[[], datetime], key: str, base_url: str = FINANCIAL_DATASETS
    ) -> None:
        if not key.strip():
            raise ConfigError(
                "financialdatasets.ai needs a key: set FINANCIAL_DATASETS_API_KEY, or use Yahoo "
                "without one."
            )
        self._http = http
        self._now = now
        self._headers = {"X-API-KEY": key.strip()}
        self._base_url = base_url.rstrip("/")

    async def history(self, symbol: str, start: date, end: date) -> History:
        """Give the days from `start` to `end`, from as many pages as there are, 10 at most."""
        symbol = symbol_of(symbol)
        url = f"{self._base_url}/prices"
        rows: list[_Row] = []
        for _ in range(MOST_PAGES):
            page = await self._page(url, symbol, start, end, first=not rows)
            rows += page.prices
            if not page.prices or not page.next_page_url:
                return _history(rows, symbol, f"{self._base_url}/prices", stamp(self._now()))
            url = self._ours(page.next_page_url)
        raise ToolFailure(
            f"financialdatasets.ai has more than {MOST_PAGES} pages of {symbol}. Ask for a "
            "shorter range."
        )

    async def _page(self, url: str, symbol: str, start: date, end: date, *, first: bool) -> _Page:
        params = {
            "ticker": symbol,
            "interval": "day",
            "interval_multiplier": "1",
            "start_date": str(start),
            "end_date": str(end),
        }
        try:
            body = await self._http.json(
                url, params=params if first else None, headers=self._headers
            )
        except NotFound as error:
            raise ToolFailure(
                f"financialdatasets.ai has no prices of {symbol}. Check the symbol."
            ) from error
        return decode(body, _Page, host(self._base_url))

    def _ours(self, url: str) -> str:
        """Refuse to carry the key to another server."""
        url = urljoin(f"{self._base_url}/", url)
        if urlsplit(url)[:2] != urlsplit(self._base_url)[:2]:
            raise ToolFailure(
                "financialdatasets.ai named a next page on another server, where the key must "
                "not go. Ask for a shorter range."
            )
        return url


def _history(rows: list[_Row], symbol: str, url: str, as_of: str) -> History:
    days = {day_of(row.time, "financialdatasets.ai"): row for row in rows}
    return History(
        symbol,
        "unstated",
        tuple(
            Bar(day, row.close, row.open, row.high, row.low, row.volume)
            for day, row in sorted(days.items())
            if row.close is not None and row.close > 0
        ),
        f"financialdatasets.ai prices ({host(url)})",
        url,
        as_of,
        "USD",
        gaps=tuple(day for day, row in sorted(days.items()) if row.close is None or row.close <= 0),
    )
