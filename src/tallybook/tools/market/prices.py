"""`get_market_data`: prices and returns of one or more symbols over a range of dates.

The summary comes first, because it answers most questions; bars follow as one row per line, the
newest ones up to a limit, with the way to ask for the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.market import shown
from tallybook.tools.market.adjust import split_adjusted
from tallybook.tools.market.bars import Interval, Row, breaks, rows
from tallybook.tools.market.decode import symbol_of
from tallybook.tools.market.history import Bar, Basis, Dividend, History, PriceSource
from tallybook.tools.market.returns import Summary, summarize
from tallybook.tools.tool import Tool

NAME = "get_market_data"

MOST_SYMBOLS = 10
MOST_BARS = 250
USUAL_BARS = 20
MOST_DIVIDENDS = 40

_MOST_GAPS = 10
_USUAL_MOVE = Decimal("0.6")
_FIRST_DAY = date(1900, 1, 1)

_LEAD = timedelta(days=14)
"""Longer than exchanges close for a holiday, so that the close before a range is found."""

_LONG_BREAK = 6
"""Days between trading days that no weekend with a holiday explains."""

_FURTHEST_ZONE = timedelta(hours=14)


class MarketRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to get. `start` and `end` are both included; left out, it is the last year.

    `limit` is how many bars to show of each symbol, the newest, 0 to 250: the summary always
    covers the whole range.
    """

    symbols: tuple[str, ...]
    start: date | None = None
    end: date | None = None
    interval: Interval = "day"
    limit: int = USUAL_BARS


class Paid(msgspec.Struct, frozen=True):
    """A dividend per share by its ex-dividend day, on the basis of the closes."""

    ex_date: date
    dividend: Decimal


