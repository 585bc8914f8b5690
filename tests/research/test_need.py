from __future__ import annotations

import asyncio
from datetime import date

import pytest

from tallybook.research.facts import Covered, Fetched
from tallybook.research.need import Need, need_of, with_parts
from tallybook.research.periods import Periods, read_label
from tallybook.research.question import understand
from tallybook.tools.finance.sample import Sample
from tallybook.tools.finance.statements import Period, PeriodKind, Statements

TODAY = date(2026, 12, 1)
COVERED = Covered("Q4 FY2022", date(2022, 9, 24), "Q1 FY2026", date(2025, 12, 27), 4)


def need(text: str) -> Need:
    return need_of(understand(text, today=TODAY))


@pytest.mark.parametrize("kind", ["annual", "quarterly", "ttm"])
def test_the_bounds_of_a_named_period_hold_its_end_for_every_calendar(kind: PeriodKind) -> None:
    for facts in asyncio.run(Sample().facts(["NVDA", "AAPL", "GOOGL", "MRVL"])):
        statements = Statements(facts)  # type: ignore[arg-type]
        for period in statements.periods(kind):
            start, end = Need(Periods(kind, named=(period,))).bounds()
            assert start
            assert end
            assert start <= statements.end(period) <= end


def test_a_year_that_ends_in_february_is_found_under_the_year_before() -> None:
    start, end = Need(Periods("annual", named=(Period("annual", 2025 * 4 + 3),))).bounds()
    assert start
    assert end
    assert start <= date(2026, 2, 1) <= end


@pytest.mark.parametrize("text", ["Q1 FY2027", "FY2026", "TTM Q4 FY2025"])
def test_a_label_is_read_back_as_the_period_it_names(text: str) -> None:
    period = read_label(text)
    assert str(period) == text


def test_no_label_of_ours_is_no_period() -> None:
    assert read_label("9M FY2026") is None
    assert read_label("") is None


def test_growth_needs_the_periods_it_is_held_against() -> None:
    asked = need("Apple revenue growth over the last two quarters")
    assert asked.rows == 6
    wanted, needed = asked.wanted(COVERED), asked.needed(COVERED)
    assert list(map(str, wanted)) == ["Q1 FY2026", "Q4 FY2025"]
    assert list(map(str, needed)) == ["Q1 FY2026", "Q4 FY2025", "Q1 FY2025", "Q4 FY2024"]


def test_compound_growth_over_three_years_takes_four_year_ends() -> None:
    assert need("Apple 3-year revenue CAGR").rows == 4


def test_periods_the_company_does_not_have_are_not_wanted() -> None:
    assert len(need("Apple revenue over the last 30 quarters").wanted(COVERED)) == 14
    named = need("Apple revenue in Q1 2020 and Q1 2025").wanted(COVERED)
    assert list(map(str, named)) == ["Q1 FY2025"]


def test_a_balance_without_a_period_is_the_newest_one() -> None:
    assert need("cash of Apple").rows == 1
    assert need("revenue of Apple").rows == 4


def test_companies_are_compared_now_and_one_company_over_time() -> None:
    assert need("Which has the highest gross margin, Apple or Nvidia?").rows == 1
    assert need("Apple's highest gross margin").rows == 8


@pytest.mark.parametrize(
    ("text", "call", "brought"),
    [
        ("Apple revenue last 4 quarters", {"limit": 8}, True),
        ("Apple revenue last 4 quarters", {"limit": 3}, False),
        ("Apple revenue growth last 4 quarters", {"limit": 4}, False),
        ("Apple revenue last 4 quarters", {"limit": None}, False),
        ("Apple annual revenue", {"limit": 8}, False),
        ("Apple revenue in Q1 2025", {"limit": 8}, True),
        ("Apple revenue in Q1 2023", {"limit": 8}, False),
        ("Apple revenue in Q1 2025", {"start": date(2024, 1, 1), "end": date(2025, 12, 31)}, True),
        ("Apple revenue in Q1 2025", {"start": date(2025, 1, 1), "end": date(2025, 12, 31)}, False),
        ("Apple quarterly revenue since 2025", {"start": date(2024, 4, 1)}, True),
        ("Apple quarterly revenue since 2025", {"start": date(2024, 4, 1),
                                                "end": date(2025, 5, 31)}, False),
    ],
)  # fmt: skip
def test_an_earlier_call_is_used_only_where_it_holds_all_that_is_needed(
    text: str, call: dict[str, date | int | None], brought: bool
) -> None:
    limit, start, end = call.get("limit"), call.get("start"), call.get("end")
    fetched = Fetched(
        ("AAPL",),
        "quarterly",
        4,
        ("revenue",),
        limit if isinstance(limit, int) else None,
        start if isinstance(start, date) else None,
        end if isinstance(end, date) else None,
    )
    assert need(text).is_brought_by(fetched, COVERED) is brought


def test_a_request_names_the_items_last_and_what_ratios_are_made_of() -> None:
    request = need("Apple gross margin last 4 quarters").request("AAPL", ("gross_margin",))
    assert list(request) == ["tickers", "period", "limit", "items"]
    assert request["items"] == ["gross_margin", "gross_profit", "revenue"]
    assert with_parts(("free_cash_flow",)) == (
        "free_cash_flow",
        "operating_cash_flow",
        "capital_expenditure",
    )
