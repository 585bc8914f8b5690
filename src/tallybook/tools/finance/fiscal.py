"""A company's own calendar, learned from the dates of its annual reports.

Periods are placed by their dates alone. A place is one number, `year * 4 + quarter - 1`, so
that the quarter before is one less, and the same quarter a year ago is four less. Years of 52
and 53 weeks, and quarters of 12 to 17 weeks, are placed by their share of the year.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from tallybook.tools.finance.facts import ANNUAL, Fact

_QUARTER = 365.25 / 4
_SLACK = 25
"""Days by which a quarter's end may miss a quarter of the year: Pepsi's nine months have 252."""


@dataclass(frozen=True)
class FiscalYear:
    """One fiscal year, `number` as the company counts (NVIDIA's 2026 ended in January 2026)."""

    number: int
    start: date
    end: date

    @property
    def days(self) -> int:
        """Length in days, both ends counted."""
        return (self.end - self.start).days + 1


@dataclass(frozen=True)
class FiscalCalendar:
    """The fiscal years of one company, oldest first, with the running ones at the end."""

    years: tuple[FiscalYear, ...]

    def place(self, end: date) -> int | None:
        """Place a date that ends a quarter or year; None for any other date."""
        for year in reversed(self.years):
            day = (end - year.start).days + 1
            if 20 < day <= year.days + 20:
                quarter = round(day / (year.days / 4))
                near = abs(day - quarter * year.days / 4) <= _SLACK
                return year.number * 4 + quarter - 1 if near and 1 <= quarter <= 4 else None
        return None

    def span(self, fact: Fact) -> tuple[int, int] | None:
        """Place a fact as (place of its end, quarters it lasts); an instant lasts 0."""
        place = self.place(fact.end)
        quarters = round(fact.days / _QUARTER)
        if place is None or quarters > 4 or abs(fact.days - quarters * _QUARTER) > _SLACK:
            return None
        if fact.start is not None and quarters == 0:
            return None
        return place, quarters


def quarter_of(place: int) -> int:
    """Quarter of the fiscal year, 1 to 4."""
    return place % 4 + 1


def label(place: int, quarters: int = 1) -> str:
    """Name a period: "Q1 FY2027", "6M FY2027", "9M FY2027", "FY2026"."""
    match quarters:
        case 4:
            return f"FY{place // 4}"
        case 2 | 3:
            return f"{quarters * 3}M FY{place // 4}"
        case _:
            return f"Q{quarter_of(place)} FY{place // 4}"


def learn_calendar(facts: Iterable[Fact]) -> FiscalCalendar:
    """Learn the fiscal years from the twelve-month periods of annual reports.

    The dates decide. The number a year goes by is a company's habit, which dates cannot
    show, so it is taken from the year that most annual reports give themselves.
    """
    reports: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.form in ANNUAL and 350 <= fact.days <= 380:
            reports.setdefault(fact.accn, []).append(fact)
    spans: dict[date, date] = {}
    habits: Counter[int] = Counter()
    for report in sorted(reports.values(), key=lambda r: r[0].filed):
        own = max(fact.end for fact in report)
        spans |= {f.end: f.start for f in report if f.start and _same_year_end(f.end, own)}
        if (number := report[0].fy) is not None:
            habits[number - _nominal(own)] += 1
    shift = habits.most_common(1)[0][0] if habits else 0
    years = [FiscalYear(_nominal(end) + shift, spans[end], end) for end in sorted(spans)]
    return FiscalCalendar((*years, *_running(years)))


def _nominal(end: date) -> int:
    """A year that ends in the first days of January belongs to the year before."""
    return (end - timedelta(days=10)).year


def _same_year_end(end: date, own: date) -> bool:
    gap = (own - end).days
    return abs(gap - round(gap / 365.25) * 365.25) <= 10


def _running(years: list[FiscalYear]) -> Iterable[FiscalYear]:
    if years:
        last = years[-1]
        for ahead in (1, 2):
            start = last.end + timedelta(days=1)
            last = FiscalYear(years[-1].number + ahead, start, start + timedelta(days=363))
            yield last
