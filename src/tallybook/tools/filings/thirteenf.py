"""The information table of a Form 13F: what a manager holds, added up by security.

Values were in thousands of dollars until the SEC changed the form; every report filed from
2023-01-03 on has whole dollars, whatever quarter it is for. Some filers got it wrong, so prices
that values imply are looked at, and doubt is said, never mended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from statistics import median

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.xml import Element, parse

WHOLE_DOLLARS_SINCE = date(2023, 1, 3)


@dataclass(frozen=True)
class Position:
    """One security: `value` in dollars; `kind` is "shares" or "principal amount".

    `put_call` is "put" or "call" where the position is an option on the security. `rows` is how
    many rows of the table were added up.
    """

    name: str
    title: str
    cusip: str
    value: Decimal
    amount: Decimal
    kind: str
    put_call: str
    rows: int = 1


def read_positions(body: bytes, filed: date, where: str) -> tuple[Position, ...]:
    """The positions of an information table, the largest first."""
    root = parse(body, where)
    if root.name != "informationTable":
        raise ToolFailure(f"{where} is no 13F information table. Take another filing.")
    unit = 1 if filed >= WHOLE_DOLLARS_SINCE else 1000
    return _added(_position(row, unit) for row in root.all("infoTable"))


def doubt(positions: Sequence[Position], filed: date) -> str:
    """A warning where the values look as if they were in the other unit, else ""."""
    prices = [p.value / p.amount for p in positions if p.kind == "shares" and p.amount > 0]
    middle = median(prices) if len(prices) >= 5 else Decimal(50)
    if filed >= WHOLE_DOLLARS_SINCE and middle < Decimal("0.5"):
        return (
            f"Values imply a median price of ${middle:.4f} a share: the filer seems to have kept "
            "to thousands of dollars. Multiply by 1,000 after checking one price."
        )
    if filed < WHOLE_DOLLARS_SINCE and middle > 5000:
        return (
            f"Values imply a median price of ${middle:,.0f} a share: the filer seems to have "
            "reported whole dollars. Divide by 1,000 after checking one price."
        )
    return ""


def _position(row: Element, unit: int) -> Position:
    kind = row.words("shrsOrPrnAmt/sshPrnamtType").upper()
    return Position(
        row.words("nameOfIssuer"),
        row.words("titleOfClass"),
        row.words("cusip").upper(),
        (row.number("value") or Decimal(0)) * unit,
        row.number("shrsOrPrnAmt/sshPrnamt") or Decimal(0),
        "principal amount" if kind == "PRN" else "shares",
        row.words("putCall").lower(),
    )


def _added(positions: Iterable[Position]) -> tuple[Position, ...]:
    """One position a security and option, because each co-manager has a row of its own."""
    found: dict[tuple[str, str, str], list[Position]] = {}
    for each in positions:
        found.setdefault((each.cusip, each.kind, each.put_call), []).append(each)
    added = [
        Position(
            rows[0].name,
            rows[0].title,
            rows[0].cusip,
            sum((row.value for row in rows), Decimal(0)),
            sum((row.amount for row in rows), Decimal(0)),
            rows[0].kind,
            rows[0].put_call,
            len(rows),
        )
        for rows in found.values()
    ]
    return tuple(sorted(added, key=lambda p: (-p.value, p.name)))
