"""Logs of JSON lines with `new_messages`: role and text, a message or a list of them a line."""

from __future__ import annotations

from collections.abc import Sequence

from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import Json, fields, rows, without, word, words
from tallybook.scratchpad.events import AssistantMessage, UserMessage


def read(records: Sequence[Json]) -> Draft:
    """Whatever was not the assistant's is taken for the user's: the log names no tools."""
    draft = Draft("plain_log")
    for record in records:
        source = record.get("new_messages")
        beside: object = without(record, "new_messages")
        for message in rows(source) or [fields(source)]:
            text = words(message.get("content"))
            draft.model = draft.model or word(record.get("signature"))
            if message.get("role") == "assistant":
                draft.say(AssistantMessage(text), message, beside)
            else:
                draft.say(UserMessage(text), message, beside)
            beside = None
    return draft
