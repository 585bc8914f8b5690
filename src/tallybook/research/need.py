"""What an answer needs: for each company and item the periods, and those growth is held against.

Also the request that brings it, and whether a request made before brings it already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from tallybook.research.facts import Covered, Fetched, Sight
from tallybook.research.periods import USUAL, Periods
from tallybook.research.question import Question
from tallybook.tools.finance.financials import MOST_PERIODS
from tallybook.tools.finance.items import ITEMS
from tallybook.tools.finance.line_item import Growth, Ratio, Return, Sum
from tallybook.tools.finance.statements import Period

_AT_ONE_TIME = frozenset({"highest", "lowest", "rank", "difference"})


@dataclass(frozen=True)
class Need:
    """The periods asked for, and how far back (in quarters) others are held against them."""

    periods: Periods
    back: tuple[int, ...] = ()

    @property
    def rows(self) -> int:
        """How many of the newest rows hold all of it, for periods that are counted."""
        deepest = max(self.back, default=0) // self.periods.step
        return min(self.periods.count + deepest, MOST_PERIODS)

    def wanted(self, covered: Covered | None) -> tuple[Period, ...]:
        """The periods to show, newest first, as far as the company has them."""
        span = covered.span() if covered else None
        if span is None:
            return self.periods.named
        first, last = span
        return tuple(p for p in self.periods.wanted(last) if first.place <= p.place <= last.place)

    def needed(self, covered: Covered | None) -> tuple[Period, ...]:
        """The periods to show and those they are held against, newest first."""
        span = covered.span() if covered else None
        oldest = span[0].place if span else 0
        wanted = self.wanted(covered)
        bases = (period.back(quarters) for period in wanted for quarters in self.back)
        unique = {p.place: p for p in (*wanted, *bases) if p.place >= oldest}
        return tuple(unique[place] for place in sorted(unique, reverse=True))

    def request(self, ticker: str, items: tuple[str, ...]) -> dict[str, object]:
        """The arguments that bring it. Items come last: an index line shows what is before."""
        arguments: dict[str, object] = {"tickers": [ticker], "period": self.periods.kind}
        start, end = self.bounds()
        if start is None:
            arguments["limit"] = self.rows
        else:
            arguments["start"] = start.isoformat()
        if end is not None:
            arguments["end"] = end.isoformat()
        return arguments | {"items": list(with_parts(items))}

    def bounds(self) -> tuple[date | None, date | None]:
        """Dates between which the named periods end, whatever the company's calendar.

        A fiscal year goes by the calendar year in which it ends, or by the one before where
        it ends in January or February; so its first quarter ends between April of the year
        before and May of the year itself.
        """
        named = self.periods.named
        oldest = named[-1] if named else self.periods.since
        if oldest is None:
            return None, None
        start = _earliest(oldest.back(max(self.back, default=0)))
        return start, _latest(named[0]) if named else None

    def is_brought_by(self, call: Fetched, covered: Covered | None) -> bool:
        """Whether an earlier call asked for all these periods."""
        if call.period != self.periods.kind:
            return False
        start, end = self.bounds()
        if call.start is None and call.end is None:
            if start is None:
                return call.limit is not None and call.limit >= self.rows
            return self._is_within(call, covered)
        if start is None or call.start is None or call.start > start:
            return False
        return call.end is None or (end is not None and end <= call.end)

    def _is_within(self, call: Fetched, covered: Covered | None) -> bool:
        span = covered.span() if covered else None
        needed = self.needed(covered)
        if span is None or call.limit is None:
            return False
        oldest = span[1].place - (call.limit - 1) * self.periods.step
        return all(period.place >= oldest for period in needed)


def need_of(asked: Question) -> Need:
    """What a question needs; where it names no period, the newest few quarters."""
    periods = asked.periods or _usual(asked)
    back = []
    if "growth_yoy" in asked.operations:
        back.append(4)
    if "growth_qoq" in asked.operations:
        back.append(periods.step)
    if "cagr" in asked.operations and not periods.named and periods.since is None:
        periods = replace(periods, count=periods.count + 1)
    return Need(periods, tuple(back))


def _usual(asked: Question) -> Periods:
    """Companies are held against each other now, one company against its own past."""
    if "cagr" in asked.operations:
        return Periods("annual", 3)
    if _AT_ONE_TIME.issuperset(asked.operations):
        if asked.operations:
            return Periods("quarterly", 1 if len(asked.companies) > 1 else 2 * USUAL)
        if all(ITEMS[item].instant for item in asked.items):
            return Periods("quarterly", 1)
    return Periods("quarterly")


def label(item: str, period: Period) -> str:
    """How a result names this period of an item: a balance has no twelve months, but a date."""
    if period.kind == "ttm" and ITEMS[item].instant:
        return str(Period("quarterly", period.place))
    return str(period)


def with_parts(items: tuple[str, ...]) -> tuple[str, ...]:
    """The items and what each ratio or sum is made of, so that it can be checked."""
    every = dict.fromkeys(items)
    for item in items:
        match ITEMS[item].formula:
            case Ratio(top=top, bottom=bottom) | Return(top=top, bottom=bottom):
                every |= dict.fromkeys((top, bottom))
            case Growth(of=of):
                every |= dict.fromkeys((of,))
            case Sum(plus=plus, minus=minus) if not ITEMS[item].tags:
                every |= dict.fromkeys((*plus, *minus))
    return tuple(key for key in every if not ITEMS[key].part)


def known(sight: Sight, ticker: str, item: str, period: Period) -> bool:
    """Whether a figure is in sight."""
    return (ticker, item, label(item, period)) in sight.facts


def _earliest(period: Period) -> date:
    year, quarter = divmod(period.place, 4)
    if period.kind == "annual":
        return date(year, 1, 1)
    return date(year, 1, 1) if quarter == 3 else date(year - 1, 4 + 3 * quarter, 1)


def _latest(period: Period) -> date:
    year, quarter = divmod(period.place, 4)
    return date(year + 1, 2, 28) if quarter == 3 else date(year, (5, 8, 11)[quarter], 30)
