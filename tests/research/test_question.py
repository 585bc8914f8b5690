from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallybook.research.companies import KNOWN
from tallybook.research.lexicon import CHINESE, PHRASES
from tallybook.research.periods import Periods
from tallybook.research.question import Question, understand, understand_all
from tallybook.tools.finance.items import ITEMS
from tallybook.tools.finance.line_item import Growth

TODAY = date(2026, 12, 1)
EIGHT = Periods("quarterly", 8)


def ask(text: str) -> Question:
    return understand(text, today=TODAY)


def spelled(periods: Periods | None) -> str:
    """Periods in short: "8 quarterly", "annual FY2025 FY2024", "annual since FY2024", ""."""
    if periods is None:
        return ""
    if periods.named:
        return f"{periods.kind} {' '.join(map(str, periods.named))}"
    if periods.since:
        return f"{periods.kind} since {periods.since}"
    return f"{periods.count} {periods.kind}"


@pytest.mark.parametrize(
    ("text", "tickers", "items", "periods", "operations"),
    [
        ("Compare revenue, gross margin and free cash flow of NVIDIA, Apple, Alphabet and Marvell "
         "over the last eight quarters", "NVDA AAPL GOOGL MRVL",
         "revenue gross_margin free_cash_flow", "8 quarterly", ""),
        ("nvda and aapl revenue, latest quarter", "NVDA AAPL", "revenue", "1 quarterly", ""),
        ("What was Google's operating profit in the past three years?", "GOOGL",
         "operating_income", "3 annual", ""),
        ("Marvell's capex last 6 quarters", "MRVL", "capital_expenditure", "6 quarterly", ""),
        ("R&D of Alphabet over the last two fiscal years", "GOOGL", "research_and_development",
         "2 annual", ""),
        ("AAPL trailing twelve months revenue", "AAPL", "revenue", "1 ttm", ""),
        ("Free cash flow of Nvidia on a TTM basis, last 4 quarters", "NVDA", "free_cash_flow",
         "4 ttm", ""),
        ("net sales and cost of sales of Apple, annual", "AAPL", "revenue cost_of_revenue",
         "4 annual", ""),
        ("how much cash and debt does Apple have", "AAPL", "cash total_debt", "", ""),
        ("Nvidia revenue growth in the last 4 quarters", "NVDA", "revenue", "4 quarterly",
         "growth_yoy"),
        ("How did Apple's R&D grow year over year in the last 3 quarters?", "AAPL",
         "research_and_development", "3 quarterly", "growth_yoy"),
        ("Sequential revenue growth for Marvell, last four quarters", "MRVL", "revenue",
         "4 quarterly", "growth_qoq"),
        ("Apple revenue QoQ and YoY", "AAPL", "revenue", "", "growth_qoq growth_yoy"),
        ("Did Nvidia's inventory increase from FY2024 to FY2026?", "NVDA", "inventory",
         "annual FY2026 FY2025 FY2024", "growth_yoy"),
        ("3-year revenue CAGR of Nvidia", "NVDA", "revenue", "3 annual", "cagr"),
        ("compound annual growth rate of Apple's net income over the past three years", "AAPL",
         "net_income", "3 annual", "cagr"),
        ("$TSLA net income last year", "TSLA", "net_income", "1 annual", ""),
        ("Show diluted EPS for MSFT over the past 18 months", "MSFT", "eps_diluted",
         "6 quarterly", ""),
        ("share buybacks of apple in recent quarters", "AAPL", "share_repurchases",
         "4 quarterly", ""),
        ("REVENUE OF NVIDIA LAST QUARTER", "NVDA", "revenue", "1 quarterly", ""),
        ("Which of Apple and Nvidia had the highest net income in FY2024?", "AAPL NVDA",
         "net_income", "annual FY2024", "highest"),
        ("Rank NVDA, AAPL, GOOGL and MRVL by operating margin in Q1 2025",
         "NVDA AAPL GOOGL MRVL", "operating_margin", "quarterly Q1 FY2025", "rank"),
        ("lowest gross margin of Marvell in the last dozen quarters", "MRVL", "gross_margin",
         "12 quarterly", "lowest"),
        ("What is R&D as a percentage of revenue for Nvidia since 2024?", "NVDA",
         "research_and_development revenue", "annual since FY2024", "share"),
        ("Average gross margin of Marvell over the last 8 quarters", "MRVL", "gross_margin",
         "8 quarterly", "average"),
        ("What's the difference between Apple's and Google's free cash flow in fiscal 2025?",
         "AAPL GOOGL", "free_cash_flow", "annual FY2025", "difference"),
        ("total revenue of Apple and Alphabet combined in FY2025", "AAPL GOOGL", "revenue",
         "annual FY2025", "total"),
        ("Is Nvidia more profitable than Apple?", "NVDA AAPL",
         "gross_margin operating_margin net_margin", "", "highest"),
        ("Which company is growing revenue fastest, Nvidia or Marvell?", "NVDA MRVL", "revenue",
         "", "growth_yoy highest"),
        ("Advanced Micro Devices and Intel revenue 2024", "AMD INTC", "revenue",
         "annual FY2024", ""),
        ("BRK.B net income 2024", "BRK-B", "net_income", "annual FY2024", ""),
        ("apple vs google: capex / revenue since Q1 2025", "AAPL GOOGL",
         "capital_expenditure revenue", "quarterly since Q1 FY2025", "share"),
        ("Apple/Google revenue", "AAPL GOOGL", "revenue", "", ""),
        ("cash flow statement of Apple", "AAPL",
         "operating_cash_flow capital_expenditure free_cash_flow share_repurchases dividends_paid",
         "", ""),
        ("Apple's long-term debt at the end of fiscal 2025", "AAPL", "long_term_debt",
         "annual FY2025", ""),
        ("英伟达和苹果过去八个季度的营收和毛利率", "NVDA AAPL", "revenue gross_margin",
         "8 quarterly", ""),
        ("最近三年谷歌的自由现金流", "GOOGL", "free_cash_flow", "3 annual", ""),
        ("迈威尔最新季度的研发费用是多少？", "MRVL", "research_and_development",
         "1 quarterly", ""),
        ("苹果近两年的净利润和每股收益", "AAPL", "net_income eps_diluted", "2 annual", ""),
        ("英伟达的现金和总债务", "NVDA", "cash total_debt", "", ""),
        ("字母表的总资产和负债", "GOOGL", "total_assets total_liabilities", "", ""),
        ("美满电子资本开支", "MRVL", "capital_expenditure", "", ""),
        ("英伟达、苹果、谷歌谁的毛利率最高？", "NVDA AAPL GOOGL", "gross_margin", "", "highest"),
        ("苹果和谷歌2025财年净利润相差多少", "AAPL GOOGL", "net_income", "annual FY2025",
         "difference"),
        ("英伟达营收同比增速，最近四个季度", "NVDA", "revenue", "4 quarterly", "growth_yoy"),
        ("迈威尔营收环比增长", "MRVL", "revenue", "", "growth_qoq"),
        ("研发费用占营收的比例，英伟达，2024年以来", "NVDA", "research_and_development revenue",
         "annual since FY2024", "share"),
        ("苹果过去四个季度的平均毛利率", "AAPL", "gross_margin", "4 quarterly", "average"),
        ("英伟达三年营收复合增长率", "NVDA", "revenue", "3 annual", "cagr"),
        ("请比较一下英伟达与迈威尔2025年各季度的经营现金流", "NVDA MRVL", "operating_cash_flow",
         "quarterly Q4 FY2025 Q3 FY2025 Q2 FY2025 Q1 FY2025", ""),
    ],
)  # fmt: skip
def test_companies_items_periods_and_operations_are_understood_with_nothing_left_over(
    text: str, tickers: str, items: str, periods: str, operations: str
) -> None:
    asked = ask(text)
    assert " ".join(asked.companies) == tickers
    assert " ".join(asked.items) == items
    assert spelled(asked.periods) == periods
    assert " ".join(asked.operations) == operations
    assert (asked.unknown, asked.leftovers, asked.beyond) == ((), (), ())
    assert asked.answerable


