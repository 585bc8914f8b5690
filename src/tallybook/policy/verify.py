"""What stands between a summary and the view: it may be mended or refused."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import UNSET

from tallybook.policy.needs import NeedSummary
from tallybook.scratchpad.events import Native


class Verdict(msgspec.Struct, frozen=True):
    """The summary as it may stand, what was found as JSON, and why it is refused, if it is."""

    summary: str
    check: Native = UNSET
    refusal: str = ""


Verify = Callable[[NeedSummary, str], Verdict]


def accept(need: NeedSummary, summary: str) -> Verdict:
    """Take any summary that says something."""
    del need
    return Verdict(summary, refusal="" if summary else "the summary is empty")
