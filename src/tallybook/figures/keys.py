"""What the keys of JSON objects say: a period, a unit, an entity, or that a value is a name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import StrEnum, auto
from typing import Final, NamedTuple

from tallybook.figures.dates import period_of
from tallybook.figures.traps import METRICS
from tallybook.figures.units import CODES, ONE, money_of, scale_of


class Role(StrEnum):
    """What a field is to the fields beside it."""

    START = auto()
    END = auto()
    PERIOD = auto()
    YEAR = auto()
    QUARTER = auto()
    UNIT = auto()
    SCALE = auto()
    ENTITY = auto()
    IDENTIFIER = auto()
    NAME = auto()


_ROLES: Final = {
    Role.START: "start startdate periodstart from",
    Role.END: "end enddate periodend asof asofdate reportdate fiscaldateending periodofreport to fiscalend periodenddate",
    Role.PERIOD: "period date fiscalperiod reportperiod day tradedate tradingdate datetime todaydate calendarperiod quarterend",
    Role.YEAR: "year fiscalyear fy calendaryear",
    Role.QUARTER: "quarter fp fiscalquarter",
    Role.UNIT: "unit units currency currencycode reportedcurrency uom unitref",
    Role.SCALE: "scale multiplier",
    Role.ENTITY: "ticker symbol entity company entityname companyname issuer stock",
    Role.IDENTIFIER: "cik accn accessionnumber accession cusip isin lei accessionno ciknumber",
    Role.NAME: (
        "id uuid guid url uri href link hash sha sha256 md5 signature frame form filed version schema model phone fax zip "
        "zipcode postalcode sic siccode ein timestamp ts time created updated createdat updatedat page index idx seq line lineno row col offset port "
        "status statuscode code errorcode requestid responseid toolcallid callid messageid sessionid userid threadid fingerprint "
        "systemfingerprint thumbnail image icon color path file filename email address primarydocument filenumber filmnumber "
        "acceptancedatetime filingdate rank position order decimals gmtoffset firsttradedate regularmarkettime exchangetimezonename "
        "pricehint cwd role type encryptedcontent data reservationid orderid flightnumber itemid productid paymentid confirmation"
    ),
}  # fmt: skip
_ROLE_OF: Final = {name: role for role, names in _ROLES.items() for name in names.split()}
_NAMED_END: Final = re.compile(
    r"(?:^|_|[a-z])(?:[iI][dD]|I[dD]s|UUID|Url|URL|Uri|Hash|_url|_uri|_hash|_at|_no|Version|_version|Timestamp|_timestamp|_idx|_index)\Z"
)
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|%|[0-9]+")
_TICKER: Final = re.compile(r"(?:[A-Z]{1,5}|[0-9]{6}\.[A-Z]{2})(?:[.-][A-Z]{1,2})?\Z")
_KEY_UNITS: Final = {
    "pct": "%",
    "percent": "%",
    "percentage": "%",
    "%": "%",
    "bps": "bps",
    "shares": "shares",
}
_COUNTS: Final = frozenset("volume count quantity qty employees headcount ratio beta".split())
_FISCAL: Final = re.compile(r"(?:[QH][1-4] ?)?(?:FY|CY)? ?(?:19|20)[0-9]{2}\Z")
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


class Said(NamedTuple):
    """What one key says of the value under it."""

    period: str = ""
    unit: str = ""
    scale: Decimal = ONE
    entity: str = ""
    counted: bool = False
    """Whether the value is a count, which a currency beside it does not measure."""


class Beside(NamedTuple):
    """What holds for all values of one object."""

    period: str = ""
    unit: str = ""
    scale: Decimal = ONE
    entity: str = ""


class Roles:
    """Reads each key once; the same few come again and again."""

    def __init__(self) -> None:
        self._roles: dict[str, Role | None] = {}
        self._said: dict[str | int, Said] = {}
        self._periods: dict[tuple[str, ...], str] = {}

    def of(self, key: str) -> Role | None:
        """The role of a field, None for a plain value."""
        if key not in self._roles:
            self._roles[key] = _role(key)
        return self._roles[key]

    def said(self, key: str | int) -> Said:
        """What a key says of what stands under it."""
        if isinstance(key, int):
            return _NOTHING
        if key not in self._said:
            self._said[key] = _read(key)
        return self._said[key]

    def period(self, text: str) -> str:
        """The period that a short text is, "" if it is none."""
        if len(text) > 24:
            return ""
        return period_of(text)

    def period_of(self, fields: Mapping[Role, str]) -> str:
        """The period that the fields of an object tell together."""
        told = tuple([fields.get(role, "") for role in _TIMES])
        if told not in self._periods:
            self._periods[told] = _period(fields)
        return self._periods[told]


_NOTHING: Final = Said()
_TIMES: Final = (Role.START, Role.END, Role.PERIOD, Role.YEAR, Role.QUARTER)


def beside(near: Beside, key: Said, fields: Mapping[Role, str], roles: Roles) -> Beside:
    """What holds inside an object: its own fields first, then its key, then what is around it."""
    if not fields and key is _NOTHING:
        return near
    unit, scale = _unit(fields[Role.UNIT]) if Role.UNIT in fields else ("", ONE)
    if written := fields.get(Role.SCALE):
        scale = scale_of(written)
    return Beside(
        roles.period_of(fields) or key.period or near.period,
        unit or key.unit or near.unit,
        next((each for each in (scale, key.scale, near.scale) if each != ONE), ONE),
        fields.get(Role.ENTITY) or key.entity or near.entity,
    )


def _role(key: str) -> Role | None:
    bare = key.replace("_", "").replace("-", "").replace(" ", "").lower()
    if role := _ROLE_OF.get(bare):
        return role
    return Role.NAME if _NAMED_END.search(key) and bare not in METRICS else None


def _read(key: str) -> Said:
    if not key or len(key) > 60:
        return _NOTHING
    period = period_of(key) if any(letter.isdigit() for letter in key) else ""
    unit, scale, entity = "", ONE, ""
    if key in CODES or key.endswith(("/shares", "/share")):
        unit = _unit(key)[0]
    elif _TICKER.match(key) and key.lower() not in METRICS and len(key) > 1 and not period:
        entity = key
    words = [word.lower() for word in _WORDS.findall(key)]
    for low in words:
        unit = unit or _KEY_UNITS.get(low, "") or (low.upper() if low.upper() in CODES else "")
        if scale == ONE and low in (
            "millions",
            "million",
            "billions",
            "billion",
            "thousands",
            "mn",
            "bn",
        ):
            scale = scale_of(low)
    if unit == "shares" and re.search(r"per.?share", key, re.IGNORECASE):
        unit = ""
    said = Said(period, unit, scale, entity, bool(_COUNTS.intersection(words)))
    return said if said != _NOTHING else _NOTHING


def _unit(text: str) -> tuple[str, Decimal]:
    """Read "USD", "USD/shares", "USD millions", "percent" or "shares"."""
    if not text or len(text) > 40:
        return "", ONE
    unit, scale = "", ONE
    for word in re.findall(r"[A-Za-z]+\$?|[$€£¥%]|[一-鿿]+", text):
        unit = unit or _KEY_UNITS.get(word.lower(), "") or money_of(word)
        if scale == ONE and len(word) > 1:
            scale = scale_of(word)
    if len(unit) == 3 and re.search(r"(?:/|per) ?shares?\b", text, re.IGNORECASE):
        unit += "/share"
    return unit, scale


def _period(fields: Mapping[Role, str]) -> str:
    """The period of an object; one that is both named and dated is told as "Q1 FY2027 (2026-04-26)"."""
    dated = _dated(fields)
    name = fields.get(Role.PERIOD, "")
    if Role.END in fields and dated[:1].isdigit() and _FISCAL.match(name):
        return f"{name} ({dated})"
    return dated


def _dated(fields: Mapping[Role, str]) -> str:
    if end := fields.get(Role.END) or fields.get(Role.PERIOD):
        period = period_of(end)
        if (start := fields.get(Role.START)) and Role.END in fields:
            return _lasting(start, end) or period
        year = fields.get(Role.YEAR, "")
        if period and not (len(period) == 2 and period[0] in "QH"):
            return period
        if period and len(year) == 4:
            return f"{period} {year}"
        if year and end.upper() in ("FY", "ANNUAL", "12M"):
            return f"FY{year}"
    year, quarter = fields.get(Role.YEAR, ""), fields.get(Role.QUARTER, "")
    if not year:
        return period_of(quarter) if quarter else ""
    quarter = quarter.upper().lstrip("Q")
    return (
        f"Q{quarter} {year}"
        if quarter in ("1", "2", "3", "4")
        else (f"FY{year}" if len(year) == 4 else period_of(year))
    )


def _lasting(start: str, end: str) -> str:
    """How many months a span of days lasts, and its last day."""
    first, last = _DATE.match(start), _DATE.match(end)
    if not first or not last:
        return ""
    try:
        days = (date(*map(int, last.groups())) - date(*map(int, first.groups()))).days
    except ValueError:
        return ""
    months = round((days + 1) / 30.4375)
    return f"{months}M {last[0]}" if months > 0 else last[0]
