"""Splits change nothing but the count of shares; dividends buy more of them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.tools.market.made import SPLITS, days, history, traded

from tallybook.tools.market.adjust import (
    agree,
    growth,
    growth_reinvested,
    received,
    split_adjusted,
)
from tallybook.tools.market.history import Bar, Dividend, History, Split

CLOSE = Decimal("1e-20")


def near(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= CLOSE * max(abs(one), abs(other))


def as_traded(adjusted: History, splits: list[Split]) -> History:
    """Undo the adjustment, one bar at a time: what a screen showed on each day."""

    def shown(day: date, amount: Decimal) -> Decimal:
        for split in splits:
            if day < split.day:
                amount = amount * split.new / split.old
        return amount

    bars = [Bar(bar.day, shown(bar.day, bar.close)) for bar in adjusted.bars]
    paid = [Dividend(d.day, shown(d.day, d.amount)) for d in adjusted.dividends or ()]
    return history(bars, "as_traded", paid, splits)


@given(
    traded(),
    st.lists(st.tuples(st.integers(0, 80), st.sampled_from(SPLITS)), max_size=3),
)
def test_splits_change_neither_return(
    whole: History, chosen: list[tuple[int, tuple[int, int]]]
) -> None:
    splits = [
        Split(date.fromordinal(whole.bars[0].day.toordinal() + at), Decimal(new), Decimal(old))
        for at, (new, old) in chosen
    ]
    again = split_adjusted(as_traded(whole, splits))
    assert near(growth(again.bars), growth(whole.bars))
    assert near(
        growth_reinvested(again.bars, again.dividends or ()),
        growth_reinvested(whole.bars, whole.dividends or ()),
    )
    assert split_adjusted(again) == again


@given(traded())
def test_total_return_is_what_a_holder_who_buys_shares_with_each_dividend_has(
    whole: History,
) -> None:
    paid = list(whole.dividends or ())
    shares, cash = Decimal(1), Decimal(0)
    for before, bar in zip(whole.bars, whole.bars[1:], strict=False):
        due = [d.amount for d in paid if before.day < d.day <= bar.day]
        for amount in due:
            cash = shares * amount
            shares += cash / bar.close
    worth = shares * whole.bars[-1].close
    assert near(growth_reinvested(whole.bars, paid), worth / whole.bars[0].close)


@given(traded())
def test_without_dividends_both_returns_are_one(whole: History) -> None:
    assert growth_reinvested(whole.bars, ()) == growth(whole.bars)


@given(traded())
def test_dividends_never_make_the_return_smaller(whole: History) -> None:
    assert growth_reinvested(whole.bars, whole.dividends or ()) >= growth(whole.bars)


def test_the_dividend_of_the_first_day_belongs_to_whoever_held_before() -> None:
    bars = days("100", "100", "100")
    paid = [Dividend(bars[0].day, Decimal(1)), Dividend(bars[2].day, Decimal(2))]
    assert received(bars, paid) == (paid[1],)


def test_a_dividend_on_a_day_without_trading_buys_on_the_next() -> None:
    monday, tuesday, wednesday = days("100", "90", "50")
    paid = [Dividend(tuesday.day, Decimal(5))]
    assert growth_reinvested([monday, wednesday], paid) == Decimal("0.5") * (1 + Decimal(5) / 50)


def test_a_dividend_on_the_day_of_a_split_is_of_the_new_shares() -> None:
    before, after = days("400", "100")
    split = Split(after.day, Decimal(4), Decimal(1))
    paid = [Dividend(before.day, Decimal(4)), Dividend(after.day, Decimal(1))]
    made = split_adjusted(history([before, after], "as_traded", paid, [split]))
    assert [d.amount for d in made.dividends or ()] == [1, 1]
    assert [bar.close for bar in made.bars] == [100, 100]


def test_a_volume_grows_where_a_price_shrinks() -> None:
    bars = [replace(bar, volume=Decimal(10)) for bar in days("400", "100")]
    split = Split(bars[1].day, Decimal(4), Decimal(1))
    made = split_adjusted(history(bars, "as_traded", [], [split]))
    assert [bar.volume for bar in made.bars] == [40, 10]


def test_adjusted_closes_that_a_list_of_dividends_does_not_explain_are_seen() -> None:
    first, last = days("100", "99")
    bars = [replace(first, adjusted=Decimal(98)), replace(last, adjusted=Decimal(99))]
    assert not agree(bars, ())
    assert agree(bars, [Dividend(last.day, Decimal(2))])
