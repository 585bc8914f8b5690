"""Read periods out of words, and say whether two of them can be the same time.

A fiscal year may end well after the calendar year it is named for, and its quarters lie anywhere
in the year before its end; a name and a date that such a year could have may be the same, two
names of different years are not. What is
said to be calendar ("CY2025") is the year, or quarter, that most of a period lies in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal

import msgspec

Agreement = Literal["same", "possible", "different"]


class Period(msgspec.Struct, frozen=True, order=True):
    """A year or a part of one, or so many months up to a day.

    `part` is "Q3", "H1" or the date "06-28" ("06-" for a month), "" for the year; `months` is
    0 where nothing says how long. `calendar` is set where the words say so. `names` are other
    names of the same time, where a source gives both: the fiscal quarter and its last day.
    """

    year: int
    part: str = ""
    fiscal: bool = False
    months: int = 0
    calendar: bool = False
    names: tuple[Period, ...] = ()

    def __str__(self) -> str:
        if "-" in self.part:
            day = f"{self.year}-{self.part}".removesuffix("-")
            return f"{self.months}M {day}" if self.months else day
        year = f"{'FY' * self.fiscal}{'CY' * self.calendar}{self.year}"
        return f"{self.part} {year}".strip()


_REMEMBERED = 4096
_DRIFT = 8
"""Years of 52 weeks end some days before or after the end of their month."""
_LATEST_YEAR_END = 18
_LATEST_PART_END = 13
"""Months from a year's beginning to the last that it, or its parts, may end in."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED = {"first": "1", "second": "2", "third": "3", "fourth": "4"} | dict(
    zip("一二三四", "1234", strict=True)
)
_YEAR = r"(?:19|20)\d\d"
_PERIOD = re.compile(
    rf"""
    (?:\b(?P<months>\d{{1,2}})M\s+)?(?P<iso>{_YEAR}-\d\d-\d\d)
  | \b(?P<sofar>[369]|12)M\s+(?P<sofarfy>FY)?\s?(?P<sofaryear>{_YEAR})\b(?!-)
  | (?<![\d.-])(?P<ym>{_YEAR}-(?:0[1-9]|1[0-2]))(?![\d-])
  | (?P<cn>{_YEAR})\s*年\s*(?:第?(?P<cnq>[一二三四1-4])季度|Q(?P<cnq2>[1-4])|(?P<cnh>上|下)半年
        |(?P<cnm>\d{{1,2}})月(?:(?P<cnd>\d{{1,2}})日)?)?
  | (?P<cal>\bCY\s?|\bcalendar\s(?:year\s)?)?
        (?P<cyear>{_YEAR})[\s-]?(?:Q(?P<cq>[1-4])|H(?P<ch>[12]))\b
  | \b(?:Q(?P<q>[1-4])|(?P<q2>[1-4])Q|H(?P<h>[12])
        |(?P<qn>first|second|third|fourth)\s+(?:fiscal\s+)?quarter)
        [\s,]*(?:of\s+)?(?:the\s+)?(?P<qf>FY|fiscal(?:\s+year)?|CY|calendar(?:\s+year)?)?[\s'’]*(?P<qy>{_YEAR}|\d\d(?![\d.,%]))
  | \b(?P<mon>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?P<day>\d{{1,2}})?
        [\s,]*(?P<my>{_YEAR})\b
  | \b(?P<day2>\d{{1,2}})\s+(?P<mon2>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?
        [\s,]+(?P<my2>{_YEAR})\b
  | \b(?P<f>FY|fiscal(?:\s+years?)?|F)[\s'’]*(?P<fy>{_YEAR}|\d\d)\b(?![.,]\d|%)
  | (?:(?<![\d.,$€£¥#-])|(?<=(?:19|20)\d\d,))(?P<cal2>\bCY\s?|\bcalendar\s(?:year\s)?)?
        (?P<y>{_YEAR})(?:\s*[-–/]\s*(?P<y2>{_YEAR}|\d\d)\b)?
        (?![\d%]|[.,](?!{_YEAR}\b)\d)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DIGIT = re.compile(r"\d")
_DATED = re.compile(
    r"[\s,]*[(,]?\s*(?:(?:to|ended|ending|through|as of|until|截至|截止|止于)\s+)?", re.IGNORECASE
)
_SPAN_WORD = re.compile(r"\s*(?:to|through|until|-|–|—|至|到)\s*$", re.IGNORECASE)


class Mention(msgspec.Struct, frozen=True):
    """A period and where the words for it stand; `through` if it ends a span begun before it."""

    period: Period
    span: tuple[int, int]
    through: bool = False


@lru_cache(maxsize=_REMEMBERED)
def mentions(text: str) -> tuple[Mention, ...]:
    """Every period that `text` names, in reading order."""
    found: list[Mention] = []
    if not _DIGIT.search(text):
        return ()
    for hit in _PERIOD.finditer(text):
        joined = bool(found) and bool(_SPAN_WORD.match(text[found[-1].span[1] : hit.start()]))
        found.append(Mention(_period(hit), hit.span(), joined))
        if hit["y2"]:
            end = hit["y2"] if len(hit["y2"]) == 4 else hit["y"][:2] + hit["y2"]
            found.append(Mention(Period(int(end)), hit.span("y2"), through=True))
    return tuple(_dated_names(text, found))


def _dated_names(text: str, found: Sequence[Mention]) -> Iterator[Mention]:
    """A name with its last day behind it is one period: "Q1 FY2026 (2025-12-27)"."""
    at = 0
    while at < len(found):
        name, after = found[at], found[at + 1] if at + 1 < len(found) else None
        if after and _is_dated(text, name, after):
            months = _months(name.period) or after.period.months
            period = msgspec.structs.replace(after.period, months=months, names=(name.period,))
            yield Mention(period, (name.span[0], after.span[1]), name.through)
            at += 1
        else:
            yield name
        at += 1


def _is_dated(text: str, name: Mention, after: Mention) -> bool:
    between = text[name.span[1] : after.span[0]]
    dates = (_is_date(name.period.part), _is_date(after.period.part))
    return dates == (False, True) and "(" in between and bool(_DATED.fullmatch(between))


def read(text: str) -> Period | None:
    """The last period of `text`, which is the one that a header or a span ends with."""
    found = mentions(text)
    return found[-1].period if found else None


@lru_cache(maxsize=_REMEMBERED)
def agree(one: Period, other: Period) -> Agreement:
    """Whether two periods are the same, may be, or cannot be."""
    if one.names or other.names:
        return _agree_by_name(one, other)
    if one == other:
        return "same"
    if one.calendar != other.calendar:
        return _overlap(*((one, other) if one.calendar else (other, one)))
    if _months(one) and _months(other) and _months(one) != _months(other):
        return "different"
    if _is_date(one.part) != _is_date(other.part):
        return _fit(*((other, one) if _is_date(one.part) else (one, other)))
    if one.year != other.year:
        return "different"
    if one.part[:3] == other.part[:3] and (
        one.part == other.part or "-" in (one.part[-1:] + other.part[-1:])
    ):
        return "same"
    if one.part and other.part:
        return "different"
    whole = one if not one.part else other
    return "different" if whole.fiscal else "possible"


def _fit(name: Period, dated: Period) -> Agreement:
    """Whether a year or a part of one may end on a day, whatever month the fiscal year ends in."""
    month, _, day = dated.part.partition("-")
    ends = 12 * dated.year + int(month) - 1 - (int(day or 28) < _DRIFT)
    if not name.part:
        if name.year == dated.year:
            return "same" if dated.months in {0, 12} else "possible"
        first = 12 * name.year
        return (
            "possible" if name.fiscal and first <= ends < first + _LATEST_YEAR_END else "different"
        )
    length = 3 if name.part[0] == "Q" else 6
    first = 12 * name.year + length * int(name.part[1]) - 12
    return "possible" if first <= ends <= first + _LATEST_PART_END else "different"


def _agree_by_name(one: Period, other: Period) -> Agreement:
    """Any name may be the one used; where both sides have a name, names decide."""
    mine = (msgspec.structs.replace(one, names=()), *one.names)
    theirs = (msgspec.structs.replace(other, names=()), *other.names)
    if one.calendar or other.calendar:
        return agree(mine[0], theirs[0])
    if any(agree(a, b) == "same" for a in mine for b in theirs):
        return "same"
    named = [
        agree(a, b) for a in mine for b in theirs if not (_is_date(a.part) or _is_date(b.part))
    ]
    return (named or [agree(mine[0], theirs[0])])[0]


@lru_cache(maxsize=_REMEMBERED)
def agree_with_any(one: Period, named: tuple[Period, ...]) -> Agreement:
    """How a period agrees with the best of several; with none named, it may be any."""
    found = {agree(one, other) for other in named}
    if "same" in found:
        return "same"
    return "possible" if "possible" in found or not named else "different"


def year_before(period: Period) -> Period:
    """The same period a year before; of a date the month alone, for weeks do not fit the year."""
    part = period.part[:3] if _is_date(period.part) else period.part
    return msgspec.structs.replace(period, year=period.year - 1, part=part)


def days_between(earlier: Period, later: Period) -> int | None:
    """How many days lie between the ends of two periods; None where one is given without days."""
    ends = []
    for period in (earlier, later):
        month, _, day = period.part.partition("-")
        if not day:
            return None
        ends.append(date(period.year, int(month), min(int(day), 28)))
    return (ends[1] - ends[0]).days


def _overlap(calendar: Period, other: Period) -> Agreement:
    """Whether most of a period, given by its last day or its name, lies in a calendar one."""
    if not _is_date(other.part):
        if not other.fiscal:
            return agree(msgspec.structs.replace(calendar, calendar=False), other)
        return "possible" if abs(calendar.year - other.year) <= 1 else "different"
    quarter = calendar.part.startswith("Q")
    month, _, day = other.part.partition("-")
    middle = 12 * other.year + int(month) - 1 + int(day or 28) / 31 - (1.5 if quarter else 6)
    if int(middle // 12) != calendar.year:
        return "different"
    return (
        "same" if not quarter or f"Q{int(middle % 12) // 3 + 1}" == calendar.part else "different"
    )


def _months(period: Period) -> int:
    if period.months:
        return period.months
    return {"Q": 3, "H": 6}.get(period.part[:1], 12 if period.fiscal else 0)


def _is_date(part: str) -> bool:
    return "-" in part


def _period(hit: re.Match[str]) -> Period:
    group = hit.groupdict()
    if group["iso"]:
        months = int(group["months"] or 0)
        return Period(int(group["iso"][:4]), group["iso"][5:], months=months)
    if group["sofar"]:
        months, fiscal = int(group["sofar"]), bool(group["sofarfy"])
        return Period(int(group["sofaryear"]), f"{months}M", fiscal, months)
    if group["ym"]:
        return Period(int(group["ym"][:4]), group["ym"][5:] + "-")
    if group["cn"]:
        return Period(int(group["cn"]), _chinese_part(group))
    if group["cyear"]:
        part = f"Q{group['cq']}" if group["cq"] else f"H{group['ch']}"
        return Period(int(group["cyear"]), part, calendar=bool(group["cal"]))
    if group["qy"]:
        number = group["q"] or group["q2"] or _NAMED.get((group["qn"] or "").lower())
        part = f"Q{number}" if number else f"H{group['h']}"
        kind = (group["qf"] or "").lower()
        return Period(_year(group["qy"]), part, fiscal=kind[:1] == "f", calendar=kind[:1] == "c")
    if group["my"] or group["my2"]:
        return _dated(group)
    if group["fy"]:
        return Period(_year(group["fy"]), fiscal=True)
    return Period(int(hit["y"]), calendar=bool(hit["cal2"]))


def _dated(group: dict[str, str]) -> Period:
    month = _MONTHS.index((group["mon"] or group["mon2"]).lower()) + 1
    day = group["day"] or group["day2"]
    part = f"{month:02d}-{int(day):02d}" if day else f"{month:02d}-"
    return Period(int(group["my"] or group["my2"]), part)


def _chinese_part(group: dict[str, str]) -> str:
    if quarter := group["cnq"] or group["cnq2"]:
        return f"Q{_NAMED.get(quarter, quarter)}"
    if group["cnh"]:
        return "H1" if group["cnh"] == "上" else "H2"
    if group["cnm"]:
        return f"{int(group['cnm']):02d}-{int(group['cnd'] or 0):02d}".removesuffix("00")
    return ""


def _year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)
