"""Where JSON stands in a text: all of it, one line after another, or somewhere within prose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

import msgspec

_OPENS: Final = re.compile(r'\{\s*"(?:[^"\\\n]|\\.){0,80}"\s*:|\[\s*(?:\{\s*"|\[\s*["\[{0-9-])')
_WHOLE: Final = re.compile(r"\s*[{\[]")
_WORTH: Final = 24
"""JSON that breaks off sooner than this is a piece of prose in brackets."""


def json_regions(text: str) -> Iterator[tuple[int, int]]:
    """The spans of JSON objects and arrays in order; the last may be cut off."""
    if _WHOLE.match(text) and _is_json(text):
        yield 0, len(text)
        return
    decoder = json.JSONDecoder()
    at = 0
    while opens := _OPENS.search(text, at):
        start = opens.start()
        try:
            at = decoder.raw_decode(text, start)[1]
        except json.JSONDecodeError as broken:
            at = broken.pos if broken.msg.startswith(("Unterminated", "Expecting")) else opens.end()
            at = min(max(at, opens.end()), len(text))
            if broken.msg.startswith("Unterminated") and at - start < len(text):
                at = len(text) if _cut_off(text, at) else at
            if at - start < _WORTH:
                continue
        except RecursionError:
            return
        yield start, at


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text.encode("utf-8", "surrogatepass"), type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _cut_off(text: str, quote: int) -> bool:
    """Whether an unterminated string runs to the end of the text."""
    return text.find('"', quote + 1) < 0
