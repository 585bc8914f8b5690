"""How long a failed request waits before it is sent again, and when to give up.

What the provider asks for is kept to; else each pause is twice the one before, a little
shorter by chance so that many clients do not come back at once.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tallybook.models.errors import Failure


@dataclass(frozen=True)
class Patience:
    """`tries` requests in all; pauses in seconds, the first, the longest, the longest asked for.

    A provider that asks for more than `asked` seconds is not waited for: the run ends and can
    be resumed then. `chance` gives a number in [0, 1).
    """

    tries: int = 6
    first: float = 1.0
    longest: float = 60.0
    asked: float = 120.0
    chance: Callable[[], float] = random.random

    def pause(self, failure: Failure, failed: int) -> float | None:
        """Seconds to wait after the request has failed `failed` times; None to give up."""
        if not failure.retryable or failed >= self.tries:
            return None
        if failure.retry_after is not None:
            return failure.retry_after if failure.retry_after <= self.asked else None
        doubled = min(self.longest, self.first * 2.0 ** (failed - 1))
        return doubled * (1 - self.chance() / 4)
