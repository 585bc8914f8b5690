"""Results beside their calls, under ids that pair within the whole request.

A scratchpad knows results by `seq`, since providers reuse ids ("call_0" every time) or send
none. Where ids are not unique in a view, both sides of a pair get one made from numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tallybook.scratchpad.events import AssistantMessage, UserMessage
from tallybook.view.view import Item, Round, View


def groups(view: View) -> Iterator[Round | Item]:
    """Rounds and the user's messages between them; words said within a round come after it."""
    rounds = {one.reply.seq: one for one in view.rounds()}
    for item in view.items:
        if isinstance(item.message, UserMessage):
            yield item
        elif item.seq in rounds:
            yield rounds[item.seq]


def call_ids(view: View) -> dict[int, tuple[str, ...]]:
    """For each reply and each result in view, by `seq`: the ids its calls, or it, go under."""
    rounds = view.rounds()
    counts = Counter(call for one in rounds for call in _ids(one))
    ids: dict[int, tuple[str, ...]] = {}
    for one in rounds:
        unique = tuple(
            call if call and counts[call] == 1 else f"call_{one.reply.seq}_{place}"
            for place, call in enumerate(_ids(one))
        )
        ids[one.reply.seq] = unique
        ids.update((item.seq, (call,)) for item, call in zip(one.results, unique, strict=False))
    return ids


def _ids(one: Round) -> tuple[str, ...]:
    reply = one.reply.message
    return tuple(call.id for call in reply.calls) if isinstance(reply, AssistantMessage) else ()
