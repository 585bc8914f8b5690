"""Series of figures for an answer: as results give them, and what is computed from those.

All arithmetic is decimal. What is computed here is rounded half to even, to two decimals in
the unit shown, and carries the numbers of all results it was computed from. Nothing is
computed over a base that is not positive, or across currencies: that is a gap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal

from tallybook.research.facts import Fact
from tallybook.research.need import label
from tallybook.research.plan import Plan
from tallybook.tools.finance.statements import Period

BY_TOOL = "†"
HERE = "‡"

_MILLION = Decimal(1_000_000)
_CENT = Decimal("0.01")


@dataclass(frozen=True)
class Cell:
    """A figure in the unit shown. `seqs` are the results it is from, `mark` says who computed."""

    ticker: str
    period: Period
    name: str
    end: date
    value: Decimal
    unit: str
    seqs: tuple[int, ...]
    mark: str = ""

    def shown(self) -> str:
        """The value with all its digits and its results: "81,615 [4]"."""
        return f"{self.number()} {''.join(f'[{seq}]' for seq in self.seqs)}"

    def number(self) -> str:
        """The value with its mark, without its results."""
        if self.unit in ("%", "pp"):
            return f"{rounded(self.value):,}{self.mark}"
        value = rounded(self.value) if self.mark == HERE else self.value
        return f"{value.normalize():,f}{self.mark}"


@dataclass(frozen=True)
class Series:
    """What one table or column shows: cells by company and place of the period."""

    key: str
    cells: Mapping[tuple[str, int], Cell]

    @property
    def unit(self) -> str:
        """The unit of all cells; empty where they differ."""
        units = {cell.unit for cell in self.cells.values()}
        return units.pop() if len(units) == 1 else ""

    def of(self, ticker: str) -> list[Cell]:
        """A company's cells, newest first."""
        own = [cell for (whose, _), cell in self.cells.items() if whose == ticker]
        return sorted(own, key=lambda cell: -cell.period.place)


def reported(plan: Plan, item: str) -> Series:
    """An item as the results give it."""
    return Series(item, _over(plan, lambda ticker, period: figure(plan, ticker, item, period)))


def growth(plan: Plan, item: str, back: int) -> Series:
    """The change of an item against `back` quarters before: per cent, or points for per cent."""

    def change(ticker: str, period: Period) -> Cell | None:
        now = figure(plan, ticker, item, period)
        base = figure(plan, ticker, item, period.back(back))
        return changed(now, base) if now and base else None

    yearly = back == 4
    return Series(f"{item} {'yoy' if yearly else 'qoq'}", _over(plan, change))


def share(plan: Plan, item: str, of: str) -> Series:
    """One item in per cent of another."""

    def part(ticker: str, period: Period) -> Cell | None:
        top = figure(plan, ticker, item, period)
        bottom = figure(plan, ticker, of, period)
        if top is None or bottom is None or bottom.value <= 0 or top.unit != bottom.unit:
            return None
        return _computed(100 * top.value / bottom.value, "%", (top, bottom))

    return Series(f"{item} / {of}", _over(plan, part))


def figure(plan: Plan, ticker: str, item: str, period: Period) -> Cell | None:
    """One reported figure in the unit shown."""
    fact = plan.sight.facts.get((ticker, item, label(item, period)))
    return _cell(fact, period) if fact else None


def changed(now: Cell, base: Cell) -> Cell | None:
    """The change in per cent of a positive base; of percentages, in points."""
    if now.unit != base.unit:
        return None
    if now.unit == "%":
        return _computed(now.value - base.value, "pp", (now, base))
    if base.value <= 0:
        return None
    return _computed(100 * (now.value - base.value) / base.value, "%", (now, base))


def difference(one: Cell, other: Cell) -> Cell | None:
    """One figure less another; of percentages, in points."""
    if one.unit != other.unit:
        return None
    unit = "pp" if one.unit == "%" else one.unit
    return _computed(one.value - other.value, unit, (one, other))


def average(cells: Sequence[Cell]) -> Cell | None:
    """The simple mean of figures in one unit."""
    if not cells or any(cell.unit != cells[0].unit for cell in cells):
        return None
    total = sum((cell.value for cell in cells), Decimal(0))
    return _computed(total / len(cells), cells[0].unit, cells)


def total(cells: Sequence[Cell]) -> Cell | None:
    """The sum of figures in one unit; ratios and figures per share have none."""
    if not cells or any(cell.unit != cells[0].unit for cell in cells):
        return None
    if not cells[0].unit.endswith(" million"):
        return None
    return _computed(sum((cell.value for cell in cells), Decimal(0)), cells[0].unit, cells)


def yearly_growth(newest: Cell, oldest: Cell) -> Cell | None:
    """Compound growth a year in per cent, between two positive figures."""
    quarters = newest.period.place - oldest.period.place
    if quarters <= 0 or oldest.value <= 0 or newest.value <= 0 or newest.unit != oldest.unit:
        return None
    factor = (newest.value / oldest.value) ** (Decimal(4) / quarters)
    return _computed(100 * (factor - 1), "%", (newest, oldest))


def rounded(value: Decimal) -> Decimal:
    """Two decimals, half to even."""
    return value.quantize(_CENT, rounding=ROUND_HALF_EVEN)


def _over(plan: Plan, make: Callable[[str, Period], Cell | None]) -> Mapping[tuple[str, int], Cell]:
    return {
        (ticker, period.place): cell
        for ticker in plan.asked.companies
        for period in plan.need.wanted(plan.covered(ticker))
        if (cell := make(ticker, period)) is not None
    }


def _cell(fact: Fact, period: Period) -> Cell:
    row = fact.row
    scaled = row.unit == "shares" or (row.unit.isalpha() and row.unit.isupper())
    value, unit = (row.value / _MILLION, f"{row.unit} million") if scaled else (row.value, row.unit)
    mark = BY_TOOL if row.derived else ""
    return Cell(row.ticker, period, row.period, row.end, value, unit, (fact.seq,), mark)


def _computed(value: Decimal, unit: str, of: Iterable[Cell]) -> Cell:
    """A figure with the company and period of the first that it is computed from."""
    cells = list(of)
    seqs = tuple(dict.fromkeys(seq for cell in cells for seq in cell.seqs))
    return replace(cells[0], value=value, unit=unit, seqs=seqs, mark=HERE)
