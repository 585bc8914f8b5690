"""What the answers say, each checked by hand against the sample's figures."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest

from tests.research.forgetful import Memory, agent, see_all
from tests.research.reading import expected, figures


def answer(question: str) -> str:
    return asyncio.run(agent(Memory(), see_all, window=128_000).run(question)).output


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which of Apple and Nvidia had the highest net income in FY2024?",
         "Highest net income of those shown: AAPL 93,736 USD million in FY2024 (to 2024-09-28)"),
        ("Which had the lowest net income in FY2024, Apple or Nvidia?",
         "Lowest net income of those shown: NVDA 29,760 USD million in FY2024 (to 2024-01-28)"),
        ("Which quarter had Nvidia's highest gross margin in the last 12 quarters?",
         "Highest gross margin of those shown: NVDA 78.35† % in Q1 FY2025 (to 2024-04-28)"),
        ("Rank Apple, Alphabet and Nvidia by revenue in FY2025",
         "1. AAPL 416,161 USD million in FY2025 (to 2025-09-27) [3]; "
         "2. GOOGL 402,836 USD million in FY2025 (to 2025-12-31) [6]; 3. NVDA 130,497"),
        ("difference between Apple's and Google's free cash flow in fiscal 2025",
         "Free cash flow, AAPL FY2025 less GOOGL FY2025: 25,501‡ USD million [3][6]."),
        ("combined revenue of Apple and Alphabet in FY2025",
         "Revenue of 2 companies together, newest of each: 818,997‡ USD million [3][6]."),
        ("Average gross margin of Marvell over the last 8 quarters",
         "Average gross margin of MRVL over 8 periods: 46.97‡ % [3]."),
        ("3-year revenue CAGR of Nvidia",
         "Revenue of NVDA, compound growth a year from FY2023 to FY2026: 100.05‡ % [3]."),
        ("How did Nvidia's revenue change from FY2024 to FY2026?",
         "Revenue of NVDA, FY2026 against FY2024: 155,016‡ USD million [3]; 254.45‡ % [3]."),
        ("Sum of Apple's share buybacks over the last four quarters",
         "Share repurchases (outflow, positive) of AAPL over 4 periods together:"),
        ("Sum of Apple's gross margin over the last four quarters",
         "A sum of Gross margin over periods means nothing; there is none."),
        ("Sum of Apple's cash over the last four quarters",
         "A sum of Cash and cash equivalents over periods means nothing; there is none."),
        ("Apple revenue over the last 30 quarters",
         "AAPL: 30 periods were asked for; there are 14, Q4 FY2022 (2022-09-24) to Q1 FY2026"),
        ("Apple revenue in Q1 2020 and Q1 2025",
         "AAPL: Q1 FY2020 is outside of what there is, Q4 FY2022 (2022-09-24) to"),
        ("Apple revenue growth over the last 14 quarters",
         "change on the year before: none for Q3 FY2023, Q2 FY2023, Q1 FY2023, Q4 FY2022, as"),
        ("Apple EPS last four quarters",
         "Q4 FY2025: no fourth quarter is reported, and averages over shares have no difference."),
        ("Apple revenue over the last 12 quarters, ttm",
         "AAPL, Revenue: no figure for TTM Q2 FY2023. Result [3] has "
         "no such period."),
        ("Apple revenue", "No period was named: the newest 4 quarters are shown."),
        ("Apple cash", "No period was named: the newest quarter is shown."),
        ("Nvidia R&D as a percentage of revenue in FY2026", "8.57‡ [3]"),
        ("Marvel revenue last quarter", "Read as: Marvel → marvell."),
        ("Apple frobnication and revenue", "Not understood: frobnication."),
        ("What will Apple's revenue be next year?", "I do not forecast"),
        ("AAPL debt", "Total debt = the parts that its result names"),
        ("AAPL ttm revenue", "twelve months = last year + this year so far"),
        ("英伟达过去三年营收增长",
         "NVDA 营业收入，FY2026 对比 FY2024：155,016‡ 百万美元 [3]；254.45‡ % [3]。"),
        ("苹果和谷歌2025财年净利润相差多少",
         "净利润，AAPL FY2025 减 GOOGL FY2025：-20,160‡ 百万美元"),
        ("小米和苹果的收入", "未能理解：小米。"),
    ],
)  # fmt: skip
def test_an_answer_says_what_was_asked(question: str, said: str) -> None:
    assert said in answer(question)


def test_growth_stands_beside_the_figures_it_is_computed_from() -> None:
    text = answer("Apple R&D growth, year over year and quarter over quarter, last 3 quarters")
    shown = figures(text)
    name = "Research and development"
    now = shown["AAPL", name, "Q1 FY2026"]
    assert now == Decimal(10_887)
    assert shown["AAPL", f"{name}, change on the year before", "Q1 FY2026"] == Decimal("31.68")
    quarterly = 100 * (now - shown["AAPL", name, "Q4 FY2025"]) / shown["AAPL", name, "Q4 FY2025"]
    assert shown["AAPL", f"{name}, change on the quarter before", "Q1 FY2026"] == round(
        quarterly, 2
    )
    assert "change = (figure − figure a year before) / figure a year before" in text


def test_companies_are_joined_by_calendar_and_each_period_is_named() -> None:
    text = answer("Apple and Nvidia revenue over the last three quarters")
    assert "| CY2026 Q1 | – | Q1 FY2027 (2026-04-26) |" in text
    assert "| CY2025 Q4 | Q1 FY2026 (2025-12-27) | Q4 FY2026 (2026-01-25) |" in text
    assert "| CY2025 Q2 | Q3 FY2025 (2025-06-28) | – |" in text
    assert figures(text) == expected(("revenue",), ("AAPL", "NVDA"), 3)


def test_named_periods_are_joined_by_their_names() -> None:
    text = answer("Apple and Nvidia net income in FY2024 and FY2025")
    assert "| FY2025 | FY2025 (2025-09-27) | FY2025 (2025-01-26) |" in text
    assert len(figures(text)) == 4


def test_twelve_months_and_balances_go_together() -> None:
    shown = figures(answer("Apple ttm revenue and cash"))
    assert shown["AAPL", "Revenue", "TTM Q1 FY2026"] == Decimal(435_617)
    assert shown["AAPL", "Cash and cash equivalents", "TTM Q1 FY2026"] == Decimal(45_317)


def test_sources_name_call_and_filings() -> None:
    text = answer("Apple revenue in FY2024 and FY2025")
    assert (
        "- [3] get_financials(AAPL, annual, start 2024-01-01, end 2026-02-28); "
        "filings 0000320193-25-000079" in text
    )
