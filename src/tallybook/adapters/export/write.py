"""Choose the format of an export."""

from __future__ import annotations

from typing import Literal, get_args

from tallybook.adapters.export import anthropic, openai, responses
from tallybook.adapters.export.shown import Source
from tallybook.view.view import View

Format = Literal["openai", "responses", "anthropic", "pydantic-ai"]
FORMATS: tuple[Format, ...] = get_args(Format)


def export(view: View, format: Format, source: Source) -> object:
    """The view as a request body, or for Pydantic AI as a list of messages."""
    match format:
        case "openai":
            return openai.body(view, source)
        case "responses":
            return responses.body(view, source)
        case "anthropic":
            return anthropic.body(view, source)
        case "pydantic-ai":
            from tallybook.adapters.export import pydantic_ai

            return pydantic_ai.messages(view)
