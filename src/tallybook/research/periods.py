"""The periods a question asks for: how many, of which kind, or which by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from tallybook.research.lexicon import NUMBERS

Kind = Literal["annual", "quarterly", "ttm"]

_NUMBER = "|".join(sorted(map(re.escape, NUMBERS), key=len, reverse=True))
_COUNT = re.compile(
    rf"(?:last|past|latest|recent|previous|trailing|过去|最近|最新|近)\s*(?:the\s*)?"
    rf"(?P<n>\d{{1,2}}|{_NUMBER})?\s*(?:full |fiscal |个)?"
    r"(?P<unit>quarter|year|month|财年|季度|季|年)"
)
_SPAN = re.compile(
    r"(?:fy|fiscal(?: year)?|财年)?\s*(?P<first>20\d\d)\s*(?:年|财年)?\s*"
    r"(?:-|–|—|to|through|until|till|至|到)\s*"
    r"(?:fy|fiscal(?: year)?)?\s*(?P<last>20\d\d)"
)
_SINCE = re.compile(r"(?:since|from|自|从)\s*(?:fy|fiscal(?: year)?)?\s*(?P<first>20\d\d)")
_QUARTER = re.compile(
    r"(?:q(?P<q1>[1-4])|(?P<q2>first|second|third|fourth) quarter)\s*(?:of\s*)?(?:the\s*)?"
    r"(?:fy|fiscal(?: year)?)?\s*(?P<y>20\d\d)|"
    r"(?P<zy>20\d\d)\s*(?:财年|年)?\s*第?(?P<zq>[一二三四1-4])季"
)
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_ANNUAL = re.compile(
    r"\bannual|\byearly|\bper year|\bfull[- ]year|\bfiscal years?\b|年度|财年|每年"
)
_QUARTERLY = re.compile(r"quarter|季")
_TTM = re.compile(r"\bttm\b|trailing twelve|last twelve months|past twelve months|滚动")


@dataclass(frozen=True)
class Periods:
    """The newest `count` periods of a kind, or those with the given labels ("FY2024")."""

    kind: Kind
    count: int = 4
    labels: tuple[str, ...] = ()
    start: date | None = None
    end: date | None = None


def periods(text: str, today: date) -> Periods | None:
    """The periods a text names; None where it names none."""
    lower = text.lower()
    if _TTM.search(lower):
        return Periods("ttm", 1)
    if quarters := list(_QUARTER.finditer(lower)):
        return _labelled("quarterly", tuple(map(_quarter, quarters)))
    if span := _SPAN.search(lower):
        return _years(lower, int(span["first"]), int(span["last"]))
    if since := _SINCE.search(lower):
        return _years(lower, int(since["first"]), today.year + 1)
    if years := sorted({int(year) for year in _YEAR.findall(lower)}):
        return _named_years(lower, years)
    if count := _COUNT.search(lower):
        return _counted(count)
    if _ANNUAL.search(lower):
        return Periods("annual", 4)
    return Periods("quarterly", 4) if _QUARTERLY.search(lower) else None


def _counted(match: re.Match[str]) -> Periods:
    said = match["n"]
    number = 1 if said is None else int(said) if said.isdigit() else NUMBERS[said]
    if match["unit"] in ("quarter", "季度", "季"):
        plural = said is None and match.string[match.end() : match.end() + 1] == "s"
        return Periods("quarterly", 4 if plural else max(1, min(number, 40)))
    if match["unit"] == "month":
        return Periods("quarterly", max(1, round(number / 3)))
    return Periods("annual", max(1, min(number, 20)))


def _years(text: str, first: int, last: int) -> Periods:
    years = range(min(first, last), max(first, last) + 1)
    return _named_years(text, list(years)[:20])


def _named_years(text: str, years: list[int]) -> Periods:
    if _QUARTERLY.search(text):
        labels = tuple(
            f"Q{quarter} FY{year}" for year in reversed(years) for quarter in (4, 3, 2, 1)
        )
        return _labelled("quarterly", labels)
    return _labelled("annual", tuple(f"FY{year}" for year in reversed(years)))


def _labelled(kind: Kind, labels: tuple[str, ...]) -> Periods:
    """Fiscal years end up to a year before or half a year after the calendar year they name."""
    years = [int(label[-4:]) for label in labels]
    start, end = date(min(years) - 1, 1, 1), date(max(years) + 1, 6, 30)
    return Periods(kind, min(40, len(labels) + 12), labels, start, end)


def _quarter(match: re.Match[str]) -> str:
    said = match["q1"] or match["q2"] or match["zq"]
    number = _ORDINALS.get(said) or NUMBERS.get(said) or int(said)
    return f"Q{number} FY{match['y'] or match['zy']}"
