"""Count calls per tool and recalls per result, as far as soft limits ask for it."""

from __future__ import annotations

import msgspec

from tallybook.scratchpad.events import RECALL, ToolCall
from tallybook.view.view import Tally

_LATEST = 16
_RECALLED = 200


def counted(tallies: tuple[Tally, ...], calls: tuple[ToolCall, ...]) -> tuple[Tally, ...]:
    """Count the calls of one reply."""
    if not calls:
        return tallies
    by_tool = {tally.tool: tally for tally in tallies}
    for call in calls:
        before = by_tool.get(call.name) or Tally(call.name)
        latest = (*before.arguments, call.arguments)[-_LATEST:]
        by_tool[call.name] = Tally(call.name, before.calls + 1, latest)
    return tuple(by_tool.values())


def recalls(
    recalled: tuple[tuple[int, int], ...], calls: tuple[ToolCall, ...]
) -> tuple[tuple[int, int], ...]:
    """Count in how many replies each result was brought back, the latest last."""
    back = dict.fromkeys(_recalled(call) for call in calls if call.name == RECALL)
    if not back:
        return recalled
    times = dict(recalled)
    for seq in back:
        if seq:
            times[seq] = times.pop(seq, 0) + 1
    return tuple(times.items())[-_RECALLED:]


def _recalled(call: ToolCall) -> int | None:
    try:
        return msgspec.json.decode(call.arguments, type=_Recall, strict=False).seq
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


class _Recall(msgspec.Struct):
    seq: int | None = None
