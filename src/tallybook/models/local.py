"""A model that runs in this process: a function of the messages, with an honest bill.

The offline analyst and the scripted model of `tallybook.testing` are such models. They are
billed by length, ceil(characters / 3.5) of all that the request holds, so that context
policies meet real numbers.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import (
    CompletedStreamedResponse,
    Model,
    ModelRequestParameters,
    StreamedResponse,
)
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

CHARS_PER_TOKEN = 3.5


class LocalModel(Model[None]):
    """Subclasses say what to reply; streaming and the bill are done here."""

    def __init__(self, name: str, *, window: int | None = None) -> None:
        super().__init__(profile={"context_window": window} if window else None)
        self._name = name

    @property
    def model_name(self) -> str:
        """The name under which runs record this model."""
        return self._name

    @property
    def system(self) -> str:
        """The provider's name."""
        return "tallybook"

    @abstractmethod
    async def reply(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters
    ) -> list[ModelResponsePart]:
        """The parts of the next reply."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """One reply, billed."""
        del model_settings
        parts = await self.reply(messages, model_request_parameters)
        written = sum(_written(part) for part in parts)
        usage = RequestUsage(
            input_tokens=request_tokens(messages, model_request_parameters),
            output_tokens=math.ceil(written / CHARS_PER_TOKEN),
        )
        return ModelResponse(parts=parts, usage=usage, model_name=self._name)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """The same reply as a stream."""
        del run_context
        response = await self.request(messages, model_settings, model_request_parameters)
        yield CompletedStreamedResponse(
            response, model_request_parameters=model_request_parameters, replay_events=True
        )


def request_tokens(messages: list[ModelMessage], parameters: ModelRequestParameters) -> int:
    """What a request is billed: its texts, its calls, its instructions and its tools."""
    chars = sum(_length(message) for message in messages)
    for part in parameters.instruction_parts or []:
        chars += len(part.content)
    for tool in parameters.function_tools:
        chars += len(tool.name) + len(tool.description or "")
        chars += len(str(tool.parameters_json_schema))
    return math.ceil(chars / CHARS_PER_TOKEN)


def _length(message: ModelMessage) -> int:
    if isinstance(message, ModelResponse):
        return sum(_written(part) for part in message.parts)
    return sum(_sent(part) for part in message.parts)


def _written(part: object) -> int:
    match part:
        case TextPart(content=text) | ThinkingPart(content=text):
            return len(text)
        case ToolCallPart() as call:
            return len(call.tool_name) + len(call.args_as_json_str())
        case _:
            return 0


def _sent(part: object) -> int:
    match part:
        case UserPromptPart(content=str(text)):
            return len(text)
        case ToolReturnPart() as result:
            return len(result.model_response_str())
        case UserPromptPart(content=content):
            return sum(len(one) if isinstance(one, str) else 0 for one in content)
        case _:
            return len(str(getattr(part, "content", "")))


def dumped(messages: list[ModelMessage]) -> bytes:
    """The messages as JSON, to compare requests byte for byte."""
    return ModelMessagesTypeAdapter.dump_json(messages)


__all__ = ["CHARS_PER_TOKEN", "LocalModel", "ModelRequest", "dumped", "request_tokens"]
