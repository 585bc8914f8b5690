"""Line 4: whole rounds leave the view, oldest first. An index keeps their results in reach."""

from __future__ import annotations

from tallybook.policy.pressure import Pressure
from tallybook.scratchpad.events import Dropped
from tallybook.view.size import tokens
from tallybook.view.view import Round, View


def drop(view: View, now: Pressure, *, reason: str) -> Dropped | None:
    """Drop as many of the oldest rounds as bring the view to the goal; the newest stays."""
    over = now.excess
    gone: list[Round] = []
    for one in view.rounds()[:-1]:
        if over <= 0 and gone:
            break
        gone.append(one)
        over -= tokens(view, one.size)
    return _dropped(gone, reason)


def drop_to(view: View, keep: int, *, reason: str) -> Dropped | None:
    """Keep the newest `keep` rounds of this turn and all earlier conversation, as the reference."""
    rounds = [one for one in view.rounds() if one.reply.seq > view.turn]
    return _dropped(rounds[:-keep], reason, since=view.turn)


def _dropped(gone: list[Round], reason: str, since: int = 0) -> Dropped | None:
    if not gone:
        return None
    return Dropped(gone[-1].last, since, len(gone), reason)
