"""What a provider's failure means, by its status and its words.

Providers share no codes and few sentences, and gateways wrap one refusal in another. So the
body is unwrapped to its words, and the kinds are told apart by what those speak of: a rate
speaks of time, a bill of money, a payload of bytes, an output limit of the reply alone; what
speaks of the prompt, the input or the context, and of too much, is an overflow. A rate is
looked for first: a limit in tokens per minute often reads like an overflow, and cutting
history does not help against it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from tallybook.models.amounts import Amounts, amounts

Kind = Literal[
    "overflow",
    "tokens_per_minute",
    "output_too_large",
    "payload_too_large",
    "rate_limit",
    "billing",
    "auth",
    "timeout",
    "overloaded",
    "other",
]

_URL = re.compile(r"https?://\S+")
_RATE = re.compile(
    r"per[ -_]?(min|minute|second|hour|day)\b|\btp[mds]\b|\brp[mds]\b|rate[ _-]?limit|throttl|"
    r"too many requests|slow down|每分钟|每秒|速率|频率|限流"
)
_TOKENS = re.compile(r"token|\btp[mds]\b|词元")
_BILLING = re.compile(
    r"billing|credit|insufficient[_ ](quota|balance|funds)|current[_ ]quota|payment|afford|"
    r"top up|余额|欠费|充值"
)
_QUOTA = re.compile(r"quota|resource[_ ]exhausted|配额")
_AUTH = re.compile(
    r"api[ _-]?key|unauthori[sz]ed|authentication|permission|forbidden|access denied|"
    r"invalid[_ ]token|密钥|鉴权"
)
_PAYLOAD = re.compile(
    r"request_too_large|payload|request body|\bbytes\b|\d ?[mk]i?b\b|request entity|maximum size|"
    r"body size"
)
_OUTPUT = re.compile(
    r"max[_ ](completion[_ ]|output[_ ]|new[_ ])?tokens|maxoutputtokens|completion tokens|"
    r"output tokens|最大输出"
)
_SUBJECT = re.compile(
    r"context|prompt|input|messages?\b|conversation|sequence|length|tokens?\b|query|request|"
    r"上下文|输入|长度|提示"
)
_EXCESS = re.compile(
    r"too (long|large|many|big)|exceed|longer than|larger than|over the|above the|"
    r"maximum (context|prompt|allowed|input)|max(imum)? ?length|must be <=|should be \[|"
    r"reduce (the|your) (length|prompt|input)|less than floor|truncating|beyond|does not fit|"
    r"limit is|> ?\d|超过|超出|过长|太长|超限"
)
_CODES = re.compile(
    r"context_length_exceeded|context_window_exceeded|exceed_context_size|context_exceeded|"
    r"string_above_max_length|max_prompt_tokens_exceeded"
)
_NEGATIVE = re.compile(r"max_\w*tokens\D{0,40}at least 1\b.*got -\d")
_TIMEOUT = re.compile(r"timed? ?out|deadline|超时")
_OVERLOADED = re.compile(r"overload|capacity|unavailable|try again later|bad gateway|繁忙|负载")
_WAIT = re.compile(r"(?:try again|retry) (?:in|after) ([\d.]+) ?(ms|s|m\b|min)")

_SENTENCES: dict[Kind, str] = {
    "overflow": "The request was longer than the model's window.",
    "tokens_per_minute": "The provider's limit of tokens per minute is used up: wait a little.",
    "output_too_large": "The model cannot write replies of that length: lower max_tokens.",
    "payload_too_large": "The request has too many bytes: send fewer images or files.",
    "rate_limit": "The provider takes no more requests for now: wait a little.",
    "billing": "The provider wants to be paid: check the account's plan, credit and quota.",
    "auth": "The provider did not accept the key: check that it is valid for this model.",
    "timeout": "The provider did not answer in time.",
    "overloaded": "The provider is overloaded or down: try again later.",
    "other": "The provider refused the request.",
}
_RETRYABLE: frozenset[Kind] = frozenset(
    {"tokens_per_minute", "rate_limit", "timeout", "overloaded"}
)


class Failure(msgspec.Struct, frozen=True):
    """What went wrong. Counts are tokens, `retry_after` seconds; None where not said."""

    kind: Kind
    limit: int | None = None
    requested: int | None = None
    prompt: int | None = None
    completion: int | None = None
    retry_after: float | None = None
    sentence: str = ""

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.kind in _RETRYABLE


def understand(
    status: int | None, body: object, *, headers: Mapping[str, str] | None = None
) -> Failure:
    """What a failure is, from its HTTP status (None if there was none) and its body."""
    text = _plain(body)
    kind = _kind(status, text)
    said = amounts(text) if kind in ("overflow", "output_too_large") else Amounts()
    return Failure(
        kind,
        limit=said.limit,
        requested=said.total,
        prompt=said.prompt,
        completion=said.completion,
        retry_after=_retry_after(text, headers or {}),
        sentence=_SENTENCES[kind],
    )


def understand_exception(error: BaseException) -> Failure:
    """What an exception of any client library means, looking through what it wraps."""
    failures = [_of_one(one) for one in _chain(error)]
    best = next((failure for failure in failures if failure.kind != "other"), None)
    if best:
        return best
    message = str(error).strip().splitlines()
    said = message[0][:200] if message else type(error).__name__
    return Failure("other", sentence=f"{_SENTENCES['other']} It said: {said}")


def _of_one(error: BaseException) -> Failure:
    name = type(error).__name__.lower()
    if "timeout" in name:
        return Failure("timeout", sentence=_SENTENCES["timeout"])
    status = getattr(error, "status_code", None)
    body = getattr(error, "body", None)
    headers = getattr(error, "headers", None) or getattr(
        getattr(error, "response", None), "headers", None
    )
    failure = understand(
        status if isinstance(status, int) else None,
        [body if isinstance(body, bytes | str | dict | list) else "", str(error)],
        headers=headers if isinstance(headers, Mapping) else None,
    )
    if failure.kind == "other" and "contextwindow" in name:
        return msgspec.structs.replace(failure, kind="overflow", sentence=_SENTENCES["overflow"])
    if failure.kind == "other" and "connect" in name:
        return Failure("overloaded", sentence="The provider could not be reached.")
    return failure


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _kind(status: int | None, text: str) -> Kind:
    if _BILLING.search(text) and not _is_tpm(text):
        return "billing"
    if status == 402:
        return "billing"
    if _RATE.search(text) or status == 429:
        rate = _TOKENS.search(text) and not (_QUOTA.search(text) and not _RATE.search(text))
        return "tokens_per_minute" if rate else "rate_limit"
    if status in (401, 403) or (_AUTH.search(text) and not _CODES.search(text)):
        return "auth"
    if _CODES.search(text) or _NEGATIVE.search(text):
        return "overflow"
    if _PAYLOAD.search(text) and (_EXCESS.search(text) or status == 413):
        return "payload_too_large"
    if _OUTPUT.search(text) and not _speaks_of_prompt(text):
        return "output_too_large"
    if status == 413 or (_SUBJECT.search(text) and _EXCESS.search(text) and _is_size(text)):
        return "overflow"
    return _of_server(status, text)


def _of_server(status: int | None, text: str) -> Kind:
    if status in (408, 504) or _TIMEOUT.search(text):
        return "timeout"
    if (status or 0) >= 500 or _OVERLOADED.search(text):
        return "overloaded"
    return "other"


def _is_tpm(text: str) -> bool:
    return bool(re.search(r"tokens per min|\btpm\b", text))


def _is_size(text: str) -> bool:
    """Whether what is too much is a size of text, and not a number of tools or images."""
    return bool(
        re.search(r"token|context|length|too long|prompt|上下文|长度|输入|过长|window|size", text)
    )


def _speaks_of_prompt(text: str) -> bool:
    """Whether a sentence about max_tokens counts the prompt in, so that history matters."""
    return bool(
        re.search(
            r"(input|prompt|messages)\D{0,30}\d|\d[\d,]* (input|prompt)|input length|`inputs`|"
            r"in the messages|in your prompt|context (length|window|size) is|text input|"
            r"(prompt|input) (is|was) too|too long|switch to a llm",
            text,
        )
    )


def _plain(body: object) -> str:
    """All words of a body in lower case, nested JSON unwrapped, addresses left out."""
    words = " ".join(_strings(body, depth=0))
    return _URL.sub(" ", words).lower()


def _strings(value: object, depth: int) -> Iterator[str]:
    match value:
        case bytes():
            yield from _strings(value.decode("utf-8", "replace"), depth)
        case str():
            inner = _parsed(value) if depth < 6 else None
            if inner is None:
                yield value.replace('\\"', '"')
            else:
                yield from _strings(inner, depth + 1)
        case dict():
            for key, inner in value.items():
                yield f"{key}:" if isinstance(inner, int) else ""
                yield from _strings(inner, depth + 1)
        case list() | tuple():
            for inner in value:
                yield from _strings(inner, depth + 1)
        case None:
            return
        case _:
            yield str(value)


def _parsed(text: str) -> object:
    stripped = text.strip()
    if not stripped.startswith(("{", "[", '"')):
        return None
    try:
        parsed: object = json.loads(stripped)
    except ValueError:
        return None
    return parsed


def _retry_after(text: str, headers: Mapping[str, str]) -> float | None:
    lower = {key.lower(): value for key, value in headers.items()}
    if (ms := lower.get("retry-after-ms", "")).replace(".", "", 1).isdigit():
        return float(ms) / 1_000
    if (seconds := lower.get("retry-after", "")).replace(".", "", 1).isdigit():
        return float(seconds)
    if match := _WAIT.search(text):
        factor = {"ms": 0.001, "s": 1.0}.get(match[2], 60.0)
        return float(match[1].rstrip(".")) * factor
    return None
