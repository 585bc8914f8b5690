from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.figures.figure_lists import figure_lists

from tallybook.figures.asked import Asked
from tallybook.figures.figure import Figure
from tallybook.figures.ledger import Ledger, LedgerError, parse, tables

MILLION = Decimal(1_000_000)


def said(figure: Figure) -> Figure:
    """A figure without what a ledger does not promise: where it stood, and a number's text."""
    text = figure.text if figure.kind == "identifier" else ""
    return msgspec.structs.replace(figure, span=(0, 0), text=text)


def once(figures: list[Figure]) -> set[Figure]:
    """Each figure with the newest result that it stands in."""
    newest: dict[Figure, int] = {}
    for figure in map(said, figures):
        key = msgspec.structs.replace(figure, seq=0)
        newest[key] = max(figure.seq, newest.get(key, 0))
    return {msgspec.structs.replace(figure, seq=seq) for figure, seq in newest.items()}


def revenue(seq: int, year: int, millions: int, entity: str = "NVDA") -> Figure:
    return Figure(
        value=millions * MILLION,
        precision=MILLION,
        seq=seq,
        span=(year, year),
        unit="USD",
        scale=MILLION,
        label="Revenue",
        period=f"FY{year}",
        entity=entity,
    )


@given(figure_lists)
@settings(max_examples=200)
def test_every_figure_comes_back_exactly_and_once(figures: list[Figure]) -> None:
    back = parse(tables(figures).text).figures
    assert set(back) == once(figures)
    assert len(back) == len(set(back))


@given(figure_lists)
@settings(max_examples=100)
def test_a_ledger_of_a_ledger_is_the_same(figures: list[Figure]) -> None:
    first = tables(figures)
    assert tables(parse(first.text).figures).text == first.text


@given(figure_lists, st.integers(0, 600))
@settings(max_examples=200)
def test_a_budget_is_kept_and_what_is_left_out_is_named(figures: list[Figure], budget: int) -> None:
    ledger = tables(figures, budget=budget, worth=lambda figure: "net income" in figure.label)
    assert len(ledger.text) <= budget
    read = parse(ledger.text)
    missing = once(figures) - set(map(said, ledger.figures))
    assert {figure.seq for figure in missing} <= set(ledger.left_out)
    assert bool(missing) == bool(ledger.left_out)
    if ledger.text:
        assert set(read.figures) == set(map(said, ledger.figures))
        assert read.left_out == ledger.left_out


def test_years_stand_side_by_side_under_the_number_to_recall_them_with() -> None:
    figures = [revenue(12, year, n) for year, n in ((2023, 26974), (2024, 60922))]
    assert tables(figures).text == "recall(12)|NVDA|USD×1e6|FY2023,FY2024\nRevenue,26974,60922"


def test_a_figure_in_other_words_keeps_its_own_scale_and_precision() -> None:
    spoken = msgspec.structs.replace(
        revenue(12, 2024, 60_900), scale=Decimal("1E9"), precision=Decimal("1E8")
    )
    ledger = tables([revenue(12, 2024, 60_922), revenue(12, 2023, 26_974), spoken])
    assert "Revenue,26974,60922/60.9B" in ledger.text
    assert set(parse(ledger.text).figures) == set(map(said, ledger.figures))


def test_where_items_share_few_periods_each_item_lists_its_own() -> None:
    figures = [
        msgspec.structs.replace(revenue(4, 1900 + year, year), label=f"item {year % 7}")
        for year in range(200)
    ]
    ledger = tables(figures)
    assert ledger.text.startswith("recall(4)|NVDA|USD×1e6\nitem 0;0,FY1900;7,FY1907;")
    assert set(parse(ledger.text).figures) == set(map(said, figures))


def test_whole_dollars_are_written_in_millions_and_stay_whole_dollars() -> None:
    figures = [
        msgspec.structs.replace(
            revenue(1, year, n), value=Decimal(n), scale=Decimal(1), precision=Decimal(1)
        )
        for year, n in ((2022, 26914000000), (2023, 26974000000), (2024, 60922000001))
    ]
    ledger = tables(figures)
    assert ledger.text.splitlines() == [
        "recall(1)|NVDA|USD×1e6 exact|FY2022,FY2023,FY2024",
        "Revenue,26914,26974,60922.000001",
    ]
    assert set(parse(ledger.text).figures) == set(map(said, figures))


def test_rows_of_a_json_list_share_a_line() -> None:
    figures = [
        msgspec.structs.replace(revenue(3, 2020 + i, 100 + i), label=f"$.rows[{i}].val")
        for i in range(4)
    ]
    assert tables(figures).text.splitlines()[1] == "$.rows[#].val,100,101,102,103"


def test_a_repeated_figure_is_kept_with_the_newest_result() -> None:
    ledger = tables([revenue(3, 2024, 60_922), revenue(9, 2024, 60_922)])
    assert [figure.seq for figure in ledger.figures] == [9]


def test_the_order_of_what_is_given_does_not_matter() -> None:
    figures = [revenue(seq, year, seq * year) for seq in (5, 2, 9) for year in (2024, 2021)]
    assert tables(figures).text == tables(reversed(figures)).text


def test_what_was_asked_for_comes_before_what_is_new() -> None:
    asked, newer = revenue(2, 2021, 16_675, "AAPL"), revenue(8, 2024, 60_922)
    worth = Asked("AAPL revenue in FY2021", [asked, newer]).score
    ledger = tables([asked, newer], budget=75, worth=worth)
    assert ledger.figures == (asked,)
    assert ledger.text.endswith("More figures: recall 8.")


def test_without_a_wish_the_newest_figures_stay() -> None:
    figures = [revenue(seq, 2024, seq) for seq in range(1, 40)]
    ledger = tables(figures, budget=200)
    assert {figure.seq for figure in ledger.figures} == set(range(40 - len(ledger.figures), 40))
    assert ledger.left_out == tuple(range(1, 40 - len(ledger.figures)))


def test_an_earlier_ledger_is_taken_in_with_what_it_had_left_out() -> None:
    old = tables([revenue(seq, 2024, seq) for seq in range(1, 40)], budget=150)
    read = parse(f"## Numerical data\n\n{old.text}\n\nThe margin rose.")
    new = tables([*read.figures, revenue(50, 2025, 130_497)], left_out=read.left_out)
    assert new.left_out == old.left_out
    assert set(map(said, new.figures)) > set(map(said, old.figures))


def test_a_budget_too_small_for_anything_gives_nothing() -> None:
    assert tables([revenue(1, 2024, 5)], budget=10) == Ledger("", (), (1,))


def test_words_around_a_table_are_left_alone() -> None:
    assert parse("Revenue rose to recall(3), as asked.").figures == ()


@pytest.mark.parametrize("row", ["Revenue,1,2,3", "Revenue,abc", "Revenue,1e", "Revenue,1KK"])
def test_an_altered_table_is_refused(row: str) -> None:
    with pytest.raises(LedgerError, match="recall the result itself"):
        parse(f"recall(12)|NVDA|USD|FY2023,FY2024\n{row}")
