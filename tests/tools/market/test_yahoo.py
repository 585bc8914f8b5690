"""Yahoo as a client meets it: recorded replies and real refusals, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest
from tests.loopback import Loopback, Reply, serve
from tests.tools.market.made import AAPL, BTC, NVDA, UNDATED, http, now, path, recorded

from tallybook.tools.failure import ToolFailure
from tallybook.tools.market.history import Bar, Dividend, History, Split
from tallybook.tools.market.yahoo import Yahoo, parse

START, END = date(2020, 8, 31), date(2020, 11, 6)
ASKED = path("AAPL", START, END)
JSON = {"Content-Type": "application/json;charset=utf-8"}
UNKNOWN = (
    b'{"chart":{"result":null,"error":{"code":"Not Found",'
    b'"description":"No data found, symbol may be delisted"}}}'
)


def ask(server: Loopback, symbol: str = "aapl", timeout: float = 5.0) -> History:
    source = Yahoo(http(timeout), now, server.url)
    return asyncio.run(source.history(symbol, START, END))


def refusal(replies: Reply | Sequence[Reply], timeout: float = 5.0) -> str:
    with serve({ASKED: replies}) as server, pytest.raises(ToolFailure) as caught:
        ask(server, timeout=timeout)
    return str(caught.value)


def read(name: str) -> History:
    return parse(recorded(name), "X", "https://query2.example", "now")


def chart(timestamps: list[int], closes: list[float | None], **meta: object) -> bytes:
    quote = dict.fromkeys(("open", "high", "low", "close", "volume"), closes)
    about = {"symbol": "X", "currency": "USD", "exchangeTimezoneName": "America/New_York", **meta}
    result = {"meta": about, "timestamp": timestamps, "indicators": {"quote": [quote]}}
    return json.dumps({"chart": {"result": [result], "error": None}}).encode()


def test_a_recorded_reply_is_read_exactly() -> None:
    with serve({ASKED: Reply(recorded(AAPL), headers=JSON)}) as server:
        found = ask(server)
    assert (found.symbol, found.name, found.currency) == ("AAPL", "Apple Inc.", "USD")
    assert (len(found.bars), found.basis) == (49, "split_adjusted")
    assert found.bars[0] == Bar(
        START,
        Decimal("129.04"),
        Decimal("127.58"),
        Decimal(131),
        Decimal(126),
        Decimal(225702700),
        Decimal("125.82674"),
    )
    assert found.bars[-1].day == END
    assert found.dividends == (Dividend(END, Decimal("0.205")),)
    assert found.splits == (Split(START, Decimal(4), Decimal(1)),)
    assert found.url == f"{server.url}/v8/finance/chart/AAPL"
    assert found.as_of == "2026-04-01T12:00:00Z"


def test_every_number_recorded_is_the_one_read() -> None:
    for name in (AAPL, NVDA, BTC):
        quote = json.loads(recorded(name))["chart"]["result"][0]["indicators"]["quote"][0]
        found = read(name)
        assert [float(bar.volume or 0) for bar in found.bars] == quote["volume"]
        for bar, close in zip(found.bars, quote["close"], strict=True):
            assert abs(float(bar.close) / close - 1) < 6e-8


def test_days_are_those_of_the_exchange() -> None:
    assert [bar.day.day for bar in read(BTC).bars] == [1, 2, 3]
    tokyo = chart([1767571200], [5.0], exchangeTimezoneName="Asia/Tokyo")
    assert parse(tokyo, "X", "https://q", "now").bars[0].day == date(2026, 1, 5)
    new_york = chart([1767571200], [5.0])
    assert parse(new_york, "X", "https://q", "now").bars[0].day == date(2026, 1, 4)
    offset = chart([1767571200], [5.0], exchangeTimezoneName="Nowhere/No", gmtoffset=-18000)
    assert parse(offset, "X", "https://q", "now").bars[0].day == date(2026, 1, 4)


def test_a_day_without_a_price_is_a_gap() -> None:
    found = parse(chart([1767623400, 1767709800], [None, 5.0]), "X", "https://q", "now")
    assert [bar.day for bar in found.bars] == [date(2026, 1, 6)]
    assert found.gaps == (date(2026, 1, 5),)


def test_the_session_going_on_is_partial_and_replaces_its_own_day() -> None:
    session = {"regular": {"start": 1767623400, "end": 1767646800}}
    live = chart(
        [1767623400, 1767630000],
        [5.0, 6.0],
        regularMarketTime=1767630000,
        currentTradingPeriod=session,
    )
    (bar,) = parse(live, "X", "https://q", "now").bars
    assert (bar.day, bar.close, bar.partial) == (date(2026, 1, 5), Decimal(6), True)
    over = chart([1767623400], [5.0], regularMarketTime=1767646800, currentTradingPeriod=session)
    assert not parse(over, "X", "https://q", "now").bars[0].partial


def test_pence_are_said_to_be_pence() -> None:
    found = parse(chart([1767623400], [5.0], currency="GBp"), "X", "https://q", "now")
    assert found.notes == ("Prices are in GBp, hundredths of GBP.",)


def test_prices_without_dates_are_refused() -> None:
    with pytest.raises(ToolFailure, match="no price can be dated"):
        read(UNDATED)


def test_no_prices_at_all_are_an_empty_history() -> None:
    body = (
        b'{"chart":{"result":[{"meta":{"symbol":"X"},"indicators":{"quote":[{}]}}],"error":null}}'
    )
    assert parse(body, "X", "https://q", "now").bars == ()


def test_an_unknown_symbol_is_said_to_be_unknown_or_delisted() -> None:
    assert "AAPL: the symbol is unknown or delisted" in refusal(Reply(UNKNOWN, 404, JSON))
    assert "AAPL: the symbol is unknown or delisted" in refusal(Reply(UNKNOWN, 200, JSON))


def test_dates_that_yahoo_does_not_have_are_said() -> None:
    body = b'{"chart":{"result":null,"error":{"code":"Bad Request","description":"no data"}}}'
    assert "from 2020-08-31 to 2020-11-06" in refusal(Reply(body, 400, JSON))
    assert "401" in refusal(Reply(body, 401, JSON))


def test_yahoos_own_reason_is_passed_on() -> None:
    body = b'{"chart":{"result":null,"error":{"code":"Bad Request","description":"Data gone"}}}'
    assert "Data gone" in refusal(Reply(body, 200, JSON))


def test_too_many_requests_are_waited_out() -> None:
    busy = Reply(b"Too Many Requests", 429, {"Retry-After": "0"})
    with serve({ASKED: [busy, Reply(recorded(AAPL), headers=JSON)]}) as server:
        assert len(ask(server).bars) == 49
        assert len(server.asked) == 2
    assert "429" in refusal(busy)


def test_a_web_page_a_torn_body_and_a_drip_are_refused() -> None:
    assert refusal(Reply(b"<!doctype html><p>consent", headers={"Content-Type": "text/html"}))
    assert refusal(Reply(recorded(AAPL), keep=5000))
    assert refusal(Reply(recorded(AAPL), drip=0.01), timeout=0.2)


def test_json_of_another_kind_is_refused() -> None:
    assert "something else than prices" in refusal(Reply(b'{"finance": {}}', headers=JSON))


def test_what_cannot_be_a_symbol_is_not_asked_for() -> None:
    with serve({}) as server:
        for text in ("", "../../etc", "NVDA?x=1", "N V D A"):
            with pytest.raises(ToolFailure, match="not a ticker symbol"):
                ask(server, text)
        assert not server.asked
