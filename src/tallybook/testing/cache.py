"""What a provider's prompt cache would have held, so that bills tell what a change costs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate

from tallybook.models.local import Tokenizer
from tallybook.testing.answers import Bill, Json

LEAST_CACHED = 1_024
"""Providers cache no shorter prefix than this, in tokens."""

_BLOCK = 128
"""OpenAI caches whole blocks of this many tokens."""


@dataclass(frozen=True)
class _Prefix:
    """A request up to one of its pieces: its tokens, its digest, whether a mark ends it."""

    tokens: int
    digest: str
    marked: bool


class Cache:
    """Every prefix answered so far; if `explicit`, only those that end at a mark, as Anthropic's.

    A mark is a `cache_control` in the piece. Prefixes are compared without their marks.
    """

    def __init__(self, tokenizer: Tokenizer, *, explicit: bool) -> None:
        self._tokenizer = tokenizer
        self._explicit = explicit
        self._held: set[str] = set()

    def bill(self, pieces: Sequence[Json]) -> Bill:
        """What a request of these pieces costs, before its reply."""
        prefixes = self._prefixes(pieces)
        total = prefixes[-1].tokens if prefixes else 0
        held = max((one.tokens for one in prefixes if one.digest in self._held), default=0)
        cached = held if held >= LEAST_CACHED else 0
        if not self._explicit:
            return Bill(total, cached // _BLOCK * _BLOCK)
        marked = max((one.tokens for one in prefixes if one.marked), default=0)
        return Bill(total, cached, marked - cached if marked >= max(cached, LEAST_CACHED) else 0)

    def keep(self, pieces: Sequence[Json]) -> None:
        """Remember a request that was answered."""
        kept = [one for one in self._prefixes(pieces) if one.marked or not self._explicit]
        self._held.update(one.digest for one in kept)

    def _prefixes(self, pieces: Sequence[Json]) -> list[_Prefix]:
        plain = [_plain(piece) for piece in pieces]
        tokens = accumulate(self._tokenizer(text) for text in plain)
        digests = accumulate(plain, _digest, initial="")
        marks = ["cache_control" in piece for piece in pieces]
        return [_Prefix(*found) for found in zip(tokens, list(digests)[1:], marks, strict=True)]


def _plain(piece: Json) -> str:
    kept = {key: value for key, value in piece.items() if key != "cache_control"}
    return json.dumps(kept, ensure_ascii=False)


def _digest(before: str, text: str) -> str:
    return sha256(f"{before}{text}".encode("utf-8", "surrogatepass")).hexdigest()
