"""Company facts made up for tests: a few reported values in EDGAR's form."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from tallybook.tools.finance.facts import CompanyFacts, Fact

Tags = dict[str, list[Fact]]


def fact(
    value: str | int, start: str, end: str, filed: str = "", form: str = "10-Q", fy: int = 0
) -> Fact:
    """A value over a period, or at a date if `start` is empty; filed a month after its end."""
    last = date.fromisoformat(end)
    day = date.fromisoformat(filed) if filed else last + timedelta(days=30)
    first = date.fromisoformat(start) if start else None
    accn = f"{day:%Y%m%d}-{form}"
    return Fact(last, Decimal(value), accn, form, day, first, fy or None)


def company(unit: str = "USD", /, **tags: list[Fact]) -> CompanyFacts:
    """A company whose fiscal year is the calendar year, learned from reports of 2022 to 2024."""
    years = [fact(1, f"{y}-01-01", f"{y}-12-31", form="10-K", fy=y) for y in (2022, 2023, 2024)]
    found = {tag: {unit: tuple(facts)} for tag, facts in tags.items()}
    return CompanyFacts("TEST", "Test Corp", 1, {"Goodwill": {"USD": tuple(years)}, **found})


def quarters(year: int, *values: int) -> list[Fact]:
    """The four quarters as an income statement files them: three alone, the fourth in the year."""
    ends = (f"{year}-03-31", f"{year}-06-30", f"{year}-09-30", f"{year}-12-31")
    starts = (f"{year}-01-01", f"{year}-04-01", f"{year}-07-01")
    alone = [fact(v, s, e) for v, s, e in zip(values, starts, ends, strict=False)]
    nine = fact(sum(values[:3]), starts[0], ends[2])
    return [*alone, nine, fact(sum(values), starts[0], ends[3], form="10-K", fy=year)]
