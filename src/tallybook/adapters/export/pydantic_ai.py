"""A view as Pydantic AI's own message JSON."""

from __future__ import annotations

import json
from dataclasses import replace

from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest, SystemPromptPart

from tallybook.adapters.pydantic_ai.messages import render
from tallybook.view.view import View


def messages(view: View) -> object:
    """A list of messages; JSON that another format recorded is left out, its words are not."""
    rendered = render(view)
    if view.system:
        system = SystemPromptPart(view.system)
        first = rendered[0] if rendered else None
        if isinstance(first, ModelRequest):
            rendered[0] = replace(first, parts=[system, *first.parts])
        else:
            rendered.insert(0, ModelRequest(parts=[system]))
    loaded: object = json.loads(ModelMessagesTypeAdapter.dump_json(rendered))
    return loaded
