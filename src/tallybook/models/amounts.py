"""The numbers in a refusal, by their role: limit, requested, prompt, completion."""

from __future__ import annotations

import re

import msgspec

_N = r"(\d[\d,]*)"
_LIMIT = (
    rf"> {_N}",
    rf"(?:maximum|max|allowed|available|configured)[\w\s'`_-]{{0,40}}?"
    rf"(?:length|size|window|limit|tokens? allowed|tokens?)[\s:()]*(?:is|of|=|<=|to|:)?[\s(]*{_N}",
    rf"(?:token |context |length )?limit(?: is| of|:|=)?\s*\(?{_N}(?![\d,]* \+)",
    rf"(?:context (?:window|length|size)|n_ctx)\W*(?:of|is|limit)?\W*{_N}",
    rf"(?:must be|should be) (?:<=|less than or equal to|at most) {_N}",
    rf"exceeds? (?:the |available )*context (?:limit|size|window)\W*(?:of\s*)?\(?{_N}(?![\d,]* \+)",
    rf"(?:at most|up to|maximum of|only) {_N}",
    rf"with {_N} maximum",
    rf"range of input length should be \[\d+, {_N}\]",
)
_PROMPT = (
    rf"n_prompt_tokens\W+{_N}",
    rf"{_N} (?:tokens? )?(?:in|of|from) (?:the |your )?(?:messages|prompt|text input|input)",
    rf"(?:messages|prompt|input|request)s? (?:has|have|contains?|resulted in|is|are|with)"
    rf"(?: at least| about)? {_N}",
    rf"token count (?:of |is )?\(?{_N}",
    rf"(?:request|prompt|input)[\w\s]{{0,20}}?\({_N}(?: tokens)?\)",
    rf"(?:requested tokens) \({_N}\)",
    rf"too long: {_N}",
    rf"given: {_N} `inputs`",
    rf"{_N} input tokens",
    rf"limit: {_N} \+ \d",
    rf"prompt={_N}",
)
_COMPLETION = (
    rf"{_N} (?:tokens? )?(?:in|for) the (?:completion|output)",
    rf"and {_N} `max_new_tokens`",
    rf"requested {_N} output tokens",
    rf"limit: \d[\d,]* \+ {_N}",
)
_REQUESTED = (
    rf"requested:? (?:about |up to )?{_N}",
    rf"current length is {_N}",
    rf"resulted in {_N}",
)


class Amounts(msgspec.Struct, frozen=True):
    """Tokens as a provider stated them; None where it did not."""

    limit: int | None = None
    requested: int | None = None
    prompt: int | None = None
    completion: int | None = None

    @property
    def total(self) -> int | None:
        """What the request counted in all, as far as it was said."""
        parts = (self.prompt or 0) + (self.completion or 0)
        return max(self.requested or 0, parts) or None


def amounts(text: str) -> Amounts:
    """Read the numbers of a refusal; `text` is lower case and plain."""
    found = Amounts(
        limit=_first(_LIMIT, text),
        requested=_first(_REQUESTED, text),
        prompt=_first(_PROMPT, text),
        completion=_first(_COMPLETION, text),
    )
    if found.limit and found.total and found.limit == found.prompt:
        return msgspec.structs.replace(found, prompt=None)
    return found


def _first(patterns: tuple[str, ...], text: str) -> int | None:
    for pattern in patterns:
        if match := re.search(pattern, text):
            return int(match[1].replace(",", ""))
    return None
