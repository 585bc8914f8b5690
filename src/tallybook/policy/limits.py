"""Every number of all lines of defence, in one place.

`Limits()` works to sizes: shares of the room that the window leaves for the view.
`Limits.reference()` is the reference scheme to the number, which mostly counts.
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_WINDOW = 128_000
"""Tokens, where a model's window is unknown."""


@dataclass(frozen=True)
class Counts:
    """The rules of the reference scheme that count results and rounds instead of sizes.

    Results of read-only tools are cleared down to the newest `keep_results` when there
    are more than `clear_above_results` of them, or when they are estimated above
    `clear_above_tokens`. The words beside calls are kept in the newest `keep_words`
    replies. Dropping keeps `keep_rounds`, after an overflow `keep_rounds_overflow`.
    """

    clear_above_results: int = 8
    clear_above_tokens: int = 80_000
    keep_results: int = 4
    keep_words: int = 2
    keep_rounds: int = 5
    keep_rounds_overflow: int = 3
    reserve_summary: int = 20_000
    reserve_buffer: int = 13_000
    scaled_below: int = 40_000
    chars_per_token: float = 3.5


@dataclass(frozen=True)
class Limits:
    """The numbers of all lines of defence.

    Characters: `result_chars` is what one result may have before line 1 caps it to
    `preview_chars`, `turn_chars` what all results of a round may have together. Shares of
    the room, in tokens: `result_share` and `turn_share` bound the same, `preview_share`
    what is kept; above `mark` the lines act, down to `target`, and an edit that would not
    save `least_gain` is not worth the cached prefix it rewrites. `summary_share` bounds a
    summary. `min_results` and `max_refusals` are the breakers of line 3, `max_overflows`
    of retrying, `soft_calls` and `similar` start a caution. `output_share` and
    `output_tokens` keep room for the reply. `fast_window` is the window of the model that
    summarizes, where it is smaller. `verify` has the figures of a summary checked, `memory`
    turns the memory flush on. `counts` replaces working to sizes.
    """

    result_chars: int = 50_000
    preview_chars: int = 8_000
    turn_chars: int = 200_000
    result_share: float = 0.25
    turn_share: float = 0.5
    preview_share: float = 0.06
    mark: float = 0.92
    target: float = 0.55
    least_gain: float = 0.04
    summary_share: float = 0.2
    min_results: int = 3
    max_refusals: int = 3
    max_overflows: int = 4
    soft_calls: int = 3
    similar: float = 0.7
    output_share: float = 0.16
    output_tokens: int = 20_000
    fast_window: int | None = None
    summarize: bool = True
    verify: bool = True
    memory: bool = False
    counts: Counts | None = None

    @classmethod
    def reference(cls) -> Limits:
        """The scheme of Dexter, to the number."""
        return cls(
            preview_chars=2_000,
            result_share=1.0,
            turn_share=1.0,
            preview_share=1.0,
            max_overflows=2,
            memory=True,
            verify=False,
            counts=Counts(),
        )

    def room(self, window: int) -> int:
        """Tokens that the view may fill, leaving the reply its place."""
        window = window or DEFAULT_WINDOW
        return window - min(self.output_tokens, int(window * self.output_share))

    def threshold(self, window: int) -> int:
        """Tokens above which the view is made smaller."""
        window = window or DEFAULT_WINDOW
        if self.counts is None:
            return int(self.room(window) * self.mark)
        reserve = self.counts.reserve_summary + self.counts.reserve_buffer
        if window < self.counts.scaled_below:
            reserve = reserve * window // self.counts.scaled_below
        return window - reserve

    def goal(self, window: int) -> int:
        """Tokens down to which an edit works, well below the threshold so that edits are rare."""
        if self.counts is not None:
            return self.threshold(window)
        return int(self.room(window) * self.target)

    def recall_chars(self, window: int) -> int:
        """Characters that one recall may bring back: always below what line 1 would cap."""
        return max(600, min(16_000, self.room(window) // 5))
