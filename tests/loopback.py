"""A real HTTP server on this machine that answers as told, so that clients meet real sockets."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    """One answer; `keep` cuts the body after so many bytes, `drip` waits seconds before each.

    `sized` says whether the length is told; without it the end of the connection ends the body.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    keep: int | None = None
    drip: float = 0.0
    sized: bool = True


@dataclass(frozen=True)
class Asked:
    """A request that came in, and when (seconds of a monotonic clock)."""

    path: str
    headers: Mapping[str, str]
    at: float
    body: bytes = b""


@dataclass
class Loopback:
    """The server: its address, and what it was asked so far."""

    url: str
    asked: list[Asked]

    def paths(self) -> list[str]:
        return [request.path for request in self.asked]


@contextmanager
def serve(replies: Mapping[str, Reply | Sequence[Reply]]) -> Iterator[Loopback]:
    """Serve replies by path; of several for one path each is given once, the last for ever."""
    queues = {p: [r] if isinstance(r, Reply) else list(r) for p, r in replies.items()}
    asked: list[Asked] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            told = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with lock:
                asked.append(Asked(self.path, dict(self.headers), time.monotonic(), told))
                queue = queues.get(self.path, [Reply(b"not here", 404)])
                reply = queue.pop(0) if len(queue) > 1 else queue[0]
            try:
                self._answer(reply)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        do_POST = do_GET  # noqa: N815

        def _answer(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.sized:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            body = reply.body if reply.keep is None else reply.body[: reply.keep]
            if reply.drip:
                for byte in body:
                    time.sleep(reply.drip)
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
            else:
                self.wfile.write(body)
            self.close_connection = reply.keep is not None or not reply.sized

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Loopback(f"http://127.0.0.1:{server.server_port}", asked)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
