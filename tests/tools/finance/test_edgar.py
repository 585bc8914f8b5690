"""EDGAR as a client meets it: over real HTTP, with its real refusals."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from datetime import timedelta
from pathlib import Path

import pytest
from tests.loopback import Loopback, Reply, serve
from tests.shared_data import shared

from tallybook.errors import ConfigError
from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.edgar import Edgar, EdgarOptions
from tallybook.tools.finance.financials import (
    Financials,
    FinancialsRequest,
    get_financials,
    to_json,
)
from tallybook.tools.http import Manners

TICKERS = "/files/company_tickers.json"
NVDA = "/api/xbrl/companyfacts/CIK0001045810.json"
AAPL = "/api/xbrl/companyfacts/CIK0000320193.json"

LISTED = Reply(
    json.dumps(
        {
            "0": {"cik_str": 1045810, "ticker": "NVDA", "title": "NVIDIA CORP"},
            "1": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."},
            "2": {"cik_str": 1652044, "ticker": "GOOGL", "title": "Alphabet Inc."},
            "3": {"cik_str": 1652044, "ticker": "GOOG", "title": "Alphabet Inc."},
            "4": {"cik_str": 1046179, "ticker": "TSM", "title": "TAIWAN SEMICONDUCTOR CO LTD"},
        }
    ).encode()
)


def facts_document(value: int = 100) -> bytes:
    """A company with one fiscal year of revenue, in EDGAR's own form."""
    fact = {
        "start": "2024-01-01",
        "end": "2024-12-31",
        "val": value,
        "accn": "0000000001-25-000001",
        "fy": 2024,
        "fp": "FY",
        "form": "10-K",
        "filed": "2025-02-01",
    }
    tags = {"Revenues": {"label": "Revenues", "units": {"USD": [fact]}}}
    return json.dumps({"cik": 1, "entityName": "Some Corp", "facts": {"us-gaap": tags}}).encode()


WHOLE = Reply(facts_document())


QUICK = Manners(per_second=1000.0, timeout=5.0, pause=0.01)


def edgar(server: Loopback, cache: Path | None = None, manners: Manners = QUICK) -> Edgar:
    return Edgar(
        EdgarOptions("Test test@example.com", server.url, server.url, cache, manners=manners)
    )


def ask(source: Edgar, *tickers: str, period: str = "annual") -> Financials:
    assert period in ("annual", "quarterly")
    request = FinancialsRequest(
        tickers, items=("revenue",), period="annual" if period == "annual" else "quarterly"
    )
    return asyncio.run(get_financials(request, source))


def refusal(name: str) -> Reply:
    """A real answer of the SEC, recorded with its headers."""
    head, _, body = shared("sec", "errors", name).read_text().partition("\n\n")
    lines = head.splitlines()
    headers = dict(line.split(": ", 1) for line in lines[2:])
    skipped = {"content-length", "connection", "date", "server", "content-encoding"}
    kept = {k: v for k, v in headers.items() if k.lower() not in skipped}
    return Reply(body.encode(), int(lines[1].rpartition(" ")[2]), kept)


def failure(replies: dict[str, Reply], ticker: str = "NVDA", manners: Manners = QUICK) -> str:
    with serve({TICKERS: LISTED, **replies}) as server, pytest.raises(ToolFailure) as raised:
        ask(edgar(server, manners=manners), ticker)
    return str(raised.value)


def test_recorded_company_facts_come_through_with_their_filings() -> None:
    body = gzip.decompress(shared("sec", "companyfacts", "CIK0001045810_NVDA.json.gz").read_bytes())
    tickers = gzip.decompress(shared("sec", "company_tickers.json.gz").read_bytes())
    with serve({TICKERS: Reply(tickers), NVDA: Reply(body)}) as server:
        result = ask(edgar(server), "nvidia", period="quarterly")
    (company,) = result.companies
    newest = company.items["revenue"][0]
    assert (newest.period, newest.value) == ("Q1 FY2027", 81_615_000_000)
    filing = company.filings[newest.filings[0]]
    assert filing.url.startswith("https://www.sec.gov/Archives/edgar/data/1045810/")
    assert server.url.partition("://")[2] in result.source


