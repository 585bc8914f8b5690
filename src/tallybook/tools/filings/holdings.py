"""`get_holdings`: what an investment manager holds by its Form 13F, the largest first."""

from __future__ import annotations

import asyncio
from datetime import date
from decimal import Decimal

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.choose import Wanted
from tallybook.tools.filings.shown import number, percent
from tallybook.tools.filings.source import Filings
from tallybook.tools.filings.submissions import Filed, Submissions
from tallybook.tools.filings.thirteenf import Position, doubt, read_positions
from tallybook.tools.http import place
from tallybook.tools.tool import Tool

NAME = "get_holdings"

MOST_POSITIONS = 200


class HoldingsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose. `manager` is a CIK number such as 1067983, or a ticker or name if it is listed.

    `period` is the quarter's end to look back from, left out the newest. `issuer` picks positions
    by words of the issuer's name; `limit` is 1 to 200.
    """

    manager: str
    period: date | None = None
    accession: str = ""
    issuer: str = ""
    limit: int = 25


class Held(msgspec.Struct, frozen=True, omit_defaults=True):
    """One position. `value` in US dollars at the quarter's end; `share` of the total in per cent.

    `put_call` is set where it is an option; then value and amount are those of the underlying.
    """

    issuer: str
    title: str
    cusip: str
    value: int | float
    share: float
    amount: int | float
    kind: str = "shares"
    put_call: str = ""


class Holdings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer. `total` in US dollars and `positions` are those of the whole report."""

    manager: str
    cik: int
    form: str
    period: str
    filed: date
    accession: str
    url: str
    unit: str
    total: int | float
    positions: int
    holdings: tuple[Held, ...]
    more: str = ""
    notes: tuple[str, ...] = ()


def holdings_tool(filings: Filings) -> Tool[HoldingsRequest]:
    """The tool over a source of filings."""

    async def run(request: HoldingsRequest) -> str:
        text = msgspec.json.encode(await get_holdings(request, filings)).decode()
        return text.replace('{"issuer":', '\n{"issuer":')

    return Tool(NAME, DESCRIPTION, HoldingsRequest, run)


async def get_holdings(request: HoldingsRequest, source: Filings) -> Holdings:
    """Answer a request; ToolFailure where it is wrong or there is no report."""
    _check(request)
    filer = await source.filer(request.manager)
    wanted = Wanted("13F-HR", request.accession, request.period)
    filed = wanted.chosen(await _matching(source, filer, wanted), filer)
    rows = await source.attachments(filer.cik, filed.accession)
    url = next((row.url for row in rows if row.kind.upper() == "INFORMATION TABLE"), "")
    if not url.lower().endswith(".xml"):
        raise ToolFailure(
            f"The 13F {filed.accession} has no table in XML: before 2013 they were plain text. "
            "Read it with read_filings."
        )
    body = await source.document(url)
    positions = await asyncio.to_thread(read_positions, body, filed.filed, place(url))
    notes = (doubt(positions, filed.filed), *_amendments(filer, filed))
    answer = _answer(request, filer, filed, positions)
    return msgspec.structs.replace(answer, url=url, notes=tuple(filter(None, notes)))


DESCRIPTION = f"""\
What an investment manager with more than $100 million holds in US-listed securities, by its
Form 13F at a quarter's end, the largest first, up to {MOST_POSITIONS}: value in US dollars, share
of the whole, amount, and put or call where it is an option. Filed up to 45 days after the quarter;
short positions, cash and most foreign shares are not in it. `issuer` looks for one name.
"""


def _check(request: HoldingsRequest) -> None:
    if not request.manager.strip():
        raise ToolFailure("Name a manager by CIK number, such as 1067983, or by ticker.")
    if not 1 <= request.limit <= MOST_POSITIONS:
        raise ToolFailure(f"limit is {request.limit}; ask for 1 to {MOST_POSITIONS} positions.")


async def _matching(source: Filings, filer: Submissions, wanted: Wanted) -> list[Filed]:
    """The reports that may be meant; of notices alone it is said that others report."""
    found = await source.matching(filer, wanted.matches, enough=1)
    if not found and any(filed.form.startswith("13F-NT") for filed in filer.filings):
        raise ToolFailure(
            f"{filer.name} files 13F notices: other managers report its holdings. Ask for the "
            "manager that the notice names."
        )
    return found


def _amendments(filer: Submissions, filed: Filed) -> list[str]:
    later = [
        other
        for other in filer.filings
        if other.form == "13F-HR/A" and other.period == filed.period and filed.form == "13F-HR"
    ]
    return [
        f"Amended on {other.filed} by {other.accession}, which restates or adds holdings: ask for "
        "it by accession."
        for other in later
    ]


def _answer(
    request: HoldingsRequest, filer: Submissions, filed: Filed, positions: tuple[Position, ...]
) -> Holdings:
    total = sum((position.value for position in positions), Decimal(0))
    words = request.issuer.casefold().split()
    found = [p for p in positions if all(word in p.name.casefold() for word in words)]
    if not found:
        raise ToolFailure(
            f"{filer.name} reports no position in {request.issuer or 'anything'!r} for "
            f"{filed.period}. Try one word of the issuer's name, as 13F shortens names."
        )
    shown = found[: request.limit]
    left = len(found) - len(shown)
    return Holdings(
        filer.name,
        filer.cik,
        filed.form,
        filed.period,
        filed.filed,
        filed.accession,
        "",
        "US dollars",
        number(total),
        len(positions),
        tuple(_held(position, total) for position in shown),
        f"{left} smaller positions: ask for one by issuer, or a higher limit." if left else "",
    )


def _held(position: Position, total: Decimal) -> Held:
    return Held(
        position.name,
        position.title,
        position.cusip,
        number(position.value),
        percent(position.value, total),
        number(position.amount),
        position.kind,
        position.put_call,
    )
