"""`get_financials`: statements and ratios of companies, each figure with its origin.

One answer holds one row per figure, newest first. A row can be read alone: whose it is, what,
for which period, in which unit, and out of which filings. What is missing is said with the
reason, so that nobody fills the gap with a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from difflib import get_close_matches
from typing import Literal, Protocol

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.facts import CompanyFacts
from tallybook.tools.finance.items import ITEMS, items_of
from tallybook.tools.finance.line_item import Statement
from tallybook.tools.finance.series import Value
from tallybook.tools.finance.statements import Period, PeriodKind, Statements

NAME = "get_financials"

MOST_PERIODS = 40
USUAL_PERIODS = 4
MOST_TICKERS = 20

_ARCHIVE = "https://www.sec.gov/Archives/edgar/data"


class FactsSource(Protocol):
    """Where company facts come from."""

    @property
    def about(self) -> str:
        """Name the source to the reader of a result."""
        ...

    async def facts(self, names: Sequence[str]) -> Sequence[CompanyFacts | ToolFailure]:
        """Give the facts of each named company, or why there are none, in the same order."""
        ...


class FinancialsRequest(msgspec.Struct, frozen=True):
    """What to get. `items` picks lines by key instead of a whole statement.

    `limit` is the number of newest periods, 1 to 40; left out it is 4, or all of them where
    `start` is given. `start` and `end` bound the dates on which periods end.
    """

    tickers: tuple[str, ...]
    statement: Statement | Literal["all"] = "income"
    period: PeriodKind = "quarterly"
    limit: int | None = None
    start: date | None = None
    end: date | None = None
    items: tuple[str, ...] = ()


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure. `filings` are accession numbers, explained in the company's `filings`.

    `value` is in units, not thousands; ratios of unit "%" are in per cent. `tag` is the
    us-gaap tag of a reported figure. `derived` is the formula of a computed one.
    """

    company: str
    ticker: str
    item: str
    period: str
    end: date
    value: int | float
    unit: str
    filings: tuple[str, ...]
    tag: str = ""
    derived: str = ""
    note: str = ""


class Filing(msgspec.Struct, frozen=True):
    """A filing that figures stand in."""

    form: str
    filed: date
    url: str


class Company(msgspec.Struct, frozen=True):
    """The figures of one company by item, newest first.

    `covers` are the periods that could be asked for; `missing` says what is not there, and why.
    """

    ticker: str
    name: str
    cik: int
    covers: str
    items: dict[str, tuple[Row, ...]]
    missing: dict[str, str]
    filings: dict[str, Filing]