class Series(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer about one symbol. `prices` says on which basis closes and bars are.

    `gaps` says where prices are missing, `more` how to get what is not shown.
    """

    symbol: str
    currency: str
    summary: Summary
    prices: str
    source: str
    url: str
    as_of: str
    name: str = ""
    splits: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dividends: tuple[Paid, ...] = ()
    more: str = ""
    bars: tuple[Row, ...] = ()


class MarketData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer: `failures` are symbols of which nothing could be had, and what to do."""

    series: tuple[Series, ...]
    failures: tuple[str, ...] = ()


def market_tool(source: PriceSource, now: Callable[[], datetime]) -> Tool[MarketRequest]:
    """The tool over a source of prices; `now` is an aware clock, and says what is the future."""

    async def run(request: MarketRequest) -> str:
        return to_json(await get_market_data(request, source, now()))

    return Tool(NAME, DESCRIPTION, MarketRequest, run)


async def get_market_data(request: MarketRequest, source: PriceSource, now: datetime) -> MarketData:
    """Answer a request; raise `ToolFailure` when it is wrong, or not one symbol can be had."""
    start, end = _range(request, now)
    symbols = _symbols(request)
    found = await asyncio.gather(*(_one(source, s, request, start, end) for s in symbols))
    series = tuple(one for one in found if isinstance(one, Series))
    failures = tuple(str(one) for one in found if isinstance(one, ToolFailure))
    if not series:
        raise ToolFailure(" ".join(dict.fromkeys(failures)))
    return MarketData(series, failures)


def to_json(result: MarketData) -> str:
    """Write a result as JSON with one row per line, so that a page of it holds whole rows."""
    text = _ENCODER.encode(result).decode()
    for head in ('{"symbol":', '"summary":', '"prices":', '{"date":', '{"ex_date":'):
        text = text.replace(head, "\n" + head)
    return text


DESCRIPTION = f"""\
Share prices and returns over a range of dates, for up to {MOST_SYMBOLS} symbols at once (Yahoo's
spelling: NVDA, BRK-B, ^GSPC, VOD.L). The summary covers the whole range: price return (dividends
left out) and total return (dividends reinvested), in per cent, with formulas, from the last
close on or before `start` to the last one on or before `end`; so for a calendar year begin on
31 December. `prices` says whether closes are adjusted for splits and dividends. Bars (day, week
or month) are the newest `limit` (0 for none, at most {MOST_BARS}); `more` says how to get others.
`missing` and `gaps` say what is not known: do not fill it with a guess.
"""

_ENCODER = msgspec.json.Encoder(decimal_format="number")

_BASES: dict[Basis, str] = {
    "as_traded": "as traded",
    "split_adjusted": "adjusted for splits, not for dividends: before a split, the price traded "
    "was another",
    "adjusted": "adjusted for splits and dividends: not what was paid at the time",
    "unstated": "the source does not say whether they are adjusted for splits or dividends",
}


def _symbols(request: MarketRequest) -> tuple[str, ...]:
    if not 1 <= len(request.symbols) <= MOST_SYMBOLS:
        raise ToolFailure(f"Name 1 to {MOST_SYMBOLS} symbols, such as NVDA.")
    return tuple(dict.fromkeys(symbol_of(symbol) for symbol in request.symbols))


def _range(request: MarketRequest, now: datetime) -> tuple[date, date]:
    """The dates asked for; a day is the future only where it has begun nowhere on earth."""
    today, latest = now.date(), (now.astimezone(UTC) + _FURTHEST_ZONE).date()
    end = request.end or max(today, request.start or today)
    start = request.start or _year_before(end)
    if not 0 <= request.limit <= MOST_BARS:
        raise ToolFailure(f"limit is {request.limit}; ask for 0 to {MOST_BARS} bars.")
    for name, day in (("start", start), ("end", end)):
        if day > latest:
            raise ToolFailure(f"{name} {day} is in the future: today is {today}. Ask up to today.")
        if day < _FIRST_DAY:
            raise ToolFailure(f"{name} {day} is before any price. Ask from {_FIRST_DAY} on.")
    if start > end:
        raise ToolFailure(f"start {start} is after end {end}; swap them.")
    return start, end


def _year_before(day: date) -> date:
    return day - timedelta(days=365)


async def _one(
    source: PriceSource, symbol: str, request: MarketRequest, start: date, end: date
) -> Series | ToolFailure:
    try:
        history = split_adjusted(await source.history(symbol, start - _LEAD, end))
        return _series(history, request, start, end)
    except ToolFailure as failure:
        return failure


def _series(history: History, request: MarketRequest, start: date, end: date) -> Series:
    days = [bar for bar in history.bars if start <= bar.day <= end]
    if not days:
        raise ToolFailure(_nothing(history, start, end))
    base = [bar for bar in history.bars if bar.day <= start][-1:]
    held = [*base, *(bar for bar in days if not base or bar.day > base[0].day)]
    every = rows(history.bars, request.interval, start, end)
    shown_bars = every[len(every) - request.limit :] if request.limit else ()
    paid = [d for d in history.dividends or () if start <= d.day <= end]
    return Series(
        history.symbol,
        history.currency,
        summarize(history, held, days),
        _BASES[history.basis],
        history.source,
        history.url,
        history.as_of,
        history.name,
        tuple(f"{s.day}: {s}" for s in history.splits if start <= s.day <= end),
        tuple(_gaps(history, held, start)),
        (*history.notes, *_jumps(history, held), *_notes(held, start, end)),
        tuple(Paid(d.day, shown.price(d.amount)) for d in paid[-MOST_DIVIDENDS:]),
        " ".join((*_more_bars(every, shown_bars), *_more_dividends(paid))),
        shown_bars,
    )


def _nothing(history: History, start: date, end: date) -> str:
    before = f"; the last close before is of {history.bars[-1].day}" if history.bars else ""
    notes = "".join(f" {note}" for note in history.notes)
    return (
        f"{history.symbol} has no price from {start} to {end} in {history.source}{before}: a "
        f"weekend, a holiday, or before or after it was listed.{notes} Ask for other dates."
    )


def _gaps(history: History, held: Sequence[Bar], start: date) -> Iterator[str]:
    days = [day for day in history.gaps if day >= start]
    if days:
        more = f" and {len(days) - _MOST_GAPS} more" if len(days) > _MOST_GAPS else ""
        yield f"no positive price on {', '.join(map(str, days[:_MOST_GAPS]))}{more}"
    for one, other in breaks(held, _LONG_BREAK):
        yield f"no trading day between {one} and {other}"


def _notes(held: Sequence[Bar], start: date, end: date) -> Iterator[str]:
    if held[0].day > start:
        yield f"The first price there is of this range is of {held[0].day}, after its start."
    if (end - held[-1].day).days > _LONG_BREAK:
        yield f"The last price there is of this range is of {held[-1].day}, before its end."
    if held[-1].partial:
        yield f"The session of {held[-1].day} is not over: its close is the latest price."


def _jumps(history: History, held: Sequence[Bar]) -> Iterator[str]:
    """Days on which a split might explain the move, where no basis is stated."""
    if history.basis != "unstated":
        return
    for one, other in pairwise(held):
        if not _USUAL_MOVE < other.close / one.close < 1 / _USUAL_MOVE:
            yield (
                f"The close went from {shown.price(one.close)} to {shown.price(other.close)} on "
                f"{other.day}: perhaps a split that the closes are not adjusted for."
            )


def _more_bars(every: Sequence[Row], given: Sequence[Row]) -> Iterator[str]:
    hidden = len(every) - len(given)
    if not hidden:
        return
    if not given:
        yield f"{hidden} bars are not shown: set limit, up to {MOST_BARS}."
        return
    before = every[hidden - 1].date
    yield (
        f"{hidden} earlier bars are not shown: set end to {before}, limit up to {MOST_BARS}, or "
        "interval to week or month."
    )


def _more_dividends(paid: Sequence[Dividend]) -> Iterator[str]:
    if len(paid) > MOST_DIVIDENDS:
        yield f"{len(paid) - MOST_DIVIDENDS} earlier dividends are not shown: set an earlier end."
