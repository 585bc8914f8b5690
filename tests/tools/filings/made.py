"""Small filings of our own wording, and an EDGAR on this machine that serves them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence

from tests.loopback import Loopback, Reply
from tests.shared_data import shared

from tallybook.tools.filings.source import Filings, FilingsOptions
from tallybook.tools.http import Http, Manners

CIK = 77
FOLDER = f"/Archives/edgar/data/{CIK}"
ANNUAL = "0000000077-25-000001"
PRESS = "0000000077-25-000009"

Row = tuple[str, str, str, str, str, str]

RECENT: Sequence[Row] = (
    ("8-K", "2025-05-02", "2025-05-02", PRESS, "news.htm", "2.02,9.01"),
    ("4/A", "2025-04-02", "2025-03-31", "0000000077-25-000010", "xslF345X05/again.xml", ""),
    ("4", "2025-04-01", "2025-03-31", "0000000077-25-000008", "xslF345X05/four.xml", ""),
    ("10-K", "2025-02-20", "2024-12-31", ANNUAL, "annual.htm", ""),
    ("13F-HR", "2023-02-10", "2022-12-31", "0000000077-23-000003", "primary_doc.xml", ""),
    ("13F-HR", "2022-11-10", "2022-09-30", "0000000077-22-000007", "primary_doc.xml", ""),
)
OLDER: Sequence[Row] = (
    ("10-K", "2010-02-20", "2009-12-31", "0000000077-10-000001", "old.txt", ""),
)


def recorded(*parts: str) -> bytes:
    """A recorded payload, unpacked."""
    body = shared("sec", *parts).read_bytes()
    return gzip.decompress(body) if parts[-1].endswith(".gz") else body


def refusal(name: str) -> Reply:
    """A recorded refusal with its status and headers that are not about the connection."""
    head, _, body = recorded("errors", name).partition(b"\n\n")
    lines = head.decode().splitlines()
    status = int(next(line for line in lines if line.startswith("# HTTP")).split()[-1])
    pairs = (line.split(": ", 1) for line in lines if not line.startswith("#") and ": " in line)
    kept = {k: v for k, v in pairs if k.lower() in {"content-type", "retry-after", "server"}}
    return Reply(body, status, kept)


def columns(rows: Sequence[Row]) -> dict[str, list[str]]:
    names = (
        "form filingDate reportDate accessionNumber primaryDocument items".split(),
        list(zip(*rows, strict=True)),
    )
    found = {name: list(column) for name, column in zip(*names, strict=True)}
    return {**found, "primaryDocDescription": [row[0] for row in rows]}


def submissions(rows: Sequence[Row] = RECENT) -> bytes:
    older = [
        {
            "name": "CIK0000000077-submissions-001.json",
            "filingCount": 1,
            "filingFrom": "2010-02-20",
            "filingTo": "2010-02-20",
        }
    ]
    page = {"cik": "77", "name": "Wren & Co", "filings": {"recent": columns(rows), "files": older}}
    return json.dumps(page).encode()


def index(*rows: tuple[str, str, str]) -> bytes:
    """The index page of a filing: type, address and description of each document."""
    cells = "".join(
        f'<tr><td>{n}</td><td>{about}</td><td><a href="{href}">x</a></td><td>{kind}</td><td>9</td>'
        for n, (kind, href, about) in enumerate(rows, 1)
    )
    return f'<html><table class="tableFile"><tr><th>Seq</th>{cells}</table></html>'.encode()


TICKERS = json.dumps({"0": {"cik_str": CIK, "ticker": "WREN", "title": "Wren & Co"}}).encode()


def edgar(
    more: Mapping[str, Reply | Sequence[Reply]] | None = None,
) -> dict[str, Reply | Sequence[Reply]]:
    """What the server answers, by path."""
    return {
        "/files/company_tickers.json": Reply(TICKERS),
        "/submissions/CIK0000000077.json": Reply(submissions()),
        "/submissions/CIK0000000077-submissions-001.json": Reply(
            json.dumps(columns(OLDER)).encode()
        ),
        f"{FOLDER}/000000007725000001/annual.htm": Reply(ANNUAL_REPORT.encode()),
        f"{FOLDER}/000000007725000009/news.htm": Reply(CURRENT_REPORT.encode()),
        **(more or {}),
    }


def filings(server: Loopback, timeout: float = 5.0, tries: int = 2) -> Filings:
    manners = Manners(per_second=1000.0, timeout=timeout, tries=tries, pause=0.01, patience=1.0)
    options = FilingsOptions("Ada Wren ada@example.com", server.url, server.url)
    return Filings(Http(manners), options)


def heading(text: str) -> str:
    return f'<div><span style="font-weight:700;font-size:10pt">{text}</span></div>'


CURRENT_REPORT = (
    "<html><body>"
    + heading("Item 2.02. Results of Operations and Financial Condition")
    + "<p>Wren told the press how its quarter went; the release is Exhibit 99.1.</p>"
    + heading("Item 9.01. Financial Statements and Exhibits")
    + "<p>Exhibit 99.1 Press release</p><p>SIGNATURES</p><p>Signed by A. Wren</p></body></html>"
)

ANNUAL_REPORT = (
    """<?xml version="1.0"?><html><head><title>wren</title></head><body>
<div style="display: none"><ix:header>hidden facts 123</ix:header></div>
<table><tr><td><a href="#a">Item 1.</a></td><td><a href="#a">Business</a></td><td>3</td></tr>
<tr><td><a href="#b">Item 1A.</a></td><td><a href="#b">Risk Factors</a></td><td>4</td></tr></table>
<div>Item 1. Business</div><div>Item 1A. Risk Factors</div>"""
    + heading("PART I")
    + heading("Item 1.&#160;&#160;Business")
    + "<p>Wren builds nests. Item 1A. Risk Factors, below, tells what may go wrong with them.</p>"
    + "<p>3</p><hr style='page-break-after:always'/><p>Table of Contents</p>"
    + heading("Item 1A. Risk Factors")
    + heading("Weather")
    + "<p>Storms may break a nest, and no insurer covers that.</p>"
    + heading("Cats")
    + "<p>Cats climb. A cat that has found a nest comes back to it every year, and we cannot</p>"
    + "<p>4</p><p>keep it away by any means known to us.</p>"
    + heading("PART II")
    + heading("Item 8. Financial Statements and Supplementary Data")
    + heading("Consolidated Statements of Income")
    + "<div>(In thousands, except per nest)</div>"
    + """<table>
<tr><td colspan="3"></td><td colspan="6">Year Ended</td></tr>
<tr><td colspan="3"></td><td colspan="3">2024</td><td colspan="3">2023</td></tr>
<tr><td colspan="3">Nests:</td><td colspan="6"/></tr>
<tr><td colspan="3">Sold</td><td>$</td><td>1,250</td><td></td><td>$</td><td>990</td><td/></tr>
<tr><td colspan="3">Lost</td><td colspan="2">(45</td><td>)</td><td colspan="2">(7</td>
<td>)</td></tr>
<tr><td colspan="3">Margin</td><td colspan="2">12.5</td><td>%</td><td colspan="2">—</td><td/></tr>
</table>"""
    + heading("Note 1 - Segment Information")
    + "<ul><li>One segment: nests.</li></ul>"
    + heading("Item 9A. Controls and Procedures")
    + "<p>They work.</p></body></html>"
)
