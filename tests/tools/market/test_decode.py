"""Numbers as they were meant, and as they are shown."""

from __future__ import annotations

import struct
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tallybook.tools.market import shown
from tallybook.tools.market.decode import single

PRICES = st.decimals("0.000001", "1000000", allow_nan=False, allow_infinity=False)


@given(st.floats(2**-60, 2**60, width=32))
def test_a_single_precision_number_is_the_shortest_that_is_the_same(number: float) -> None:
    short = single(Decimal(repr(number)))
    assert struct.unpack("f", struct.pack("f", float(short)))[0] == number
    assert len(short.as_tuple().digits) <= 9


@given(st.integers(100, 9_999_999))
def test_a_price_in_cents_survives_single_precision(cents: int) -> None:
    price = Decimal(cents) / 100
    sent = struct.unpack("f", struct.pack("f", float(price)))[0]
    assert single(Decimal(repr(sent))) == price


def test_a_number_that_is_not_single_precision_stays() -> None:
    assert single(Decimal("0.1")) == Decimal("0.1")
    assert single(Decimal("1e300")) == Decimal("1e300")


@given(PRICES)
def test_a_price_shown_is_the_price_to_four_places_or_six_digits(price: Decimal) -> None:
    told = shown.price(price)
    assert abs(told - price) <= max(Decimal("0.00005"), price * Decimal("0.000005"))
    assert "E" not in str(told) or told < Decimal("0.00001")
    assert shown.price(told) == told


def test_percentages_are_rounded_half_away_from_zero() -> None:
    assert shown.percent(Decimal("1.00125")) == Decimal("0.13")
    assert shown.percent(Decimal("0.99875")) == Decimal("-0.13")


def test_volumes_are_whole_where_they_are_large() -> None:
    assert shown.count(Decimal("13477578.123616")) == 13477578
    assert shown.count(Decimal("0.5")) == Decimal("0.5")
