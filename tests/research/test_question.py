from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallybook.research.periods import Periods
from tallybook.research.question import understand

TODAY = date(2026, 12, 1)
EIGHT = Periods("quarterly", 8)


@pytest.mark.parametrize(
    ("text", "tickers", "items", "kind", "count"),
    [
        ("Compare revenue, gross margin and free cash flow of NVIDIA, Apple, Alphabet and Marvell "
         "over the last eight quarters", "NVDA AAPL GOOGL MRVL",
         "revenue gross_margin free_cash_flow", "quarterly", 8),
        ("nvda and aapl revenue, latest quarter", "NVDA AAPL", "revenue", "quarterly", 1),
        ("What was Google's operating profit in the past three years?", "GOOGL",
         "operating_income", "annual", 3),
        ("Marvell's capex last 6 quarters", "MRVL", "capital_expenditure", "quarterly", 6),
        ("R&D of Alphabet over the last two fiscal years", "GOOGL", "research_and_development",
         "annual", 2),
        ("AAPL trailing twelve months revenue", "AAPL", "revenue", "ttm", 1),
        ("net sales and cost of sales of Apple, annual", "AAPL", "revenue cost_of_revenue",
         "annual", 4),
        ("how much cash and debt does Apple have", "AAPL", "cash total_debt", None, 0),
        ("Nvidia revenue growth in the last 4 quarters", "NVDA", "revenue_growth_yoy",
         "quarterly", 4),
        ("$TSLA net income last year", "TSLA", "net_income", "annual", 1),
        ("Show diluted EPS for MSFT over the past 12 months", "MSFT", "eps_diluted",
         "quarterly", 4),
        ("share buybacks of apple in recent quarters", "AAPL", "share_repurchases",
         "quarterly", 4),
        ("英伟达和苹果过去八个季度的营收和毛利率", "NVDA AAPL", "revenue gross_margin",
         "quarterly", 8),
        ("最近三年谷歌的自由现金流", "GOOGL", "free_cash_flow", "annual", 3),
        ("迈威尔最新季度的研发费用是多少？", "MRVL", "research_and_development", "quarterly", 1),
        ("苹果近两年的净利润和每股收益", "AAPL", "net_income eps_diluted", "annual", 2),
        ("英伟达的现金和总债务", "NVDA", "cash total_debt", None, 0),
        ("REVENUE OF NVIDIA LAST QUARTER", "NVDA", "revenue", "quarterly", 1),
    ],
)  # fmt: skip
def test_companies_items_and_periods_are_understood(
    text: str, tickers: str, items: str, kind: str | None, count: int
) -> None:
    asked = understand([text], TODAY)
    assert asked.tickers == tuple(tickers.split())
    assert asked.items == tuple(items.split())
    assert asked.answerable
    if kind is None:
        assert asked.periods is None
    else:
        assert asked.periods
        assert (asked.periods.kind, asked.periods.count) == (kind, count)


@pytest.mark.parametrize(
    ("text", "kind", "labels"),
    [
        ("Apple revenue in fiscal 2024", "annual", "FY2024"),
        ("Apple revenue FY2024", "annual", "FY2024"),
        ("Apple revenue Q2 2025", "quarterly", "Q2 FY2025"),
        ("Apple revenue in the third quarter of fiscal 2025", "quarterly", "Q3 FY2025"),
        ("Apple revenue 2023 to 2025", "annual", "FY2025 FY2024 FY2023"),
        ("Apple quarterly revenue in 2024", "quarterly",
         "Q4 FY2024 Q3 FY2024 Q2 FY2024 Q1 FY2024"),
        ("苹果2024财年净利润", "annual", "FY2024"),
        ("苹果2024年第三季度营收", "quarterly", "Q3 FY2024"),
        ("Apple revenue 2022 and 2024", "annual", "FY2024 FY2022"),
    ],
)  # fmt: skip
def test_named_periods_are_the_fiscal_ones(text: str, kind: str, labels: str) -> None:
    asked = understand([text], TODAY)
    assert asked.periods
    assert asked.periods.kind == kind
    assert " ".join(asked.periods.labels) == labels


def test_a_follow_up_takes_from_before_what_it_leaves_out() -> None:
    asked = understand(["Apple revenue over the last eight quarters", "And Nvidia?"], TODAY)
    assert (asked.tickers, asked.items, asked.periods) == (("NVDA",), ("revenue",), EIGHT)
    asked = understand(["Apple revenue over the last eight quarters", "那净利润呢？"], TODAY)
    assert (asked.tickers, asked.items, asked.periods) == (("AAPL",), ("net_income",), EIGHT)
    assert asked.language == "zh"


@pytest.mark.parametrize(
    ("text", "beyond"),
    [
        ("Why did Apple's revenue fall?", "reasons"),
        ("What will Nvidia's revenue be next year?", "forecast"),
        ("What is Apple's share price?", "prices"),
        ("Should I buy Marvell?", "opinion"),
        ("iPhone revenue of Apple", "segments"),
        ("为什么英伟达的毛利率下降？", "reasons"),
        ("苹果股价", "prices"),
    ],
)
def test_what_figures_cannot_answer_is_named(text: str, beyond: str) -> None:
    assert beyond in understand([text], TODAY).beyond


@pytest.mark.parametrize("text", ["", "hello", "12345", "???", "the of and", "你好"])
def test_nonsense_is_not_answerable(text: str) -> None:
    assert not understand([text], TODAY).answerable


def test_an_unknown_company_is_named() -> None:
    assert understand(["Revenue of Foobarsoft last year"], TODAY).unknown == ("Foobarsoft",)


@given(st.text(max_size=200))
def test_any_text_is_read_without_failing(text: str) -> None:
    asked = understand([text], TODAY)
    assert asked.language in ("en", "zh")
