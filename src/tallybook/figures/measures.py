"""Which unit and scale hold for a number in a table: its own, its row's, its column's, the table's.

A table "in millions, except per share data" still has ratios, percentages, ages and counts
of shops in its rows; these keep scale 1, since nobody writes 0.0004 million stores.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tallybook.figures.units import DOLLARS, ONE, Heading, Measure, heading

_PER_SHARE: Final = re.compile(
    r"\bper (?:\w+[ -]){0,3}(?:share|ads|unit)\b|/share\b|\bEPS\b|每股", re.IGNORECASE
)
_SHARES: Final = re.compile(
    r"\bshares? (?:used|outstanding|issued|repurchased|authorized|granted|vested|purchased|available|reserved|count|in thousands|in millions)\b"
    r"|\bnumber of (?:\w+ ){0,2}shares\b|\bshares\b[^a-z]*\Z|\baverage\b[^.]{0,40}\bshares\b|^(?:common |ordinary )?shares\b|股数|股份数|\bRSUs?\b.*\boutstanding\b",
    re.IGNORECASE,
)
_MONEY_ANYWAY: Final = re.compile(
    r"par value|repurchases? of|common stock[,;]|fair value|compensation|\bprice|\bcost|\bvalue\b|\bproceeds|\bpayments?",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    r"\b(?:years|yrs|days|months|weeks|hours|employees|headcount|stores|ratio|times|number of|customers|restaurants|square f(?:ee|oo)t|locations|subscribers|turnover|beta)\b"
    r"|\(x\)|员工|人数|天数|倍",
    re.IGNORECASE,
)
_SPAN_OF_TIME: Final = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+)[- ](?:years|months|weeks|days)\b",
    re.IGNORECASE,
)
"""A length of time that says when, as in "Due in one to five years", is no count of years."""
_PERCENT: Final = re.compile(
    r"(?:%|\bper ?cent(?:age)?|\bpct)(?:\)|\s*\Z| of\b| change| increase)|\(%\)|占比|百分比|（%）|率\Z",
    re.IGNORECASE,
)
_GENERIC: Final = re.compile(
    r"(?:basic|diluted|continuing|discontinued|net|as reported|pro forma|total|[\s,:()-]|and|income|earnings|loss)*\Z",
    re.IGNORECASE,
)


class Place(NamedTuple):
    """Where in a table a number stands: the words that govern it and its column."""

    label: str
    section: str
    over: str
    heading: Heading
    column: int


@dataclass(frozen=True, slots=True)
class Governing:
    """What holds for a whole table: its heading and the currency first seen in each column."""

    table: Heading
    currencies: dict[int, str] = field(default_factory=dict)

    def measure(self, shown: Measure, place: Place, digits: str) -> Measure:
        """The unit and scale of a number that shows `shown` itself."""
        if shown.unit and not _is_money(shown.unit):
            return self._share_count(shown, place) if shown.unit == "shares" else shown
        row = heading(place.label) if "(" in place.label or "（" in place.label else Heading()
        if not shown.unit:
            if row.unit == "%" or _PERCENT.search(place.label) or place.heading.unit == "%":
                return Measure("%", shown.scale)
            if _is_shares(place):
                return self._share_count(Measure("shares", shown.scale), place)
            if not row.scale and _COUNTED.search(_SPAN_OF_TIME.sub("", place.label)):
                return shown
        unit = (
            self._named_dollars(shown, place, digits)
            or shown.unit
            or row.unit
            or place.heading.unit
            or self.table.unit
            or self._currency(place.column)
        )
        if _is_per_share(place, digits):
            return Measure(f"{unit}/share" if len(unit) == 3 else unit, shown.scale)
        if shown.scale != ONE or len(unit) > 3:
            return Measure(unit, shown.scale)
        return Measure(unit, row.scale or place.heading.scale or self.table.scale or ONE)

    def _share_count(self, shown: Measure, place: Place) -> Measure:
        if shown.scale != ONE:
            return shown
        row = heading(place.label).scale or place.heading.scale
        return Measure("shares", row or self.table.shares or self.table.scale or ONE)

    def _named_dollars(self, shown: Measure, place: Place, digits: str) -> str:
        """The currency a caption or heading names, for a number with no more than a "$"."""
        named = place.heading.unit or self.table.unit
        return named if shown.unit == "USD" and named in DOLLARS and "US" not in digits else ""

    def _currency(self, column: int) -> str:
        if column in self.currencies:
            return self.currencies[column]
        if self.table.scale is None and not self.currencies:
            return ""
        seen = set(self.currencies.values())
        return seen.pop() if len(seen) == 1 and self.table.scale is not None else ""


def _is_money(unit: str) -> bool:
    return len(unit) == 3 and unit.isupper()


def _is_shares(place: Place) -> bool:
    for text in (place.label, place.over):
        if _SHARES.search(text) and not _MONEY_ANYWAY.search(text):
            return True
    return bool(
        _SHARES.search(place.section)
        and _GENERIC.match(place.label)
        and not _MONEY_ANYWAY.search(place.section)
    )


def _is_per_share(place: Place, digits: str) -> bool:
    if _PER_SHARE.search(place.label) or _PER_SHARE.search(place.over):
        return True
    return bool(_PER_SHARE.search(place.section) and ("." in digits or _GENERIC.match(place.label)))
