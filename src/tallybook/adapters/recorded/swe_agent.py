"""SWE-agent trajectories: thoughts, actions and observations as plain messages.

An action is taken for a call of the tool `shell`, and what follows for its result, so that old
observations can be let go like those of any other agent.
"""

from __future__ import annotations

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import Json, call, result, rows, without, word, words
from tallybook.scratchpad.events import AssistantMessage, UserMessage


def read(document: Json) -> Draft:
    """The `history` of a trajectory; its `trajectory`, the same in other words, is kept aside."""
    draft = Draft("swe_agent", without(document, "history"))
    pending = ""
    for number, message in enumerate(rows(document.get("history"))):
        text = words(message.get("content"))
        match message.get("role"):
            case "system":
                draft.system.append(text)
                draft.aside(message)
            case "assistant":
                action = word(message.get("action"))
                pending = f"action_{number}" if action else ""
                calls = (call(pending, "shell", {"command": action}),) if action else ()
                thought = word(message.get("thought")) if action else text
                draft.say(AssistantMessage(thought, calls=calls), message)
            case _ if pending:
                draft.say(result(pending, "shell", text), message)
                pending = ""
            case _:
                draft.say(UserMessage(text), message)
    return draft
