"""Answers as people write them, true and false, against two small results."""

from __future__ import annotations

import pytest

from tallybook.figures.trace import Sources, trace

NVIDIA = """NVIDIA results (in millions)

| | Q1 2025 | Q4 2024 | Q1 2024 |
|---|---|---|---|
| Revenue | $26,044 | $22,103 | $7,192 |
| Gross profit | 20,406 | 16,791 | 4,648 |
| Net income | 14,881 | 12,285 | 2,043 |
"""
APPLE = """Apple results (in millions)

| | 2024 | 2023 |
|---|---|---|
| Total net sales | $391,035 | $383,285 |
| Net income | 93,736 | 96,995 |
| Research and development | 31,370 | 29,915 |
| Net cash provided by operating activities | 118,254 | 110,543 |
| Payments for acquisition of property, plant and equipment | (9,447) | (10,959) |
| Operating income | 123,216 | 114,301 |
| Depreciation and amortization | 11,445 | 11,519 |
"""
SOURCES = Sources({3: NVIDIA, 7: APPLE}, entities={3: "NVIDIA", 7: "Apple"})


@pytest.mark.parametrize(
    "answer",
    [
        "Apple's net sales were about $391B in 2024.",
        "Apple's revenue was roughly $390 billion in 2024.",
        "Apple's revenue came to $391.0 billion, compared with $383.3 billion in 2023.",
        "Apple's revenue rose from $383.3 billion to $391.0 billion.",
        "Apple's net sales in 2024 were between $390 billion and $392 billion.",
        "Apple's net margin was 24.0% in 2024, down from 25.3% in 2023.",
        "Apple's net income dropped from $97.0 billion to $93.7 billion in 2024.",
        "NVIDIA's revenue more than tripled, up 262% year over year, to $26.0 billion in Q1 2025.",
        "NVIDIA's revenue was $26.0 billion in Q1 2025, compared with $7.2 billion a year earlier.",
        "NVIDIA's revenue grew 18% sequentially in Q1 2025.",
        "NVIDIA's revenue was 3.6x that of a year earlier in Q1 2025.",
        "Apple's revenue ($391.0B) is 15.0 times NVIDIA's quarterly revenue ($26.0B).",
        "Apple's net income fell by $3.3 billion in 2024.",
        "Apple's R&D rose $1.5 billion, or 4.9%, in 2024.",
        "In 2024 Apple's operating margin was 31.5%, up 1.7 percentage points from 2023.",
        "In 2024 Apple's operating margin widened by 169 bps.",
        "Apple: revenue of $391.0 billion [7]; NVIDIA: revenue of $26.0 billion in Q1 2025 [3].",
        "苹果2024年净利润为937.36亿美元,同比下降3.4%。",
        "苹果2024年营收3910.35亿美元,净利率24.0%。",
        "英伟达2025年第一季度营收260.4亿美元,同比增长262%。",
        "| Company | Revenue | Net income |\n|---|---|---|\n"
        "| Apple (2024) | $391.0B | $93.7B |\n| NVIDIA (Q1 2025) | $26.0B | $14.9B |",
        "| ($ billion) | 2024 | 2023 | Change |\n|---|---|---|---|\n"
        "| Apple revenue | 391.0 | 383.3 | 2.0% |\n| Apple net income | 93.7 | 97.0 | -3.4% |",
    ],
)
def test_what_the_results_say_or_give_is_never_unsupported(answer: str) -> None:
    audit = trace(answer, SOURCES)
    assert audit.traced
    assert [(one.figure.text, one.why) for one in audit.unsupported] == []
    assert not any(one.ambiguous for one in audit.traced)


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("Apple's net sales were about $395B in 2024.", 1),
        ("Apple's net sales in 2024 were between $392 billion and $394 billion.", 2),
        ("Apple's free cash flow was $118.8 billion in 2024.", 1),
        ("Apple's EBITDA was $123.2 billion in 2024.", 1),
        ("Apple's net margin was 25.3% in 2024.", 1),
        ("Apple's revenue was $26.0 billion and NVIDIA's $391.0 billion.", 2),
        ("NVIDIA earned $93.7 billion in Q1 2025.", 1),
        ("Apple's average net income over 2023 and 2024 was $93.7 billion.", 1),
        ("Apple's revenue rose 4.9% in 2024.", 1),
        ("Apple's net income rose by $3.3 billion in 2024.", 1),
        ("Apple's net income was $93,736 million in 2023.", 1),
        ("Apple's net sales were $391,035 billion in 2024.", 1),
        ("Apple's net sales were $391.0 thousand in 2024.", 1),
        ("NVIDIA's revenue grew 18% year over year in Q1 2025.", 1),
        ("NVIDIA's revenue was $26.0 billion in Q1 2025, versus $22.1 billion a year ago.", 1),
        ("NVIDIA's gross margin was 68.4% in Q1 2025.", 1),
        ("In 2024 Apple's operating margin widened by 269 bps.", 1),
        ("苹果2024年净利润为3910.35亿美元。", 1),
        ("苹果2024年营收3910.35万美元。", 1),
        ("苹果2024年营收391.035亿美元。", 1),
        (
            "| Company | Revenue | Net income |\n|---|---|---|\n| Apple (2024) | $26.0B | $14.9B |",
            2,
        ),
    ],
)
def test_what_no_result_says_or_gives_is_unsupported(answer: str, count: int) -> None:
    assert len(trace(answer, SOURCES).unsupported) == count


