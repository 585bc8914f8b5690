"""tau-bench and tau2-bench simulations: OpenAI-like messages of an agent and a simulated user.

In tau2 the user has tools on a device of its own. The agent never saw those calls nor their
results, so they are kept aside.
"""

from __future__ import annotations

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import (
    Json,
    bill,
    call,
    fields,
    result,
    rows,
    without,
    word,
    words,
)
from tallybook.scratchpad.events import AssistantMessage, ToolCall, UserMessage

_BILL = ("prompt_tokens", "completion_tokens", "", "")


def read(document: Json) -> Draft:
    """The `messages` or `traj` of a simulation."""
    draft = Draft("tau", without(document, "messages", "traj"))
    for message in rows(document.get("messages")) or rows(document.get("traj")):
        _take(draft, message)
    return draft


def _take(draft: Draft, message: Json) -> None:
    text = words(message.get("content"))
    match message.get("role"):
        case "system":
            draft.system.append(text)
            draft.aside(message)
        case "assistant":
            calls = tuple(map(_call, rows(message.get("tool_calls"))))
            usage = bill(fields(message.get("usage")), _BILL)
            draft.say(AssistantMessage(text, calls=calls, usage=usage), message)
        case "tool" if message.get("requestor") != "user":
            call_id = word(message.get("tool_call_id")) or word(message.get("id"))
            failed = bool(message.get("error"))
            draft.say(result(call_id, draft.names().get(call_id, ""), text, failed=failed), message)
        case "user" if text:
            draft.say(UserMessage(text), message)
        case _:
            draft.aside(message)


def _call(one: Json) -> ToolCall:
    function = fields(one.get("function")) or one
    return call(one.get("id"), function.get("name"), function.get("arguments"))
