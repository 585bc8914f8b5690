"""When: every date, time and reporting period in a text, in one way of writing.

A day is `2025-06-28`, a month `2025-06`, a year `2025`, a fiscal year `FY2025`, a quarter
`Q3 2025`, a half `H1 2025`; a span of time that ends on a day says how long it is first,
`3M 2025-06-28`, since a 10-Q gives three and nine months side by side. Weeks are told as the
months they stand for (13 as 3M, 52 as 12M). What is a date or time but names no period
(`10:30`, `May 5`) has the period "". A year alone is a period and never a figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?"
    r"|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)(?![A-Za-z])\.?"
)
_NUMBER_OF: Final = {
    name: n for n, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_YEAR: Final = r"(?:19|20)[0-9]{2}"
_NOT_COUNTED: Final = (
    r"(?![0-9A-Za-z_%]|[,.][0-9]|[ ]?(?:%|percent|[kmbt]?illion|thousand|[万亿元股倍]|bps?\b"
    r"|(?:new |full-time |retail )?(?:employees|shares|stores|people|customers|users|patents|units|companies|countries"
    r"|subscribers|followers|likes|views|points|dollars|jobs|locations|restaurants|miles|hours|members)\b))"
)
_CORE: Final = re.compile(
    rf"(?P<month>{_MONTH})[ ]*(?:(?P<day>[0-9]{{1,2}})(?![0-9%])(?:st|nd|rd|th)?(?:[ ]?,?[ \n]*(?P<yr>{_YEAR})(?![0-9]))?"
    rf"|,?[ ]?'?(?P<my>{_YEAR})(?![0-9]))"
    rf"|(?<![0-9.,$€£¥#-])(?P<dm>[0-9]{{1,2}})(?:st|nd|rd|th)?[ -](?:of )?(?P<dmonth>{_MONTH})(?:[ ,-]{{1,2}}(?P<dy>{_YEAR})(?![0-9]))?"
    rf"|(?<![0-9.,$€£¥-])(?P<iy>{_YEAR})(?P<sep>[-/.])(?P<im>0?[1-9]|1[0-2])(?P=sep)(?P<id>0?[1-9]|[12][0-9]|3[01])(?![0-9])"
    r"(?:[T_ ]+[0-9]{1,2}[:_][0-9]{2}(?:[:_][0-9]{2}(?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    rf"|(?P<ym>{_YEAR})-(?P<mm>0[1-9]|1[0-2])(?![0-9-])"
    r"|(?<![0-9/.,$])(?P<us>[0-9]{1,2}/[0-9]{1,2}/(?:(?:19|20)?[0-9]{2}))(?![0-9/])"
    r"|(?<![0-9/.,:$])(?P<time>[0-9]{1,2}:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?![0-9:])(?:[ ]?[AaPp]\.?[Mm]\b\.?)?|[0-9]{1,2}[ ]?[AaPp]\.?[Mm]\b)"
    rf"|(?<![0-9.,$])(?P<cny>{_YEAR})[ ]?年(?:度)?(?:[ ]?(?P<cnm>[0-9]{{1,2}})[ ]?月(?:[ ]?(?P<cnd>[0-9]{{1,2}})[ ]?[日号])?"
    r"|[ ]?第?(?P<cnq>[一二三四1-4])[ ]?季度?|[ ]?(?P<cnh>[上下])半年|(?P<cn9>前三季度))?"
    r"|(?<![0-9.,$])(?P<cnmd>[0-9]{1,2}[ ]?月(?:[ ]?[0-9]{1,2}[ ]?[日号])?)(?!份?个)"
    rf"|(?<![A-Za-z0-9.,$])(?P<mo>3|6|9|12)M[ ](?P<mofy>FY)?[ ]?(?P<moy>{_YEAR})(?P<modd>-[0-9]{{2}}-[0-9]{{2}})?(?![0-9-])"
    r"|(?<![A-Za-z0-9])(?:Q(?P<q>[1-4])|H(?P<h>[12]))(?:[ ]?(?:(?:of |FY|fiscal(?: year)?|CY)[ ,'/-]{0,2}|(?<=[ ])|[,'/-][ ]?)(?P<qy>(?:20)?[0-9]{2})(?![0-9%]|[,.][0-9]))?(?![0-9A-Za-z])"
    r"|(?<![A-Za-z0-9.,$])(?P<q2>[1-4])[Qq](?:[ ]?(?:FY|of )?[ ,'/-]{0,2}(?P<q2y>(?:20)?[0-9]{2})(?![0-9%]|[,.][0-9]))?(?![0-9A-Za-z])"
    r"|(?<![A-Za-z0-9.,$])(?P<h2>[12])H[ ,'/-]{0,2}(?P<h2y>(?:20)?[0-9]{2})(?![0-9%]|[,.][0-9])"
    rf"|(?<![A-Za-z0-9])(?P<fyp>FY|CY|F)[ ,'-]{{0,2}}(?P<fy>{_YEAR}|[0-9]{{2}})(?:[ ]?[-/–][ ]?(?:{_YEAR}|[0-9]{{2}}))?(?:[ ]?Q(?P<fyq>[1-4]))?[EA]?(?![0-9A-Za-z])"
    rf"|(?<![\w.,$€£¥#/+-])(?P<y>{_YEAR})(?:[ ]?[-–/][ ]?(?P<yto>{_YEAR}|[0-9]{{2}})(?![0-9%]|[,.][0-9]))?(?:[EeAa](?![A-Za-z0-9]))?(?:[ ]?Q(?P<yq>[1-4])|[ ]?(?:fiscal|FY)\b)?{_NOT_COUNTED}"
)
_START: Final = re.compile(
    r"[0-9JFMASONDQHC](?<![0-9A-Za-z_].)"
    r"(?:(?<=[0-9QHCF])|(?=an|AN|ar|AR|ay|AY|pr|PR|un|UN|ul|UL|ug|UG|ep|EP|ct|CT|ov|OV|ec|EC))"
)
"""Where `_CORE` may begin; a single set lets the search skip all else quickly."""
_ORDINALS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4,
}  # fmt: skip
_COUNTS: Final = {
    "three": 3, "six": 6, "nine": 9, "twelve": 12, "thirteen": 13, "twenty-six": 26, "thirty-nine": 39,
    "fifty-two": 52, "fifty-three": 53, "fourteen": 14, "twenty-seven": 27, "forty": 40,
}  # fmt: skip
_WEEKS_AS_MONTHS: Final = {12: 3, 13: 3, 14: 3, 24: 6, 26: 6, 27: 6, 39: 9, 40: 9, 52: 12, 53: 12}
_LEAD: Final = re.compile(
    r"(?:(?:\b(?P<n>three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two|fifty-three|fourteen|twenty-seven|forty"
    r"|[0-9]{1,2})(?:[ -]|\()*(?P<per>month|week)s?\)?(?:[ ]fiscal)?(?:[ ](?:period|year|quarter)s?)?"
    r"|\b(?:fiscal[ ])?(?P<year>years?)|\b(?:fiscal[ ])?(?P<quarter>quarters?))[ ]+(?:ended|ending)[ ]*(?:on )?"
    r"|\b(?P<ord>first|second|third|fourth|[1-4](?:st|nd|rd|th))[ ](?P<part>quarters?|half)(?:[ ](?:of|in|for))?[ ,]*(?:the )?(?:fiscal )?(?:year )?(?:of )?"
    r"|\b(?P<fiscal>fiscal(?:[ ]years?)?)[ ]*)\Z",
    re.IGNORECASE,
)
_LEADS: Final = (
    "ended",
    "ending",
    "fiscal",
    "quarter",
    "half",
    "of",
    "in",
    "on",
    "year",
    "years",
    "the",
    "for",
    "quarters",
)


_SHORTER: Final = re.compile(
    r"\b(?P<span>(?P<n>three|six|nine|thirteen|twenty-six|thirty-nine)-?(?:[ ](?:months?|weeks?))?)[ ]and[ ]\Z",
    re.IGNORECASE,
)
"""The first of two spans of time that end on one day: "three and nine months ended"."""


class When(NamedTuple):
    """A date, time or period: where it stands (its qualifiers included) and which it is."""

    start: int
    end: int
    period: str


def whens(text: str, start: int = 0, end: int | None = None) -> Iterator[When]:
    """All dates, times and periods in order; those without a period of their own have ""."""
    stop = len(text) if end is None else end
    last = start
    for begins in _START.finditer(text, start, stop):
        if begins.start() < last or not (found := _CORE.match(text, begins.start(), stop)):
            continue
        last = found.end()
        period = _period(found)
        first = found.start()
        if period and period[0] in "12F":
            lead = text[max(start, first - 44) : first]
            if lead.rstrip(" ,")[-8:].rsplit(" ", 1)[-1].lower() in _LEADS and (
                near := _LEAD.search(lead)
            ):
                first -= len(lead) - near.start()
                if near["n"] and (shorter := _SHORTER.search(text, max(start, first - 30), first)):
                    months = _months(shorter["n"].lower(), near["per"].lower())
                    yield When(*shorter.span("span"), f"{months}M {period}")
                period = _qualified(near, period)
        yield When(first, found.end(), period)


@lru_cache(maxsize=4096)
def period_of(text: str) -> str:
    """The one period that a header, cell or key names; "" if it names none."""
    text = _SPACED_YEAR.sub(_closed, text)
    best = ""
    for when in whens(text):
        if _weight(when.period) > _weight(best):
            best = when.period
    if not best:
        return ""
    if best[0].isdigit():
        if " " not in best and (near := _LEAD_ANYWHERE.search(text)):
            return _qualified(near, best)
        if len(best) == 4 and (quarter := _QUARTER_NEAR.search(text)):
            return f"Q{quarter[1]} {best}"
    return best


_SPACED_YEAR: Final = re.compile(r"\b(?:1 9|2 0) [0-9] [0-9]\b")
_LEAD_ANYWHERE: Final = re.compile(_LEAD.pattern.removesuffix(r"\Z"), re.IGNORECASE)
_QUARTER_NEAR: Final = re.compile(r"\bQ([1-4])\b")


def _closed(found: re.Match[str]) -> str:
    return found[0].replace(" ", "")


def _weight(period: str) -> int:
    """More exact periods win over less exact ones."""
    return len(period) + 4 * (" " in period)


def _period(found: re.Match[str]) -> str:
    get = found.group
    match found.lastgroup:
        case "month" | "day" | "yr" | "my":
            if year := get("my"):
                return f"{year}-{_month(get('month')):02}"
            return _day(get("yr"), _month(get("month")), get("day"))
        case "dmonth" | "dy":
            return _day(get("dy"), _month(get("dmonth")), get("dm"))
        case "id":
            return _day(get("iy"), int(get("im")), get("id"))
        case "mm":
            return f"{get('ym')}-{get('mm')}"
        case "us":
            month, day, year = get("us").split("/")
            first, second = (month, day) if int(month) <= 12 else (day, month)
            return _day(_century(year), int(first), second)
        case "cny" | "cnm" | "cnd" | "cnq" | "cnh" | "cn9":
            return _chinese(found)
        case _:
            return _named(found)


def _named(found: re.Match[str]) -> str:
    get = found.group
    if months := get("mo"):
        return f"{months}M {get('mofy') or ''}{get('moy')}{get('modd') or ''}"
    if number := get("q") or get("q2"):
        year = get("qy") or get("q2y")
        return f"Q{number} {_century(year)}" if year else f"Q{number}"
    if number := get("h") or get("h2"):
        year = get("qy") or get("h2y")
        return f"H{number} {_century(year)}" if year else f"H{number}"
    if year := get("fy"):
        if quarter := get("fyq"):
            return f"Q{quarter} {_century(year)}"
        return _century(year) if get("fyp") == "CY" else f"FY{_century(year)}"
    if year := get("y"):
        if quarter := get("yq"):
            return f"Q{quarter} {year}"
        return f"{year}-{get('yto')}" if get("yto") and len(get("yto")) == 4 else year
    return ""


def _chinese(found: re.Match[str]) -> str:
    year, month, day, quarter = found.group("cny", "cnm", "cnd", "cnq")
    if quarter:
        return f"Q{_ORDINALS[quarter]} {year}"
    if half := found["cnh"]:
        return f"H{1 if half == '上' else 2} {year}"
    if found["cn9"]:
        return f"9M {year}-09-30"
    if day:
        return _day(year, int(month), day)
    return f"{year}-{int(month):02}" if month and 1 <= int(month) <= 12 else year


def _qualified(lead: re.Match[str], period: str) -> str:
    if lead["ord"]:
        number = _ORDINALS[lead["ord"].lower()]
        kind = "H" if lead["part"].lower() == "half" else "Q"
        return f"{kind}{number} {period.removeprefix('FY')[:4]}" if period[:2] != "Q" else period
    if lead["fiscal"]:
        return f"FY{period}" if len(period) == 4 and period.isdigit() else period
    if len(period) == 4:
        return f"FY{period}" if lead["year"] else period
    if " " in period or period.startswith("FY"):
        return period
    if lead["n"]:
        return f"{_months(lead['n'].lower(), lead['per'].lower())}M {period}"
    return f"{12 if lead['year'] else 3}M {period}"


def _months(count: str, per: str) -> int:
    number = _COUNTS.get(count) or int(count)
    return _WEEKS_AS_MONTHS.get(number, max(number // 4, 1)) if per == "week" else number


def _month(name: str) -> int:
    return _NUMBER_OF[name[:3].lower()]


def _century(year: str) -> str:
    return year if len(year) == 4 else f"{'19' if year > '70' else '20'}{year}"


def _day(year: str | None, month: int, day: str | None) -> str:
    if not year or not day or not 1 <= int(day) <= 31 or not 1 <= month <= 12:
        return ""
    return f"{year}-{month:02}-{int(day):02}"
