"""How much a model can read, and which cheaper one of its provider may write summaries.

A small dated table first, then the `genai-prices` registry if it is installed, then a
cautious guess. None of them is believed for ever: a refusal teaches the real window, and an
option overrides all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from tallybook.models.families import FAMILIES, SERVED, Family

UNKNOWN_WINDOW = 128_000
_SAME_HOUSE: Mapping[str, str] = MappingProxyType(
    {
        "openai-chat": "openai",
        "openai-responses": "openai",
        "azure": "openai",
        "google-gla": "google",
        "google-vertex": "google",
        "google-cloud": "google",
        "grok": "xai",
        "moonshot": "moonshotai",
        "dashscope": "alibaba",
        "qwen": "alibaba",
    }
)
_IN_REGISTRY: Mapping[str, str] = MappingProxyType({"xai": "x-ai", "bedrock": "aws"})
_OWN_NAMES = frozenset({"bedrock", "azure", "ollama", "huggingface", "litellm", "cerebras"})
"""Hosts that name models their own way, so that a sibling's name cannot be told from the family."""
_REGION = re.compile(
    r"^(?:(?:us|eu|apac|au|jp|ca|global)\.)?(?:anthropic|openai|meta|mistral|deepseek|amazon|google)\."
)
_EDITION = re.compile(r"(?:-v\d+)?(?::[a-z0-9.-]+)$|@[\w-]+$|-v\d+$")


class ModelInfo(Struct, frozen=True):
    """A model as the engine needs to know it.

    `window` is the most tokens that a request may hold; `fast_sibling` is a full model name
    like the one resolved, None where the model itself should be used.
    """

    provider: str
    name: str
    window: int = UNKNOWN_WINDOW
    max_output: int | None = None
    fast_sibling: str | None = None


def resolve(model: str, *, window: int | None = None, fast: str | None = None) -> ModelInfo:
    """Resolve a model's name as Pydantic AI writes it (`openai:gpt-5`); options win."""
    host, name = _split(model)
    family = _family(name)
    house = _house(host) or (family.provider if family else "")
    known = family.window if family else _registered(house, name)
    served = SERVED.get(house)
    if known is None or served is None:
        found = known or served or UNKNOWN_WINDOW
    else:
        found = min(known, served)
    return ModelInfo(
        provider=house,
        name=name,
        window=window or found,
        max_output=family.max_output if family else None,
        fast_sibling=fast or _sibling(model, host, family),
    )


def _split(model: str) -> tuple[str, str]:
    """`gateway/openai:gpt-5` is host `openai`; a colon may also be part of a tag (`qwen3:8b`)."""
    host, colon, name = model.strip().partition(":")
    if not colon or (host and _family(host) is not None and "/" not in host):
        return "", model.strip()
    return host.rpartition("/")[2].lower(), name


def _house(host: str) -> str:
    return _SAME_HOUSE.get(host, host)


def _family(name: str) -> Family | None:
    """The family with the longest prefix of the bare name."""
    bare = _bare(name)
    fitting = [family for family in FAMILIES if bare.startswith(family.prefix)]
    return max(fitting, key=lambda family: len(family.prefix), default=None)


def _bare(name: str) -> str:
    """Without the vendor in front, the edition behind, and dots where the table has dashes."""
    bare = _EDITION.sub("", _REGION.sub("", name.lower().rpartition("/")[2]))
    if bare.startswith("claude"):
        bare = re.sub(r"^claude-([4-9])[-.](\d)-(opus|sonnet|haiku)", r"claude-\3-\1-\2", bare)
        return bare.replace(".", "-")
    return bare


def _sibling(model: str, host: str, family: Family | None) -> str | None:
    if family is None or family.fast is None or host in _OWN_NAMES:
        return None
    if _bare(model.rpartition(":")[2]) == family.fast:
        return None
    if not host:
        return f"{family.provider}:{family.fast}"
    prefix, _, name = model.partition(":")
    vendor, slash, _ = name.rpartition("/")
    fast = re.sub(r"-(\d)-(\d)$", r"-\1.\2", family.fast) if host == "openrouter" else family.fast
    return f"{prefix}:{vendor}{slash}{fast}"


def _registered(house: str, name: str) -> int | None:
    """What `genai-prices` knows; it is large, so it is imported only when asked."""
    try:
        from genai_prices.data_snapshot import get_snapshot
    except ImportError:
        return None
    for candidate in (_IN_REGISTRY.get(house, house), None):
        try:
            _, found = get_snapshot().find_provider_model(name, None, candidate, None)
        except LookupError:
            continue
        if found.context_window:
            return found.context_window
    return None
