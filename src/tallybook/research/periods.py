"""The periods that a question asks for: the newest so many, those it names, or all since one.

Years and quarters are read as the company's fiscal ones, as `get_financials` labels them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tallybook.tools.finance.financials import MOST_PERIODS
from tallybook.tools.finance.statements import Period, PeriodKind

USUAL = 4
"""So many of the newest quarters are shown where a question names no period."""

_LABEL = re.compile(r"(?P<ttm>TTM )?(?:Q(?P<quarter>[1-4]) )?FY(?P<year>\d{4})")


@dataclass(frozen=True)
class Periods:
    """Periods of one kind: the `named` ones, all from `since` on, or else the newest `count`."""

    kind: PeriodKind
    count: int = USUAL
    named: tuple[Period, ...] = ()
    since: Period | None = None

    @property
    def step(self) -> int:
        """Quarters from one period to the next."""
        return 4 if self.kind == "annual" else 1

    def wanted(self, last: Period) -> tuple[Period, ...]:
        """The periods asked for where `last` is the newest there is, newest first."""
        if self.named:
            return self.named
        oldest = self.since or last.back((self.count - 1) * self.step)
        places = range(last.place, oldest.place - 1, -self.step)
        return tuple(Period(self.kind, place) for place in places)[:MOST_PERIODS]


def read_label(text: str) -> Period | None:
    """The period that a label such as "Q1 FY2027", "FY2026" or "TTM Q1 FY2027" names."""
    found = _LABEL.fullmatch(text)
    if found is None:
        return None
    place = int(found["year"]) * 4 + int(found["quarter"] or 4) - 1
    return Period("ttm" if found["ttm"] else "quarterly" if found["quarter"] else "annual", place)
