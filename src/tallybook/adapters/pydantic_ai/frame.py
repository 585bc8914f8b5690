"""What frames a run: the words that open it, the system prompt, the tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Raw
from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelRequest, SystemPromptPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import ToolDefinition

from tallybook.scratchpad.events import ToolSpec


def question(ctx: RunContext[Any]) -> str:
    """The words that opened the run."""
    prompt = ctx.prompt
    if prompt is None or isinstance(prompt, str):
        return prompt or ""
    return " ".join(one for one in prompt if isinstance(one, str))


def system_of(history: Sequence[ModelMessage], request: ModelRequestContext) -> str:
    """All that stands before the conversation: system prompts, then instructions."""
    prompts = [
        part.content
        for message in history
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, SystemPromptPart)
    ]
    instructions = request.model_request_parameters.instruction_parts or []
    return "\n\n".join([*prompts, *(part.content for part in instructions)])


def spec_of(tool: ToolDefinition) -> ToolSpec:
    """A tool as the scratchpad describes it; its schema in a stable order."""
    schema = Raw(json.dumps(tool.parameters_json_schema, sort_keys=True).encode())
    return ToolSpec(tool.name, tool.description or "", schema, is_read_only(tool))


def is_read_only(tool: ToolDefinition) -> bool:
    """What the tool declares of itself; for MCP tools, their `readOnlyHint`."""
    metadata = tool.metadata or {}
    hints = metadata.get("annotations")
    hint = hints.get("readOnlyHint") if isinstance(hints, dict) else False
    return bool(metadata.get("read_only") or hint)
