from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallybook.models.errors import Failure
from tallybook.models.patience import Patience

LATER = Failure("overloaded", "Later.", retryable=True)


def test_pauses_double_up_to_the_longest() -> None:
    patience = Patience(tries=9, longest=20, chance=lambda: 0.0)
    pauses = [patience.pause(LATER, failed) for failed in range(1, 10)]
    assert pauses == [1, 2, 4, 8, 16, 20, 20, 20, None]


@pytest.mark.parametrize(
    ("asked", "pause"), [(0.0, 0.0), (7.5, 7.5), (120.0, 120.0), (121.0, None)]
)
def test_what_the_provider_asks_for_is_kept_to_or_not_waited_for_at_all(
    asked: float, pause: float | None
) -> None:
    failure = Failure("rate_limit", "Later.", retry_after=asked, retryable=True)
    assert Patience().pause(failure, 1) == pause


@given(st.integers(1, 5), st.floats(0, 1, exclude_max=True))
def test_chance_makes_a_pause_shorter_by_a_quarter_at_most(failed: int, chance: float) -> None:
    whole = Patience(chance=lambda: 0.0).pause(LATER, failed)
    pause = Patience(chance=lambda: chance).pause(LATER, failed)
    assert whole
    assert pause
    assert 0.75 * whole <= pause <= whole


def test_what_cannot_succeed_later_is_not_waited_for() -> None:
    assert Patience().pause(Failure("billing", "No credit."), 1) is None
