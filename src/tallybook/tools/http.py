"""Polite reading over HTTP: paced, patient, bounded, and plain about what went wrong.

What is worth another try is tried again: an overloaded server, a dropped or incomplete answer.
What is not fails at once with what to do. A message never shows a query or a header, where keys
may stand.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.replies import (
    NotFound,
    Refused,
    Reply,
    Retry,
    accepted,
    anything,
    place,
    same_host,
    whole_json,
)

if TYPE_CHECKING:
    import httpx

__all__ = ["Guard", "Http", "Manners", "NotFound", "Redirected", "Refused", "Reply", "place"]

_MOVED = frozenset({301, 302, 303, 307, 308})
_MOST_MOVES = 5


@dataclass(frozen=True)
class Manners:
    """How hard to ask. Times are in seconds.

    `timeout` bounds one whole request, so that a server that drips cannot hold it for ever.
    `pause` is the first wait before another try and doubles; `patience` is the longest wait
    that a `Retry-After` may ask for. `most_bytes` bounds an answer, unpacked.
    """

    per_second: float = 8.0
    timeout: float = 30.0
    tries: int = 3
    pause: float = 1.0
    patience: float = 30.0
    most_bytes: int = 10_000_000


class Redirected(ToolFailure):
    """The document is said to be on another host, at `url`."""

    def __init__(self, message: str, url: str) -> None:
        super().__init__(message)
        self.url = url


Guard = Callable[[str], Awaitable[str]]
"""Checks an address before it is asked, and gives the numeric host to connect to, "" for any.

It is asked for the first address and for each that a redirect names; ToolFailure refuses it.
"""


class _Request(NamedTuple):
    method: str
    url: str
    params: Mapping[str, str] | None
    headers: Mapping[str, str]
    content: bytes | None


Check = Callable[[Reply], Reply]


@dataclass
class Http:
    """Asks servers, at most `per_second` requests a second over all its calls."""

    manners: Manners = field(default_factory=Manners)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    guard: Guard | None = None
    _free: float = field(default=0.0, init=False)

    async def get(
        self,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """The whole answer; ToolFailure says in a sentence why there is none."""
        return await self._patiently(self._request("GET", url, params, headers), anything)

    async def post(
        self, url: str, *, json: object, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """The whole answer to a JSON body."""
        told = {"content-type": "application/json", **(headers or {})}
        request = self._request("POST", url, None, told)
        return await self._patiently(request._replace(content=msgspec.json.encode(json)), anything)

    async def json(
        self,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """A whole JSON document; a web page in its place, or half of one, is refused."""
        request = self._request("GET", url, params, headers)
        return (await self._patiently(request, whole_json)).body

    def _request(
        self,
        method: str,
        url: str,
        params: Mapping[str, str] | None,
        headers: Mapping[str, str] | None,
    ) -> _Request:
        return _Request(method, url, params, {**self.headers, **(headers or {})}, None)

    async def _patiently(self, request: _Request, check: Check) -> Reply:
        import httpx

        attempt = 1
        async with httpx.AsyncClient(timeout=self.manners.timeout, verify=self._tls) as client:
            while True:
                await self._turn()
                try:
                    return check(await self._within_time(client, request))
                except Retry as retry:
                    doubled = self.manners.pause * 2 ** (attempt - 1)
                    wait = doubled if retry.wait is None else retry.wait
                    if attempt >= self.manners.tries or wait > self.manners.patience:
                        raise retry.failure from retry
                    await asyncio.sleep(wait)
                attempt += 1

    async def _turn(self) -> None:
        now = time.monotonic()
        start = max(now, self._free)
        self._free = start + 1 / self.manners.per_second
        await asyncio.sleep(start - now)

    async def _within_time(self, client: httpx.AsyncClient, request: _Request) -> Reply:
        import httpx

        where = place(request.url)
        try:
            async with asyncio.timeout(self.manners.timeout):
                return await self._followed(client, request)
        except (TimeoutError, httpx.TimeoutException) as error:
            late = (
                f"{where} did not answer in full within {self.manners.timeout:g} s. "
                "Try again later, or give it more time."
            )
            raise Retry(ToolFailure(late)) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            broken = (
                f"{where} could not be read ({type(error).__name__}). Check the network and the "
                "address, and try again."
            )
            raise Retry(ToolFailure(broken)) from error
        except (httpx.InvalidURL, UnicodeError, ValueError) as error:
            raise ToolFailure(f"{where!r} is no address. Give one with http(s)://.") from error

    async def _followed(self, client: httpx.AsyncClient, request: _Request) -> Reply:
        """The answer, after redirects within one host."""
        for _ in range(_MOST_MOVES):
            reply = await self._once(client, request)
            if reply.status not in _MOVED:
                return accepted(reply)
            target = urljoin(request.url, reply.headers.get("location", ""))
            if not same_host(request.url, target):
                if self.guard:
                    await self.guard(target)
                raise Redirected(
                    f"{place(request.url)} says that this is now at {urlsplit(target).scheme}://"
                    f"{place(target)}. Ask for that address if it is one to be trusted.",
                    target,
                )
            request = request._replace(url=target, params=None)
        raise ToolFailure(f"{place(request.url)} redirects in circles. Check the address.")

    async def _once(self, client: httpx.AsyncClient, request: _Request) -> Reply:
        url, headers, extensions = request.url, dict(request.headers), {}
        if self.guard and (address := await self.guard(url)):
            parts = urlsplit(url)
            port = f":{parts.port}" if parts.port else ""
            host = f"[{address}]" if ":" in address else address
            url = parts._replace(netloc=f"{host}{port}").geturl()
            headers["Host"] = parts.netloc.rpartition("@")[2]
            extensions = {"sni_hostname": parts.hostname or ""}
        async with client.stream(
            request.method,
            url,
            params=request.params,
            headers={name.encode(): value.encode() for name, value in headers.items()},
            content=request.content,
            extensions=extensions,
        ) as response:
            body = await self._bounded(response, request.url)
            return Reply(request.url, response.status_code, dict(response.headers), body)

    async def _bounded(self, response: httpx.Response, url: str) -> bytes:
        if "," in response.headers.get("content-encoding", ""):
            raise ToolFailure(
                f"{place(url)} is packed twice, as no honest page is. Look for another source."
            )
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > self.manners.most_bytes:
                raise ToolFailure(
                    f"{place(url)} is larger than {self.manners.most_bytes:,} bytes. Ask for a "
                    "part of it, or for a smaller document."
                )
        return bytes(body)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        import httpx

        return httpx.create_ssl_context()
