"""Estimates against real tokenizers, on real texts of every kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.texts import KINDS
from tests.tokenizers import deepseek, o200k

from tallybook.view.measure import by_kind
from tallybook.view.rates import Rates

TOKENIZERS = {"deepseek": deepseek, "o200k": o200k}

LEAST, MOST = 0.9, 1.8
"""What an estimate before any bill may be of the truth: rather too much than too little."""


@pytest.fixture(params=TOKENIZERS)
def count(request: pytest.FixtureRequest) -> Callable[[str], int]:
    return TOKENIZERS[request.param]()


@pytest.mark.parametrize("kind", KINDS)
def test_before_the_first_bill_no_kind_of_text_is_under_counted(
    kind: str, count: Callable[[str], int]
) -> None:
    for part in KINDS[kind]():
        true = count(part)
        assert LEAST * true <= Rates().tokens(by_kind(part)) <= MOST * true


@pytest.mark.parametrize("kind", KINDS)
def test_after_three_bills_text_that_none_of_them_was_for_is_estimated_within_a_tenth(
    kind: str, count: Callable[[str], int]
) -> None:
    *billed, unseen = KINDS[kind]()
    rates = Rates()
    for part in billed:
        rates = rates.learned(by_kind(part), count(part))
    assert rates.tokens(by_kind(unseen)) == pytest.approx(count(unseen), rel=0.1)