@pytest.mark.parametrize(
    ("answer", "name", "formula"),
    [
        (
            "NVIDIA's revenue grew 262% from Q1 2024 to Q1 2025.",
            "growth",
            "($26,044 − $7,192) ÷ $7,192",
        ),
        ("Apple's free cash flow was $108.8 billion in 2024.", "difference", "118,254 − |(9,447)|"),
        ("Apple's EBITDA was $134.7 billion in 2024.", "sum", "123,216 + 11,445"),
        ("Apple spent 8.0% of its revenue on R&D in 2024.", "ratio", "31,370 ÷ $391,035"),
        ("NVIDIA's gross margin was 78.4% in Q1 2025.", "ratio", "20,406 ÷ $26,044"),
        (
            "Apple's average net income over 2023 and 2024 was $95.4 billion.",
            "average",
            "(96,995 + 93,736) ÷ 2",
        ),
        (
            "Apple's net income of 2023 and 2024 combined was $190.7 billion.",
            "sum",
            "96,995 + 93,736",
        ),
        (
            "In 2024 Apple's operating margin widened by 169 bps.",
            "change of ratios",
            "123,216 ÷ $391,035 − 114,301 ÷ $383,285",
        ),
    ],
)
def test_a_derived_figure_names_its_formula_and_operands(
    answer: str, name: str, formula: str
) -> None:
    (one,) = trace(answer, SOURCES).traced
    assert one.derivation is not None
    assert (one.derivation.name, one.derivation.formula) == (name, formula)


def test_a_table_that_states_no_scale_leaves_a_scaled_claim_ambiguous() -> None:
    bare = {1: "| | 2024 |\n|---|---|\n| Net sales | $391,035 |\n"}
    (one,) = trace("Net sales were $391,035 million in 2024.", bare).traced
    assert (one.verdict, one.ambiguous) == ("quoted", True)
    assert "scale not stated by the source" in one.why


def test_the_rest_of_a_result_may_show_the_scale_of_its_table() -> None:
    told = {
        1: "Net sales reached $391.0 billion in 2024.\n\n"
        "| | 2024 |\n|---|---|\n| Net sales | $391,035 |\n| Net income | $93,736 |\n"
    }
    right = trace("Net income was $93.7 billion in 2024.", told)
    wrong = trace("Net income was $93.7 million in 2024.", told)
    assert [(one.verdict, one.ambiguous) for one in right.traced] == [("quoted", False)]
    assert "supposed" in right.traced[0].why
    assert len(wrong.unsupported) == 1
