"""How long a provider asks us to wait: its headers first, else its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from types import MappingProxyType

_UNITS: Mapping[str, float] = MappingProxyType(
    {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
)
_SPAN = re.compile(
    r"(\d{1,9}(?:\.\d{1,9})?) ?"
    r"(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?|秒|分)(?![a-z])"
)
_ASKS = re.compile(
    r"(?:try again|retry|wait|available|resets?)(?: your request)?(?: delay)?(?: again)?"
    r"(?: in| after|:)?(?: about| approximately| at least)?[ :=]{0,3}"
    r"(?P<span>(?:\d[\d.]{0,12} ?[a-z秒分]{1,12} ?(?:and )?){1,4})"
)
_LONGEST = 7 * 86400.0


def retry_after(headers: Mapping[str, str], text: str) -> float | None:
    """Seconds to wait, None if nothing is said; a date counts from the reply's own `date`."""
    lower = {str(key).lower(): str(value).strip() for key, value in headers.items()}
    if (milliseconds := _number(lower.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    stated = lower.get("retry-after")
    seconds = _number(stated)
    if seconds is None and stated:
        seconds = _between(lower.get("date"), stated)
    return seconds if seconds is not None else _said(text)


def _number(text: str | None) -> float | None:
    if text is None or not re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", text):
        return None
    return min(float(text), _LONGEST * 1000)


def _between(now: str | None, then: str) -> float | None:
    try:
        gap = parsedate_to_datetime(then) - parsedate_to_datetime(now or "")
    except (ValueError, TypeError, OverflowError):
        return None
    return min(max(gap.total_seconds(), 0.0), _LONGEST)


def _said(text: str) -> float | None:
    asked = _ASKS.search(text)
    if asked is None:
        return None
    spans = _SPAN.findall(asked["span"])
    if not spans:
        return None
    return min(sum(float(n) * _UNITS[_unit(unit)] for n, unit in spans), _LONGEST)


def _unit(word: str) -> str:
    if word.startswith("ms") or word.startswith("milli"):
        return "ms"
    return {"秒": "s", "分": "m"}.get(word, word[0])
