from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st
from tests.tools.finance.filed import company, fact, quarters

from tallybook.tools.finance.facts import CompanyFacts, Fact
from tallybook.tools.finance.statements import Period, PeriodKind, Statements


def amounts(facts: CompanyFacts, key: str, kind: PeriodKind = "quarterly") -> dict[str, int]:
    statements = Statements(facts)
    values = {p: statements.value(key, p) for p in statements.periods(kind)}
    return {str(p): int(v.amount) for p, v in values.items() if v is not None}


def derived(facts: CompanyFacts, key: str, name: str) -> str:
    statements = Statements(facts)
    (period,) = [p for p in statements.periods("quarterly") if str(p) == name]
    value = statements.value(key, period)
    assert value is not None
    return value.derived


weeks = st.tuples(*[st.sampled_from((13, 14))] * 4)
amount = st.integers(-(10**12), 10**12)


@given(st.dates(date(2015, 1, 1), date(2024, 12, 31)), weeks, st.tuples(*[amount] * 4))
def test_year_to_date_rows_give_back_the_quarters_they_were_made_of(
    start: date, lengths: tuple[int, ...], values: tuple[int, ...]
) -> None:
    if sum(lengths) > 53:
        lengths = (13, 13, 13, 14)
    rows: list[Fact] = []
    end = start - timedelta(days=1)
    for quarter in range(1, 5):
        end += timedelta(weeks=lengths[quarter - 1])
        form = "10-K" if quarter == 4 else "10-Q"
        filed, total = end + timedelta(days=30), Decimal(sum(values[:quarter]))
        rows.append(Fact(end, total, f"a{quarter}", form, filed, start, end.year))
    tag = "NetCashProvidedByUsedInOperatingActivities"
    facts = CompanyFacts("T", "T", 1, {tag: {"USD": tuple(rows)}})
    found = amounts(facts, "operating_cash_flow")
    assert list(found.values()) == list(reversed(values))
    assert [name[:2] for name in found] == ["Q4", "Q3", "Q2", "Q1"]


def test_the_fourth_quarter_is_the_year_less_nine_months_and_says_so() -> None:
    facts = company(Revenues=quarters(2024, 10, 20, 30, 40))
    assert amounts(facts, "revenue")["Q4 FY2024"] == 40
    assert derived(facts, "revenue", "Q4 FY2024") == "FY2024 - 9M FY2024"
    assert derived(facts, "revenue", "Q3 FY2024") == ""


def test_earnings_per_share_are_never_differenced() -> None:
    facts = company("USD/shares", EarningsPerShareDiluted=quarters(2024, 1, 2, 3, 4))
    revenue = company(Revenues=quarters(2024, 1, 2, 3, 4)).facts["Revenues"]
    both = CompanyFacts("T", "T", 1, {**facts.facts, "Revenues": revenue})
    assert list(amounts(both, "eps_diluted")) == ["Q3 FY2024", "Q2 FY2024", "Q1 FY2024"]
    assert amounts(both, "eps_diluted", "annual") == {"FY2024": 10}
    statements = Statements(both)
    why = statements.why_missing("eps_diluted", statements.periods("quarterly")[0])
    assert "averages over shares" in why


def test_twelve_months_are_the_year_and_this_year_less_last_year_so_far() -> None:
    facts = company(Revenues=[*quarters(2023, 1, 2, 3, 4), *quarters(2024, 10, 20, 30, 40)])
    found = amounts(facts, "revenue", "ttm")
    assert found == {
        "TTM Q4 FY2024": 100,
        "TTM Q3 FY2024": 64,
        "TTM Q1 FY2024": 19,
        "TTM Q4 FY2023": 10,
    }


def test_gross_profit_that_nobody_reports_is_computed_and_marked() -> None:
    facts = company(
        Revenues=quarters(2024, 10, 20, 30, 40), CostOfRevenue=quarters(2024, 4, 5, 6, 7)
    )
    assert amounts(facts, "gross_profit")["Q4 FY2024"] == 33
    how = derived(facts, "gross_profit", "Q4 FY2024")
    assert how == "revenue - cost_of_revenue, each FY2024 - 9M FY2024"


def test_costs_and_gross_profit_do_not_chase_each_other() -> None:
    facts = company(Revenues=quarters(2024, 10, 20, 30, 40))
    assert amounts(facts, "gross_profit") == {}
    assert amounts(facts, "cost_of_revenue") == {}


def test_growth_needs_a_positive_year_before() -> None:
    facts = company(NetIncomeLoss=[*quarters(2023, -5, 5, 0, 1), *quarters(2024, 10, 10, 10, 10)])
    statements = Statements(facts)
    growth = {
        str(p): v and str(v.amount)
        for p in statements.periods("quarterly")[:4]
        for v in [statements.value("net_income_growth_yoy", p)]
    }
    assert growth == {
        "Q4 FY2024": "900.00",
        "Q3 FY2024": None,
        "Q2 FY2024": "100.00",
        "Q1 FY2024": None,
    }


def test_a_ratio_over_nothing_is_missing_and_says_why() -> None:
    facts = company(Revenues=quarters(2024, 0, 1, 1, 1), NetIncomeLoss=quarters(2024, 5, 5, 5, 5))
    statements = Statements(facts)
    first = statements.periods("quarterly")[-1]
    assert statements.value("net_margin", first) is None
    assert statements.why_missing("net_margin", first) == "no positive revenue to divide by"


def test_figures_in_two_currencies_are_never_combined() -> None:
    euros = company("EUR", CostOfRevenue=quarters(2024, 1, 1, 1, 1)).facts
    dollars = company(Revenues=quarters(2024, 10, 20, 30, 40)).facts
    facts = CompanyFacts("T", "T", 1, {**euros, **dollars})
    assert amounts(facts, "gross_profit") == {}


def test_balances_stand_at_the_end_of_their_period() -> None:
    facts = company(
        Revenues=quarters(2024, 1, 1, 1, 1),
        CashAndCashEquivalentsAtCarryingValue=[
            fact(7, "", "2024-09-30"),
            fact(9, "", "2024-12-31"),
        ],
    )
    assert amounts(facts, "cash") == {"Q4 FY2024": 9, "Q3 FY2024": 7}
    assert amounts(facts, "cash", "annual") == {"FY2024": 9}


def test_a_source_that_starts_late_gives_no_period_before() -> None:
    facts = company(Revenues=[*quarters(2023, 1, 2, 3, 4), *quarters(2024, 10, 20, 30, 40)])
    cut = CompanyFacts("T", "T", 1, facts.facts, since=date(2024, 4, 1))
    assert [str(p) for p in Statements(cut).periods("quarterly")] == [
        "Q4 FY2024",
        "Q3 FY2024",
        "Q2 FY2024",
    ]


def test_periods_name_themselves() -> None:
    place = 2027 * 4
    names = [str(Period(kind, place)) for kind in ("annual", "quarterly", "ttm")]
    assert names == ["FY2027", "Q1 FY2027", "TTM Q1 FY2027"]
