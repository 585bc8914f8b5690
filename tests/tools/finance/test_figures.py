"""The figures themselves: right for four companies, eight quarters, ten items each."""

from __future__ import annotations

import asyncio
import csv
import gzip
import itertools
from decimal import Decimal
from pathlib import Path

import pytest
from tests.shared_data import shared
from tests.tools.finance.raw_figures import raw_figures

from tallybook.tools.finance.facts import CompanyFacts, parse
from tallybook.tools.finance.financials import Financials, FinancialsRequest, get_financials
from tallybook.tools.finance.sample import Sample
from tallybook.tools.finance.statements import Period, Statements

ITEMS = (
    "revenue",
    "cost_of_revenue",
    "gross_profit",
    "operating_income",
    "net_income",
    "eps_diluted",
    "operating_cash_flow",
    "capital_expenditure",
    "cash",
    "total_debt",
)
TICKERS = ("NVDA", "AAPL", "GOOGL", "MRVL")

Table = dict[tuple[str, str, str], dict[str, Decimal]]


def golden() -> Table:
    """Figures checked by hand: money in millions, by ticker, period and end."""
    path = Path(__file__).with_name("golden.csv")
    with path.open(newline="") as file:
        return {
            (row["ticker"], row["period"], row["end"]): {
                key: Decimal(row[key]) * (1 if key == "eps_diluted" else 1_000_000)
                for key in ITEMS
                if row[key]
            }
            for row in csv.DictReader(file)
        }


def table(result: Financials) -> Table:
    found: Table = {}
    for company in result.companies:
        for rows in company.items.values():
            for row in rows:
                key = row.ticker, row.period, row.end.isoformat()
                found.setdefault(key, {})[row.item] = Decimal(str(row.value))
    return found


def live_facts(ticker: str) -> CompanyFacts:
    (path,) = shared("sec", "companyfacts").glob(f"CIK*_{ticker}.json.gz")
    return parse(gzip.decompress(path.read_bytes()), ticker, 1)


def test_the_embedded_sample_gives_the_figures_checked_by_hand() -> None:
    request = FinancialsRequest(TICKERS, limit=8, items=ITEMS)
    assert table(asyncio.run(get_financials(request, Sample()))) == golden()


@pytest.mark.parametrize("ticker", TICKERS)
def test_an_independent_reading_of_raw_facts_gives_the_same_figures(ticker: str) -> None:
    expected = {end: row for (t, _, end), row in golden().items() if t == ticker}
    raw = raw_figures(shared("sec", "companyfacts"), ticker, list(expected))
    known = {
        end: {key: Decimal(str(value)) for key, value in row.items() if value is not None}
        for end, row in raw.items()
    }
    assert known == expected


@pytest.mark.parametrize("ticker", TICKERS)
@pytest.mark.parametrize("kind", ["annual", "quarterly", "ttm"])
def test_sample_and_full_facts_agree_wherever_the_sample_has_a_figure(
    ticker: str, kind: str
) -> None:
    (sample,) = asyncio.run(Sample().facts([ticker]))
    assert isinstance(sample, CompanyFacts)
    small, full = Statements(sample), Statements(live_facts(ticker))
    periods = [p for p in small.periods("annual") if kind == "annual"]
    periods += [p for p in small.periods("quarterly") if kind == "quarterly"]
    periods += [p for p in small.periods("ttm") if kind == "ttm"]
    assert periods
    for period in periods:
        for key in (*ITEMS, "dividends_per_share", "shares_diluted", "net_cash", "eps_basic"):
            found = small.value(key, period)
            if found is not None:
                other = full.value(key, period)
                assert other is not None, (key, period)
                assert (found.amount, found.end) == (other.amount, other.end), (key, period)


def test_every_quarter_adds_up_to_its_year() -> None:
    for ticker in TICKERS:
        statements = Statements(live_facts(ticker))
        for year in statements.periods("annual")[:8]:
            for key in ("revenue", "net_income", "operating_cash_flow", "capital_expenditure"):
                quarters = [
                    statements.value(key, Period("quarterly", year.place - back))
                    for back in range(4)
                ]
                whole = statements.value(key, year)
                if whole is None or any(quarter is None for quarter in quarters):
                    continue
                total = sum(q.amount for q in quarters if q is not None)
                assert abs(total - whole.amount) <= abs(whole.amount) / 1000, (ticker, key, year)


def test_gross_profit_is_revenue_less_cost_for_all_history() -> None:
    for ticker in TICKERS:
        statements = Statements(live_facts(ticker))
        for period in statements.periods("quarterly"):
            gross, revenue, cost = (
                statements.value(key, period)
                for key in ("gross_profit", "revenue", "cost_of_revenue")
            )
            if gross and revenue and cost:
                off = abs(gross.amount - revenue.amount + cost.amount)
                assert off <= 1_000_000, (ticker, period)


def test_nvidia_before_its_split_is_on_the_basis_after_it() -> None:
    statements = Statements(live_facts("NVDA"))
    quarters = {str(p): p for p in statements.periods("quarterly")}
    eps = statements.value("eps_diluted", quarters["Q1 FY2024"])
    shares = statements.value("shares_diluted", quarters["Q1 FY2024"])
    assert eps is not None
    assert shares is not None
    assert eps.amount == Decimal("0.082")
    assert shares.amount == 24_900_000_000
    assert "10-for-1 split" in eps.derived


def test_a_per_share_series_never_jumps_by_a_split() -> None:
    for ticker in TICKERS:
        statements = Statements(live_facts(ticker))
        periods = statements.periods("annual")
        counts = [v.amount for p in periods if (v := statements.value("shares_diluted", p))]
        assert len(counts) >= 3
        assert all(
            Decimal("0.7") < new / old < Decimal("1.4") for new, old in itertools.pairwise(counts)
        ), ticker


def test_a_restated_figure_is_the_latest_and_names_the_first() -> None:
    statements = Statements(live_facts("GOOGL"))
    (year,) = [p for p in statements.periods("annual") if str(p) == "FY2023"]
    debt = statements.value("long_term_debt", year)
    assert debt is not None
    assert debt.amount == 11_870_000_000


def test_apples_fiscal_first_quarter_ends_in_december() -> None:
    statements = Statements(live_facts("AAPL"))
    newest = statements.periods("quarterly")[0]
    assert (str(newest), statements.end(newest).isoformat()) == ("Q1 FY2026", "2025-12-27")


def test_a_quarter_of_fourteen_weeks_says_so() -> None:
    request = FinancialsRequest(("AAPL",), limit=14, items=("revenue",))
    result = asyncio.run(get_financials(request, Sample()))
    notes = {row.period: row.note for row in result.companies[0].items["revenue"]}
    assert notes["Q1 FY2023"] == "14 weeks"
    assert notes["Q1 FY2024"] == ""
