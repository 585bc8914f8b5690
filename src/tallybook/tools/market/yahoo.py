"""Prices from Yahoo's chart service: keyless, unofficial, and the default.

Its closes are adjusted for every split up to now, also those after the range asked for. Its
days are marked by the moment of opening, so the listing's own time zone says which day it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.http import Http, NotFound, Refused
from tallybook.tools.market.decode import decode, host, single, stamp, symbol_of
from tallybook.tools.market.history import Bar, Dividend, History, Split

YAHOO = "https://query2.finance.yahoo.com"

_PARTS = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ILA": "ILS"}

_NO_SUCH_DATES = 400

Numbers = list[Decimal | None]


class _Session(msgspec.Struct, frozen=True):
    start: int = 0
    end: int = 0


class _Sessions(msgspec.Struct, frozen=True):
    regular: _Session = _Session()


class _Meta(msgspec.Struct, frozen=True, rename="camel"):
    symbol: str
    currency: str | None = None
    long_name: str | None = None
    short_name: str | None = None
    gmtoffset: int = 0
    exchange_timezone_name: str | None = None
    regular_market_time: int | None = None
    current_trading_period: _Sessions = _Sessions()


class _Quote(msgspec.Struct, frozen=True):
    open: Numbers = []
    high: Numbers = []
    low: Numbers = []
    close: Numbers = []
    volume: Numbers = []


class _Adjusted(msgspec.Struct, frozen=True):
    adjclose: Numbers = []


class _Indicators(msgspec.Struct, frozen=True):
    quote: list[_Quote] = []
    adjclose: list[_Adjusted] = []


class _Paid(msgspec.Struct, frozen=True):
    amount: Decimal
    date: int
    currency: str | None = None


class _Split(msgspec.Struct, frozen=True):
    date: int
    numerator: Decimal
    denominator: Decimal


class _Events(msgspec.Struct, frozen=True):
    dividends: dict[str, _Paid] = {}
    capital_gains: dict[str, _Paid] = msgspec.field(name="capitalGains", default_factory=dict)
    splits: dict[str, _Split] = {}


class _Result(msgspec.Struct, frozen=True):
    meta: _Meta
    timestamp: list[int] = []
    indicators: _Indicators = _Indicators()
    events: _Events = _Events()


class _Error(msgspec.Struct, frozen=True):
    code: str = ""
    description: str = ""


class _Chart(msgspec.Struct, frozen=True):
    result: list[_Result] | None = None
    error: _Error | None = None


class _Reply(msgspec.Struct, frozen=True):
    chart: _Chart


class Yahoo:
    """Yahoo's chart service, or a mirror of it, as a source of prices."""

    def __init__(self, http: Http, now: Callable[[], datetime], base_url: str = YAHOO) -> None:
        self._http = http
        self._now = now
        self._base_url = base_url.rstrip("/")

    async def history(self, symbol: str, start: date, end: date) -> History:
        """Give the days from `start` to `end`; ex-dividend days and splits come with them."""
        symbol = symbol_of(symbol)
        url = f"{self._base_url}/v8/finance/chart/{quote(symbol, safe='')}"
        try:
            body = await self._http.json(url, params=_params(start, end))
        except NotFound as error:
            raise ToolFailure(_unknown(symbol)) from error
        except Refused as error:
            if error.status != _NO_SUCH_DATES:
                raise
            raise ToolFailure(
                f"Yahoo has no prices of {symbol} from {start} to {end} (400). Ask for other dates."
            ) from error
        found = parse(body, symbol, url, stamp(self._now()))
        return msgspec.structs.replace(
            found,
            bars=tuple(bar for bar in found.bars if start <= bar.day <= end),
            gaps=tuple(day for day in found.gaps if start <= day <= end),
        )


def parse(body: bytes, symbol: str, url: str, as_of: str) -> History:
    """Read a chart document; raise `ToolFailure` with Yahoo's own reason if it is a refusal."""
    chart = decode(body, _Reply, host(url)).chart
    if chart.error is not None:
        if chart.error.code == "Not Found":
            raise ToolFailure(_unknown(symbol))
        raise ToolFailure(
            f"Yahoo refused {symbol}: {chart.error.description or chart.error.code}. "
            "Ask for other dates or another symbol."
        )
    if not chart.result:
        raise ToolFailure(_unknown(symbol))
    result = chart.result[0]
    zone = _zone(result.meta)
    rows = tuple(_rows(result, zone))
    dividends, notes = _dividends(result, zone)
    meta = result.meta
    return History(
        meta.symbol,
        "split_adjusted",
        tuple({bar.day: bar for _, bar in rows if bar}.values()),
        f"Yahoo Finance chart ({host(url)})",
        url,
        as_of,
        meta.currency or "",
        meta.long_name or meta.short_name or "",
        dividends,
        tuple(
            Split(_day(split.date, zone), split.numerator, split.denominator)
            for split in sorted(result.events.splits.values(), key=lambda s: s.date)
            if split.numerator > 0 and split.denominator > 0
        ),
        tuple(day for day, bar in rows if bar is None),
        (*notes, *_pence(meta.currency)),
    )