@pytest.mark.parametrize(
    ("words", "periods"),
    [
        ("in fiscal 2024", "annual FY2024"),
        ("FY24", "annual FY2024"),
        ("Q2 2025", "quarterly Q2 FY2025"),
        ("Q3'25", "quarterly Q3 FY2025"),
        ("3Q25", "quarterly Q3 FY2025"),
        ("2025Q3", "quarterly Q3 FY2025"),
        ("FY2025 Q3", "quarterly Q3 FY2025"),
        ("in the third quarter of fiscal 2025", "quarterly Q3 FY2025"),
        ("Q1 and Q2 2025", "quarterly Q2 FY2025 Q1 FY2025"),
        ("Q4 2024 to Q2 2025", "quarterly Q2 FY2025 Q1 FY2025 Q4 FY2024"),
        ("Q1-Q3 2025", "quarterly Q3 FY2025 Q2 FY2025 Q1 FY2025"),
        ("first half of 2025", "quarterly Q2 FY2025 Q1 FY2025"),
        ("2023 to 2025", "annual FY2025 FY2024 FY2023"),
        ("FY2023–FY2025", "annual FY2025 FY2024 FY2023"),
        ("between 2023 and 2025", "annual FY2025 FY2024 FY2023"),
        ("2022 and 2024", "annual FY2024 FY2022"),
        ("quarterly since 2025", "quarterly since Q1 FY2025"),
        ("in the third quarter of last year", "quarterly Q3 FY2025"),
        ("this year", "quarterly since Q1 FY2026"),
        ("quarterly over the past two years", "8 quarterly"),
        ("over the last few quarters", "4 quarterly"),
        ("five-year", "5 annual"),
        ("over time", "10 annual"),
        ("currently", "1 quarterly"),
        ("2024财年", "annual FY2024"),
        ("24财年", "annual FY2024"),
        ("2024年第三季度", "quarterly Q3 FY2024"),
        ("2024年前三季度", "quarterly Q3 FY2024 Q2 FY2024 Q1 FY2024"),
        ("2025年上半年", "quarterly Q2 FY2025 Q1 FY2025"),
        ("从2023年到2025年", "annual FY2025 FY2024 FY2023"),
        ("去年", "1 annual"),
        ("今年第一季度", "quarterly Q1 FY2026"),
        ("近十二个季度", "12 quarterly"),
        ("最近几个季度", "4 quarterly"),
        ("过去十二个月", "1 ttm"),
        ("上一季度", "1 quarterly"),
    ],
)
def test_periods_are_read_as_fiscal_ones(words: str, periods: str) -> None:
    asked = ask(f"Apple revenue {words}" if words.isascii() else f"苹果{words}营收")
    assert spelled(asked.periods) == periods
    assert (asked.unknown, asked.leftovers) == ((), ())


