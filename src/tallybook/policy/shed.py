"""When all else is let go: what stands for earlier rounds shrinks to the way back.

Summary and index are ours, and the scratchpad still holds what they tell. They give way only
where the view would not fit otherwise, and only where that is enough: a newest round that
fits the window is never refused for the sake of notes about older ones.
"""

from __future__ import annotations

from msgspec.structs import replace

from tallybook.policy.pressure import Pressure
from tallybook.policy.summarize import fitted
from tallybook.scratchpad.events import Summarized
from tallybook.view import notes
from tallybook.view.edits import apply
from tallybook.view.measure import Measure
from tallybook.view.size import fullness, tokens
from tallybook.view.view import View

_LEAST_WORTH = 60
"""Tokens below which the beginning of a summary says nothing."""


def shed(view: View, now: Pressure) -> Summarized | None:
    """Shrink summary and index till the view fits; None where it does, or still would not."""
    over = max(now.over, now.used - now.ceiling if view.refused_size else 0)
    left = [item for item in view.items if item.form in ("summary", "index")]
    if over <= 0 or not left:
        return None
    way_back = notes.dropped(replace(view.kept, lines=()))
    held = sum((item.size for item in left), Measure())
    room = tokens(view, held - view.count(way_back).as_message()) - over
    if room < 0:
        return None
    beginning = _beginning(view, room)
    draft = Summarized(left[-1].seq, f"{way_back}\n{beginning}".rstrip())
    before, after = fullness(view).used, fullness(apply(view, draft)).used
    return replace(draft, tokens_before=before, tokens_after=after)


def _beginning(view: View, room: int) -> str:
    """What half the room holds of the summary: a cut text may turn out larger than estimated."""
    summary = next((item.text for item in view.items if item.form == "summary"), "")
    return fitted(view, summary, room // 2) if room >= 2 * _LEAST_WORTH else ""
