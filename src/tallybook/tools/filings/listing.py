"""`list_filings`: what a company has filed, newest first."""

from __future__ import annotations

from datetime import date

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.choose import within
from tallybook.tools.filings.source import Filings
from tallybook.tools.filings.submissions import Filed
from tallybook.tools.tool import Tool

NAME = "list_filings"

MOST_FILINGS = 100


class ListRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which filings. `company` is a ticker, a name or a CIK number.

    `forms` are such as 10-K, 10-Q, 8-K, DEF 14A, 4; amendments come with their form. `start` and
    `end` bound the dates filed. `limit` is 1 to 100.
    """

    company: str
    forms: tuple[str, ...] = ("10-K", "10-Q", "8-K")
    start: date | None = None
    end: date | None = None
    limit: int = 20


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One filing. `period` is the date that it reports on, `items` those of an 8-K."""

    form: str
    filed: date
    accession: str
    url: str
    period: str = ""
    items: str = ""


class Listed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Filings, newest first. `more` says how many there are beyond, and how to see them."""

    company: str
    cik: int
    source: str
    filings: tuple[Row, ...]
    more: str = ""


def list_filings_tool(filings: Filings) -> Tool[ListRequest]:
    """The tool over a source of filings."""

    async def run(request: ListRequest) -> str:
        text = msgspec.json.encode(await list_filings(request, filings)).decode()
        return text.replace('{"form":', '\n{"form":')

    return Tool(NAME, DESCRIPTION, ListRequest, run)


async def list_filings(request: ListRequest, source: Filings) -> Listed:
    """Answer a request; ToolFailure where it is wrong or nothing is listed."""
    _check(request)
    filer = await source.filer(request.company)
    wanted = within(request.forms, request.start, request.end)
    found = await source.matching(filer, wanted, request.limit + 1, request.start)
    if not found:
        raise ToolFailure(
            f"{filer.name} filed no {' or '.join(request.forms)} between {request.start or 'ever'} "
            f"and {request.end or 'now'}. Ask for other forms or dates."
        )
    shown = tuple(_row(source, filer.cik, filed) for filed in found[: request.limit])
    left = len(found) - len(shown)
    last = shown[-1].filed
    more = f"{left} or more beyond: ask with end={last} or a higher limit." if left else ""
    return Listed(filer.name, filer.cik, "SEC EDGAR submissions", shown, more)


DESCRIPTION = f"""\
List what a company, or any filer by CIK number, filed with the SEC: form, period, date filed,
accession number and URL, newest first, up to {MOST_FILINGS}. Use it to find the filing that
read_filings shall read; the newest 10-K or 10-Q can be read without it.
"""


def _check(request: ListRequest) -> None:
    if not request.company.strip():
        raise ToolFailure("Name a company by ticker, such as NVDA.")
    if not request.forms:
        raise ToolFailure("Name at least one form, such as 10-K.")
    if not 1 <= request.limit <= MOST_FILINGS:
        raise ToolFailure(f"limit is {request.limit}; ask for 1 to {MOST_FILINGS} filings.")
    if request.start and request.end and request.start > request.end:
        raise ToolFailure(f"start {request.start} is after end {request.end}; swap them.")


def _row(source: Filings, cik: int, filed: Filed) -> Row:
    url = source.url(cik, filed.accession, filed.document)
    return Row(filed.form, filed.filed, filed.accession, url, filed.period, filed.items)
