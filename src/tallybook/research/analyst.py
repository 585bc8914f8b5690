"""The offline analyst: a rule-based model, no language model, and honest about it.

It implements Pydantic AI's `Model`, so the same agent, engine and tools run with it. It
plans calls from the question, brings back with `recall` what left its view, and answers with
tables in which every figure names its result.
"""

from __future__ import annotations

import json
from datetime import date

from pydantic_ai.messages import ModelMessage, ModelResponsePart, TextPart, ToolCallPart
from pydantic_ai.models import ModelRequestParameters

from tallybook.models.local import LocalModel
from tallybook.policy.limits import DEFAULT_WINDOW, Limits
from tallybook.research.answer import answer, sorry
from tallybook.research.plan import Arguments, Plan, plan
from tallybook.research.question import understand_all
from tallybook.research.sight import SeqOf, look, result_number, said
from tallybook.scratchpad.events import RECALL
from tallybook.tools.finance.financials import NAME

MOST_STEPS = 40
"""So many replies to one question, then it is answered with what is there. Agents of Pydantic AI
stop at 50 requests."""

_ROW_CHARS = 340
_HEAD_CHARS = 200


class OfflineAnalyst(LocalModel):
    """Answers questions on companies × line items × periods, from the tools it is offered.

    `window` is in tokens. `today` settles what "this year" is. `seq_of` tells the number of a
    result, by which answers cite it and `recall` finds it.
    """

    def __init__(
        self,
        *,
        window: int | None = None,
        today: date | None = None,
        seq_of: SeqOf = result_number,
    ) -> None:
        self._window = window or DEFAULT_WINDOW
        super().__init__("offline-analyst", window=self._window)
        self._today = today
        self._seq_of = seq_of

    async def reply(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters
    ) -> list[ModelResponsePart]:
        """The next calls with a note of what was found, or the answer."""
        offered = {tool.name for tool in parameters.function_tools}
        asked = understand_all(said(messages), today=self._today or date.today())
        now = plan(asked, look(messages, self._seq_of), rows_a_page(self._window))
        if not asked.answerable or (NAME not in offered and not now.sight.steps):
            return [TextPart(sorry(asked))]
        if NAME in offered and (calls := next_calls(now, can_recall=RECALL in offered)):
            return [TextPart(now.note()), *calls]
        return [TextPart(answer(now))]


def next_calls(now: Plan, *, can_recall: bool) -> list[ToolCallPart]:
    """What to fetch, else what to recall; nothing where all is there or enough was tried."""
    if now.sight.steps >= MOST_STEPS:
        return []
    if requests := now.requests():
        return [_call(NAME, arguments) for arguments in requests]
    if can_recall:
        return [_call(RECALL, arguments) for arguments in now.recalls()]
    return []


def rows_a_page(window: int) -> int:
    """How many rows of a result one recall brings whole, in a window of so many tokens."""
    return max(1, min(8, (Limits().recall_chars(window) - _HEAD_CHARS) // _ROW_CHARS))


def _call(name: str, arguments: Arguments) -> ToolCallPart:
    return ToolCallPart(name, json.dumps(arguments, separators=(",", ":")))
