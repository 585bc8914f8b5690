"""Models of the three wire formats, talking to a loopback provider."""

from __future__ import annotations

from collections.abc import Callable

from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from tallybook.testing import LoopbackProvider

Wire = Callable[[LoopbackProvider], Model]
PROFILE = ModelProfile(context_window=128_000)  # what the model claims; the provider knows better


def chat(provider: LoopbackProvider) -> Model:
    """OpenAI Chat Completions."""
    return OpenAIChatModel(
        "m", provider=OpenAIProvider(base_url=provider.openai, api_key="none"), profile=PROFILE
    )


def responses(provider: LoopbackProvider) -> Model:
    """OpenAI Responses."""
    return OpenAIResponsesModel(
        "m", provider=OpenAIProvider(base_url=provider.openai, api_key="none"), profile=PROFILE
    )


def anthropic(provider: LoopbackProvider) -> Model:
    """Anthropic Messages."""
    return AnthropicModel(
        "claude-sonnet-5-5",
        provider=AnthropicProvider(base_url=provider.anthropic, api_key="none"),
        profile=PROFILE,
        settings=ModelSettings(max_tokens=200),
    )


WIRES = (chat, responses, anthropic)
