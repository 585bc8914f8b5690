from __future__ import annotations

import pytest

from tallybook.figures.marks import marked, unmarked
from tallybook.figures.trace import Audit, Sources, trace

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
"""
SOURCES = Sources({3: NVIDIA, 7: APPLE}, entities={3: "NVIDIA", 7: "Apple"})


def verdicts(audit: Audit) -> list[str]:
    return [one.verdict for one in audit.traced]


def test_quoted_derived_and_unsupported_figures_are_told_apart_in_one_line() -> None:
    answer = (
        "NVIDIA's revenue was $26.0 billion in Q1 2025, up 262% from Q1 2024. "
        "Its net income was $14,881 million in Q1 2025. "
        "NVIDIA's inventory was $5,864 million in Q1 2025."
    )
    audit = trace(answer, SOURCES)
    assert verdicts(audit) == ["quoted", "derived", "quoted", "unsupported"]
    assert audit.line == "4 figures: 2 quoted, 1 derived, 1 unsupported"
    first = audit.traced[0]
    assert first.source is not None
    assert (first.source.seq, first.source.label) == (3, "Revenue")
    assert NVIDIA[slice(*first.source.span)].strip() == "$26,044"
    assert "Revenue" in first.words
    growth = audit.traced[1].derivation
    assert growth is not None
    assert growth.name == "growth"


def test_exactly_the_unsupported_figures_are_marked() -> None:
    answer = (
        "NVIDIA in Q1 2025: revenue was $26,044 million, gross profit was $20,406 million, "
        "net income was $14,981 million.\n"
        "Apple in 2024: net sales were $391,035 million, net income was $97,736 million, "
        "research and development was $31,370 million.\n"
        "Apple in 2023: net sales were $383,285 million, net income was $96,995 million, "
        "capital expenditures were $10,959 million.\n"
        "NVIDIA in Q1 2024: revenue was $7,192 million, gross profit was $4,846 million, "
        "net income was $20,430 million."
    )
    audit = trace(answer, SOURCES)
    assert audit.line == "12 figures: 7 quoted, 0 derived, 5 unsupported"
    shown = marked(answer, audit)
    for invented in ("14,981", "97,736", "10,959", "4,846", "20,430"):
        assert f"${invented} million **[unsupported]**" in shown
    assert shown.count("[unsupported]") == 5
    assert unmarked(shown) == answer


@pytest.mark.parametrize(
    "answer",
    [
        "Apple's revenue was $26.0 billion in Q1 2025.",
        "NVIDIA's revenue was $26.0 billion in Q4 2024.",
        "NVIDIA's net income was $26.0 billion in Q1 2025.",
        "NVIDIA's revenue was $26.0 million in Q1 2025.",
        "NVIDIA's revenue was 26.0% in Q1 2025.",
    ],
)
def test_a_value_of_another_company_quarter_measure_scale_or_unit_is_no_support(
    answer: str,
) -> None:
    audit = trace(answer, SOURCES)
    assert verdicts(audit) == ["unsupported"]
    assert audit.traced[0].why


def test_the_nearest_candidate_is_shown_with_an_unsupported_figure() -> None:
    audit = trace("NVIDIA's revenue was $26.0 billion in Q4 2024.", SOURCES)
    assert "Q1 2025" in audit.traced[0].why


def test_a_footnote_restricts_its_figure_to_the_result_it_names() -> None:
    right = trace("NVIDIA's revenue was $26.0 billion in Q1 2025 [3].", SOURCES)
    wrong = trace("NVIDIA's revenue was $26.0 billion in Q1 2025 [7].", SOURCES)
    assert verdicts(right) == ["quoted"]
    assert not right.traced[0].ambiguous
    assert wrong.traced[0].ambiguous
    assert "[7]" in wrong.traced[0].why


def test_a_figure_may_follow_from_others_of_the_same_answer() -> None:
    answer = (
        "Apple's net sales were $391,035 million in 2024. "
        "Apple's net income was $93,736 million in 2024, a net margin of 24.0%."
    )
    audit = trace(answer, SOURCES)
    assert verdicts(audit) == ["quoted", "quoted", "derived"]


def test_what_the_question_gives_needs_no_source() -> None:
    question = "Would Apple beat a target of $400 billion in 2024?"
    audit = trace("The target of $400 billion was missed.", SOURCES, question)
    assert verdicts(audit) == ["given"]
    assert audit.line == "1 figure: 0 quoted, 0 derived, 1 given, 0 unsupported"


def test_a_table_in_the_answer_is_read_by_row_and_column() -> None:
    answer = (
        "| Apple | 2024 | 2023 |\n|---|---|---|\n"
        "| Net sales ($ million) | 391,035 | 383,285 |\n"
        "| Net income ($ million) | 96,995 | 93,736 |\n"
    )
    audit = trace(answer, SOURCES)
    assert verdicts(audit) == ["quoted", "quoted", "unsupported", "unsupported"]


def test_values_listed_respectively_belong_to_the_periods_in_their_order() -> None:
    right = (
        "Apple's net income in 2024 and 2023 was $93,736 million and $96,995 million respectively."
    )
    wrong = (
        "Apple's net income in 2023 and 2024 was $93,736 million and $96,995 million respectively."
    )
    assert verdicts(trace(right, SOURCES)) == ["quoted", "quoted"]
    assert verdicts(trace(wrong, SOURCES)) == ["unsupported", "unsupported"]


def test_prose_is_a_source_like_any_other() -> None:
    prose = {4: "Free cash flow was $14.9 billion in 2025 and $2.6 billion in 2024."}
    assert verdicts(trace("Free cash flow in 2024 was $2.6 billion.", prose)) == ["quoted"]
    assert verdicts(trace("Free cash flow in 2024 was $14.9 billion.", prose)) == ["unsupported"]


def test_chinese_answers_are_traced_to_english_results() -> None:
    audit = trace("苹果2024年营业收入为3910.35亿美元,净利润为937.36亿美元。", SOURCES)
    assert verdicts(audit) == ["quoted", "quoted"]


def test_identifiers_are_found_letter_by_letter_or_not_at_all() -> None:
    filing = {5: '{"accessionNumber": "0001045810-24-000029", "form": "10-K"}'}
    right = trace("The 10-K has the accession number 0001045810-24-000029.", filing)
    wrong = trace("The 10-K has the accession number 0001045810-24-000092.", filing)
    assert verdicts(right) == ["quoted"]
    assert verdicts(wrong) == ["unsupported"]


def test_how_far_an_answer_looks_is_no_figure() -> None:
    assert trace("Over the last 8 quarters margins rose.", SOURCES).traced == ()


def test_json_is_read_by_its_paths() -> None:
    facts = {
        9: '{"ticker": "NVDA", "income": [{"period": "2024-01-28", "revenue": 60922000000,'
        ' "netIncome": 29760000000}, {"period": "2023-01-29", "revenue": 26974000000,'
        ' "netIncome": 4368000000}]}'
    }
    answer = "NVIDIA's revenue was $60.9 billion and its net income $29.8 billion in fiscal 2024."
    assert verdicts(trace(answer, facts)) == ["quoted", "quoted"]
    swapped = "NVIDIA's net income was $60.9 billion and its revenue $29.8 billion in fiscal 2024."
    assert verdicts(trace(swapped, facts)) == ["unsupported", "unsupported"]


def test_an_answer_without_figures_has_an_empty_audit() -> None:
    audit = trace("Nothing was found.", SOURCES)
    assert audit.line == "0 figures: 0 quoted, 0 derived, 0 unsupported"
    assert marked("Nothing was found.", audit) == "Nothing was found."
