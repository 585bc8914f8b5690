from __future__ import annotations

import sys

import pytest

from tallybook.models.families import FAMILIES
from tallybook.models.windows import UNKNOWN_WINDOW, resolve


@pytest.mark.parametrize(
    ("model", "provider", "window", "fast"),
    [
        ("openai:gpt-5", "openai", 272_000, "openai:gpt-5-mini"),
        ("openai-chat:gpt-5", "openai", 272_000, "openai-chat:gpt-5-mini"),
        ("openai:gpt-5-2025-08-07", "openai", 272_000, "openai:gpt-5-mini"),
        ("gpt-5", "openai", 272_000, "openai:gpt-5-mini"),
        ("openai:gpt-6.1-sol", "openai", 922_000, "openai:gpt-6-luna"),
        ("openai:gpt-6-luna", "openai", 922_000, None),
        ("gateway/openai:gpt-6.1-sol", "openai", 922_000, "gateway/openai:gpt-6-luna"),
        ("anthropic:claude-sonnet-4-5", "anthropic", 200_000, "anthropic:claude-haiku-4-5"),
        ("anthropic:claude-sonnet-4-6", "anthropic", 1_000_000, "anthropic:claude-haiku-4-5"),
        ("anthropic:claude-opus-4-20250514", "anthropic", 200_000, "anthropic:claude-haiku-4-5"),
        ("anthropic:claude-opus-5-5", "anthropic", 1_000_000, "anthropic:claude-haiku-5-5"),
        (
            "anthropic:claude-3-5-sonnet-latest",
            "anthropic",
            200_000,
            "anthropic:claude-haiku-4-5",
        ),
        ("bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0", "bedrock", 200_000, None),
        (
            "openrouter:anthropic/claude-sonnet-4.5",
            "openrouter",
            200_000,
            "openrouter:anthropic/claude-haiku-4.5",
        ),
        ("google-gla:gemini-2.5-pro", "google", 1_048_576, "google-gla:gemini-2.5-flash-lite"),
        ("deepseek:deepseek-chat", "deepseek", 131_072, None),
        ("moonshotai:kimi-k3", "moonshotai", 1_048_576, "moonshotai:kimi-k2.6"),
        ("xai:grok-4.7", "xai", 500_000, "xai:grok-4-1-fast-non-reasoning"),
        ("groq:openai/gpt-oss-120b", "groq", 131_072, "groq:openai/gpt-oss-20b"),
        ("ollama:qwen3:8b", "ollama", 32_768, None),
        ("made-up", "", UNKNOWN_WINDOW, None),
        ("made-up:thing", "made-up", UNKNOWN_WINDOW, None),
    ],
)
def test_a_name_resolves_to_a_provider_a_window_and_a_fast_sibling(
    model: str, provider: str, window: int, fast: str | None
) -> None:
    info = resolve(model)
    assert (info.provider, info.window, info.fast_sibling) == (provider, window, fast)


def test_what_the_table_does_not_have_the_registry_may_know() -> None:
    pytest.importorskip("genai_prices")
    assert resolve("openai:gpt-3.5-turbo").window == 16_385


def test_an_option_overrides_the_table() -> None:
    info = resolve("openai:gpt-5", window=12_000, fast="ollama:qwen3")
    assert (info.window, info.fast_sibling) == (12_000, "ollama:qwen3")


def test_every_fast_sibling_is_itself_a_known_model() -> None:
    for family in FAMILIES:
        if family.fast is not None:
            sibling = resolve(family.fast)
            assert sibling.provider == family.provider, family
            assert sibling.max_output is not None, family


def test_the_table_alone_imports_nothing_large() -> None:
    before = set(sys.modules)
    resolve("anthropic:claude-sonnet-4-5")
    assert not {name for name in set(sys.modules) - before if name.startswith("genai_prices")}
