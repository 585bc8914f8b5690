"""A model whose replies are read as a stream and handed over whole.

A stream that breaks off then fails like any request, before anyone has built on half of it,
and can be asked for again. Long replies arrive piece by piece, so a time limit between pieces
is enough, and whoever wants to show them is told of each.
"""

from __future__ import annotations

from collections.abc import Callable

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings


class Streamed(WrapperModel):
    """Streams every request of `wrapped`; `told` gets the words as they come, a signal only."""

    def __init__(self, wrapped: Model | str, told: Callable[[str], None] | None = None) -> None:
        super().__init__(wrapped)
        self._told = told

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """One whole reply; an error in the middle of the stream is the request's error."""
        streaming = self.wrapped.request_stream(messages, model_settings, model_request_parameters)
        async with streaming as stream:
            async for event in stream:
                if self._told and (words := _words(event)):
                    self._told(words)
            return stream.get()


def _words(event: ModelResponseStreamEvent) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=words)):
            return words
        case PartDeltaEvent(delta=TextPartDelta(content_delta=words)):
            return words
        case _:
            return ""
