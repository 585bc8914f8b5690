"""`get_insider_trades`: what officers, directors and large owners of a company traded.

Grants, exercises and shares withheld for tax are most of what is reported and say little; only
purchases and sales in the market are summed up. An amendment repeats what it corrects, so it is
shown and never added.
"""

from __future__ import annotations

import asyncio
import re
from datetime import date
from decimal import Decimal
from typing import Literal

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.choose import within
from tallybook.tools.filings.ownership import Owner, Report, Trade, market_total, read_report
from tallybook.tools.filings.shown import cents, number
from tallybook.tools.filings.source import Filings
from tallybook.tools.filings.submissions import Filed
from tallybook.tools.http import place
from tallybook.tools.tool import Tool

NAME = "get_insider_trades"

MOST_REPORTS = 40

_STYLED = re.compile(r"^xsl[^/]*/")


class InsiderRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose. `company` is the ticker, name or CIK number of the company, or of the insider.

    `start` and `end` bound the dates filed; `limit` is the number of newest reports, 1 to 40.
    `holdings` adds what is held without a trade.
    """

    company: str
    forms: tuple[Literal["3", "4", "5"], ...] = ("4",)
    start: date | None = None
    end: date | None = None
    limit: int = 10
    holdings: bool = False


class Filing(msgspec.Struct, frozen=True, omit_defaults=True):
    """One report with its trades, and where it is."""

    accession: str
    form: str
    filed: date
    period: str
    url: str
    issuer: str
    owners: tuple[Owner, ...]
    trades: tuple[Trade, ...] = ()
    holdings: tuple[Trade, ...] = ()
    footnotes: dict[str, str] = {}
    planned_10b5_1: bool = False
    remarks: str = ""


class Total(msgspec.Struct, frozen=True, omit_defaults=True):
    """Trades in the market over the reports shown; no `value` where some price is missing."""

    shares: int | float
    value: int | float | None = None


class Insiders(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reports, newest first. `failures` are reports that could not be read."""

    company: str
    cik: int
    source: str
    bought: Total
    sold: Total
    reports: tuple[Filing, ...]
    more: str = ""
    failures: tuple[str, ...] = ()


def insider_tool(filings: Filings) -> Tool[InsiderRequest]:
    """The tool over a source of filings."""

    async def run(request: InsiderRequest) -> str:
        text = msgspec.json.encode(await get_insider_trades(request, filings)).decode()
        return re.sub(r'(\{"(?:security|accession)":)', r"\n\1", text)

    return Tool(NAME, DESCRIPTION, InsiderRequest, run)


async def get_insider_trades(request: InsiderRequest, source: Filings) -> Insiders:
    """Answer a request; ToolFailure where it is wrong or no report can be read."""
    _check(request)
    filer = await source.filer(request.company)
    wanted = within(request.forms, request.start, request.end)
    found = await source.matching(filer, wanted, request.limit + 1, request.start)
    if not found:
        raise ToolFailure(
            f"{filer.name} has no insider reports of form {', '.join(request.forms)} filed between "
            f"{request.start or 'ever'} and {request.end or 'now'}. Ask for other dates."
        )
    read = await asyncio.gather(
        *(_read(source, filer.cik, filed, request) for filed in found[: request.limit])
    )
    reports = tuple(each for each in read if isinstance(each, Filing))
    failures = tuple(str(each) for each in read if isinstance(each, ToolFailure))
    if not reports:
        raise ToolFailure(failures[0])
    left = len(found) - len(read)
    more = f"{left} or more older reports: ask with end={found[len(read)].filed}." if left else ""
    bought, sold = _total(reports, "P"), _total(reports, "S")
    about = "SEC EDGAR ownership reports"
    return Insiders(filer.name, filer.cik, about, bought, sold, reports, more, failures)


DESCRIPTION = f"""\
Trades of a company's insiders from SEC Forms 3, 4 and 5, newest first, up to {MOST_REPORTS}
reports: who, their role, date, code with its meaning, shares, price, what is held after, and
footnotes, where price ranges and reasons stand. `bought` and `sold` are the open-market purchases
(code P) and sales (code S) of the reports shown, amendments left out; grants, exercises and tax
withholding are no market trades.
"""


def _check(request: InsiderRequest) -> None:
    if not request.company.strip():
        raise ToolFailure("Name a company by ticker, such as NVDA.")
    if not request.forms:
        raise ToolFailure("Name at least one of the forms 3, 4 and 5.")
    if not 1 <= request.limit <= MOST_REPORTS:
        raise ToolFailure(f"limit is {request.limit}; ask for 1 to {MOST_REPORTS} reports.")


async def _read(
    source: Filings, cik: int, filed: Filed, request: InsiderRequest
) -> Filing | ToolFailure:
    """A report, from the XML itself and not from the page that it is styled into."""
    url = source.url(cik, filed.accession, _STYLED.sub("", filed.document))
    try:
        report = read_report(await source.document(url), place(url))
    except ToolFailure as failure:
        return failure
    return _filing(filed, url, report, request)


def _filing(filed: Filed, url: str, report: Report, request: InsiderRequest) -> Filing:
    holdings = report.holdings if request.holdings or filed.form.startswith("3") else ()
    used = {note for row in (*report.trades, *holdings) for note in row.notes}
    return Filing(
        filed.accession,
        filed.form,
        filed.filed,
        report.period,
        url,
        f"{report.issuer} ({report.ticker})",
        report.owners,
        report.trades,
        holdings,
        {key: text for key, text in report.footnotes.items() if key in used},
        report.planned,
        report.remarks,
    )


def _total(reports: tuple[Filing, ...], code: str) -> Total:
    each = [market_total(r.trades, code) for r in reports if not r.form.endswith("/A")]
    shares = sum((shares for shares, _ in each), Decimal(0))
    values = [value for _, value in each if value is not None]
    whole = len(values) == len(each)
    return Total(number(shares), cents(sum(values, Decimal(0))) if whole else None)
