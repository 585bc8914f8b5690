"""A model that plays a script: replies, errors, and functions of what it was sent.

    model = ScriptedModel([call("get_price", ticker="NVDA"), say("It is 180.")], window=8_000)

It refuses what exceeds its window, in a real provider's words, and keeps every request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models import ModelRequestParameters

from tallybook.models.local import LocalModel, request_tokens

Parts = list[ModelResponsePart]
Line = Parts | Exception | Callable[[list[ModelMessage]], "Parts | Exception"]

_numbers = count(1)


def say(text: str, *, thinking: str = "", signature: str | None = None) -> Parts:
    """A reply in words, perhaps with thinking in front."""
    thought = [ThinkingPart(thinking, signature=signature, provider_name="tallybook")]
    return [*(thought if thinking else []), TextPart(text)]


def call(name: str, *, words: str = "", id: str | None = None, **arguments: object) -> Parts:
    """A reply that calls one tool; lay several end to end for parallel calls."""
    call_id = id if id is not None else f"call_{next(_numbers)}"
    return [*([TextPart(words)] if words else []), ToolCallPart(name, arguments, call_id)]


class ScriptedModel(LocalModel):
    """Plays `script` line by line; runs out with an AssertionError.

    `window` is what it enforces, in tokens; `claims` what it says of itself, the same if not
    given. `requests` are all requests that reached it, the refused ones included.
    """

    def __init__(
        self, script: Iterable[Line], *, window: int | None = None, claims: int | None = None
    ) -> None:
        super().__init__("scripted", window=claims or window)
        self.script = list(script)
        self.enforced = window
        self.requests: list[list[ModelMessage]] = []
        self.refused = 0

    async def reply(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters
    ) -> Parts:
        """The next line of the script, unless the request is too long."""
        self.requests.append(messages)
        tokens = request_tokens(messages, parameters)
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


def _too_long(tokens: int, window: int) -> ModelHTTPError:
    message = f"prompt is too long: {tokens} tokens > {window} maximum"
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
    return ModelHTTPError(400, "scripted", body)
