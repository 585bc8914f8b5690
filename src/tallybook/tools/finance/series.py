"""One line item over time, as reported: which tag, which of several values, which period.

The tag is the one a company used last. Periods it does not cover are filled from a tag used
before, unless the two disagree where they meet: then they mean different things, and a gap
is better than a series that changes its meaning half-way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tallybook.tools.finance.facts import CompanyFacts, Fact
from tallybook.tools.finance.fiscal import FiscalCalendar
from tallybook.tools.finance.items import TAG_NOTES
from tallybook.tools.finance.line_item import Kind, LineItem
from tallybook.tools.finance.splits import Split, restate, splits_after

Place = tuple[int, int]
"""Place of a period's end in the fiscal calendar, and the quarters it lasts (0 at a date)."""


@dataclass(frozen=True)
class Value:
    """One figure with its origin: a tag in a filing, or a formula over such figures.

    `filings` are accession numbers. `derived` is empty for what a company reported itself.
    `note` says what a reader must know: a restatement, a split, a part left out.
    """

    amount: Decimal
    unit: str
    end: date
    start: date | None
    filings: tuple[str, ...]
    tag: str = ""
    derived: str = ""
    note: str = ""


Series = Mapping[Place, Value]


def read_series(
    facts: CompanyFacts, item: LineItem, calendar: FiscalCalendar, splits: Sequence[Split]
) -> Series:
    """Give every period of an item that some tag reports, on the newest share basis."""
    candidates = []
    for tag in item.tags:
        rows = _unit(facts.facts.get(tag, {}), item.kind)
        if series := _one_tag(rows, tag, item, calendar, splits):
            candidates.append(series)
    ordered = sorted(candidates, key=_recency, reverse=True)
    chosen: dict[Place, Value] = {}
    for series in ordered:
        if _agree(chosen, series):
            chosen = {**series, **chosen}
    return _one_scale(chosen) if item.kind == "shares" else chosen


def _one_scale(series: Series) -> Series:
    """Leave out counts filed in thousands by mistake, as happened in the first years of XBRL."""
    newest = max(series.values(), key=lambda value: value.end, default=None)
    if newest is None:
        return series
    low, high = newest.amount / 300, newest.amount * 300
    return {place: value for place, value in series.items() if low < value.amount < high}


@dataclass(frozen=True)
class _Rows:
    unit: str = ""
    rows: tuple[Fact, ...] = ()


def _unit(units: Mapping[str, tuple[Fact, ...]], kind: Kind) -> _Rows:
    """Choose the unit of the right kind that was used last."""
    fit = [_Rows(unit, rows) for unit, rows in units.items() if rows and _kind(unit) == kind]
    return max(fit, key=lambda r: max(f.end for f in r.rows), default=_Rows())


def _kind(unit: str) -> Kind | None:
    match unit.split("/"):
        case ["shares"]:
            return "shares"
        case [currency] if len(currency) == 3 and currency.isupper():
            return "money"
        case [currency, "shares"] if len(currency) == 3 and currency.isupper():
            return "money/share"
        case _:
            return None


def _one_tag(
    found: _Rows,
    tag: str,
    item: LineItem,
    calendar: FiscalCalendar,
    splits: Sequence[Split],
) -> dict[Place, Value]:
    placed: dict[Place, list[Fact]] = {}
    for fact in found.rows:
        place = calendar.span(fact)
        if place is not None and (place[1] == 0) == item.instant:
            placed.setdefault(place, []).append(fact)
    unit = found.unit.removesuffix("s") if item.kind == "money/share" else found.unit
    values = {p: _latest(rows, tag, unit, item.kind, splits) for p, rows in placed.items()}
    return {place: value for place, value in values.items() if value is not None}


def _latest(
    rows: Iterable[Fact], tag: str, unit: str, kind: Kind, splits: Sequence[Split]
) -> Value | None:
    """The value of the latest filing; an earlier, different one is named in the note."""
    filed = sorted(rows, key=lambda f: (f.filed, f.accn))
    last = filed[-1]
    if kind in ("money", "%", "x"):
        notes = "; ".join(note for note in (TAG_NOTES.get(tag), _restated(filed)) if note)
        return Value(last.val, unit, last.end, last.start, (last.accn,), tag, note=notes)
    amount = restate(last.val, last.filed, kind, splits)
    if amount is None:
        return None
    undone = splits_after(last.filed, splits)
    how = f"{last.val} as filed, put on today's shares: " + ", ".join(map(str, undone))
    return Value(
        amount, unit, last.end, last.start, (last.accn,), tag, derived=how if undone else ""
    )


def _restated(filed: Sequence[Fact]) -> str:
    """Name the value first filed, unless the later one is the same in other rounding."""
    first, last = filed[0], filed[-1]
    off = abs(first.val - last.val)
    if off <= abs(first.val) / 200 and off <= max(_step(first.val), _step(last.val)):
        return ""
    return f"restated; first filed as {first.val} in {first.accn}"


def _step(value: Decimal) -> Decimal:
    """One step of the last digit that is not zero: 100 for 1,900."""
    exponent = value.normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)


def _recency(series: Series) -> tuple[date, int]:
    """Newest end first; of two equally new tags the one that covers more of the last year."""
    newest = max(value.end for value in series.values())
    last = max(place for place, _ in series)
    return newest, sum(1 for place, _ in series if place > last - 4)


def _agree(chosen: Series, other: Series) -> bool:
    """Whether most of the periods that both report are equal, in the last two years they meet.

    Companies redefine old tags; what a tag meant long ago says nothing of it now.
    """
    shared = [place for place in other if place in chosen]
    newest = max((place for place, _ in shared), default=0)
    recent = [place for place in shared if place[0] > newest - 8]
    same = sum(1 for place in recent if _close(chosen[place].amount, other[place].amount))
    return 2 * same >= len(recent)


def _close(one: Decimal, two: Decimal) -> bool:
    return abs(one - two) <= abs(one) / 500
