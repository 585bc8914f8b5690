"""Which provider a model is of, how large its window is, and which sibling is fast and cheap.

A small table by name prefix comes first (as of 2026-11), then the `genai-prices` data, if
that is installed, then 128,000. All of it can be wrong: an option overrides it, and the
engine learns the real window from a refusal.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

UNKNOWN_WINDOW = 128_000

_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "openai-chat": "openai",
        "openai-responses": "openai",
        "azure": "openai",
        "google-gla": "google",
        "google-vertex": "google",
        "google-cloud": "google",
        "grok": "x-ai",
        "xai": "x-ai",
        "moonshot": "moonshotai",
    }
)

_WINDOWS: tuple[tuple[str, int], ...] = (
    ("openai:gpt-4o", 128_000),
    ("openai:gpt-4.1", 1_000_000),
    ("openai:o", 200_000),
    ("openai:gpt-5.3", 128_000),
    ("openai:gpt-5.4-mini", 400_000),
    ("openai:gpt-5.4-nano", 400_000),
    ("openai:gpt-5.4", 1_050_000),
    ("openai:gpt-5.5", 1_000_000),
    ("openai:gpt-5.6", 1_050_000),
    ("openai:gpt-5", 400_000),
    ("openai:gpt-6", 1_050_000),
    ("anthropic:claude-opus-4-6", 1_000_000),
    ("anthropic:claude-opus-4-7", 1_000_000),
    ("anthropic:claude-opus-4-8", 1_000_000),
    ("anthropic:claude-sonnet-4-6", 1_000_000),
    ("anthropic:claude-haiku-5", 1_000_000),
    ("anthropic:claude-opus-5", 1_000_000),
    ("anthropic:claude-sonnet-5", 1_000_000),
    ("anthropic:claude", 200_000),
    ("google:gemini", 1_000_000),
    ("deepseek:deepseek-v4", 1_000_000),
    ("deepseek:deepseek-flash", 1_000_000),
    ("deepseek:deepseek-v3", 128_000),
    ("deepseek:", 64_000),
    ("x-ai:grok-4-fast", 2_000_000),
    ("x-ai:grok-4-1-fast", 2_000_000),
    ("x-ai:grok-4-0709", 256_000),
    ("x-ai:grok-4", 500_000),
    ("moonshotai:kimi-k3", 1_048_576),
    ("moonshotai:kimi", 262_144),
    ("mistral:mistral-large-4", 1_048_576),
    ("mistral:", 128_000),
    ("ollama:", 8_192),
)

_FAST: tuple[tuple[str, str], ...] = (
    ("openai:gpt-4", "gpt-4.1-mini"),
    ("openai:o", "o4-mini"),
    ("openai:", "gpt-5.4-mini"),
    ("anthropic:claude-opus-5", "claude-haiku-5-5"),
    ("anthropic:claude-sonnet-5", "claude-haiku-5-5"),
    ("anthropic:", "claude-haiku-4-5"),
    ("google:", "gemini-3.5-flash-lite"),
    ("deepseek:", "deepseek-v4-flash"),
    ("x-ai:", "grok-4-1-fast-non-reasoning"),
    ("moonshotai:", "kimi-k2.6"),
    ("mistral:", "mistral-small-2603"),
)


class ModelInfo(msgspec.Struct, frozen=True):
    """A model: `window` in tokens, `fast` the full name of its cheap sibling, "" for none."""

    provider: str
    name: str
    window: int
    fast: str = ""


def resolve(model: str, *, window: int | None = None, fast: str | None = None) -> ModelInfo:
    """What is known of a model named as Pydantic AI names it: "openai:gpt-5". Options override."""
    prefix, _, name = model.rpartition(":")
    provider = _ALIASES.get(prefix, prefix) or _guessed(name)
    full = f"{provider}:{name}"
    sibling = next((found for start, found in _FAST if full.startswith(start)), "")
    return ModelInfo(
        provider,
        name,
        window or _window(provider, full, name),
        fast if fast is not None else f"{prefix or provider}:{sibling}" if sibling else "",
    )


def _window(provider: str, full: str, name: str) -> int:
    known = next((size for start, size in _WINDOWS if full.startswith(start)), None)
    return known or _from_prices(provider, name) or UNKNOWN_WINDOW


def _guessed(name: str) -> str:
    starts = {
        "gpt": "openai",
        "o1": "openai",
        "o3": "openai",
        "o4": "openai",
        "claude": "anthropic",
        "gemini": "google",
        "deepseek": "deepseek",
        "grok": "x-ai",
        "kimi": "moonshotai",
        "mistral": "mistral",
    }
    return next((provider for start, provider in starts.items() if name.startswith(start)), "")


def _from_prices(provider: str, name: str) -> int | None:
    try:
        from genai_prices import data
    except ImportError:
        return None
    for known in data.providers:
        if provider in (known.id, "") and (found := known.find_model(name)):
            return found.context_window
    return None
