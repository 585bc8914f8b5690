from __future__ import annotations

import pytest

from tallybook.models.windows import UNKNOWN_WINDOW, resolve


@pytest.mark.parametrize(
    ("model", "provider", "window"),
    [
        ("openai:gpt-5", "openai", 400_000),
        ("openai-chat:gpt-4.1-mini", "openai", 1_000_000),
        ("anthropic:claude-sonnet-4-5-20250929", "anthropic", 200_000),
        ("anthropic:claude-opus-4-6", "anthropic", 1_000_000),
        ("google-gla:gemini-2.5-pro", "google", 1_000_000),
        ("claude-haiku-4-5", "anthropic", 200_000),
        ("cerebras:gpt-oss-120b", "cerebras", 131_072),
        ("mystery:model-x", "mystery", UNKNOWN_WINDOW),
    ],
)
def test_a_model_resolves_to_its_provider_and_window(
    model: str, provider: str, window: int
) -> None:
    info = resolve(model)
    assert (info.provider, info.window) == (provider, window)


def test_the_fast_sibling_is_of_the_same_provider_and_named_the_same_way() -> None:
    assert resolve("anthropic:claude-opus-4-5").fast == "anthropic:claude-haiku-4-5"
    assert resolve("openai-chat:gpt-5").fast == "openai-chat:gpt-5.4-mini"
    assert resolve("mystery:model-x").fast == ""


def test_an_option_overrides_what_is_known() -> None:
    info = resolve("openai:gpt-5", window=16_000, fast="openai:gpt-5-nano")
    assert (info.window, info.fast) == (16_000, "openai:gpt-5-nano")