class Financials(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer: `failures` are companies of which nothing could be had, and what to do."""

    source: str
    companies: tuple[Company, ...]
    failures: tuple[str, ...] = ()


async def get_financials(request: FinancialsRequest, source: FactsSource) -> Financials:
    """Answer a request; raise `ToolFailure` when it is wrong, or not one company can be had."""
    _check(request)
    companies: list[Company] = []
    failures: list[str] = []
    for found in await source.facts(request.tickers):
        match found:
            case ToolFailure():
                failures.append(str(found))
            case CompanyFacts() if all(found.cik != company.cik for company in companies):
                try:
                    companies.append(_company(found, request))
                except ToolFailure as failure:
                    failures.append(str(failure))
    if not companies:
        raise ToolFailure(" ".join(dict.fromkeys(failures)))
    return Financials(source.about, tuple(companies), tuple(failures))


def to_json(result: Financials) -> str:
    """Write a result as JSON with one row per line, so that a page of it holds whole rows."""
    return msgspec.json.encode(result).decode().replace('{"company":', '\n{"company":')


def describe() -> str:
    """Tell a model what the tool is for, in one place for every shell."""
    statements: tuple[Statement, ...] = ("income", "cash_flow", "balance", "ratios")
    lines = [f"{s}: {', '.join(item.key for item in items_of(s))}" for s in statements]
    return _DESCRIPTION + "\n".join(lines)


_DESCRIPTION = """\
Financial statements and key ratios of US-listed companies from their SEC filings (10-K, 10-Q).
Ask for several companies and all needed items in one call. Periods are fiscal: annual,
quarterly or ttm (twelve months to a quarter's end); newest first. Each row has its value in
units (not thousands), unit, period, tag, and the filings it comes from; `derived` marks what
was computed (single fourth quarters and quarterly cash flow are differences) with the formula.
`missing` says what is not reported and why: do not fill it with a guess.
Either name a statement, or pick `items` by key:
"""


def _check(request: FinancialsRequest) -> None:
    if not 1 <= len(request.tickers) <= MOST_TICKERS:
        raise ToolFailure(f"Name 1 to {MOST_TICKERS} tickers, such as NVDA.")
    if request.limit is not None and not 1 <= request.limit <= MOST_PERIODS:
        raise ToolFailure(f"limit is {request.limit}; ask for 1 to {MOST_PERIODS} periods.")
    if request.start and request.end and request.start > request.end:
        raise ToolFailure(f"start {request.start} is after end {request.end}; swap them.")
    for key in request.items:
        if key not in ITEMS:
            close = get_close_matches(key, ITEMS, n=3, cutoff=0.4)
            hint = f"Did you mean {' or '.join(close)}?" if close else f"Known: {', '.join(ITEMS)}."
            raise ToolFailure(f"There is no item {key!r}. {hint}")


def _keys(request: FinancialsRequest) -> tuple[str, ...]:
    if request.items:
        return tuple(dict.fromkeys(request.items))
    if request.statement == "all":
        return tuple(item.key for item in ITEMS.values() if not item.part)
    return tuple(item.key for item in items_of(request.statement))


def _company(facts: CompanyFacts, request: FinancialsRequest) -> Company:
    statements = Statements(facts)
    known = statements.periods(request.period)
    if not known:
        raise ToolFailure(_no_periods(facts, statements, request.period))
    covers = " to ".join(f"{p} ({statements.end(p)})" for p in (known[-1], known[0]))
    periods = _chosen(statements, known, request)
    if not periods:
        raise ToolFailure(
            f"No {request.period} period of {facts.ticker} ends between {request.start or 'ever'} "
            f"and {request.end or 'now'}: it has {covers}. Ask within these dates."
        )
    items: dict[str, tuple[Row, ...]] = {}
    missing: dict[str, str] = {}
    for key in _keys(request):
        values = {period: statements.value(key, period) for period in periods}
        rows = tuple(_row(facts, key, p, v) for p, v in values.items() if v is not None)
        if rows:
            items[key] = rows
        if len(rows) < len(periods):
            gaps = [period for period, value in values.items() if value is None]
            missing[key] = _reasons(statements, key, gaps, everything=not rows)
    filings = _filings(facts, items)
    return Company(facts.ticker, facts.name, facts.cik, covers, items, missing, filings)


def _chosen(
    statements: Statements, known: Sequence[Period], request: FinancialsRequest
) -> Sequence[Period]:
    first, last = request.start or date.min, request.end or date.max
    limit = request.limit or (MOST_PERIODS if request.start else USUAL_PERIODS)
    return [period for period in known if first <= statements.end(period) <= last][:limit]


def _no_periods(facts: CompanyFacts, statements: Statements, kind: PeriodKind) -> str:
    who = f"{facts.name} ({facts.ticker})"
    if kind != "annual" and statements.periods("annual"):
        return f'{who} reports full years only to EDGAR. Ask for period "annual".'
    return f"{who} has no annual report with figures on EDGAR yet. Read its filings instead."


def _row(facts: CompanyFacts, key: str, period: Period, value: Value) -> Row:
    named = Period("quarterly", period.place) if period.kind == "ttm" else period
    amount = value.amount
    return Row(
        facts.name,
        facts.ticker,
        key,
        str(named if ITEMS[key].instant else period),
        value.end,
        int(amount) if amount == int(amount) else float(amount),
        value.unit,
        value.filings,
        value.tag,
        value.derived,
        "; ".join(note for note in (_weeks(value), value.note) if note),
    )


def _weeks(value: Value) -> str:
    """Say it where a period has a week more than usual: it does not compare like for like."""
    days = 0 if value.start is None else (value.end - value.start).days + 1
    return f"{days // 7} weeks" if days in (98, 371) else ""


def _reasons(statements: Statements, key: str, gaps: Sequence[Period], *, everything: bool) -> str:
    """Say why figures are missing, each reason once with the periods it is true of."""
    reasons: dict[str, list[str]] = {}
    for period in gaps:
        reasons.setdefault(statements.why_missing(key, period), []).append(str(period))
    if everything and len(reasons) == 1:
        return next(iter(reasons))
    return "; ".join(f"{', '.join(periods)}: {why}" for why, periods in reasons.items())


def _filings(facts: CompanyFacts, items: dict[str, tuple[Row, ...]]) -> dict[str, Filing]:
    used = {accn for rows in items.values() for row in rows for accn in row.filings}
    found = {f.accn: f for f in facts.all() if f.accn in used}
    newest = sorted(found.values(), key=lambda f: (f.filed, f.accn), reverse=True)
    return {f.accn: Filing(f.form, f.filed, _url(facts.cik, f.accn)) for f in newest}


def _url(cik: int, accn: str) -> str:
    return f"{_ARCHIVE}/{cik}/{accn.replace('-', '')}/{accn}-index.htm"
