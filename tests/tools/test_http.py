"""Reading over HTTP, from a real server: bounds, redirects, guards and retries."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TypeVar

import pytest
from tests.loopback import Reply, serve

from tallybook.tools.failure import ToolFailure
from tallybook.tools.http import Http, Manners, NotFound, Redirected, Refused, place
from tallybook.tools.replies import same_host

T = TypeVar("T")
QUICK = Manners(per_second=1000.0, timeout=5.0, pause=0.01, most_bytes=50_000)


def run(work: Coroutine[None, None, T]) -> T:
    return asyncio.run(work)


def test_an_answer_comes_whole_with_its_address_and_kind() -> None:
    page = Reply(b"<p>hello</p>", headers={"Content-Type": "text/html; charset=utf-8"})
    with serve({"/a?q=1": page}) as server:
        reply = run(Http(QUICK).get(f"{server.url}/a", params={"q": "1"}))
    assert (reply.body, reply.kind) == (b"<p>hello</p>", "text/html")


@pytest.mark.parametrize("body", [b"x" * 50_001, gzip.compress(b"\0" * 5_000_000)])
def test_a_body_over_the_limit_is_given_up_however_it_is_packed(body: bytes) -> None:
    packed = {"Content-Encoding": "gzip"} if body[:2] == b"\x1f\x8b" else {}
    with (
        serve({"/big": Reply(body, headers=packed)}) as server,
        pytest.raises(ToolFailure, match="larger than 50,000 bytes"),
    ):
        run(Http(QUICK).get(f"{server.url}/big"))


def test_a_redirect_within_a_host_is_followed_and_in_circles_given_up() -> None:
    moved = {"/old": Reply(status=302, headers={"Location": "/new"}), "/new": Reply(b"here")}
    circle = {"/round": Reply(status=301, headers={"Location": "/round"})}
    with serve({**moved, **circle}) as server:
        reply = run(Http(QUICK).get(f"{server.url}/old"))
        assert (reply.body, reply.url) == (b"here", f"{server.url}/new")
        with pytest.raises(ToolFailure, match="in circles"):
            run(Http(QUICK).get(f"{server.url}/round"))


def test_a_redirect_to_another_host_is_told_and_not_followed() -> None:
    away = Reply(status=302, headers={"Location": "http://example.org/x"})
    with serve({"/old": away}) as server, pytest.raises(Redirected) as told:
        run(Http(QUICK).get(f"{server.url}/old"))
    assert told.value.url == "http://example.org/x"


@pytest.mark.parametrize(
    ("url", "target", "followed"),
    [
        ("https://a.b/x", "https://a.b/y", True),
        ("http://a.b/x", "https://a.b/x", True),
        ("https://a.b/x", "http://a.b/x", False),
        ("https://a.b/x", "https://a.b.evil.org/x", False),
    ],
)
def test_keys_go_along_to_the_same_host_only_and_never_in_the_clear(
    url: str, target: str, followed: bool
) -> None:
    assert same_host(url, target) == followed


def test_a_message_shows_no_password_and_no_query() -> None:
    assert place("https://me:pw@a.b:1/@user/x?key=1@2#y") == "a.b:1/@user/x"
    away = Reply(status=302, headers={"Location": "http://example.org/x?token=secret"})
    with serve({"/old": away}) as server, pytest.raises(Redirected) as told:
        run(Http(QUICK).get(f"{server.url}/old"))
    assert "secret" not in str(told.value)


def test_a_body_packed_twice_is_not_unpacked() -> None:
    bomb = gzip.compress(gzip.compress(b"\0" * 50_000_000))
    reply = Reply(bomb, headers={"Content-Encoding": "gzip, gzip"})
    with serve({"/b": reply}) as server, pytest.raises(ToolFailure, match="packed twice"):
        run(Http(QUICK).get(f"{server.url}/b"))


def test_a_guard_is_asked_for_each_address_and_its_refusal_stands() -> None:
    seen: list[str] = []

    async def guard(url: str) -> str:
        seen.append(url)
        if "169.254" in url:
            raise ToolFailure("That address is private.")
        return "127.0.0.1"

    away = Reply(status=302, headers={"Location": "http://169.254.169.254/meta"})
    with serve({"/old": away, "/ok": Reply(b"ok")}) as server:
        port = server.url.rpartition(":")[2]
        http = Http(QUICK, guard=guard)
        assert run(http.get(f"http://somewhere.invalid:{port}/ok")).body == b"ok"
        assert server.asked[0].headers["Host"] == f"somewhere.invalid:{port}"
        with pytest.raises(ToolFailure, match="private"):
            run(http.get(f"{server.url}/old"))
    assert seen[-1] == "http://169.254.169.254/meta"


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    soon = format_datetime(datetime.now(UTC) - timedelta(seconds=1), usegmt=True)
    busy = [Reply(status=429, headers={"Retry-After": soon}), Reply(b"{}")]
    with serve({"/a": busy}) as server:
        assert run(Http(QUICK).json(f"{server.url}/a")) == b"{}"
        assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(b"<html>", headers={"Content-Type": "application/json"}), "web page instead"),
        (Reply(b'{"a": 1'), "incomplete document"),
        (Reply(b"x" * 100, keep=50), "could not be read"),
        (Reply(b"{}", status=401), "Check the key"),
        (Reply(b"{}", status=500), "unavailable"),
        (Reply(b"{}", drip=0.4), "did not answer in full"),
    ],
    ids=["html", "half", "cut", "refused", "down", "drip"],
)
def test_what_is_no_document_is_said_in_a_sentence(reply: Reply, told: str) -> None:
    manners = Manners(per_second=1000, timeout=0.6, tries=2, pause=0.01)
    with serve({"/a?key=secret": reply}) as server, pytest.raises(ToolFailure, match=told) as said:
        run(Http(manners).json(f"{server.url}/a", params={"key": "secret"}))
    assert "secret" not in str(said.value)


def test_a_document_that_is_not_there_is_told_apart() -> None:
    with serve({}) as server, pytest.raises(NotFound) as said:
        run(Http(QUICK).get(f"{server.url}/a"))
    assert isinstance(said.value, Refused)
    assert said.value.status == 404


@pytest.mark.parametrize("url", ["nowhere", "ftp://x/y", "http://", "http://[::1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ToolFailure):
        run(Http(Manners(tries=1)).get(url))


def test_headers_are_not_shown() -> None:
    assert "secret" not in repr(Http(QUICK, {"Authorization": "secret"}))
