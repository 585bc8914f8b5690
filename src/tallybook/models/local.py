"""A model that runs in this process: a function of the messages, with an honest bill.

The offline analyst and the scripted model of `tallybook.testing` are such models. They are
billed for all that a request holds, tools and instructions included, and what a request
shares with the one before it from the start is billed as cached: so context policies meet
real numbers, and one that rewrites the past sees what it costs.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import takewhile
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import (
    BinaryContent,
    CachePoint,
    FilePart,
    ModelMessage,
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
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
MEDIA_TOKENS = 1_000
"""An image or file is billed flat, as providers bill by pixels and never by base64."""

Tokenizer = Callable[[str], int]


def by_length(text: str) -> int:
    """The tokenizer in use unless another is given: ceil(characters / 3.5)."""
    return math.ceil(len(text) / CHARS_PER_TOKEN)


class Cut(Exception):
    """Raised by `reply`: a stream gives `parts`, then breaks off with `error`.

    A request that is not streamed raises `error` at once.
    """

    def __init__(self, parts: list[ModelResponsePart], error: Exception) -> None:
        super().__init__("the stream breaks off")
        self.parts = parts
        self.error = error


class LocalModel(Model[None]):
    """Subclasses say what to reply; streaming and the bill are done here."""

    def __init__(
        self, name: str, *, window: int | None = None, tokenizer: Tokenizer = by_length
    ) -> None:
        super().__init__(profile={"context_window": window} if window else None)
        self._name = name
        self._tokenizer = tokenizer
        self._before: tuple[str, ...] = ()

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

    def tokens(self, messages: list[ModelMessage], parameters: ModelRequestParameters) -> int:
        """What this request will be billed."""
        return request_tokens(messages, parameters, self._tokenizer)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """One reply, billed."""
        offered = _offered(model_settings, model_request_parameters)
        try:
            parts = await self.reply(messages, offered)
        except Cut as cut:
            raise cut.error from None
        return self._billed(parts, messages, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """The same reply as a stream, which may break off."""
        del run_context
        offered = _offered(model_settings, model_request_parameters)
        error: Exception | None = None
        try:
            parts = await self.reply(messages, offered)
        except Cut as cut:
            parts, error = cut.parts, cut.error
        response = self._billed(parts, messages, model_request_parameters)
        yield _Stream(response, model_request_parameters, error)

    def _billed(
        self,
        parts: list[ModelResponsePart],
        messages: list[ModelMessage],
        parameters: ModelRequestParameters,
    ) -> ModelResponse:
        texts = request_texts(messages, parameters)
        same = takewhile(lambda pair: pair[0] == pair[1], zip(texts, self._before, strict=False))
        shared = "".join(text for text, _ in same)
        self._before = texts
        usage = RequestUsage(
            input_tokens=self.tokens(messages, parameters),
            cache_read_tokens=self._tokenizer(shared) if shared else 0,
            output_tokens=self._tokenizer("".join(_written(part) for part in parts)),
        )
        return ModelResponse(parts=parts, usage=usage, model_name=self._name)


class _Stream(CompletedStreamedResponse):
    """A reply given part by part; then `error`, if there is one."""

    def __init__(
        self, response: ModelResponse, parameters: ModelRequestParameters, error: Exception | None
    ) -> None:
        super().__init__(response, model_request_parameters=parameters, replay_events=True)
        self._error = error

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        async for event in super()._get_event_iterator():
            yield event
        if self._error is not None:
            raise self._error


def _offered(
    settings: ModelSettings | None, parameters: ModelRequestParameters
) -> ModelRequestParameters:
    """What may be called: nothing where the settings say so, though the tools are billed."""
    if (settings or {}).get("tool_choice") != "none":
        return parameters
    return replace(parameters, function_tools=[])


def request_tokens(
    messages: list[ModelMessage],
    parameters: ModelRequestParameters,
    tokenizer: Tokenizer = by_length,
) -> int:
    """What a request is billed: its texts, its calls, its instructions, its tools, its media."""
    media = sum(_media(part) for message in messages for part in message.parts)
    return tokenizer("".join(request_texts(messages, parameters))) + media * MEDIA_TOKENS


def request_texts(
    messages: list[ModelMessage], parameters: ModelRequestParameters
) -> tuple[str, ...]:
    """All texts of a request, in the order in which providers read it: tools come first."""
    tools = (
        f"{tool.name}{tool.description or ''}{tool.parameters_json_schema}"
        for tool in (*parameters.function_tools, *parameters.output_tools)
    )
    instructions = (part.content for part in parameters.instruction_parts or ())
    return (*tools, *instructions, *_spoken(messages))


def _spoken(messages: list[ModelMessage]) -> Iterator[str]:
    for message in messages:
        if isinstance(message, ModelResponse):
            yield from (_written(part) for part in message.parts)
        else:
            yield from (_sent(part) for part in message.parts)


def _written(part: object) -> str:
    match part:
        case TextPart(content=text) | ThinkingPart(content=text):
            return text
        case ToolCallPart() as call:
            return call.tool_name + call.args_as_json_str()
        case _:
            return ""


def _sent(part: object) -> str:
    match part:
        case UserPromptPart(content=str(text)):
            return text
        case ToolReturnPart() as result:
            return result.model_response_str()
        case UserPromptPart(content=content):
            return "".join(one for one in content if isinstance(one, str))
        case _:
            return str(getattr(part, "content", ""))


def _media(part: object) -> int:
    match part:
        case FilePart():
            return 1
        case UserPromptPart(content=content) if not isinstance(content, str):
            return sum(not isinstance(one, str | CachePoint) for one in content)
        case ToolReturnPart(content=BinaryContent()):
            return 1
        case _:
            return 0
