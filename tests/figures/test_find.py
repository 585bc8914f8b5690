"""Finding figures: against labels made by hand, and for any text at all."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.figures.scoring import passages, score_passages, score_written, written
from tests.shared_data import shared

from tallybook.figures.find import find

FLOOR = 0.97


@pytest.mark.parametrize("held_out", [False, True])
def test_what_people_labelled_in_our_own_texts_is_found(held_out: bool) -> None:
    score = score_written([each for each in written() if each.held_out == held_out])
    assert score.precision >= FLOOR, "\n".join(score.wrong)
    assert score.recall >= FLOOR, "\n".join(score.wrong)
    assert score.accuracy("unit") >= FLOOR
    assert score.accuracy("period") >= FLOOR


@pytest.mark.parametrize("held_out", [False, True])
def test_what_people_labelled_in_real_files_is_found(held_out: bool) -> None:
    score = score_passages(
        shared("sec").parent, [each for each in passages() if each.held_out == held_out]
    )
    assert score.precision >= FLOOR, "\n".join(score.wrong)
    assert score.recall >= FLOOR, "\n".join(score.wrong)
    assert score.accuracy("unit") >= FLOOR
    assert score.accuracy("scale") >= FLOOR


STRANGE = st.text(
    st.one_of(
        st.characters(codec=None),
        st.sampled_from('0123456789.,$%()-+€¥万亿|\t\n<>/{}[]":QFY年月日M '),
    ),
    max_size=300,
)


@given(STRANGE)
@example("\ud800 5 %")
@example("\x00" * 50 + "7 kg")
@example('{"a": [1, {"b": "2 %"}')
@example("<table><tr><td>5<table><td>6")
@settings(max_examples=400)
def test_any_text_gives_figures_in_order_that_stand_where_they_say(text: str) -> None:
    figures = find(text, seq=7)
    last = 0
    for figure in figures:
        start, end = figure.span
        assert last <= start < end <= len(text)
        assert figure.seq == 7
        last = end


SCALES = {"": 0, " thousand": 3, " million": 6, "M": 6, " billion": 9, "bn": 9, " trillion": 12}


@given(
    st.integers(1, 9_999_999),
    st.integers(0, 3),
    st.sampled_from(sorted(SCALES)),
    st.sampled_from(["$", "€", "£", "HK$"]),
    st.booleans(),
)
def test_a_number_is_found_back_with_its_exact_value_and_scale(
    digits: int, places: int, scale: str, money: str, negative: bool
) -> None:
    value = Decimal(digits).scaleb(-places)
    sign = "-" if negative else ""
    text = f"Net result was {sign}{money}{value:,f}{scale} in the period."
    [figure] = find(text)
    assert figure.value == value.scaleb(SCALES[scale]) * (-1 if negative else 1)
    assert figure.scale == Decimal(10) ** SCALES[scale]
    assert text[slice(*figure.span)] == figure.text


@pytest.mark.parametrize(
    "text",
    ["(" * 200_000, "9" * 1_000_000, "[" * 100_000 + "1", "1," * 20_000, "5 " * 20_000],
    ids=["brackets", "digits", "nesting", "commas", "numbers"],
)
def test_hostile_texts_are_read_to_their_end(text: str) -> None:
    assert len(find(text)) <= len(text) // 2 + 1


def test_a_table_may_go_on_below_without_headings_of_its_own() -> None:
    page = (
        "<p>In millions</p><table><tr><td></td><td>June 28, 2025</td><td>June 29, 2024</td></tr>"
        "<tr><td>Sales</td><td>66.6</td><td>61.5</td></tr></table><br>"
        "<table><tr><td>Margin</td><td>34.5</td><td>%</td></tr></table>"
    )
    assert [figure.period for figure in find(page)] == ["2025-06-28", "2024-06-29", "2025-06-28"]


def test_a_period_that_is_named_and_dated_is_told_as_both() -> None:
    text = '{"period": "Q1 FY2027", "end": "2026-04-26", "value": 81615000000, "unit": "USD"}'
    [figure] = find(text)
    assert figure.period == "Q1 FY2027 (2026-04-26)"


def test_commas_that_part_thousands_do_not_make_a_list_a_table() -> None:
    text = "- cash: 10,605,000,000 [1]\n- debt: 45,317,000,000 [2]\n- sales: 38,063,000,000 [3]\n"
    assert [figure.text for figure in find(text)] == [
        "10,605,000,000",
        "45,317,000,000",
        "38,063,000,000",
    ]


def test_nine_months_are_a_period_and_no_nine_million() -> None:
    assert find("FY2026 - 9M FY2026") == []


def test_two_spans_of_time_that_end_on_one_day_are_paired_with_their_figures() -> None:
    text = (
        "Fair value was $7.0 billion and $16.3 billion for the three- and nine-month periods "
        "ended June 28, 2025, respectively."
    )
    assert [figure.period for figure in find(text)] == ["3M 2025-06-28", "9M 2025-06-28"]


def test_a_column_with_percent_signs_at_its_ends_is_of_percentages_all_the_way() -> None:
    page = (
        "<table><tr><td></td><td>2024</td></tr><tr><td>Sales</td><td>100.0 %</td></tr>"
        "<tr><td>Costs</td><td>44.2</td></tr><tr><td>Income</td><td>55.8 %</td></tr></table>"
    )
    assert [figure.unit for figure in find(page)] == ["%", "%", "%"]


def test_a_sentence_that_never_ends_is_read_to_its_end() -> None:
    assert len(find("sales of $5.1 million in 2024, up 3% and more, " * 400)) == 800
