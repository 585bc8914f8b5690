"""The HTTP of the loopback provider: one request in, one answer out, cut off if so asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler


@dataclass(frozen=True)
class Exchange:
    """A request as it came over the wire; header names are lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Sent:
    """An answer: one body, or the chunks of a stream. If `cut`, its end never comes."""

    status: int
    chunks: tuple[bytes, ...]
    headers: Mapping[str, str] = field(default_factory=dict)
    streamed: bool = False
    cut: bool = False


def handler(answer: Callable[[Exchange], Sent]) -> type[BaseHTTPRequestHandler]:
    """A handler that posts each request to `answer`; a client that has gone is no error."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            sent = answer(Exchange(self.path, headers, self.rfile.read(length)))
            self.close_connection = True
            with suppress(BrokenPipeError, ConnectionResetError):
                self._head(sent)
                self._body(sent)

        def log_message(self, *_: object) -> None:
            """Quiet: what was asked is kept by the provider."""

        def _head(self, sent: Sent) -> None:
            self.send_response(sent.status)
            given = {name.lower() for name in sent.headers}
            for name, value in {**sent.headers, **_framing(sent)}.items():
                if name.lower() not in given or name in sent.headers:
                    self.send_header(name, value)
            self.end_headers()

        def _body(self, sent: Sent) -> None:
            for chunk in sent.chunks:
                if sent.streamed:
                    self.wfile.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                else:
                    self.wfile.write(chunk[: len(chunk) // 2] if sent.cut else chunk)
                self.wfile.flush()
            if sent.streamed and not sent.cut:
                self.wfile.write(b"0\r\n\r\n")

    return Handler


def _framing(sent: Sent) -> Mapping[str, str]:
    if sent.streamed:
        return {
            "connection": "close",
            "content-type": "text/event-stream; charset=utf-8",
            "transfer-encoding": "chunked",
        }
    is_page = sent.chunks[0].lstrip().startswith(b"<") if sent.chunks else False
    return {
        "connection": "close",
        "content-type": "text/html" if is_page else "application/json",
        "content-length": str(sum(len(chunk) for chunk in sent.chunks)),
    }
