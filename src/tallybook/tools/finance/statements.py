"""A company's line items by period: reported where they are, computed where they must be.

A single quarter of the cash flow, and the fourth quarter of the income statement, exist only
as differences of longer periods; other items are formulas over items. Both say so. Per-share
figures and share counts are averages over a period and are never differenced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Literal

from tallybook.tools.finance.compute import (
    Term,
    add,
    difference,
    growth,
    ratio,
    twelve_months,
)
from tallybook.tools.finance.debt import current_debt, total_debt
from tallybook.tools.finance.facts import CompanyFacts
from tallybook.tools.finance.fiscal import label, learn_calendar, quarter_of
from tallybook.tools.finance.items import ITEMS
from tallybook.tools.finance.line_item import Debt, Growth, LineItem, Ratio, Sum
from tallybook.tools.finance.series import Series, Value, read_series
from tallybook.tools.finance.splits import find_splits

PeriodKind = Literal["annual", "quarterly", "ttm"]

_ANCHORS = ("revenue", "net_income", "operating_cash_flow")


@dataclass(frozen=True)
class Period:
    """A fiscal year, a single quarter, or the twelve months up to a quarter's end."""

    kind: PeriodKind
    place: int

    def __str__(self) -> str:
        """Name it: "FY2026", "Q1 FY2027", "TTM Q1 FY2027"."""
        match self.kind:
            case "annual":
                return label(self.place, 4)
            case "ttm":
                return f"TTM {label(self.place)}"
            case "quarterly":
                return label(self.place)

    def back(self, quarters: int) -> Period:
        """The period of the same kind that ended so many quarters earlier."""
        return replace(self, place=self.place - quarters)


class Statements:
    """The statements of one company; a value is worked out when it is asked for."""

    def __init__(self, facts: CompanyFacts) -> None:
        self._facts = facts
        self._calendar = learn_calendar(facts.all())
        self._splits = find_splits(facts)
        self._series: dict[str, Series] = {}

    def periods(self, kind: PeriodKind) -> tuple[Period, ...]:
        """Give the periods of a kind that the facts cover, newest first."""
        spans = {span for key in _ANCHORS for span in self._reported(ITEMS[key])}
        match kind:
            case "annual":
                places = {place for place, quarters in spans if quarters == 4}
            case "quarterly":
                places = {p for p, quarters in spans if quarters < 4 or (p - 1, 3) in spans}
            case "ttm":
                places = {p for p, _ in spans}
        found = (Period(kind, place) for place in sorted(places, reverse=True))
        return tuple(period for period in found if self._covered(period))

    def value(self, key: str, period: Period) -> Value | None:
        """Give an item's value for a period, or None if the facts do not hold it."""
        return self._value(key, period, frozenset())

    def end(self, period: Period) -> date:
        """Give the date on which a covered period ends."""
        return max(v.end for key in _ANCHORS if (v := self.value(key, period)) is not None)

    def why_missing(self, key: str, period: Period) -> str:
        """Say why `value` gives None."""
        item = ITEMS[key]
        match item.formula:
            case Ratio(top, bottom) if self.value(top, period) and self.value(bottom, period):
                return f"no positive {bottom} to divide by"
            case Growth(of, _) if self.value(of, period):
                return f"no earlier, positive {of} to compare with"
            case Ratio() | Growth():
                return "not computed, as what it is computed from is missing"
        if not item.additive and not item.instant and self._reported(item):
            if period.kind == "ttm":
                return "averages over shares have no sum; ask for period annual or quarterly"
            if quarter_of(period.place) == 4:
                return "no fourth quarter is reported, and averages over shares have no difference"
        return "not reported"

    def _value(self, key: str, period: Period, asking: frozenset[str]) -> Value | None:
        """`asking` stops formulas that need each other: cost and gross profit."""
        if key in asking:
            return None
        item = ITEMS[key]
        reported = self._over_time(item, period)
        return reported or self._computed(item, period, asking | {key})

    def _covered(self, period: Period) -> bool:
        values = [v for key in _ANCHORS if (v := self.value(key, period)) is not None]
        since = self._facts.since
        return bool(values) and (since is None or values[0].end >= since)

    def _reported(self, item: LineItem) -> Series:
        if item.key not in self._series:
            found = read_series(self._facts, item, self._calendar, self._splits)
            self._series[item.key] = found
        return self._series[item.key]

    def _over_time(self, item: LineItem, period: Period) -> Value | None:
        """What tags say of a period: themselves, or through longer or shorter periods."""
        series, place = self._reported(item), period.place
        if item.instant:
            return series.get((place, 0))
        match period.kind:
            case "annual":
                return series.get((place, 4))
            case "quarterly":
                return series.get((place, 1)) or difference(item, series, place)
            case "ttm" if quarter_of(place) == 4:
                return series.get((place, 4))
            case "ttm":
                return twelve_months(item, series, place)

    def _computed(self, item: LineItem, period: Period, asking: frozenset[str]) -> Value | None:
        def get(key: str, when: Period = period) -> Value | None:
            return self._value(key, when, asking)

        def term(key: str, when: Period = period) -> Term | None:
            value = get(key, when)
            name = key if when == period else f"{key} {when}"
            return None if value is None else Term(name, value)

        match item.formula:
            case Sum(plus, minus, optional):
                return _sum(get, plus, minus, optional)
            case Ratio(top, bottom):
                return _both(partial(ratio, item.kind), term(top), term(bottom))
            case Growth(of, against):
                quarters = 1 if against == "previous" and period.kind == "quarterly" else 4
                return _both(growth, term(of), term(of, period.back(quarters)))
            case Debt(total):
                return total_debt(get) if total else current_debt(get)
            case None:
                return None


def _both(
    compute: Callable[[Term, Term], Value | None], one: Term | None, two: Term | None
) -> Value | None:
    return None if one is None or two is None else compute(one, two)


def _sum(
    get: Callable[[str], Value | None],
    plus: tuple[str, ...],
    minus: tuple[str, ...],
    optional: tuple[str, ...],
) -> Value | None:
    needed = [(key, 1) for key in plus] + [(key, -1) for key in minus]
    found = [Term(key, v, sign) for key, sign in needed if (v := get(key)) is not None]
    if len(found) < len(needed):
        return None
    return add([*found, *(Term(key, v) for key in optional if (v := get(key)) is not None)])
