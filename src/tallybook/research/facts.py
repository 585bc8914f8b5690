"""Figures, and what is known of where they come from: the analyst's knowledge.

A fact is one row of a result of `get_financials` with the number of that result. Everything
else says what can still be had: which periods a company has, and why a figure is missing.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

import msgspec

from tallybook.research.periods import read_label
from tallybook.tools.finance.statements import Period, PeriodKind

Key = tuple[str, str, str]
"""Ticker, item, and the period's label."""


class Row(msgspec.Struct, frozen=True):
    """One figure as `get_financials` gives it; other fields are passed over."""

    ticker: str
    item: str
    period: str
    end: date
    value: Decimal
    unit: str
    filings: tuple[str, ...] = ()
    derived: str = ""
    note: str = ""


class Fact(msgspec.Struct, frozen=True):
    """A figure and the number of the result it stands in."""

    row: Row
    seq: int

    @property
    def key(self) -> Key:
        """Whose, what, and when."""
        return (self.row.ticker, self.row.item, self.row.period)


class Covered(msgspec.Struct, frozen=True):
    """The periods of one kind that a company has, as result `seq` says."""

    first: str
    first_end: date
    last: str
    last_end: date
    seq: int

    def span(self) -> tuple[Period, Period] | None:
        """The oldest and the newest period; None for labels that are none of ours."""
        first, last = read_label(self.first), read_label(self.last)
        return (first, last) if first and last else None


@dataclass(frozen=True)
class Fetched:
    """A call of `get_financials` that was answered: what it asked for, and its result.

    Of a call that left the view less is known: `items` is empty then, and means any item.
    `whole` says that the result is shown in full, `failed` why there is none.
    """

    tickers: tuple[str, ...]
    period: str
    seq: int
    items: tuple[str, ...] = ()
    limit: int | None = None
    start: date | None = None
    end: date | None = None
    whole: bool = False
    failed: str = ""


@dataclass(frozen=True)
class Recalled:
    """A part of a result that was looked into; `failed` says that there is no such part."""

    seq: int
    path: str
    failed: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Sight:
    """All that stands in the messages at one moment.

    `missing` gives, by result and item, why figures are not there. `filings` are the accession
    numbers behind the figures of a result. `noted` is what the analyst's own notes hold, and
    `steps` how many replies it has given to the question under way.
    """

    facts: Mapping[Key, Fact] = field(default_factory=dict)
    covered: Mapping[tuple[str, PeriodKind], Covered] = field(default_factory=dict)
    missing: Mapping[tuple[int, str], str] = field(default_factory=dict)
    filings: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    sources: Mapping[int, str] = field(default_factory=dict)
    fetched: tuple[Fetched, ...] = ()
    recalled: frozenset[Recalled] = frozenset()
    noted: frozenset[Hashable] = frozenset()
    steps: int = 0
    stripped: bool = False


_ROW = re.compile(r'\{"company":[^{}]*\}')
_COVERS = re.compile(
    r"(?P<first>[A-Z0-9 ]+?) \((?P<first_end>\d{4}-\d\d-\d\d)\) to "
    r"(?P<last>[A-Z0-9 ]+?) \((?P<last_end>\d{4}-\d\d-\d\d)\)"
)


def read_rows(text: str) -> Iterator[Row]:
    """Every whole row in a result, or in a part of one."""
    for found in _ROW.finditer(text):
        try:
            yield msgspec.json.decode(found[0], type=Row)
        except msgspec.DecodeError:
            continue


def read_covers(text: str, seq: int) -> Covered | None:
    """The periods in "Q4 FY2022 (2022-09-24) to Q1 FY2026 (2025-12-27)"."""
    found = _COVERS.search(text)
    if found is None:
        return None
    first_end, last_end = (
        date.fromisoformat(found["first_end"]),
        date.fromisoformat(found["last_end"]),
    )
    return Covered(found["first"], first_end, found["last"], last_end, seq)
