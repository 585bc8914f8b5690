"""Choose whose rules a request is held against."""

from __future__ import annotations

from tallybook.adapters.export.write import Format
from tallybook.adapters.recorded.values import fields
from tallybook.adapters.rules import anthropic, openai, responses
from tallybook.adapters.rules.violation import Violation


def violations(document: object, format: Format) -> tuple[Violation, ...]:
    """The rules that an exported document breaks; none for one that the provider accepts."""
    match format:
        case "openai":
            return tuple(openai.violations(fields(document)))
        case "responses":
            return tuple(responses.violations(fields(document)))
        case "anthropic":
            return tuple(anthropic.violations(fields(document)))
        case "pydantic-ai":
            from tallybook.adapters.rules import pydantic_ai

            return tuple(pydantic_ai.violations(document))
