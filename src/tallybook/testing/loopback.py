"""A model provider on this machine: real HTTP, scripted answers, a real provider's rules.

    with LoopbackProvider([call("price", ticker="NVDA"), say("It is 180.")]) as provider:
        client = openai.OpenAI(base_url=provider.openai, api_key="none")

It speaks Chat Completions and Responses under `openai` and Messages under `anthropic`,
streamed or not, and refuses what the real service would refuse, in its words.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from http.server import ThreadingHTTPServer
from types import MappingProxyType, TracebackType
from typing import Protocol, Self

from tallybook.models.local import Tokenizer, by_length
from tallybook.testing import anthropic, chat, responses
from tallybook.testing.answers import (
    Answer,
    Bill,
    Dropped,
    ErrorInStream,
    Json,
    Line,
    Received,
    Refusal,
    WireName,
)
from tallybook.testing.cache import Cache
from tallybook.testing.http import Exchange, Sent, handler
from tallybook.testing.scripted import Parts


class _Wire(Protocol):
    """What a module of a wire format offers."""

    HEAD: int

    def texts(self, body: Json) -> list[Json]: ...
    def objection(self, body: Json) -> Refusal | None: ...
    def reply_limit(self, body: Json) -> int: ...
    def too_long(self, tokens: int, window: int, reply: int) -> Refusal: ...
    def whole(self, parts: Parts, bill: Bill, request: Received) -> Json: ...
    def events(
        self, parts: Parts, bill: Bill, request: Received
    ) -> Iterator[tuple[str, Json | str]]: ...
    def error_event(self, body: object) -> tuple[str, object]: ...


_WIRES: Mapping[WireName, _Wire] = MappingProxyType(
    {"chat": chat, "responses": responses, "anthropic": anthropic}
)
_PATHS: Mapping[str, WireName] = MappingProxyType(
    {
        "/v1/chat/completions": "chat",
        "/v1/responses": "responses",
        "/v1/messages": "anthropic",
    }
)


class LoopbackProvider:
    """Answers with `script`, line by line; a context manager.

    A line is a reply (`say`, `call`), a `Refusal`, an `ErrorInStream`, a `Dropped`, or a
    function of the request that returns one of them; a request that is refused for its form
    or its length uses up no line. `window` is enforced in tokens as `tokenizer` counts them,
    in the wire's own words unless `overflow` is given. `requests` keeps everything received.
    What went wrong in the script (it ran out, a function raised) is raised on leaving.
    """

    def __init__(
        self,
        script: Iterable[Line] = (),
        *,
        window: int | None = None,
        overflow: Refusal | None = None,
        tokenizer: Tokenizer = by_length,
    ) -> None:
        self.script = list(script)
        self.window = window
        self.requests: list[Received] = []
        self._overflow = overflow
        self._tokenizer = tokenizer
        self._caches = {name: Cache(tokenizer, explicit=name == "anthropic") for name in _WIRES}
        self._failure: Exception | None = None
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler(self._answer))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        if self._failure is not None and error is None:
            raise self._failure

    @property
    def url(self) -> str:
        """The server's root."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def openai(self) -> str:
        """The base URL for clients of OpenAI, Chat Completions or Responses."""
        return f"{self.url}/v1"

    @property
    def anthropic(self) -> str:
        """The base URL for clients of Anthropic."""
        return self.url

    def _answer(self, exchange: Exchange) -> Sent:
        """Answer one HTTP request; requests come in parallel, the script goes in order."""
        with self._lock:
            return self._answered(exchange)

    def _answered(self, exchange: Exchange) -> Sent:
        path = exchange.path.partition("?")[0]
        counting = path.removesuffix("/count_tokens")
        name = _PATHS.get(counting)
        body = _object(exchange.body)
        if name is None or body is None:
            missing = {"error": {"message": f"no such request: POST {path}", "type": "not_found"}}
            return Sent(404, (json.dumps(missing).encode(),))
        wire, texts = _WIRES[name], _WIRES[name].texts(body)
        bill = self._caches[name].bill(texts)
        if counting != path:
            return Sent(200, (json.dumps({"input_tokens": bill.input}).encode(),))
        number = len(self.requests) + 1
        request = Received(number, name, exchange.path, exchange.headers, body, bill)
        answer = self._refused(wire, request) or self._next(request)
        if not isinstance(answer, Refusal):
            self._caches[name].keep(texts)
        request = self._received(request, answer)
        return _sent(wire, request, answer)

    def _refused(self, wire: _Wire, request: Received) -> Refusal | None:
        if wrong := wire.objection(request.body):
            return wrong
        tokens, reply = request.bill.input, wire.reply_limit(request.body)
        if self.window is None or tokens + reply <= self.window:
            return None
        return self._overflow or wire.too_long(tokens, self.window, reply)

    def _next(self, request: Received) -> Answer:
        """The next line; what the test's own function raises is kept for leaving."""
        if not self.script:
            return self._failed(
                AssertionError(f"the script has no line for request {request.number}")
            )
        line = self.script.pop(0)
        try:
            return line(request) if callable(line) else line
        except Exception as error:
            return self._failed(error)

    def _failed(self, error: Exception) -> Refusal:
        self._failure = self._failure or error
        return Refusal(400, {"error": {"message": f"the script failed: {error}"}})

    def _received(self, request: Received, answer: Answer) -> Received:
        match answer:
            case Refusal(status=status):
                received = replace(request, status=status)
            case ErrorInStream(after=parts) | Dropped(after=parts) | list(parts):
                written = sum(self._tokenizer(str(part)) for part in parts)
                received = replace(request, bill=replace(request.bill, output=written))
        self.requests.append(received)
        return received


