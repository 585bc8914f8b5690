from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.figures.made import made

from tallybook.figures.match import Match, Mismatch, ambiguous, compare, match


@pytest.mark.parametrize(
    ("claim", "source", "why"),
    [
        ("$94.9 billion", "$94,930 million", "equal at 0.1 billion"),
        ("$94.9 billion", "94930000000", "equal at 0.1 billion"),
        ("$94,930 million", "94930000000", "equal"),
        ("31%", "0.31", "percent as fraction"),
        ("0.31", "31%", "percent as fraction"),
        ("31%", "31.2%", "equal at 1"),
        ("(1,234)", "(1,234)", "equal"),
        ("1,234", "(1,234)", "sign differs in presentation"),
        ("150 bps", "1.5%", "equal"),
        ("$1,496.5", "$1,496.5 million", "equal as shown, scale not stated by the claim"),
        ("$1,496.5 million", "1,496.5", "equal as shown, scale not stated by the source"),
    ],
)
def test_a_match_says_why(claim: str, source: str, why: str) -> None:
    found = match(made(claim), made(source))
    assert found is not None
    assert found.why == why


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("$94.9 billion", "$94,970 million"),
        ("$94.9 billion", "$94.9 million"),
        ("31%", "0.32"),
        ("75.0%", "1"),
        ("$0.56", "$1"),
        ("9.4%", "9%"),
        ("31%", "$31"),
        ("1,496.5", "1,497.5"),
        ("26 x", "$26"),
    ],
)
def test_other_values_and_other_units_do_not_match(claim: str, source: str) -> None:
    assert match(made(claim), made(source)) is None
    assert isinstance(compare(made(claim), made(source)), Mismatch)


@pytest.mark.parametrize(
    ("claim", "source", "why"),
    [
        (("Revenue", "Q1 2025", "NVDA"), ("Revenue", "Q1 2025", "AAPL"), "entity"),
        (("Revenue", "Q1 2025", "NVDA"), ("Revenue", "Q2 2025", "NVDA"), "period"),
        (("Revenue", "Q1 2025", "NVDA"), ("Net income", "Q1 2025", "NVDA"), "label"),
    ],
)
def test_the_same_value_for_another_company_quarter_or_measure_is_a_mismatch(
    claim: tuple[str, str, str], source: tuple[str, str, str], why: str
) -> None:
    found = compare(made("$26.0 billion", *claim), made("$26.0 billion", *source))
    assert isinstance(found, Mismatch)
    assert why in found.why


def test_what_one_side_leaves_out_is_neutral_and_weaker() -> None:
    claim = made("$26.0 billion", "Revenue", "Q1 2025", "NVDA")
    full = match(claim, made("$26,044 million", "Net sales", "Q1 2025", "NVIDIA"))
    bare = match(claim, made("$26,044 million"))
    assert full is not None
    assert bare is not None
    assert full.strength > bare.strength > 0
    assert full.why == "equal at 0.1 billion; same entity; same period; same label"


def test_more_digits_than_the_source_shows_are_a_weak_match() -> None:
    exact, finer = made("$94.9 billion"), made("$94,930 million")
    weak, strong = match(finer, exact), match(exact, finer)
    assert weak is not None
    assert strong is not None
    assert weak.weak
    assert not strong.weak


def test_equally_good_sources_that_mean_different_things_are_ambiguous() -> None:
    claim = made("26.0")
    sources = [made("26.0", "Revenue", "Q1 2025"), made("26.0", "Headcount", "Q1 2025")]
    found = [match(claim, source) for source in sources]
    assert ambiguous([one for one in found if one])
    assert not ambiguous([one for one in found[:1] if one])


def test_identifiers_match_letter_by_letter() -> None:
    one = msgspec.structs.replace(made("320193"), kind="identifier")
    assert match(one, one) is not None
    assert match(one, made("320193")) is None


@given(
    shown=st.decimals(min_value=1, max_value=9999, places=1),
    places=st.integers(min_value=0, max_value=6),
)
def test_rounding_a_figure_keeps_it_the_same(shown: Decimal, places: int) -> None:
    exact = made(str(shown))
    step = Decimal(10) ** (places - 1)
    rounded = msgspec.structs.replace(exact, value=shown.quantize(Decimal(1)), precision=Decimal(1))
    assert isinstance(compare(rounded, exact), Match)
    scaled = msgspec.structs.replace(
        exact, value=shown * step, precision=exact.precision * step, scale=step
    )
    assert match(scaled, scaled) is not None
