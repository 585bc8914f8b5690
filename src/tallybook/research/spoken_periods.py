"""Read the periods out of a question: "last eight quarters", "FY2023 to FY2025", "最近三年"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from tallybook.research.named_periods import read_named
from tallybook.research.periods import USUAL, Periods
from tallybook.research.text import take, take_all
from tallybook.tools.finance.financials import MOST_PERIODS
from tallybook.tools.finance.statements import Period


def read_periods(text: str, today: date) -> tuple[Periods | None, str]:
    """The periods that a lower-case text names, None where it names none, and what is left."""
    _, text = take_all(text, _CALENDAR)
    ttm, text = take(text, _TTM)
    by_quarter, text = take_all(text, _BY_QUARTER)
    by_year, text = take_all(text, _BY_YEAR)
    found, text = read_named(text, today, quarterly=bool(by_quarter))
    if found is None:
        found, text = _counted(text, today, quarterly=bool(by_quarter))
    if ttm:
        return _as_ttm(found), text
    if found is None and (by_year or by_quarter):
        found = Periods("annual" if by_year else "quarterly")
    return found, text


def _as_ttm(found: Periods | None) -> Periods:
    if found is None or (found.kind == "annual" and not found.named):
        return Periods("ttm", 1)
    named = tuple(Period("ttm", period.place) for period in found.named)
    return replace(found, kind="ttm", named=named, since=None)


def _counted(text: str, today: date, *, quarterly: bool) -> tuple[Periods | None, str]:
    """The newest so many, or a usual number of them where none is given."""
    for pattern in (_COUNT, _COUNT_ZH, _BARE_COUNT, _BARE_COUNT_ZH):
        found, left = take(text, pattern)
        if found:
            return _periods_of(found, quarterly=quarterly), left
    for pattern, periods in (
        (_THIS_YEAR, Periods("quarterly", since=Period("quarterly", today.year * 4))),
        (_LAST_YEAR, Periods("annual", 1)),
        (_HISTORY, Periods("quarterly", 16) if quarterly else Periods("annual", 10)),
        (_LATEST, Periods("quarterly", 1)),
    ):
        found, left = take(text, pattern)
        if found:
            return periods, left
    return None, text


def _periods_of(found: re.Match[str], *, quarterly: bool) -> Periods:
    said, unit = found["n"], found["unit"]
    plural = found[0].endswith("s") and not found[0].endswith("previous")
    number = max(1, _number(said)) if said else USUAL if plural else 1
    if unit.startswith(("quarter", "季", "财季")):
        return Periods("quarterly", min(number, MOST_PERIODS))
    if unit.startswith(("month", "月")):
        return Periods("quarterly", max(1, min(round(number / 3), MOST_PERIODS)))
    if quarterly:
        return Periods("quarterly", min(4 * number, MOST_PERIODS))
    return Periods("annual", min(number, MOST_PERIODS))


def _number(said: str) -> int:
    """A number in figures or words; Chinese up to 99."""
    said = said.strip()
    if said.isdigit():
        return int(said)
    if said in _WORDS:
        return _WORDS[said]
    tens, ten, ones = said.partition("十")
    units = "零一二三四五六七八九"
    return (units.index(tens) if tens else 1) * 10 + units.index(ones or "零") if ten else 0


_WORDS = {
    word: number
    for number, words in enumerate(
        re.findall(
            r"\S+",
            "one|一 two|couple|二|两 three|三 four|few|several|四|几|数 five|五 six|六 seven|七 "
            "eight|八 nine|九 ten|十 eleven twelve|dozen thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen twenty",
        ),
        1,
    )
    for word in words.split("|")
}
_N = "|".join([r"\d{1,2}", *sorted(filter(str.isascii, _WORDS), key=len, reverse=True)])
_N_ZH = r"\d{1,2}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九几数]"

_CALENDAR = re.compile(r"\bcalendar\b|自然年")
_TTM = re.compile(
    r"\b(?:on a )?ttm(?: basis)?\b|\bltm\b|\btrailing[- ](?:twelve|12)[- ]months?\b|"
    r"\b(?:last|past) (?:twelve|12) months\b|滚动(?:十二个月)?|(?:过去|最近)(?:十二|12)个月"
)
_BY_QUARTER = re.compile(
    r"\bquarterly\b|\b(?:by|per|each|every|all) (?:fiscal )?quarters?\b|\bquarter by quarter\b|"
    r"各个?季度?|每个?季度?|分季度?|逐季|按季度?|(?<![一二三四1-4个上本当新财])季度(?!末)"
)
_BY_YEAR = re.compile(
    r"\bannual(?:ly)?\b|\byearly\b|\b(?:by|per|each|every) (?:fiscal )?year\b|\bfull[- ]years?\b|"
    r"每个?财?年|各年|逐年|全年|(?<![一二三四五六七八九十\d个上本])年度"
)
_COUNT = re.compile(
    rf"\b(?:last|past|latest|recent|most recent|newest|previous|prior|preceding|trailing|current)"
    rf"\s+(?:the\s+)?(?:(?P<n>{_N})[\s-]+)?(?:of\s+)?(?:full |fiscal |completed |reported )*"
    r"(?P<unit>quarter|year|month)s?\b"
)
_COUNT_ZH = re.compile(
    rf"(?:过去的?|最近的?|近|最新的?|前|上|本|当)\s*(?P<n>{_N_ZH})?\s*个?完?整?"
    r"(?P<unit>财年|财季|季度|季|年|月)度?"
)
_BARE_COUNT = re.compile(
    rf"\b(?P<n>{_N})[\s-]+(?:of\s+)?(?:full |fiscal )?(?P<unit>quarter|year|month)s?\b"
)
_BARE_COUNT_ZH = re.compile(
    rf"(?<![第\d])(?P<n>{_N_ZH})个?(?P<unit>财年|年|(?<=个)季度|(?<=个)月)(?![前后])"
)
_THIS_YEAR = re.compile(
    r"\bthis (?:fiscal )?year\b|\byear[- ]to[- ]date\b|\bytd\b|今年|本财年|年初至今"
)
_LAST_YEAR = re.compile(r"去年|上一?财?年")
_HISTORY = re.compile(r"\bover (?:time|the years)\b|\bhistor(?:y|ical(?:ly)?)\b|历年|历史|历来")
_LATEST = re.compile(
    r"\b(?:most recent|latest|newest|current(?:ly)?|right now|now|today|recent)\b|最新一?期?|"
    r"最近一?期?|目前|现在|当前|如今"
)
