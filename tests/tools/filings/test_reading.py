"""One section of one filing, over real HTTP from a server on this machine."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.loopback import Loopback, Reply, serve
from tests.tools.filings.made import (
    FOLDER,
    PRESS,
    edgar,
    filings,
    heading,
    index,
    recorded,
    refusal,
    submissions,
)
from tests.tools.filings.test_sgml import SMALL

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.reading import Reader, ReadRequest, read_filings_tool

pytest.importorskip("selectolax", reason="the extra `finance` is not installed")

ANNUAL_PATH = f"{FOLDER}/000000007725000001/annual.htm"
PRESS_FOLDER = f"{FOLDER}/000000007725000009"
PRESS_INDEX = f"{PRESS_FOLDER}/{PRESS}-index.htm"


def told(server: Loopback, **arguments: object) -> str:
    tool = read_filings_tool(filings(server))
    return asyncio.run(tool.call({"company": "WREN", **arguments}))


def test_a_section_comes_with_where_it_stands() -> None:
    with serve(edgar()) as server:
        head, _, text = told(server, section="risk factors").partition("\n\n")
        agent = server.asked[0].headers["User-Agent"]
    assert agent == "Ada Wren ada@example.com"
    assert json.loads(head) == {
        "company": "Wren & Co",
        "form": "10-K",
        "filed": "2025-02-20",
        "period": "2024-12-31",
        "accession": "0000000077-25-000001",
        "url": server.url + ANNUAL_PATH,
        "section": "Item 1A. Risk Factors",
        "characters": len(text) + 1,
        "total": len(text) + 1,
    }
    assert text.startswith("## Item 1A. Risk Factors")
    assert "we cannot keep it away" in text
    assert "PART II" not in text


def test_without_a_section_there_are_the_contents_and_the_exhibits() -> None:
    pages = {PRESS_INDEX: Reply(index(("EX-99.1", "release.htm", "Press release")))}
    with serve(edgar(pages)) as server:
        read = json.loads(told(server, accession=PRESS))
    assert list(read["contents"]) == [
        "Item 2.02. Results of Operations and Financial Condition",
        "Item 9.01. Financial Statements and Exhibits",
    ]
    assert read["exhibits"] == {"EX-99.1": "Press release"}
    assert read["form"] == "8-K"


def test_an_exhibit_is_found_through_the_filings_index() -> None:
    pages = {
        PRESS_INDEX: Reply(
            index(("8-K", f"/ix?doc={PRESS_FOLDER}/news.htm", ""), ("EX-99.1", "release.htm", ""))
        ),
        f"{PRESS_FOLDER}/release.htm": Reply(b"<html><p>Nests are up 12%.</p></html>"),
    }
    with serve(edgar(pages)) as server:
        text = told(server, form="8-K", section="ex-99.1")
        assert "Nests are up 12%." in text
        assert f"{PRESS_FOLDER}/release.htm" in text
        with pytest.raises(ToolFailure, match=r"no EX-10\.1; it has EX-99\.1"):
            told(server, form="8-K", section="EX-10.1")


def test_pages_go_on_where_the_last_one_ended_and_the_document_is_read_once() -> None:
    long = "<html>" + heading("Item 1. Business") + "<p>A nest is a home.</p>" * 200 + "</html>"

    async def all_pages(server: Loopback) -> tuple[str, int]:
        reader, offset, text = Reader(filings(server)), 0, ""
        while True:
            read = await reader.read(
                ReadRequest("WREN", section="Item 1", offset=offset, limit=700)
            )
            text += read.text + ("\n" if read.more else "")
            offset += read.characters
            if not read.more:
                return text, read.total
            assert f"offset={offset}" in read.more

    with serve(edgar({ANNUAL_PATH: Reply(long.encode())})) as server:
        text, total = asyncio.run(all_pages(server))
        assert server.paths().count(ANNUAL_PATH) == 1
    assert text.count("A nest is a home.") == 200
    assert len(text) + 1 == total


def test_an_older_filing_is_found_on_the_older_pages_of_the_index() -> None:
    old = f"{FOLDER}/000000007710000001/old.txt"
    with serve(
        edgar({old: Reply(b"ITEM 1. BUSINESS\n\nNests of straw.\n\nITEM 2. PLACE")})
    ) as server:
        text = told(server, period="2009-12-31", section="Item 1")
    assert text.endswith("Nests of straw.\n")


def test_a_filing_without_a_named_document_is_read_from_its_submission() -> None:
    number = "0000000077-25-000009"
    index_page = submissions([("10-K", "2001-03-01", "2000-12-31", number, "", "")])
    pages = {
        "/submissions/CIK0000000077.json": Reply(index_page),
        f"{PRESS_FOLDER}/{number}.txt": Reply(SMALL.encode()),
    }
    with serve(edgar(pages)) as server:
        assert told(server, section="Item 1").endswith("ITEM 1. BUSINESS\n\nNests.\n")


def test_a_wrong_request_says_what_there_is() -> None:
    with serve(edgar()) as server:
        wrong: list[tuple[dict[str, object], str]] = [
            ({"form": "20-F"}, "has no 20-F"),
            ({"section": "Item 12"}, "Leave section out for the contents"),
            ({"section": "Weathr"}, "Near it: Weather"),
            ({"accession": "12"}, "is no accession number"),
            ({"accession": "0000000077-99-000001"}, "has no filing"),
            ({"limit": 10}, "limit is 10"),
            ({"offset": -1}, "begins with 0"),
            ({"section": "Item 1", "offset": 9999}, "beyond its end"),
            ({"sections": "Item 1"}, "unknown field"),
        ]
        for arguments, words in wrong:
            with pytest.raises(ToolFailure, match=words):
                told(server, **arguments)


def test_what_is_worth_it_is_asked_again() -> None:
    page = (Reply(b"<html><p>Item 1. Business</p><p>Nests</p></html>"),)
    for first in (
        Reply(b"busy", 429, {"Retry-After": "0"}),
        Reply(b"<html>" + b"x" * 4000, keep=100),
        Reply(b"down", 503),
    ):
        with serve(edgar({ANNUAL_PATH: [first, *page]})) as server:
            assert "Nests" in told(server, section="all")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(b"<html>Undeclared Automated Tool</html>"), "name and an e-mail address"),
        (Reply(b"<html>" + b"x" * 4000, keep=100), "could not be read"),
        (Reply(b"no", 404), "does not exist"),
        (Reply(b"no", 429, {"Retry-After": "900"}), "asks to wait 900 s"),
        (Reply(b"", 302, {"Location": "http://169.254.169.254/x"}), "is now at"),
        (Reply(b"<html>slow</html>", drip=0.5), "did not answer in full"),
    ],
)
def test_what_is_not_fails_with_what_to_do(reply: Reply, words: str) -> None:
    with serve(edgar({ANNUAL_PATH: reply})) as server:
        tool = read_filings_tool(filings(server, timeout=0.6))
        with pytest.raises(ToolFailure, match=words):
            asyncio.run(tool.call({"company": "WREN", "section": "Item 1"}))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("403_2.txt", "name and an e-mail address"),
        ("404_4.txt", "no filer with CIK 77"),
        ("503_1.txt", "is unavailable"),
        ("503_3.txt", "is unavailable"),
    ],
)
def test_the_secs_own_refusals_are_understood(name: str, words: str) -> None:
    with (
        serve(edgar({"/submissions/CIK0000000077.json": refusal(name)})) as server,
        pytest.raises(ToolFailure, match=words),
    ):
        told(server)


def test_a_web_page_in_place_of_the_index_is_refused() -> None:
    page = Reply(b"<!DOCTYPE html><html>sign in</html>")
    with (
        serve(edgar({"/submissions/CIK0000000077.json": page})) as server,
        pytest.raises(ToolFailure, match="a web page instead of JSON"),
    ):
        told(server)


def test_a_recorded_report_is_read_whole_over_http() -> None:
    index_page = recorded("submissions", "CIK0001045810.json.gz")
    tickers: dict[str, Any] = {"0": {"cik_str": 1045810, "ticker": "NVDA", "title": "NVIDIA"}}
    path = "/Archives/edgar/data/1045810/000104581025000023/nvda-20250126.htm"
    with serve(
        {
            "/files/company_tickers.json": Reply(json.dumps(tickers).encode()),
            "/submissions/CIK0001045810.json": Reply(index_page),
            path: Reply(recorded("filings", "NVDA_10-K_2025-02-26.html.gz")),
        }
    ) as server:
        tool = read_filings_tool(filings(server, timeout=20))
        arguments = {"company": "NVDA", "period": "2025-01-31", "section": "Segment Information"}
        text = asyncio.run(tool.call(arguments))
    assert '"accession":"0001045810-25-000023"' in text
    assert '"section":"Note 16. Segment Information"' in text
    assert "| Revenue | $116,193 | $14,304 | $— | $130,497 |" in text
