"""What a server answered: a whole document, or in a sentence why it is none.

A message never shows a query or a header, where keys may stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from tallybook.tools.failure import ToolFailure

_AGAIN = frozenset({429, 500, 502, 503, 504})


class Reply(NamedTuple):
    """A good answer: the address in the end, its headers (names in lower case), all of it."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def kind(self) -> str:
        """The media type, such as text/html; "" where none is given."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Refused(ToolFailure):
    """The server said no; `status` is its status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class NotFound(Refused):
    """The server has no such document."""


class Retry(Exception):
    """A failure that another try may mend; `wait` is in seconds, if the server said."""

    def __init__(self, failure: ToolFailure, wait: float | None = None) -> None:
        super().__init__(str(failure))
        self.failure = failure
        self.wait = wait


def place(url: str) -> str:
    """An address without user, password and query, for messages."""
    start, _, rest = url.partition("?")[0].partition("#")[0].partition("://")
    host, slash, path = rest.partition("/")
    return f"{host.rpartition('@')[2]}{slash}{path}" or start


def same_host(url: str, target: str) -> bool:
    """Whether a redirect stays on the host and as safe: keys are sent along with it."""
    old, new = urlsplit(url), urlsplit(target)
    return old.hostname == new.hostname and (old.scheme, new.scheme) != ("https", "http")


def accepted(reply: Reply) -> Reply:
    """A good answer as it is; raises Retry for what may pass, Refused for what will not."""
    status, where = reply.status, place(reply.url)
    wait = _retry_after(reply.headers.get("retry-after", ""))
    if status == 429 or (status in _AGAIN and wait is not None):
        asked = "" if wait is None else f" and asks to wait {wait:g} s"
        raise Retry(
            Refused(f"{where} is busy ({status}){asked}. Ask again after that.", status), wait
        )
    if status in _AGAIN:
        told = f"{where} is unavailable ({status}). Try again in some minutes."
        raise Retry(Refused(told, status))
    if status == 404:
        raise NotFound(f"{where} does not exist (404). Check the address.", status)
    if status in {401, 403}:
        raise Refused(
            f"{where} refused the request ({status}). Check the key or identity that it asks for.",
            status,
        )
    if not 200 <= status < 300:
        raise Refused(f"{where} answered {status}. Check the address, or try again later.", status)
    return reply


def anything(reply: Reply) -> Reply:
    """Whatever document it is."""
    return reply


def whole_json(reply: Reply) -> Reply:
    """A whole JSON document, or why it is none."""
    if reply.body.lstrip()[:1] == b"<":
        raise ToolFailure(
            f"{place(reply.url)} answered with a web page instead of JSON: a notice, a login or a "
            "block stands in between. Check the address and the identity, and try again later."
        )
    try:
        msgspec.json.decode(reply.body, type=msgspec.Raw)
    except msgspec.MsgspecError as error:
        told = f"{place(reply.url)} sent an incomplete document. Try again in a minute."
        raise Retry(ToolFailure(told)) from error
    return reply


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