def test_the_identity_is_sent_as_user_agent() -> None:
    with serve({TICKERS: LISTED, NVDA: WHOLE}) as server:
        ask(edgar(server), "NVDA")
    assert {request.headers["User-Agent"] for request in server.asked} == {"Test test@example.com"}


def test_the_sec_itself_is_not_asked_without_an_identity() -> None:
    with pytest.raises(ToolFailure, match="Set an EDGAR identity"):
        ask(Edgar(EdgarOptions()), "NVDA")


def test_a_real_403_says_to_check_the_identity() -> None:
    assert "identity" in failure({NVDA: refusal("403_2.txt")})


def test_a_real_404_says_that_there_are_no_facts() -> None:
    text = failure({NVDA: refusal("404_4.txt")})
    assert "no company facts of NVDA (NVIDIA CORP)" in text


@pytest.mark.parametrize("name", ["503_1.txt", "503_3.txt"])
def test_a_real_503_is_asked_again_and_then_said(name: str) -> None:
    with serve({TICKERS: LISTED, NVDA: refusal(name)}) as server:
        with pytest.raises(ToolFailure, match=r"unavailable \(503\). Try again in some minutes"):
            ask(edgar(server), "NVDA")
        assert server.paths().count(NVDA) == 3


def test_a_503_that_passes_is_not_seen() -> None:
    with serve({TICKERS: LISTED, NVDA: [Reply(b"", 503), WHOLE]}) as server:
        assert ask(edgar(server), "NVDA").companies[0].items["revenue"][0].value == 100


def test_a_429_is_waited_for_as_long_as_it_asks() -> None:
    busy = Reply(b"slow down", 429, {"Retry-After": "1"})
    with serve({TICKERS: LISTED, NVDA: [busy, WHOLE]}) as server:
        ask(edgar(server), "NVDA")
    first, second = (request.at for request in server.asked if request.path == NVDA)
    assert second - first >= 0.99


def test_a_429_that_asks_for_too_long_fails_at_once() -> None:
    busy = Reply(b"slow down", 429, {"Retry-After": "600"})
    with serve({TICKERS: LISTED, NVDA: busy}) as server:
        with pytest.raises(ToolFailure, match="asks to wait 600 s"):
            ask(edgar(server), "NVDA")
        assert server.paths().count(NVDA) == 1


def test_a_truncated_body_is_asked_again() -> None:
    cut = Reply(WHOLE.body, keep=40)
    with serve({TICKERS: LISTED, NVDA: [cut, WHOLE]}) as server:
        assert ask(edgar(server), "NVDA").companies
    assert "could not be read" in failure({NVDA: cut})