def _sent(wire: _Wire, request: Received, answer: Answer) -> Sent:
    """The answer as HTTP: a whole body, or the events of a stream."""
    match answer:
        case Refusal(status=status, body=body, headers=headers):
            return Sent(status, (_encoded(body),), headers)
        case ErrorInStream(body=body) if not request.streamed:
            return Sent(200, (_encoded(body),))
        case ErrorInStream(body=body, after=parts):
            error = _raw_event(body) or _event(*wire.error_event(_parsed(body)))
            return Sent(200, (*_begun(wire, parts, request), error), streamed=True)
        case Dropped(after=parts) if request.streamed:
            return Sent(200, tuple(_begun(wire, parts, request)), streamed=True, cut=True)
        case Dropped(after=parts):
            body = _encoded(wire.whole(parts, request.bill, request))
            return Sent(200, (body,), cut=True)
        case parts if request.streamed:
            found = wire.events(parts, request.bill, request)
            return Sent(200, tuple(_event(*event) for event in found), streamed=True)
        case parts:
            return Sent(200, (_encoded(wire.whole(parts, request.bill, request)),))


def _begun(wire: _Wire, parts: Parts, request: Received) -> list[bytes]:
    """The events of a reply without those that end it."""
    ending = len(list(wire.events([], request.bill, request))) - wire.HEAD
    found = list(wire.events(parts, request.bill, request))
    return [_event(*event) for event in found[:-ending]]


def _event(name: str, data: object) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {_encoded(data).decode()}\n\n".encode()


def _raw_event(body: object) -> bytes | None:
    """Recorded as a stream already."""
    is_raw = isinstance(body, str) and body.startswith(("data:", "event:"))
    return _encoded(body) if is_raw else None


def _encoded(body: object) -> bytes:
    match body:
        case bytes():
            return body
        case str():
            return body.encode("utf-8", "surrogatepass")
        case None:
            return b""
        case _:
            return json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _parsed(body: object) -> object:
    if not isinstance(body, str | bytes):
        return body
    try:
        parsed: object = json.loads(body)
    except ValueError:
        return body
    return parsed


def _object(body: bytes) -> Json | None:
    parsed = _parsed(body)
    return parsed if isinstance(parsed, dict) else None
