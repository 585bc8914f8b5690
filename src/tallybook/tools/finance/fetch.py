"""Polite reading of JSON over HTTP: paced, patient, cached, and plain about what went wrong.

What is worth another try is tried again: an overloaded server, a dropped or incomplete answer.
What is not fails at once with what to do. Nothing is cached but a whole JSON document.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tallybook.tools.failure import ToolFailure

if TYPE_CHECKING:
    import httpx

_AGAIN = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Manners:
    """How hard to ask. Times are in seconds.

    `timeout` bounds one whole request, so that a server that drips cannot hold it for ever.
    `pause` is the first wait before another try and doubles; `patience` is the longest wait
    that a `Retry-After` may ask for.
    """

    per_second: float = 8.0
    timeout: float = 30.0
    tries: int = 3
    pause: float = 1.0
    patience: float = 30.0


class NotFound(ToolFailure):
    """The server has no such document."""


class _Retry(Exception):
    """A failure that another try may mend; `wait` is in seconds, if the server said."""

    def __init__(self, failure: str, wait: float | None = None) -> None:
        super().__init__(failure)
        self.wait = wait


class Cache:
    """Documents on disk by name, each believed for `max_age`; without a folder it keeps nothing."""

    def __init__(self, folder: Path | None, max_age: timedelta) -> None:
        self._folder = folder
        self._max_age = max_age.total_seconds()

    def read(self, name: str) -> bytes | None:
        """Give a document that is not too old, or None."""
        if self._folder is None:
            return None
        path = self._folder / name
        try:
            fresh = time.time() - path.stat().st_mtime <= self._max_age
            body = path.read_bytes() if fresh else b""
        except OSError:
            return None
        return body if _whole(body) else None

    def write(self, name: str, body: bytes) -> None:
        """Keep a document, all of it or nothing; a disk that refuses costs the cache only."""
        if self._folder is None:
            return
        path = self._folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=path.parent, prefix=".") as aside:
                whole = Path(aside) / path.name
                whole.write_bytes(body)
                os.replace(whole, path)
        except OSError:
            return


class Fetcher:
    """Reads JSON documents, at most `per_second` requests a second over all its calls."""

    def __init__(self, manners: Manners, cache: Cache, agent: str) -> None:
        self._manners = manners
        self._cache = cache
        self._headers = {b"User-Agent": agent.encode()}
        self._free = 0.0

    def client(self) -> httpx.AsyncClient:
        """Open a client; httpx is imported only where the network is used."""
        import httpx

        return httpx.AsyncClient(headers=self._headers, timeout=self._manners.timeout)

    async def json(self, client: httpx.AsyncClient, url: str) -> bytes:
        """Give a whole JSON document, from the cache or the server, or raise `ToolFailure`."""
        name = _where(url).replace(":", "_")
        if (known := self._cache.read(name)) is not None:
            return known
        body = await self._patiently(client, url)
        self._cache.write(name, body)
        return body

    async def _patiently(self, client: httpx.AsyncClient, url: str) -> bytes:
        manners = self._manners
        attempt = 1
        while True:
            await self._turn()
            try:
                return await self._once(client, url)
            except _Retry as retry:
                wait = manners.pause * 2 ** (attempt - 1) if retry.wait is None else retry.wait
                if attempt >= manners.tries or wait > manners.patience:
                    raise ToolFailure(str(retry)) from retry
                await asyncio.sleep(wait)
            attempt += 1

    async def _turn(self) -> None:
        now = time.monotonic()
        start = max(now, self._free)
        self._free = start + 1 / self._manners.per_second
        await asyncio.sleep(start - now)

    async def _once(self, client: httpx.AsyncClient, url: str) -> bytes:
        import httpx

        try:
            async with asyncio.timeout(self._manners.timeout):
                response = await client.get(url)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise _Retry(
                f"{_where(url)} did not answer in full within {self._manners.timeout:g} s. "
                "Try again later, or give it more time."
            ) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise _Retry(
                f"{_where(url)} could not be read ({type(error).__name__}). Check the network "
                "and try again, or use the embedded sample."
            ) from error
        return _accept(response, url)


def _accept(response: httpx.Response, url: str) -> bytes:
    status, where = response.status_code, _where(url)
    if status == 429 or (status in _AGAIN and "Retry-After" in response.headers):
        wait = _retry_after(response.headers.get("Retry-After", ""))
        asked = "" if wait is None else f" and asks to wait {wait:g} s"
        raise _Retry(f"{where} is busy ({status}){asked}. Ask again after that.", wait)
    if status in _AGAIN:
        raise _Retry(f"{where} is unavailable ({status}). Try again in some minutes.")
    if status == 403:
        raise ToolFailure(
            f"{where} refused the request (403). The SEC refuses programs that do not give a "
            "name and an e-mail address, or ask too often: check the identity, then wait ten "
            "minutes before asking again."
        )
    if status == 404:
        raise NotFound(f"{where} does not exist (404). Check the base URL and the company.")
    if status != 200:
        raise ToolFailure(f"{where} answered {status}. Check the base URL, or try again later.")
    if response.content.lstrip()[:1] == b"<":
        raise ToolFailure(
            f"{where} answered with a web page instead of JSON: a notice, a login or a block "
            "stands in between. Check the base URL and the identity, and try again later."
        )
    if not _whole(response.content):
        raise _Retry(f"{where} sent an incomplete document. Try again in a minute.")
    return response.content


def _whole(body: bytes) -> bool:
    try:
        msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return False
    return True


def _where(url: str) -> str:
    """An address without user, password and query, for messages."""
    return url.partition("://")[2].rpartition("@")[2].partition("?")[0]


def _retry_after(value: str) -> float | None:
    """Seconds to wait, given as a number or as a date."""
    if value.strip().isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
