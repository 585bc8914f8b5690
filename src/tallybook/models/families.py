"""The windows of current models, by family: read on 2026-12-01.

`window` is the most tokens that a request may hold. Where a provider's window is shared
with the reply (OpenAI since gpt-5), the reply's share is already taken off: gpt-5 has
400,000, of which 128,000 are the reply's, and refuses requests above 272,000.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Family(NamedTuple):
    """Models whose name begins with `prefix`. `fast` is a cheaper one of the same provider."""

    provider: str
    prefix: str
    window: int
    max_output: int
    fast: str | None = None


FAMILIES = (
    Family("openai", "gpt-6", 922_000, 128_000, "gpt-6-luna"),
    Family("openai", "gpt-5.6", 922_000, 128_000, "gpt-6-luna"),
    Family("openai", "gpt-5.5", 872_000, 128_000, "gpt-5.4-mini"),
    Family("openai", "gpt-5.4", 922_000, 128_000, "gpt-5.4-mini"),
    Family("openai", "gpt-5.4-mini", 272_000, 128_000, "gpt-5.4-nano"),
    Family("openai", "gpt-5.4-nano", 272_000, 128_000),
    Family("openai", "gpt-5.3", 111_616, 16_384, "gpt-5-mini"),
    Family("openai", "gpt-5.3-codex", 272_000, 128_000, "gpt-5-mini"),
    Family("openai", "gpt-5", 272_000, 128_000, "gpt-5-mini"),
    Family("openai", "gpt-5-mini", 272_000, 128_000, "gpt-5-nano"),
    Family("openai", "gpt-5-nano", 272_000, 128_000),
    Family("openai", "gpt-oss", 131_072, 131_072),
    Family("openai", "gpt-oss-120b", 131_072, 131_072, "gpt-oss-20b"),
    Family("openai", "gpt-4.1", 1_047_576, 32_768, "gpt-4.1-mini"),
    Family("openai", "gpt-4.1-mini", 1_047_576, 32_768, "gpt-4.1-nano"),
    Family("openai", "gpt-4o", 128_000, 16_384, "gpt-4o-mini"),
    Family("openai", "o1", 200_000, 100_000, "gpt-5-mini"),
    Family("openai", "o3", 200_000, 100_000, "gpt-5-mini"),
    Family("openai", "o4", 200_000, 100_000, "gpt-5-mini"),
    Family("anthropic", "claude-fable-5", 1_000_000, 128_000, "claude-haiku-5-5"),
    Family("anthropic", "claude-mythos-5", 1_000_000, 128_000, "claude-haiku-5-5"),
    Family("anthropic", "claude-opus-5", 1_000_000, 128_000, "claude-haiku-5-5"),
    Family("anthropic", "claude-sonnet-5", 1_000_000, 128_000, "claude-haiku-5-5"),
    Family("anthropic", "claude-haiku-5", 1_000_000, 64_000),
    Family("anthropic", "claude-opus-4", 200_000, 32_000, "claude-haiku-4-5"),
    Family("anthropic", "claude-opus-4-5", 200_000, 64_000, "claude-haiku-4-5"),
    Family("anthropic", "claude-opus-4-6", 1_000_000, 128_000, "claude-haiku-4-5"),
    Family("anthropic", "claude-opus-4-7", 1_000_000, 128_000, "claude-haiku-4-5"),
    Family("anthropic", "claude-opus-4-8", 1_000_000, 128_000, "claude-haiku-5-5"),
    Family("anthropic", "claude-sonnet-4", 200_000, 64_000, "claude-haiku-4-5"),
    Family("anthropic", "claude-sonnet-4-6", 1_000_000, 64_000, "claude-haiku-4-5"),
    Family("anthropic", "claude-haiku-4-5", 200_000, 64_000),
    Family("anthropic", "claude-3", 200_000, 4_096, "claude-haiku-4-5"),
    Family("google", "gemini-4", 1_048_576, 65_536, "gemini-3.5-flash-lite"),
    Family("google", "gemini-3", 1_048_576, 65_536, "gemini-3.5-flash-lite"),
    Family("google", "gemini-2.5", 1_048_576, 65_536, "gemini-2.5-flash-lite"),
    Family("google", "gemini-2.0", 1_048_576, 8_192, "gemini-2.5-flash-lite"),
    Family("deepseek", "deepseek-v4", 1_000_000, 384_000, "deepseek-flash"),
    Family("deepseek", "deepseek-flash", 1_000_000, 384_000),
    Family("deepseek", "deepseek-chat", 131_072, 8_192),
    Family("deepseek", "deepseek-reasoner", 131_072, 65_536, "deepseek-chat"),
    Family("moonshotai", "kimi-k3", 1_048_576, 131_072, "kimi-k2.6"),
    Family("moonshotai", "kimi-k2", 262_144, 32_768),
    Family("xai", "grok-4", 256_000, 64_000, "grok-4-1-fast-non-reasoning"),
    Family("xai", "grok-4-fast", 2_000_000, 64_000, "grok-4-1-fast-non-reasoning"),
    Family("xai", "grok-4-1-fast", 2_000_000, 64_000, "grok-4-1-fast-non-reasoning"),
    Family("xai", "grok-4.20", 1_000_000, 64_000, "grok-4-1-fast-non-reasoning"),
    Family("xai", "grok-4.3", 1_000_000, 64_000, "grok-4-1-fast-non-reasoning"),
    Family("xai", "grok-4.5", 500_000, 64_000, "grok-4-1-fast-non-reasoning"),
    Family("xai", "grok-4.6", 500_000, 64_000, "grok-4-1-fast-non-reasoning"),
    Family("xai", "grok-4.7", 500_000, 64_000, "grok-4-1-fast-non-reasoning"),
    Family("xai", "grok-3", 131_072, 32_768, "grok-3-mini"),
    Family("mistral", "mistral-large-4", 1_048_576, 65_536, "mistral-small-latest"),
    Family("mistral", "mistral-large", 262_144, 65_536, "mistral-small-latest"),
    Family("mistral", "mistral-medium", 131_072, 65_536, "mistral-small-latest"),
    Family("mistral", "mistral-small", 131_072, 65_536),
    Family("alibaba", "qwen3-max", 258_048, 65_536, "qwen-flash"),
    Family("alibaba", "qwen-plus", 983_616, 32_768, "qwen-flash"),
    Family("alibaba", "qwen-flash", 983_616, 32_768),
    Family("zai", "glm-5.3", 1_000_000, 131_072, "glm-5.3-flash"),
    Family("zai", "glm-4", 128_000, 98_304, "glm-4.7-flash"),
    Family("minimax", "minimax-m3", 1_000_000, 131_072),
    Family("minimax", "minimax-m2", 204_800, 131_072),
    Family("meta", "muse-", 1_048_576, 131_072, "muse-spark-1.3-contributor"),
    Family("cohere", "command-a", 256_000, 8_192),
)
SERVED: Mapping[str, int] = MappingProxyType(
    {
        "ollama": 32_768,
        "cerebras": 65_536,
        "groq": 131_072,
    }
)
"""Hosts that give every model a window of their own, at most the model's.

Ollama's is set by its `OLLAMA_CONTEXT_LENGTH`, else by the machine's memory (4,096 to
262,144), and older versions cut a longer prompt without saying so.
"""
