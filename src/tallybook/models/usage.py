"""What each wire format means by the tokens it bills.

The formats disagree on what is a part of what. OpenAI's and Gemini's input counts include
cached tokens, Anthropic's and Bedrock's leave them out; Gemini's and xAI's output leaves
thinking out. Whoever adds or subtracts elsewhere counts the cache twice, so it is done here
and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tallybook.scratchpad.events import Usage

_MOST = 10**9
_HOLDERS = ("usage", "usageMetadata", "usage_metadata", "message", "response", "x_groq")


def usage_of(reply: object) -> Usage | None:
    """Read the usage of a parsed reply, of one stream event, or a usage object itself.

    None where there is none, or where it cannot be true (no input, negative, not a number).
    """
    raw = _raw(reply)
    return _read(raw) if raw else None


def usage_of_stream(events: Iterable[object]) -> Usage | None:
    """Read the usage of parsed stream events, which may tell it in pieces.

    Anthropic bills the input in its first event and the output in its last; counts that
    come again are totals so far, so the later one replaces the earlier.
    """
    pieces: dict[str, object] = {}
    for event in events:
        pieces.update(_raw(event))
    return _read(pieces) if pieces else None


def _raw(reply: object, depth: int = 0) -> Mapping[str, object]:
    if not isinstance(reply, Mapping) or depth > 3:
        return {}
    for holder in _HOLDERS:
        if isinstance(reply.get(holder), Mapping) and (found := _raw(reply[holder], depth + 1)):
            return found
    return {str(key): value for key, value in reply.items()} if _is_usage(reply) else {}


def _is_usage(raw: Mapping[object, object]) -> bool:
    return any(
        str(key).lower().endswith(("tokens", "tokencount", "token_count", "eval_count"))
        for key in raw
    )


def _read(raw: Mapping[str, object]) -> Usage | None:
    match raw:
        case {"promptTokenCount": _} | {"prompt_token_count": _}:
            usage = _gemini(raw)
        case {"inputTokens": _}:
            usage = _beside(raw, ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"))
        case {"tokens": Mapping() as tokens}:
            usage = _within(tokens, raw.get("cached_tokens"))
        case {"prompt_eval_count": _}:
            usage = _usage(raw.get("prompt_eval_count"), raw.get("eval_count"))
        case {"cache_read_input_tokens": _} | {"cache_creation_input_tokens": _}:
            names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
            usage = _beside(raw, names)
        case {"prompt_tokens": _} | {"input_tokens": _}:
            usage = _openai(raw)
        case _:
            usage = None
    return usage


def _openai(raw: Mapping[str, object]) -> Usage | None:
    """Chat Completions, Responses, and all that speak like them; Pydantic AI's own as well."""
    details = _part(raw, "prompt_tokens_details", "input_tokens_details")
    replied = _part(raw, "completion_tokens_details", "output_tokens_details", "details")
    cached = _first(
        details.get("cached_tokens"),
        raw.get("prompt_cache_hit_tokens"),
        raw.get("cached_tokens"),
        raw.get("cache_read_tokens"),
    )
    return _usage(
        _first(raw.get("prompt_tokens"), raw.get("input_tokens")),
        _with_thinking(raw, replied.get("reasoning_tokens")),
        cached=cached,
        cache_write=_first(details.get("cache_write_tokens"), raw.get("cache_write_tokens")),
        thinking=replied.get("reasoning_tokens"),
    )


def _with_thinking(raw: Mapping[str, object], thinking: object) -> object:
    """xAI counts thinking beside the reply; the total it states gives that away."""
    output = _first(raw.get("completion_tokens"), raw.get("output_tokens"))
    counts = [_count(raw.get("total_tokens")), _count(raw.get("prompt_tokens"))]
    total, asked, replied, thought = (*counts, _count(output), _count(thinking))
    if thought and total == (asked or 0) + (replied or 0) + thought:
        return (replied or 0) + thought
    return output


def _gemini(raw: Mapping[str, object]) -> Usage | None:
    """Counts of the cache are within the prompt's, thoughts beside the reply's."""
    snake = "prompt_token_count" in raw
    names = (
        ("prompt_token_count", "tool_use_prompt_token_count", "candidates_token_count",
         "thoughts_token_count", "cached_content_token_count")
        if snake
        else ("promptTokenCount", "toolUsePromptTokenCount", "candidatesTokenCount",
              "thoughtsTokenCount", "cachedContentTokenCount")
    )  # fmt: skip
    prompt, tools, reply, thoughts, cached = (raw.get(name) for name in names)
    return _usage(_sum(prompt, tools), _sum(reply, thoughts), cached=cached, thinking=thoughts)


def _beside(raw: Mapping[str, object], names: tuple[str, str, str]) -> Usage | None:
    """Anthropic and Bedrock: what was cached is billed beside the input, not within it."""
    fresh, cached, written = (raw.get(name) for name in names)
    details = _part(raw, "output_tokens_details")
    return _usage(
        _sum(fresh, cached, written),
        _first(raw.get("output_tokens"), raw.get("outputTokens")),
        cached=cached,
        cache_write=written,
        thinking=_first(details.get("thinking_tokens"), details.get("reasoning_tokens")),
    )


def _within(tokens: Mapping[str, object], cached: object) -> Usage | None:
    return _usage(tokens.get("input_tokens"), tokens.get("output_tokens"), cached=cached)


def _usage(
    asked: object,
    replied: object,
    *,
    cached: object = None,
    cache_write: object = None,
    thinking: object = None,
) -> Usage | None:
    """Build the usage; more cached than asked can only mean that it was counted beside."""
    counts = [_count(value) for value in (asked, replied, cached, cache_write, thinking)]
    if None in counts:
        return None
    total, output, read, write, thought = (count or 0 for count in counts)
    if read + write > total:
        total += read + write
    if total == 0 or thought > output:
        return None
    return Usage(total, output, read, write, thought)


def _count(value: object) -> int | None:
    """A count of tokens, 0 where nothing is said, None where it is nonsense."""
    match value:
        case None:
            return 0
        case bool():
            return None
        case int() if 0 <= value <= _MOST:
            return value
        case float() if value.is_integer() and 0 <= value <= _MOST:
            return int(value)
        case _:
            return None


def _sum(*values: object) -> object:
    counts = [_count(value) for value in values]
    return -1 if None in counts else sum(count or 0 for count in counts)


def _first(*values: object) -> object:
    return next((value for value in values if value is not None), None)


def _part(raw: Mapping[str, object], *names: str) -> Mapping[str, object]:
    for name in names:
        if isinstance(found := raw.get(name), Mapping):
            return found
    return {}
