"""Count calls per tool and recalls per result, as far as soft limits ask for it."""

from __future__ import annotations

import msgspec

from tallybook.scratchpad.events import RECALL, ToolCall
from tallybook.view.view import Tally
from tallybook.view.words import similarity, words

_QUERIES = 16
_RECALLED = 200
SIMILAR = 0.7


def counted(tallies: tuple[Tally, ...], calls: tuple[ToolCall, ...]) -> tuple[Tally, ...]:
    """Count the calls of one reply; `similar` holds a query that resembles an earlier one."""
    if not calls:
        return tallies
    by_tool = {tally.tool: msgspec.structs.replace(tally, similar="") for tally in tallies}
    for call in calls:
        before = by_tool.get(call.name) or Tally(call.name)
        query = _query(call)
        asked = words(query)
        again = asked in before.queries or any(
            similarity(asked, earlier) >= SIMILAR for earlier in before.queries
        )
        by_tool[call.name] = Tally(
            call.name,
            before.calls + 1,
            (*before.queries, asked)[-_QUERIES:],
            query if again else before.similar,
        )
    return tuple(by_tool.values())


def recalls(
    recalled: tuple[tuple[int, int], ...], calls: tuple[ToolCall, ...]
) -> tuple[tuple[int, int], ...]:
    """Count in how many replies each result was brought back, the latest last."""
    times = dict(recalled)
    back = dict.fromkeys(_recalled(call) for call in calls if call.name == RECALL)
    for seq in back:
        if seq:
            times[seq] = times.pop(seq, 0) + 1
    return tuple(times.items())[-_RECALLED:]


def _query(call: ToolCall) -> str:
    """The words by which a call searches: every string among its arguments."""
    try:
        arguments = msgspec.json.decode(call.arguments, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeEncodeError):
        return call.arguments
    return " ".join(value for value in arguments.values() if isinstance(value, str))


def _recalled(call: ToolCall) -> int | None:
    try:
        return msgspec.json.decode(call.arguments, type=_Recall, strict=False).seq
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


class _Recall(msgspec.Struct):
    seq: int | None = None
