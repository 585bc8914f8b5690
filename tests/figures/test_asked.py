from __future__ import annotations

from decimal import Decimal

import pytest

from tallybook.figures.asked import Asked
from tallybook.figures.distinct import distinct, without
from tallybook.figures.figure import Figure
from tallybook.figures.subject import subject
from tallybook.figures.wording import short


def _figure(
    label: str, value: str = "1", period: str = "", entity: str = "", seq: int = 4
) -> Figure:
    return Figure(
        Decimal(value), Decimal(1), seq, (0, 1), label=label, period=period, entity=entity
    )


REVENUE = _figure("$.items.revenue[0].value", "81615", "Q1 FY2027 (2026-04-26)", "NVDA")
SALES = _figure("Total net sales", "94930", "Q4 FY2024", "AAPL")
COSTS = _figure("Cost of sales", "51051", "Q4 FY2024", "AAPL")


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What was revenue?", [REVENUE, SALES]),
        ("What was Apple's revenue?", [SALES]),
        ("NVIDIA's sales in Q1 FY2027", [REVENUE]),
        ("Revenue from fiscal 2023 to 2025", [SALES]),
        ("英伟达的营收是多少", [REVENUE]),
        ("How many employees are there?", []),
    ],
)
def test_a_figure_is_asked_for_by_measure_company_and_period(
    question: str, wanted: list[Figure]
) -> None:
    figures = [REVENUE, SALES, COSTS]
    asked = Asked(question, figures)
    assert [figure for figure in figures if asked.wants(figure)] == wanted


def test_what_a_measure_is_made_of_is_asked_for_where_nothing_has_it_itself() -> None:
    profit, margin = _figure("Gross profit", "46.2"), _figure("Gross margin", "46")
    question = "What is the gross margin?"
    assert Asked(question, [profit]).wants(profit)
    assert not Asked(question, [profit, margin]).wants(profit)


def test_a_measure_that_no_figure_has_is_missing_in_words() -> None:
    assert Asked("Revenue and free cash flow?", [SALES]).missing == ("free cash flow",)


def test_a_figure_told_twice_stays_with_the_result_that_names_the_company() -> None:
    told = _figure("NVDA revenue", "81615", "2026-04-26", seq=9)
    assert distinct([told, REVENUE]) == [REVENUE]
    assert without([told, SALES], [REVENUE]) == [SALES]


def test_equal_values_of_other_measures_or_times_stay_apart() -> None:
    others = [
        REVENUE,
        _figure("Net income", "81615", "Q1 FY2027 (2026-04-26)", "NVDA"),
        _figure("Revenue", "81615", "Q4 FY2026", "NVDA"),
    ]
    assert len(distinct(others)) == 3


@pytest.mark.parametrize(
    ("arguments", "whose"),
    [
        ('{"ticker": "NVDA"}', "NVDA"),
        ('{"tickers": ["AAPL"], "limit": 8}', "AAPL"),
        ('{"tickers": ["AAPL", "NVDA"]}', ""),
        ('{"query": "AAPL"}', ""),
        ("not JSON", ""),
        ("[]", ""),
    ],
)
def test_a_call_about_one_company_says_whose_its_figures_are(arguments: str, whose: str) -> None:
    assert subject(arguments) == whose


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("$.companies[0].items.free_cash_flow[1].value", "free cash flow"),
        ("$.facts.us-gaap.Revenues.units.USD[3].val", "Revenues"),
        ("$.chart.result[0].meta.regularMarketPrice", "meta.regularMarketPrice"),
        ("$", ""),
        ("Total net sales", "Total net sales"),
        ("Net income FY2024 [12]", "Net income FY2024"),
    ],
)
def test_a_label_is_told_without_where_it_stood(label: str, shown: str) -> None:
    assert short(label) == shown
