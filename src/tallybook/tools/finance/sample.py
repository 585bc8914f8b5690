"""Figures of four companies that ship with Tallybook, for work without a network.

They are facts as EDGAR holds them, in a compact format of our own: for each company a table
of filings, and for each tag and unit rows of (start, end, value, filing). They take the same
way as live facts, so the sample also shows what live figures look like.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from importlib.resources import files

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.facts import CompanyFacts, Fact

FILE = "sample.json.gz"


class SampleFiling(msgspec.Struct, frozen=True, array_like=True):
    """A filing as the sample stores it."""

    accn: str
    form: str
    filed: date
    fy: int | None


class SampleCompany(msgspec.Struct, frozen=True):
    """A company as the sample stores it; a row's last number is a place in `filings`."""

    ticker: str
    aliases: tuple[str, ...]
    name: str
    cik: int
    filings: tuple[SampleFiling, ...]
    facts: dict[str, dict[str, tuple[tuple[date | None, date, Decimal, int], ...]]]


class SampleFile(msgspec.Struct, frozen=True):
    """The whole sample; `since` is the earliest period end that it covers whole."""

    since: date
    companies: tuple[SampleCompany, ...]


class Sample:
    """The embedded sample as a source of facts; reads its file when first asked."""

    @property
    def about(self) -> str:
        """Say what the sample is."""
        return "sample of SEC EDGAR company facts embedded in Tallybook (four companies)"

    async def facts(self, names: Sequence[str]) -> Sequence[CompanyFacts | ToolFailure]:
        """Give the facts of each company, known by ticker or by name."""
        file = load()
        known = {
            _plain(name): company
            for company in file.companies
            for name in (company.ticker, company.name, *company.aliases)
        }
        return [
            _unpack(known[_plain(name)], file.since)
            if _plain(name) in known
            else _unknown(name, file)
            for name in names
        ]


def load() -> SampleFile:
    """Read the embedded file."""
    body = files("tallybook.tools.finance").joinpath(FILE).read_bytes()
    return msgspec.json.decode(gzip.decompress(body), type=SampleFile)


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _unpack(company: SampleCompany, since: date) -> CompanyFacts:
    def fact(row: tuple[date | None, date, Decimal, int]) -> Fact:
        start, end, value, place = row
        filing = company.filings[place]
        return Fact(end, value, filing.accn, filing.form, filing.filed, start, filing.fy)

    facts = {
        tag: {unit: tuple(map(fact, rows)) for unit, rows in units.items()}
        for tag, units in company.facts.items()
    }
    return CompanyFacts(company.ticker, company.name, company.cik, facts, since)


def _unknown(name: str, file: SampleFile) -> ToolFailure:
    known = ", ".join(f"{c.ticker} ({c.name})" for c in file.companies)
    return ToolFailure(
        f"{name!r} is not in the embedded sample, which holds {known}. Ask about one of "
        "these, or set an EDGAR identity to read live figures of every US filer."
    )
