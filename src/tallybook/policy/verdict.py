"""What may be said of a summary: that it stands, mended or as it is, or is refused or sent back.

Who says it is a function, `Verify`; ours is `verify.verified`, which needs all of `figures` and is
imported where a summary is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import UNSET

from tallybook.policy.needs import NeedSummary, template
from tallybook.scratchpad.events import Native
from tallybook.view.view import Item, View


class Verdict(msgspec.Struct, frozen=True):
    """The summary as it may stand, what was found as JSON, and why it is refused, if it is.

    `invented` are the figures that nothing supports, as they were written.
    """

    summary: str
    check: Native = UNSET
    refusal: str = ""
    invented: tuple[str, ...] = ()


class Check(msgspec.Struct, frozen=True):
    """What verification found, as it is kept in the event.

    Counts of the summary's figures by verdict, and the `unsupported` ones as written;
    `retried` says that the model was asked again. Of the results' figures: how many were
    `asked` for, how many of all stand in the `ledger`, how many asked for do not (`lost`).
    """

    figures: int
    quoted: int
    derived: int
    given: int
    unsupported: tuple[str, ...] = ()
    retried: bool = False
    asked: int = 0
    ledger: int = 0
    lost: int = 0


Draft = Callable[[int], str]
"""A summary in at most so many tokens."""
Original = Callable[[Item], str]
Verify = Callable[[View, NeedSummary, Draft, Original], Verdict]


def accept(view: View, need: NeedSummary, draft: Draft, original: Original) -> Verdict:
    """Take any summary that says something."""
    del view, original
    summary = draft(need.tokens)
    return Verdict(summary, refusal="" if summary else "the summary is empty")


def ask_again(need: NeedSummary, invented: Sequence[str]) -> NeedSummary:
    """The same need, whose prompt names the figures that are in no source."""
    told = template("again").format(invented="\n".join(f"- {text}" for text in invented))
    return msgspec.structs.replace(need, prompt=f"{need.prompt}\n{told}", again=True)
