"""Compare queries by their words; Chinese, Japanese and Korean by pairs of characters."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

_PUNCTUATION = re.compile(r"[^\w\s]|_")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


def words(query: str) -> frozenset[str]:
    """The word set of a query: lower case, punctuation and words of two letters or less dropped."""
    plain = _PUNCTUATION.sub(" ", query.lower())
    pairs = (
        run[i : i + 2] if len(run) > 1 else run
        for run in _WIDE.findall(plain)
        for i in range(max(1, len(run) - 1))
    )
    latin = (word for word in _WIDE.sub(" ", plain).split() if len(word) > 2)
    return frozenset((*latin, *pairs))


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard similarity of two word sets; nothing is similar to the empty set."""
    if not one or not other:
        return 0.0
    return len(one & other) / len(one | other)


@lru_cache(maxsize=1_024)
def asked(arguments: str) -> frozenset[str]:
    """The word set of a call's query; remembered, since each is compared many times."""
    return words(query(arguments))


def query(arguments: str) -> str:
    """The words by which a call searches: every string among its arguments."""
    try:
        named = msgspec.json.decode(arguments, type=dict[str, object])
    except (msgspec.DecodeError, UnicodeEncodeError):
        return arguments
    return " ".join(value for value in named.values() if isinstance(value, str))
