"""A view as Pydantic AI's own message JSON."""

from __future__ import annotations

import json
from dataclasses import replace as changed

from msgspec import UNSET
from msgspec.structs import replace
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest, SystemPromptPart

from tallybook.adapters.pydantic_ai.messages import render
from tallybook.adapters.recorded.kept import kept
from tallybook.view.items import Items
from tallybook.view.view import Item, View


def messages(view: View) -> object:
    """A list of messages; JSON that another format recorded is left out, its words are not."""
    rendered = render(replace(view, items=Items(map(_ours, view.items))))
    if view.system:
        system = SystemPromptPart(view.system)
        first = rendered[0] if rendered else None
        if isinstance(first, ModelRequest):
            rendered[0] = changed(first, parts=[system, *first.parts])
        else:
            rendered.insert(0, ModelRequest(parts=[system]))
    loaded: object = json.loads(ModelMessagesTypeAdapter.dump_json(rendered))
    return loaded


def _ours(item: Item) -> Item:
    if kept(item.message) is None:
        return item
    return replace(item, message=replace(item.message, native=UNSET))