def _params(start: date, end: date) -> dict[str, str]:
    """A day more at both ends: `end` is exclusive, and no time zone is known yet."""
    first = datetime.combine(start - timedelta(days=1), time(), UTC)
    after = datetime.combine(end + timedelta(days=2), time(), UTC)
    return {
        "period1": f"{first.timestamp():.0f}",
        "period2": f"{after.timestamp():.0f}",
        "interval": "1d",
        "events": "div,splits,capitalGains",
        "includePrePost": "false",
    }


def _rows(result: _Result, zone: tzinfo) -> Iterator[tuple[date, Bar | None]]:
    quotes = result.indicators.quote[0] if result.indicators.quote else _Quote()
    count = len(result.timestamp)
    if count == 0 and not quotes.close:
        return
    columns = [quotes.open, quotes.high, quotes.low, quotes.close, quotes.volume]
    if any(len(column) != count for column in columns):
        raise ToolFailure(
            f"Yahoo sent {len(quotes.close)} closes for {count} dates, so no price can be "
            "dated. Try again later, or use another price source."
        )
    adjusted = result.indicators.adjclose[0].adjclose if result.indicators.adjclose else []
    if len(adjusted) != count:
        adjusted = [None] * count
    live = _live(result.meta, zone)
    for at, moment in enumerate(result.timestamp):
        day = _day(moment, zone)
        yield day, _bar(day, quotes, adjusted, at, partial=day == live)


def _bar(
    day: date, quotes: _Quote, adjusted: Sequence[Decimal | None], at: int, *, partial: bool
) -> Bar | None:
    close = quotes.close[at]
    if close is None or close <= 0:
        return None
    return Bar(
        day,
        single(close),
        _single(quotes.open[at]),
        _single(quotes.high[at]),
        _single(quotes.low[at]),
        quotes.volume[at],
        _single(adjusted[at]),
        partial,
    )


def _live(meta: _Meta, zone: tzinfo) -> date | None:
    """The day whose session is going on by the document's own clock."""
    session, moment = meta.current_trading_period.regular, meta.regular_market_time
    if moment is None or not session.start <= moment < session.end:
        return None
    return _day(moment, zone)


def _dividends(result: _Result, zone: tzinfo) -> tuple[tuple[Dividend, ...], tuple[str, ...]]:
    """What was paid, funds' capital gains included; in another currency it is only noted."""
    events = result.events
    paid = sorted(
        (*events.dividends.values(), *events.capital_gains.values()), key=lambda p: p.date
    )
    own = result.meta.currency
    strange = [p for p in paid if p.currency is not None and p.currency != own]
    notes = tuple(
        f"A dividend of {p.amount} {p.currency} on {_day(p.date, zone)} is in another currency "
        "than the prices."
        for p in strange
    )
    kept = (p for p in paid if p not in strange and p.amount > 0)
    return tuple(Dividend(_day(p.date, zone), p.amount) for p in kept), notes


def _zone(meta: _Meta) -> tzinfo:
    """The exchange's zone by name, for summer time; else the offset the document was sent at."""
    try:
        return ZoneInfo(meta.exchange_timezone_name or "")
    except (ZoneInfoNotFoundError, ValueError):
        return timezone(timedelta(seconds=meta.gmtoffset))


def _day(moment: int, zone: tzinfo) -> date:
    return datetime.fromtimestamp(moment, zone).date()


def _single(value: Decimal | None) -> Decimal | None:
    return None if value is None else single(value)


def _pence(currency: str | None) -> tuple[str, ...]:
    whole = _PARTS.get(currency or "")
    return (f"Prices are in {currency}, hundredths of {whole}.",) if whole else ()


def _unknown(symbol: str) -> str:
    return (
        f"Yahoo has no prices of {symbol}: the symbol is unknown or delisted. Check it: share "
        "classes are written BRK-B, other exchanges as in VOD.L, indices as in ^GSPC."
    )