@pytest.mark.parametrize(
    ("texts", "tickers", "items", "periods", "operations"),
    [
        (["Apple revenue over the last eight quarters", "And Nvidia?"],
         "NVDA", "revenue", "8 quarterly", ""),
        (["Apple revenue over the last eight quarters", "what about Alphabet and Marvell"],
         "GOOGL MRVL", "revenue", "8 quarterly", ""),
        (["Apple revenue over the last eight quarters", "那净利润呢？"],
         "AAPL", "net_income", "8 quarterly", ""),
        (["Apple revenue growth over the last eight quarters", "and net income?"],
         "AAPL", "net_income", "8 quarterly", "growth_yoy"),
        (["Apple revenue over the last eight quarters", "And in FY2024?"],
         "AAPL", "revenue", "annual FY2024", ""),
        (["Apple revenue over the last eight quarters", "thanks!", "and Marvell?"],
         "MRVL", "revenue", "8 quarterly", ""),
        (["Apple revenue over the last eight quarters", "Which was the highest?"],
         "AAPL", "revenue", "8 quarterly", "highest"),
        (["Apple revenue over the last eight quarters", "Cash of Nvidia"],
         "NVDA", "cash", "", ""),
    ],
)  # fmt: skip
def test_a_follow_up_takes_from_before_what_it_leaves_out(
    texts: list[str], tickers: str, items: str, periods: str, operations: str
) -> None:
    asked = understand_all(texts, today=TODAY)
    assert " ".join(asked.companies) == tickers
    assert " ".join(asked.items) == items
    assert spelled(asked.periods) == periods
    assert " ".join(asked.operations) == operations


@pytest.mark.parametrize("follow_up", ["and for Foobarsoft?", "那华为呢？", "asdf qwer", "thanks"])
def test_a_follow_up_that_is_not_understood_is_not_answered_with_what_was_before(
    follow_up: str,
) -> None:
    assert not understand_all(["Apple revenue last 4 quarters", follow_up], today=TODAY).answerable


