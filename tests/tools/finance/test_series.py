from __future__ import annotations

from tests.tools.finance.filed import company, fact, quarters

from tallybook.tools.finance.facts import CompanyFacts
from tallybook.tools.finance.fiscal import label, learn_calendar
from tallybook.tools.finance.items import ITEMS
from tallybook.tools.finance.series import read_series
from tallybook.tools.finance.splits import find_splits


def series(facts: CompanyFacts, key: str) -> dict[str, tuple[str, str]]:
    """Value and tag by period."""
    found = read_series(facts, ITEMS[key], learn_calendar(facts.all()), find_splits(facts))
    return {label(*place): (str(v.amount), v.tag) for place, v in found.items()}


CONTRACTS = "RevenueFromContractWithCustomerExcludingAssessedTax"


def test_the_tag_used_last_is_chosen_and_older_periods_are_filled() -> None:
    facts = company(Revenues=quarters(2022, 1, 2, 3, 4), **{CONTRACTS: quarters(2024, 5, 6, 7, 8)})
    found = series(facts, "revenue")
    assert found["Q1 FY2022"] == ("1", "Revenues")
    assert found["Q1 FY2024"] == ("5", CONTRACTS)


def test_an_older_tag_that_means_something_else_fills_nothing() -> None:
    other = [*quarters(2022, 1, 2, 3, 4), *quarters(2023, 1, 1, 1, 1)]
    facts = company(
        Revenues=other, **{CONTRACTS: [*quarters(2023, 5, 5, 5, 5), *quarters(2024, 5, 6, 7, 8)]}
    )
    assert "Q1 FY2022" not in series(facts, "revenue")


def test_of_two_tags_equally_new_the_one_that_covers_more_is_chosen() -> None:
    yearly = [fact(99, "2024-01-01", "2024-12-31", form="10-K", fy=2024)]
    facts = company(Revenues=yearly, **{CONTRACTS: quarters(2024, 5, 6, 7, 8)})
    assert series(facts, "revenue")["FY2024"] == ("26", CONTRACTS)


def test_the_value_of_the_latest_filing_counts_and_names_the_first() -> None:
    rows = [
        fact(100, "2024-01-01", "2024-03-31", filed="2024-05-01"),
        fact(90, "2024-01-01", "2024-03-31", filed="2025-05-01"),
    ]
    facts = company(Revenues=rows)
    (value,) = read_series(facts, ITEMS["revenue"], learn_calendar(facts.all()), ()).values()
    assert value.amount == 90
    assert value.note == "restated; first filed as 100 in 20240501-10-Q"


def test_a_value_rounded_differently_later_is_no_restatement() -> None:
    rows = [
        fact(1_908_160, "2024-01-01", "2024-03-31", filed="2024-05-01"),
        fact(1_908_200, "2024-01-01", "2024-03-31", filed="2025-05-01"),
    ]
    facts = company(Revenues=rows)
    (value,) = read_series(facts, ITEMS["revenue"], learn_calendar(facts.all()), ()).values()
    assert value.note == ""


def test_the_unit_used_last_is_chosen() -> None:
    old = company("EUR", Revenues=quarters(2022, 1, 1, 1, 1)).facts["Revenues"]
    new = company("USD", Revenues=quarters(2024, 5, 5, 5, 5)).facts["Revenues"]
    facts = company()
    both = CompanyFacts("T", "T", 1, {**facts.facts, "Revenues": {**old, **new}})
    assert set(series(both, "revenue")) == {
        "Q1 FY2024",
        "Q2 FY2024",
        "Q3 FY2024",
        "9M FY2024",
        "FY2024",
    }


def test_share_counts_filed_in_thousands_by_mistake_are_left_out() -> None:
    facts = company(
        "shares",
        WeightedAverageNumberOfDilutedSharesOutstanding=[
            fact(500_000, "2022-01-01", "2022-03-31"),
            fact(600_000_000, "2024-01-01", "2024-03-31"),
        ],
    )
    assert list(series(facts, "shares_diluted")) == ["Q1 FY2024"]


def test_a_split_puts_all_of_a_series_on_the_newest_basis() -> None:
    count = "WeightedAverageNumberOfDilutedSharesOutstanding"
    facts = company(
        "shares",
        **{
            count: [
                fact(100, "2023-01-01", "2023-03-31"),
                fact(110, "2023-04-01", "2023-06-30"),
                fact(110 * 4, "2023-04-01", "2023-06-30", filed="2024-07-30"),
                fact(480, "2024-04-01", "2024-06-30"),
            ]
        },
    )
    (split,) = find_splits(facts)
    assert str(split) == "4-for-1 split (filings of 2023-07-30 and 2024-07-30)"
    assert series(facts, "shares_diluted") == {
        "Q1 FY2023": ("400", count),
        "Q2 FY2023": ("440", count),
        "Q2 FY2024": ("480", count),
    }


def test_what_was_filed_between_may_be_on_either_basis_and_is_left_out() -> None:
    facts = company(
        "shares",
        WeightedAverageNumberOfDilutedSharesOutstanding=[
            fact(110, "2023-04-01", "2023-06-30"),
            fact(440, "2023-04-01", "2023-06-30", filed="2024-07-30"),
            fact(120, "2023-07-01", "2023-09-30"),
        ],
    )
    assert list(series(facts, "shares_diluted")) == ["Q2 FY2023"]


def test_a_reverse_split_is_seen_too() -> None:
    facts = company(
        "shares",
        WeightedAverageNumberOfSharesOutstandingBasic=[
            fact(1000, "2023-04-01", "2023-06-30"),
            fact(100, "2023-04-01", "2023-06-30", filed="2024-07-30"),
        ],
    )
    (split,) = find_splits(facts)
    assert str(split).startswith("1-for-10 split")


def test_one_corrected_figure_per_share_is_no_split() -> None:
    facts = company(
        "USD/shares",
        EarningsPerShareDiluted=[
            fact("0.01", "2023-04-01", "2023-06-30"),
            fact("0.02", "2023-04-01", "2023-06-30", filed="2024-07-30"),
        ],
    )
    assert find_splits(facts) == ()
