"""How full the window is: billed tokens, plus an estimate of what came since.

The bill counts what we cannot see (templates, hidden prompts); the estimate counts what
no bill has seen yet. Both are corrected by the next bill.
"""

from __future__ import annotations

import math

import msgspec

from tallybook.view.measure import Measure
from tallybook.view.view import View

_TRUST = 0.75
"""After large edits the estimate of what was taken out may be off; never go below this share."""


class Fullness(msgspec.Struct, frozen=True):
    """Tokens used and the model's window in tokens."""

    used: int
    window: int

    @property
    def ratio(self) -> float:
        """The share of the window in use."""
        return self.used / self.window if self.window else math.inf


def fullness(view: View) -> Fullness:
    """The fullness of the view if it were sent now."""
    estimate = view.rates.tokens(view.total)
    if not view.billed:
        return Fullness(math.ceil(estimate), view.window)
    used = view.billed + view.rates.tokens(view.since)
    return Fullness(math.ceil(max(used, _TRUST * estimate)), view.window)


def most(view: View) -> int:
    """The most tokens that the view may turn out to have, when its next bill comes."""
    if not view.billed:
        return math.ceil(view.rates.bound(view.total))
    fresh = view.items[view.position(view.bill_seq) :]
    unbilled = sum((item.size for item in fresh), Measure())
    margin = view.rates.bound(unbilled) - view.rates.tokens(unbilled)
    return fullness(view).used + max(0, math.ceil(margin))


def tokens(view: View, measure: Measure) -> int:
    """Tokens of a part of the view, by the rates learned so far."""
    return math.ceil(view.rates.tokens(measure))
