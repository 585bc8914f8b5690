from __future__ import annotations

from datetime import date
from decimal import Decimal, localcontext

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tallybook.research.derive import (
    Cell,
    average,
    changed,
    difference,
    rounded,
    total,
    yearly_growth,
)
from tallybook.tools.finance.statements import Period

amounts = st.decimals(Decimal("0.01"), Decimal(10**7), places=2)


def cell(
    value: Decimal | int | str, place: int = 100, unit: str = "USD million", seq: int = 4
) -> Cell:
    period = Period("quarterly", place)
    return Cell("NVDA", period, str(period), date(2025, 1, 31), Decimal(value), unit, (seq,))


@pytest.mark.parametrize(
    ("value", "shown"), [("0.125", "0.12"), ("0.135", "0.14"), ("-0.125", "-0.12"), ("2", "2.00")]
)
def test_halves_are_rounded_to_even(value: str, shown: str) -> None:
    assert str(rounded(Decimal(value))) == shown


def test_growth_cites_both_results_and_is_marked() -> None:
    grown = changed(cell(150, seq=9), cell(100, seq=4))
    assert grown
    assert (grown.shown(), grown.unit, grown.seqs) == ("50.00‡ [9][4]", "%", (9, 4))


@pytest.mark.parametrize("base", [0, -5])
def test_there_is_no_growth_over_a_base_that_is_not_positive(base: int) -> None:
    assert changed(cell(150), cell(base)) is None
    assert yearly_growth(cell(150, 104), cell(base, 100)) is None


def test_percentages_change_in_points() -> None:
    moved = changed(cell("52.15", unit="%"), cell("50.25", unit="%"))
    assert moved
    assert (moved.number(), moved.unit) == ("1.90‡", "pp")


def test_currencies_are_not_mixed() -> None:
    yen = cell(1, unit="JPY million")
    assert changed(cell(1), yen) is None
    assert difference(cell(1), yen) is None
    assert average([cell(1), yen]) is None
    assert total([cell(1), yen]) is None


def test_ratios_and_figures_per_share_have_no_sum() -> None:
    assert total([cell(1, unit="%"), cell(2, unit="%")]) is None
    assert total([cell(1, unit="USD/share")]) is None
    assert total([]) is None


def test_a_reported_figure_keeps_all_its_digits() -> None:
    assert cell("2417.8").number() == "2,417.8"
    assert cell("81615").number() == "81,615"
    assert cell("75", unit="%").number() == "75.00"


@given(amounts, amounts)
def test_growth_applied_to_its_base_gives_the_figure_again(now: Decimal, base: Decimal) -> None:
    grown = changed(cell(now), cell(base))
    assert grown
    with localcontext() as context:
        context.prec = 60
        assert abs(base * (1 + grown.value / 100) - now) <= Decimal("1e-15") * max(now, base)


@given(amounts, st.integers(-50, 90), st.integers(1, 10))
def test_compound_growth_is_the_rate_that_leads_from_the_oldest_to_the_newest(
    base: Decimal, rate: int, years: int
) -> None:
    newest = base * (1 + Decimal(rate) / 100) ** years
    assume(newest > 0)
    found = yearly_growth(cell(newest, 100 + 4 * years), cell(base, 100))
    assert found
    assert abs(found.value - rate) < Decimal("1e-9")


@given(st.lists(amounts, min_size=1, max_size=12))
def test_an_average_lies_between_the_least_and_the_most(values: list[Decimal]) -> None:
    mean = average([cell(value) for value in values])
    assert mean
    assert min(values) <= mean.value <= max(values)
