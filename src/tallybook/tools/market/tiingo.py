"""Prices from Tiingo, by key: as traded, with the cash paid and the split of each day beside."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from urllib.parse import quote

import msgspec

from tallybook.errors import ConfigError
from tallybook.tools.failure import ToolFailure
from tallybook.tools.http import Http, NotFound
from tallybook.tools.market.decode import day_of, decode, host, stamp, symbol_of
from tallybook.tools.market.history import Bar, Dividend, History, Split

TIINGO = "https://api.tiingo.com"

_ONE = Decimal(1)


class _Row(msgspec.Struct, frozen=True, rename="camel"):
    date: str
    close: Decimal | None
    open: Decimal | None = None
    high: Decimal | None = None
    low: Decimal | None = None
    volume: Decimal | None = None
    adj_close: Decimal | None = None
    div_cash: Decimal = Decimal(0)
    split_factor: Decimal = _ONE


class Tiingo:
    """Tiingo's end-of-day prices as a source; the key travels in a header only."""

    def __init__(
        self, http: Http, now: Callable[[], datetime], key: str, base_url: str = TIINGO
    ) -> None:
        if not key.strip():
            raise ConfigError("Tiingo needs a key: set TIINGO_API_KEY, or use Yahoo without one.")
        self._http = http
        self._now = now
        self._headers = {"Authorization": f"Token {key.strip()}"}
        self._base_url = base_url.rstrip("/")

    async def history(self, symbol: str, start: date, end: date) -> History:
        """Give the days from `start` to `end`, both included."""
        symbol = symbol_of(symbol)
        url = f"{self._base_url}/tiingo/daily/{quote(symbol.lower(), safe='')}/prices"
        params = {"startDate": str(start), "endDate": str(end), "format": "json"}
        try:
            body = await self._http.json(url, params=params, headers=self._headers)
        except NotFound as error:
            raise ToolFailure(
                f"Tiingo has no symbol {symbol}. Check it: share classes are written BRK-B."
            ) from error
        return parse(body, symbol, url, stamp(self._now()))


def parse(body: bytes, symbol: str, url: str, as_of: str) -> History:
    """Read end-of-day rows; a row without a close is a gap."""
    rows = decode(body, list[_Row], host(url))
    days = sorted(((day_of(row.date, "Tiingo"), row) for row in rows), key=lambda pair: pair[0])
    return History(
        symbol,
        "as_traded",
        tuple(
            Bar(day, row.close, row.open, row.high, row.low, row.volume, row.adj_close)
            for day, row in days
            if row.close is not None and row.close > 0
        ),
        f"Tiingo end-of-day prices ({host(url)})",
        url,
        as_of,
        "USD",
        dividends=tuple(Dividend(day, row.div_cash) for day, row in days if row.div_cash > 0),
        splits=tuple(
            Split(day, *_ratio(row.split_factor))
            for day, row in days
            if row.split_factor > 0 and row.split_factor != 1
        ),
        gaps=tuple(day for day, row in days if row.close is None or row.close <= 0),
    )


def _ratio(factor: Decimal) -> tuple[Decimal, Decimal]:
    """New and old shares; a reverse split comes as a fraction, 1-for-8 as 0.125."""
    if factor > 1:
        return factor, _ONE
    old = _ONE / factor
    whole = old.to_integral_value()
    return _ONE, whole if abs(old - whole) < Decimal("0.001") else old
