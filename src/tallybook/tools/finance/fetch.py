"""JSON documents of EDGAR: from a cache on disk, else from the server, in the SEC's own words.

Nothing is cached but a whole JSON document.
"""

from __future__ import annotations

import os
import tempfile
import time
from datetime import timedelta
from pathlib import Path

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.http import Http, Manners, Refused, place


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
        self._http = Http(manners, {"User-Agent": agent})
        self._cache = cache

    async def json(self, url: str) -> bytes:
        """Give a whole JSON document, from the cache or the server, or raise `ToolFailure`."""
        name = place(url).replace(":", "_")
        if (known := self._cache.read(name)) is not None:
            return known
        try:
            body = await self._http.json(url)
        except Refused as refused:
            if refused.status != 403:
                raise
            raise ToolFailure(
                f"{place(url)} refused the request (403). The SEC refuses programs that do not "
                "give a name and an e-mail address, or ask too often: check the identity, then "
                "wait ten minutes before asking again."
            ) from refused
        self._cache.write(name, body)
        return body


def _whole(body: bytes) -> bool:
    try:
        msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return False
    return True
