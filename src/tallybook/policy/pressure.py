"""How hard the view presses: what is used, where to act, where it must end.

The reference looks at the previous bill alone, once a round; we count what came since.
After a refusal the ceiling is below what was refused, whatever the estimate says.
"""

from __future__ import annotations

import math

import msgspec

from tallybook.policy.limits import Limits
from tallybook.view.size import fullness, most
from tallybook.view.view import View

_BELOW_REFUSED = 0.85
_GOAL_AFTER_REFUSAL = 0.6


class Pressure(msgspec.Struct, frozen=True):
    """In tokens: `used` now, `mark` to act above, `goal` of an edit, `ceiling` of the view.

    `over` is by how much the view may turn out larger than the window, 0 if it cannot.
    """

    used: int
    mark: int
    goal: int
    ceiling: int
    over: int = 0

    @property
    def high(self) -> bool:
        """Whether the lines of defence should act."""
        return self.used > self.mark or self.over > 0

    @property
    def critical(self) -> bool:
        """Whether they must."""
        return self.used > self.ceiling or self.over > 0

    @property
    def excess(self) -> int:
        """How many tokens an edit should take out."""
        return max(self.used - self.goal, self.over)


def pressure(view: View, limits: Limits) -> Pressure:
    """The pressure of this view under these limits."""
    mark, goal = limits.threshold(view.window), limits.goal(view.window)
    ceiling = limits.room(view.window)
    if limits.counts:
        estimate = math.ceil(view.total.chars / limits.counts.chars_per_token)
        return Pressure(view.billed or estimate, mark, goal, ceiling)
    if view.refused_size:
        ceiling = min(ceiling, int(view.refused_size * _BELOW_REFUSED))
        mark = min(mark, ceiling)
        goal = min(goal, int(view.refused_size * _GOAL_AFTER_REFUSAL))
    over = max(0, most(view) - view.window)
    return Pressure(fullness(view).used, mark, goal, ceiling, over)
