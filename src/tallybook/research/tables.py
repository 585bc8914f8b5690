"""Lay figures out in Markdown tables that fit a page.

One company: periods × items. Several companies at one period each: companies × items. Several
at several: for each item periods × companies, rows joined by calendar, since fiscal periods
differ; a table of its own says which period and date each place stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from tallybook.research.derive import Cell, Series
from tallybook.research.plan import Plan
from tallybook.research.wording import Words

_NONE = "–"
_HALF_QUARTER, _HALF_YEAR = timedelta(days=45), timedelta(days=182)

Grid = Mapping[tuple[str, int], Cell]
"""Cells by company and row; rows are numbered so that newer ones have higher numbers."""


def tables(series: Sequence[Series], plan: Plan, words: Words) -> list[str]:
    """All tables of an answer, with what must be said of their periods."""
    shown = [one for one in series if one.cells]
    companies = [t for t in plan.asked.companies if any(one.of(t) for one in shown)]
    if not companies:
        return []
    if len(companies) == 1:
        return [_of_one(shown, companies[0], words), *_fiscal(plan, words)]
    if all(len(one.of(ticker)) <= 1 for one in shown for ticker in companies):
        return [_of_companies(shown, companies, words), *_fiscal(plan, words)]
    return _of_many(shown, companies, plan, words)


def _of_one(series: Sequence[Series], ticker: str, words: Words) -> str:
    """Periods × items of one company."""
    cells = {cell.period.place: cell for one in series for cell in one.of(ticker)}
    head = [f"{ticker}, {words.say('period')}", *(_title(one, words) for one in series)]
    rows = [
        [_period(cells[place]), *(_shown(one.cells.get((ticker, place)), one) for one in series)]
        for place in sorted(cells, reverse=True)
    ]
    return _markdown(head, rows)


def _of_companies(series: Sequence[Series], companies: Sequence[str], words: Words) -> str:
    """Companies × items, each at its one period."""
    head = [words.say("company"), words.say("period"), *(_title(one, words) for one in series)]
    rows: list[list[str]] = []
    for ticker in companies:
        cells = [next(iter(one.of(ticker)), None) for one in series]
        first = next(cell for cell in cells if cell)
        shown = [_shown(cell, one) for cell, one in zip(cells, series, strict=True)]
        rows.append([ticker, _period(first), *shown])
    return _markdown(head, rows)


def _of_many(
    series: Sequence[Series], companies: Sequence[str], plan: Plan, words: Words
) -> list[str]:
    """Periods × companies for each item, after the table of periods."""
    rows = _Rows.of(series, companies, plan)
    blocks = [
        words.say("named" if plan.need.periods.named else "aligned"),
        rows.table(companies, {key: _period(cell) for key, cell in rows.cells.items()}, words),
    ]
    for one in series:
        shown = {
            (ticker, rows.row(cell)): _shown(cell, one) for (ticker, _), cell in one.cells.items()
        }
        blocks += [f"**{_title(one, words)}**", rows.table(companies, shown, words)]
    return blocks


@dataclass(frozen=True)
class _Rows:
    """The rows that periods of several companies share, and one cell for each place."""

    cells: Grid
    names: Mapping[int, str]
    shift: Mapping[str, int]

    @classmethod
    def of(cls, series: Sequence[Series], companies: Sequence[str], plan: Plan) -> _Rows:
        """Join by label where periods were named, else by calendar, counted from the newest."""
        annual = plan.need.periods.kind == "annual"
        by_label = bool(plan.need.periods.named)
        cells: dict[tuple[str, int], Cell] = {}
        names: dict[int, str] = {}
        shift: dict[str, int] = {}
        for ticker in companies:
            own = [cell for one in series for cell in one.of(ticker)]
            newest = max(own, key=lambda cell: cell.period.place)
            row = newest.period.place if by_label else _calendar(newest, annual=annual)
            shift[ticker] = row - newest.period.place
            for cell in own:
                row = cell.period.place + shift[ticker]
                cells[ticker, row] = cell
                names[row] = str(cell.period) if by_label else _calendar_name(row, annual=annual)
        return cls(cells, names, shift)

    def row(self, cell: Cell) -> int:
        """The row in which a cell stands."""
        return cell.period.place + self.shift[cell.ticker]

    def table(
        self, companies: Iterable[str], shown: Mapping[tuple[str, int], str], words: Words
    ) -> str:
        """One row a period, one column a company."""
        listed = list(companies)
        rows = [
            [self.names[row], *(shown.get((ticker, row), _NONE) for ticker in listed)]
            for row in sorted(self.names, reverse=True)
        ]
        return _markdown([words.say("row"), *listed], rows)


def _calendar(cell: Cell, *, annual: bool) -> int:
    """The calendar quarter (of a year: its last) that a period overlaps most."""
    middle = cell.end - (_HALF_YEAR if annual else _HALF_QUARTER)
    return middle.year * 4 + (3 if annual else (middle.month - 1) // 3)


def _calendar_name(row: int, *, annual: bool) -> str:
    return f"CY{row // 4}" if annual else f"CY{row // 4} Q{row % 4 + 1}"


def _fiscal(plan: Plan, words: Words) -> list[str]:
    return [words.say("single")] if plan.need.periods.named or plan.need.periods.since else []


def _title(series: Series, words: Words) -> str:
    name = words.series(series.key)
    return f"{name}, {words.unit(series.unit)}" if series.unit else name


def _period(cell: Cell) -> str:
    return f"{cell.period} ({cell.end})"


def _shown(cell: Cell | None, series: Series) -> str:
    if cell is None:
        return _NONE
    return cell.shown() if series.unit else f"{cell.unit} {cell.shown()}"


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