def test_a_document_that_stops_half_way_is_never_taken_for_whole() -> None:
    half = Reply(WHOLE.body[: len(WHOLE.body) // 2])
    assert "incomplete document" in failure({NVDA: half})


def test_a_web_page_with_status_200_is_not_json() -> None:
    page = Reply(b"<!DOCTYPE html><html>Please wait</html>", 200, {"Content-Type": "text/html"})
    assert "web page instead of JSON" in failure({NVDA: page})


def test_a_server_that_drips_is_left_after_the_timeout() -> None:
    drip = Reply(WHOLE.body, drip=0.05)
    assert "did not answer in full within 0.3 s" in failure(
        {NVDA: drip}, manners=Manners(timeout=0.3, tries=1)
    )


def test_a_closed_port_says_to_check_the_network() -> None:
    with serve({}) as server:
        gone = edgar(server, manners=Manners(tries=1))
    with pytest.raises(ToolFailure, match="Check the network"):
        ask(gone, "NVDA")


def test_another_document_than_company_facts_is_said_to_be_one() -> None:
    assert "not a whole company facts document" in failure({NVDA: Reply(b'{"hello": 1}')})


def test_an_unknown_ticker_names_the_close_ones() -> None:
    assert "NVDA (NVIDIA CORP)" in failure({}, "NVDIA")


def test_an_ifrs_filer_is_told_from_one_without_facts() -> None:
    body = json.dumps({"entityName": "TSMC", "facts": {"ifrs-full": {"Revenue": {}}}}).encode()
    tsm = "/api/xbrl/companyfacts/CIK0001046179.json"
    assert "IFRS" in failure({tsm: Reply(body)}, "TSM")


def test_a_company_that_fails_does_not_take_the_others_with_it() -> None:
    with serve({TICKERS: LISTED, NVDA: WHOLE, AAPL: Reply(b"", 404)}) as server:
        result = ask(edgar(server), "NVDA", "AAPL")
    assert [company.ticker for company in result.companies] == ["NVDA"]
    assert "AAPL" in result.failures[0]
    assert '"failures":["EDGAR has no company facts of AAPL' in to_json(result)


def test_a_cached_document_is_not_asked_for_again(tmp_path: Path) -> None:
    with serve({TICKERS: LISTED, NVDA: WHOLE}) as server:
        first = ask(edgar(server, tmp_path), "NVDA")
        second = ask(edgar(server, tmp_path), "NVDA")
        assert first == second
        assert server.paths() == [TICKERS, NVDA]
    assert not list(tmp_path.rglob(".*"))


def test_an_old_or_broken_copy_is_fetched_anew(tmp_path: Path) -> None:
    with serve({TICKERS: LISTED, NVDA: [WHOLE, Reply(facts_document(200))]}) as server:
        ask(edgar(server, tmp_path), "NVDA")
        (copy,) = tmp_path.rglob("CIK*.json")
        old = copy.stat().st_mtime - timedelta(days=2).total_seconds()
        os.utime(copy, (old, old))
        assert ask(edgar(server, tmp_path), "NVDA").companies[0].items["revenue"][0].value == 200
        copy.write_bytes(b'{"facts": ')
        assert ask(edgar(server, tmp_path), "NVDA").companies
        assert server.paths().count(NVDA) == 3


def test_a_refusal_is_not_cached(tmp_path: Path) -> None:
    with serve({TICKERS: LISTED, NVDA: [Reply(b"<html>", 200), WHOLE]}) as server:
        with pytest.raises(ToolFailure):
            ask(edgar(server, tmp_path), "NVDA")
        assert ask(edgar(server, tmp_path), "NVDA").companies


def test_a_cache_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with serve({TICKERS: LISTED, NVDA: WHOLE}) as server:
        assert ask(edgar(server, blocked), "NVDA").companies


def test_requests_keep_their_distance() -> None:
    with serve({TICKERS: LISTED, NVDA: WHOLE, AAPL: WHOLE}) as server:
        ask(edgar(server, manners=Manners(per_second=10.0)), "NVDA", "AAPL", "NVDA", "AAPL")
    times = sorted(request.at for request in server.asked)
    assert len(times) == 5
    assert times[-1] - times[0] >= 0.35


@pytest.mark.parametrize(
    "options",
    [EdgarOptions(facts_url="data.sec.gov"), EdgarOptions("Jane jane@example.com\r\nX: y")],
)
def test_a_wrong_setting_is_refused_before_anything_is_sent(options: EdgarOptions) -> None:
    with pytest.raises(ConfigError):
        Edgar(options)


def test_an_identity_may_be_written_in_any_script() -> None:
    with serve({TICKERS: LISTED, NVDA: WHOLE}) as server:
        options = EdgarOptions("José 王 j@example.com", server.url, server.url, manners=QUICK)
        assert ask(Edgar(options), "NVDA").companies


def test_a_retry_after_may_be_a_date_or_nonsense() -> None:
    for value in ("Wed, 21 Oct 2015 07:28:00 GMT", "soon", ""):
        busy = Reply(b"", 429, {"Retry-After": value})
        with serve({TICKERS: LISTED, NVDA: [busy, WHOLE]}) as server:
            assert ask(edgar(server), "NVDA").companies


def test_a_redirect_to_another_host_is_told_and_not_followed() -> None:
    moved = Reply(b"", 302, {"Location": "http://169.254.169.254/"})
    assert "is now at http://169.254.169.254/" in failure({NVDA: moved})


def test_a_password_in_an_address_is_neither_shown_nor_kept(tmp_path: Path) -> None:
    with serve({TICKERS: LISTED, NVDA: [Reply(b"<html>"), WHOLE]}) as server:
        secret = server.url.replace("://", "://me:hunter2@")
        source = Edgar(EdgarOptions("", secret, secret, tmp_path, manners=QUICK))
        with pytest.raises(ToolFailure) as raised:
            ask(source, "NVDA")
        found = ask(source, "NVDA")
    kept = " ".join(str(path) for path in tmp_path.rglob("*"))
    assert "hunter2" not in str(raised.value) + to_json(found) + kept
