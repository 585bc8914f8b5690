"""A model that plays a script: replies, errors, and functions of what it was sent.

    model = ScriptedModel([call("get_price", ticker="NVDA"), say("It is 180.")], window=8_000)

It refuses what exceeds its window in a real provider's words, and keeps every request.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from pydantic_ai.exceptions import ModelContextWindowExceededError, ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models import ModelRequestParameters

from tallybook.models.local import Cut, LocalModel, Tokenizer, by_length

Parts = list[ModelResponsePart]
Line = Parts | Exception | Callable[[list[ModelMessage]], "Parts | Exception"]


def say(text: str, *, thinking: str = "", signature: str | None = None) -> Parts:
    """A reply in words, perhaps with thinking in front."""
    return [*_thought(thinking, signature), TextPart(text)]


def call(
    name: str, *, words: str = "", id: str | None = None, thinking: str = "", **arguments: object
) -> Parts:
    """A reply that calls one tool; lay several end to end for parallel calls.

    `id` is new for every call unless given; `""` and one used before are taken as they are,
    because providers send such ids.
    """
    part = ToolCallPart(name, arguments)
    said = [TextPart(words)] if words else []
    named = part if id is None else replace(part, tool_call_id=id)
    return [*_thought(thinking, None), *said, named]


def refuse(status: int, body: object, *, headers: Mapping[str, str] | None = None) -> Exception:
    """The error that Pydantic AI raises for such an answer; text that is JSON is parsed first."""
    return ModelHTTPError(status, "scripted", _parsed(body), headers=headers)


def break_off(parts: Parts, error: Exception | None = None) -> Exception:
    """A stream that gives `parts` and is then cut; not streamed, it gives nothing."""
    return Cut(parts, error or ConnectionResetError("connection reset by peer"))


class ScriptedModel(LocalModel):
    """Plays `script` line by line; runs out with an AssertionError.

    A line is a reply (`say`, `call`), an exception to raise, or a function of the messages
    that returns either. `window` is what it enforces, in tokens as its `tokenizer` counts
    them; `claims` what it says of itself, the same if not given. `requests` are all requests
    that reached it, the `refused` ones included, and `billed` what each was counted as.
    """

    def __init__(
        self,
        script: Iterable[Line],
        *,
        window: int | None = None,
        claims: int | None = None,
        tokenizer: Tokenizer = by_length,
    ) -> None:
        super().__init__("scripted", window=claims or window, tokenizer=tokenizer)
        self.script = list(script)
        self.enforced = window
        self.requests: list[list[ModelMessage]] = []
        self.billed: list[int] = []
        self.refused = 0

    async def reply(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters
    ) -> Parts:
        """The next line of the script, unless the request is too long."""
        tokens = self.tokens(messages, parameters)
        self.requests.append(messages)
        self.billed.append(tokens)
        if self.enforced and tokens > self.enforced:
            self.refused += 1
            raise _too_long(tokens, self.enforced)
        if not self.script:
            raise AssertionError(f"the script has no line for request {len(self.requests)}")
        line = self.script.pop(0)
        said = line(messages) if callable(line) else line
        if isinstance(said, Exception):
            raise said
        return said


def _thought(thinking: str, signature: str | None) -> Parts:
    part = ThinkingPart(thinking, signature=signature, provider_name="tallybook")
    return [part] if thinking or signature else []


def _too_long(tokens: int, window: int) -> ModelHTTPError:
    message = f"prompt is too long: {tokens} tokens > {window} maximum"
    return ModelHTTPError.for_category(
        ModelContextWindowExceededError,
        status_code=400,
        model_name="scripted",
        body={"type": "error", "error": {"type": "invalid_request_error", "message": message}},
    )


def _parsed(body: object) -> object:
    if not isinstance(body, str | bytes):
        return body
    try:
        parsed: object = json.loads(body)
    except ValueError:
        return body if isinstance(body, str) else body.decode("utf-8", "replace")
    return parsed
