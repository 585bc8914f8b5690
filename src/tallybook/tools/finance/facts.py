"""Company facts as EDGAR serves them, cut down to the tags that line items use.

A fact is kept as reported: which of several values for one period counts, and what a period
is called, is decided further up. `fy` and `fp` describe the filing a fact came in, so a fact
carries `fy` only to learn how a company numbers its years.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.items import ITEMS

PERIODIC = frozenset(
    form + suffix
    for form in ("10-K", "10-KT", "10-Q", "10-QT", "20-F", "40-F", "6-K", "8-K")
    for suffix in ("", "/A")
)
"""Forms with financial statements; a proxy's pay table (DEF 14A) repeats figures, rounded."""

ANNUAL = frozenset(f for f in PERIODIC if f.startswith(("10-K", "20-F", "40-F")))

TAGS = frozenset(tag for item in ITEMS.values() for tag in item.tags)


class Fact(msgspec.Struct, frozen=True):
    """One reported value; `start` is None for what holds at a date."""

    end: date
    val: Decimal
    accn: str
    form: str
    filed: date
    start: date | None = None
    fy: int | None = None

    @property
    def days(self) -> int:
        """Length of the period, both ends counted; 0 for an instant."""
        return 0 if self.start is None else (self.end - self.start).days + 1


@dataclass(frozen=True)
class CompanyFacts:
    """The facts of one company by tag and unit ("USD", "USD/shares", "shares").

    `since` is the earliest period end that the source covers whole, None for all there is.
    """

    ticker: str
    name: str
    cik: int
    facts: Mapping[str, Mapping[str, tuple[Fact, ...]]]
    since: date | None = None

    def all(self) -> Iterable[Fact]:
        """Every fact, in no order that means anything."""
        for units in self.facts.values():
            for facts in units.values():
                yield from facts


class _Tag(msgspec.Struct):
    units: dict[str, tuple[Fact, ...]]


class _Document(msgspec.Struct):
    facts: dict[str, dict[str, msgspec.Raw]]
    entityName: str = ""  # noqa: N815 - EDGAR's spelling


def parse(body: bytes, ticker: str, cik: int) -> CompanyFacts:
    """Read a company facts document; a filer without us-gaap facts is a `ToolFailure`."""
    try:
        document = msgspec.json.decode(body, type=_Document)
        gaap = document.facts.get("us-gaap", {})
        facts = {tag: _periodic(gaap[tag]) for tag in gaap.keys() & TAGS}
    except msgspec.MsgspecError as error:
        raise ToolFailure(
            f"What came for {ticker} is not a whole company facts document ({error}). "
            "Try again in a minute; if it stays so, check the base URL of the source."
        ) from error
    name = document.entityName or ticker
    if not facts:
        raise ToolFailure(_without_gaap(ticker, name, tuple(document.facts)))
    return CompanyFacts(ticker, name, cik, facts)


def _periodic(raw: msgspec.Raw) -> dict[str, tuple[Fact, ...]]:
    units = msgspec.json.decode(raw, type=_Tag).units
    return {unit: tuple(f for f in facts if f.form in PERIODIC) for unit, facts in units.items()}


def _without_gaap(ticker: str, name: str, taxonomies: tuple[str, ...]) -> str:
    if any(taxonomy.startswith("ifrs") for taxonomy in taxonomies):
        return (
            f"{name} ({ticker}) reports under IFRS as a foreign filer: EDGAR has no us-gaap "
            "facts for it. Read its annual report (form 20-F or 40-F) instead."
        )
    return (
        f"{name} ({ticker}) has no us-gaap facts on EDGAR: it is a fund, or a foreign or new "
        "filer. Read its filings instead, or ask about another company."
    )
