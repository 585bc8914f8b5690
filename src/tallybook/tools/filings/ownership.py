"""Forms 3, 4 and 5: what insiders hold and traded, each row with its code spelled out.

A price or date may be missing and stand in a footnote only, so footnotes are kept and each row
names its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.shown import cents, known
from tallybook.tools.filings.xml import Element, parse

CODES = {
    "P": "open-market or private purchase",
    "S": "open-market or private sale",
    "V": "transaction reported early",
    "A": "grant or award",
    "D": "disposition to the issuer",
    "F": "shares withheld for exercise price or tax",
    "I": "discretionary transaction",
    "M": "exercise or conversion of an exempt derivative",
    "C": "conversion of a derivative",
    "E": "expiration of a short derivative",
    "H": "expiration or cancellation of a long derivative with value received",
    "O": "exercise of an out-of-the-money derivative",
    "X": "exercise of an in- or at-the-money derivative",
    "G": "gift",
    "L": "small acquisition",
    "W": "will or laws of descent",
    "Z": "deposit into or withdrawal from a voting trust",
    "J": "other, see footnotes",
    "K": "equity swap or similar",
    "U": "disposition in a tender for control",
}

_TRUE = frozenset({"1", "true"})


class Trade(msgspec.Struct, frozen=True, omit_defaults=True):
    """One transaction, or with no `code` a holding. Money in US dollars, `value` shares × price.

    `direction` is "acquired" or "disposed". `notes` are footnotes of the report by key.
    """

    security: str
    table: str
    date: str = ""
    code: str = ""
    meaning: str = ""
    direction: str = ""
    shares: int | float | None = None
    price: int | float | None = None
    value: int | float | None = None
    held_after: int | float | None = None
    held: str = "direct"
    exercise_price: int | float | None = None
    exercisable: str = ""
    expires: str = ""
    underlying: str = ""
    underlying_shares: int | float | None = None
    notes: tuple[str, ...] = ()


class Owner(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who reports, and what they are to the company."""

    name: str
    relation: str


class Report(msgspec.Struct, frozen=True):
    """One report. `planned` says that the trades are declared as made under a 10b5-1 plan."""

    form: str
    period: str
    issuer: str
    ticker: str
    owners: tuple[Owner, ...]
    trades: tuple[Trade, ...]
    holdings: tuple[Trade, ...]
    footnotes: dict[str, str]
    planned: bool
    remarks: str


def read_report(body: bytes, where: str) -> Report:
    """Read an ownership document; ToolFailure where it is none."""
    root = parse(body, where)
    if root.name != "ownershipDocument":
        raise ToolFailure(f"{where} is no ownership report. Take one from list_filings.")
    rows = tuple(_rows(root))
    notes = root.at("footnotes")
    texts = (
        {n.attributes.get("id", ""): " ".join(n.text.split()) for n in notes.children}
        if notes
        else {}
    )
    return Report(
        root.words("documentType"),
        root.words("periodOfReport"),
        root.words("issuer/issuerName"),
        root.words("issuer/issuerTradingSymbol"),
        tuple(_owner(owner) for owner in root.all("reportingOwner")),
        tuple(row for row in rows if row.code),
        tuple(row for row in rows if not row.code),
        texts,
        root.words("aff10b5One").lower() in _TRUE,
        root.words("remarks"),
    )


def _rows(root: Element) -> Iterator[Trade]:
    for table, name in (
        ("nonDerivativeTable", "non-derivative"),
        ("derivativeTable", "derivative"),
    ):
        found = root.at(table)
        for row in found.children if found else []:
            yield _trade(row, name)


def _trade(row: Element, table: str) -> Trade:
    amounts = "transactionAmounts/"
    shares = row.number(f"{amounts}transactionShares/value")
    total = row.number(f"{amounts}transactionTotalValue/value")
    price = row.number(f"{amounts}transactionPricePerShare/value")
    code = row.words("transactionCoding/transactionCode")
    after = "postTransactionAmounts/"
    value = total if shares is None or price is None else shares * price
    return Trade(
        security=row.words("securityTitle/value"),
        table=table,
        date=row.words("transactionDate/value"),
        code=code,
        meaning=CODES.get(code, "unknown code") if code else "",
        direction={"A": "acquired", "D": "disposed"}.get(
            row.words(f"{amounts}transactionAcquiredDisposedCode/value"), ""
        ),
        shares=known(shares),
        price=known(price),
        value=None if value is None else cents(value),
        held_after=known(
            _first(
                row,
                f"{after}sharesOwnedFollowingTransaction/value",
                f"{after}valueOwnedFollowingTransaction/value",
            )
        ),
        held=_held(row),
        exercise_price=known(row.number("conversionOrExercisePrice/value")),
        exercisable=row.words("exerciseDate/value"),
        expires=row.words("expirationDate/value"),
        underlying=row.words("underlyingSecurity/underlyingSecurityTitle/value"),
        underlying_shares=known(row.number("underlyingSecurity/underlyingSecurityShares/value")),
        notes=tuple(dict.fromkeys(_notes(row))),
    )


def _first(row: Element, *paths: str) -> Decimal | None:
    return next((n for n in map(row.number, paths) if n is not None), None)


def _held(row: Element) -> str:
    nature = row.words("ownershipNature/natureOfOwnership/value")
    indirect = row.words("ownershipNature/directOrIndirectOwnership/value") == "I"
    return f"indirect: {nature}".removesuffix(": ") if indirect else "direct"


def _notes(element: Element) -> Iterator[str]:
    for child in element.children:
        if child.name == "footnoteId":
            yield child.attributes.get("id", "")
        else:
            yield from _notes(child)


def _owner(owner: Element) -> Owner:
    relation = "reportingOwnerRelationship/"
    title = owner.words(f"{relation}officerTitle")
    other = owner.words(f"{relation}otherText")
    roles = {
        "isDirector": "director",
        "isOfficer": f"officer ({title})" if title else "officer",
        "isTenPercentOwner": "owner of more than 10%",
        "isOther": other or "other",
    }
    held = [role for flag, role in roles.items() if owner.words(relation + flag).lower() in _TRUE]
    return Owner(owner.words("reportingOwnerId/rptOwnerName"), ", ".join(held))


def market_total(trades: tuple[Trade, ...], code: str) -> tuple[Decimal, Decimal | None]:
    """Shares and dollars of open-market trades of a code; no dollars where a price is missing."""
    rows = [t for t in trades if t.code == code and t.table == "non-derivative"]
    shares = sum((Decimal(str(t.shares or 0)) for t in rows), Decimal(0))
    if any(t.value is None for t in rows):
        return shares, None
    return shares, sum((Decimal(str(t.value)) for t in rows), Decimal(0))