@pytest.mark.parametrize(
    ("text", "beyond"),
    [
        ("Why did Apple's revenue fall?", "reasons"),
        ("What will Nvidia's revenue be next year?", "forecast"),
        ("What is Apple's share price?", "prices"),
        ("Should I buy Marvell?", "opinion"),
        ("iPhone revenue of Apple", "segments"),
        ("Any news on Alphabet?", "news"),
        ("为什么英伟达的毛利率下降？", "reasons"),
        ("苹果明年的营收", "forecast"),
        ("苹果股价", "prices"),
        ("英伟达值得投资吗", "opinion"),
    ],
)
def test_what_no_statement_can_answer_is_named(text: str, beyond: str) -> None:
    assert beyond in ask(text).beyond


@pytest.mark.parametrize(
    "text", ["", "hello", "12345", "???", "the of and", "你好", "foo bar baz", "NULL; DROP TABLE"]
)
def test_nonsense_is_not_answerable(text: str) -> None:
    assert not ask(text).answerable


@pytest.mark.parametrize(
    ("text", "unknown", "leftovers"),
    [
        ("Revenue of Foobarsoft last year", ("Foobarsoft",), ()),
        ("Apple and Acme Rockets revenue", ("Acme Rockets",), ()),
        ("What was Apple's EBITDA and revenue in 2024?", (), ("ebitda",)),
        ("小米和苹果的收入", (), ("小米",)),
        ("华为的净利润", (), ("华为",)),
        ("Apple frobnication and revenue", (), ("frobnication",)),
    ],
)
def test_words_that_are_not_understood_are_kept(
    text: str, unknown: tuple[str, ...], leftovers: tuple[str, ...]
) -> None:
    asked = ask(text)
    assert (asked.unknown, asked.leftovers) == (unknown, leftovers)


def test_a_slip_of_spelling_is_mended_and_said() -> None:
    asked = ask("Nvdia revenu and gross margni last eight quaters")
    assert asked.companies == ("NVDA",)
    assert asked.items == ("revenue", "gross_margin")
    assert asked.periods == EIGHT
    assert asked.mended == {
        "Nvdia": "nvidia",
        "revenu": "revenue",
        "margni": "margin",
        "quaters": "quarters",
    }


def test_a_name_near_to_a_known_one_is_not_taken_for_it() -> None:
    assert ask("Applied Digital revenue").companies == ()
    assert ask("Revenue of Intuit").companies == ()


def test_every_item_of_the_tool_can_be_asked_for_in_both_languages() -> None:
    for item in ITEMS.values():
        if item.part or isinstance(item.formula, Growth):
            continue
        phrases = [phrase for phrase, keys in PHRASES.items() if keys == (item.key,)]
        assert any(phrase.isascii() for phrase in phrases), item.key
        assert any(not phrase.isascii() for phrase in phrases), item.key
        assert CHINESE[item.key]


def test_every_phrase_and_name_is_understood_alone() -> None:
    for phrase, keys in PHRASES.items():
        assert ask(phrase).items == keys, phrase
    for company in KNOWN:
        for name in company.names:
            assert ask(f"revenue of {name}").companies == (company.ticker,), name


def test_the_companies_known_can_be_others() -> None:
    asked = understand("revenue of apple", today=TODAY, known=())
    assert asked.companies == ()
    assert asked.leftovers == ("apple",)


@given(st.lists(st.text(max_size=120), max_size=3))
def test_any_text_is_read_without_failing(texts: list[str]) -> None:
    asked = understand_all(texts, today=TODAY)
    assert asked.language in ("en", "zh")


@given(
    st.lists(
        st.sampled_from(
            [
                *PHRASES,
                "Apple",
                "and",
                "of",
                "2024",
                "q1",
                "last",
                "最近",
                "三",
                "季度",
                "年",
                "growth",
                "-",
                "to",
                "to 2025",
            ]
        ),
        max_size=12,
    )
)
def test_any_order_of_known_words_is_read_without_failing(words: list[str]) -> None:
    asked = ask(" ".join(words))
    if asked.periods:
        assert asked.periods.count >= 1
        named = [period.place for period in asked.periods.named]
        assert named == sorted(named, reverse=True)
        assert len(named) <= 40
