from __future__ import annotations

import random

import pytest
from tests.runs import BASE64, CHINESE, PROSE, TABLE, text

from tallybook.view.measure import Measure, by_kind
from tallybook.view.rates import Rates


def _mixture(chance: random.Random) -> Measure:
    kinds = [PROSE, TABLE, CHINESE, BASE64]
    return sum((by_kind(text(kind, chance.randint(0, 4_000))) for kind in kinds), Measure(parts=2))


@pytest.mark.parametrize(
    "true",
    [
        Rates(mean=(0.20, 0.45, 0.70, 0.65, 1.0, 4.0)),
        Rates(mean=(0.30, 0.75, 1.50, 0.90, 1.0, 12.0)),
    ],
    ids=["a frugal tokenizer", "a wasteful tokenizer"],
)
def test_the_rate_of_every_kind_is_learned_from_bills_for_mixtures(true: Rates) -> None:
    chance = random.Random(7)
    rates = Rates()
    for _ in range(40):
        mixture = _mixture(chance)
        rates = rates.learned(mixture, true.tokens(mixture))
    for kind in (PROSE, TABLE, CHINESE, BASE64):
        measure = by_kind(text(kind, 5_000))
        assert rates.tokens(measure) == pytest.approx(true.tokens(measure), rel=0.1)


def test_one_bill_brings_the_estimate_close_to_the_truth() -> None:
    measure = by_kind(text(TABLE, 40_000))
    rates = Rates().learned(measure, 12_000)
    assert rates.tokens(measure) == pytest.approx(12_000, rel=0.05)


def test_a_nonsensical_bill_cannot_make_the_rates_nonsensical() -> None:
    rates = Rates()
    for _ in range(20):
        rates = rates.learned(by_kind(text(PROSE, 1_000)), 10_000_000)
        rates = rates.learned(by_kind(text(PROSE, 1_000)), 0)
    assert 0.06 <= rates.mean[0] <= 0.72
