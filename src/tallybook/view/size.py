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


def tokens(view: View, measure: Measure) -> int:
    """Tokens of a part of the view, by the rates learned so far."""
    return math.ceil(view.rates.tokens(measure))
