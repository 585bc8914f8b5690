"""The numbers in a refusal, each with its role: the limit, what was asked, and its parts.

A number's role is said beside it, in any wording: "at most N", "N maximum", "got N",
"N in the messages". The unit after it says whether it counts tokens at all: bytes,
seconds and pages never become a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

Role = Literal["limit", "asked", "prompt", "completion", "ignored"]

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.$/#-])(?P<n>-?(?:\d{1,3}(?:[,.'\u00a0\u202f]\d{3})+(?!\d)|\d{1,12}))"
    r"(?!\.?\d)\s?(?P<k>[km](?![A-Za-z]))?(?![A-Za-z0-9_%])(?!-(?!token))"
)
_OTHER_UNIT = re.compile(
    r"\s*-?(?:[mkg]i?b|bytes?|m?s|sec|seconds?|minutes?|hours?|days?|chars?|characters?|pixels?"
    r"|px|images?|pages?|tools?|items?|times?|requests?|credits?|usd|dollars?)\b"
)
_NOUN = r"(?!but|by|however|and|your|you|request|exceed|ha[sd]|have|with|contain)[^\W\d]+"
_LEFT = re.compile(
    r"(?P<ignored>\bby (?:about |approximately )?$|must be at least|used|keep)"
    rf"|(?P<limit>max(?:imum)?\b(?: {_NOUN}){{0,6}}[ (:=]*$|context length(?: {_NOUN}){{0,4}} $"
    r"|max(?:imum)?\b|limit(?:ed|s)?\b|allowed|at most|no more than|up to|supports?(?: only)?"
    r"|n ctx|ceiling|capacity|less than or equal to|must be (?:less|at most|under)"
    r"|(?:context|sequence|model|token)s? (?:length|window|size|limit)s?\s*(?:is|of|:|=|\()"
    r"|cannot exceed|>=?|≤|<=)"
    r"|(?P<asked>request(?:ed)?\b(?! (?:has|contains))|resulted in|result in|total(?: of)?"
    r"|received|got|gave|given|provided|current(?: length)?\b|actual(?:ly)?|contains?"
    r"|has\b|have\b|was|totals?|totall?ing|need(?:s|ed)?|requires?|<)"
    r"|(?P<completion>outparam|completions?|outputs?|output tokens|generat\w+)"
    r"|(?P<prompt>prompts?|inputs?|messages?|tokens? count|conversation|query|history)"
)
_RIGHT_LIMIT = re.compile(
    r"\s*(?:tokens?\s*)?(?:(?:is|are|was)\s*)?(?:the |our |its )?"
    r"(?:maximum|max\b|limit\b|context|allowed|available)"
)
_RIGHT_PART = re.compile(
    r"\s*(?:tokens? )?(?:(?:of|in|from|for|as|to) )?(?:(?:the|your) )?(?:requested )?"
    r"(?:(?P<prompt>(?:text |tool |image )?(?:inputs?|prompts?|messages?))"
    r"|(?P<completion>(?:max )?(?:completions?|outputs?|outparam|response|generat\w+)))\b"
)
_IS_MORE = re.compile(r"\s*(?:tokens )?>\s*$")
_COUNT = r"[\d,]{1,15}"
_SUM = re.compile(
    rf"(?P<prompt>{_COUNT}) (?:tokens )?\+ (?P<completion>{_COUNT}) (?:tokens )?"
    rf"(?:>|<=|=<) (?P<limit>{_COUNT})"
)
_RANGE = re.compile(
    r"(?:\[\s*-?\d{1,12}\s*,\s*|range\D{0,20}\d{1,12}\D{0,20} to )(?P<limit>\d{1,12})"
)
_STATUS = re.compile(r"\b(?:code|status|error|http)\W{1,4}$")
_CUT = re.compile(r"\n|\.\s")
_RIGHT_CUT = re.compile(r"[\n.;:,()\[\]]| and | but ")


@dataclass(frozen=True)
class Quantities:
    """Numbers of one refusal, in whatever it counts; None where it does not say.

    `asked` is the whole request (prompt and completion together).
    """

    limit: int | None = None
    asked: int | None = None
    prompt: int | None = None
    completion: int | None = None


def quantities(text: str) -> Quantities:
    """Read the numbers of `text` (as `words` returns it); the first in each role counts."""
    found: dict[str, int] = {}
    for role, value in _roles(text):
        if value > 0 or (role == "completion" and value == 0):
            found.setdefault(role, value)
    if "limit" not in found and found.keys() & {"asked", "prompt", "completion"}:
        found["limit"] = found.get("bare", 0)
    return _completed(
        Quantities(
            found.get("limit") or None,
            found.get("asked"),
            found.get("prompt"),
            found.get("completion"),
        ),
        text,
    )


def _roles(text: str) -> Iterator[tuple[str, int]]:
    if formula := _SUM.search(text):
        parts = {role: _value(number) for role, number in formula.groupdict().items()}
        yield "asked", parts["prompt"] + parts["completion"]
        yield from parts.items()
    if span := _RANGE.search(text):
        yield "limit", _value(span["limit"])
    matches = list(_NUMBER.finditer(text))
    for index, match in enumerate(matches):
        before = matches[index - 1].end() if index else 0
        after = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        left = _CUT.split(text[before : match.start()])[-1][-120:]
        right = _RIGHT_CUT.split(text[match.end() : after], maxsplit=1)[0][:60]
        if _STATUS.search(left) and len(match["n"]) == 3:
            continue
        role = _role(left, right)
        bare = role == "limit" and left.endswith("limit (") and not right.strip()
        yield "bare" if bare else role, _value(match["n"], match["k"] or "")


def _role(left: str, right: str) -> Role:
    if _OTHER_UNIT.match(right):
        return "ignored"
    cues = list(_LEFT.finditer(left))
    nearest = cues[-1].lastgroup if cues else None
    if nearest == "ignored":
        return "ignored"
    if _IS_MORE.match(right):
        return "completion" if nearest == "completion" else "asked"
    if nearest == "limit" or _RIGHT_LIMIT.match(right):
        return "limit"
    part = _RIGHT_PART.match(right)
    match part.lastgroup if part else nearest:
        case "prompt":
            return "prompt"
        case "completion":
            return "completion"
        case "asked":
            return "asked"
        case _:
            return "ignored"


def _value(number: str, unit: str = "") -> int:
    return int(re.sub(r"[^\d-]", "", number)) * {"k": 1_000, "m": 1_000_000}.get(unit, 1)


def _completed(q: Quantities, text: str) -> Quantities:
    """Fill in what follows from the rest: the whole is prompt and completion together."""
    if q.prompt is None and q.asked is not None and not re.search(r"completion|outparam", text):
        q = replace(q, prompt=q.asked)
    if q.asked is not None and q.completion is not None and q.completion < q.asked:
        q = replace(q, prompt=q.asked - q.completion)
    if q.asked is None and q.prompt is not None:
        q = replace(q, asked=q.prompt + (q.completion or 0))
    return q
