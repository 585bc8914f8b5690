"""Headlines from feeds, over real HTTP; a feed that is none, or a bomb, is refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.loopback import Reply, serve
from tests.tools.market.made import http, now

from tallybook.tools.failure import ToolFailure
from tallybook.tools.market.news import NewsOptions, news_tool
from tallybook.tools.market.rss import parse

YAHOO = "/rss/2.0/headline?s=NVDA&region=US&lang=en-US"
GOOGLE = "/rss/search?q=Nvidia+earnings&hl=en-US&gl=US&ceid=US%3Aen"

FEED = b"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
<title>News</title><link>https://news.example</link>
<item><title>Old &amp; gold - The Paper</title><link>https://a.example/1</link>
<pubDate>Mon, 02 Mar 2026 08:00:00 GMT</pubDate>
<source url="https://paper.example">The Paper</source></item>
<item><title><![CDATA[New  chips]]></title><link>https://a.example/2</link>
<pubDate>Tue, 03 Mar 2026 10:00:00 +0200</pubDate></item>
<item><title>Undated</title><link>https://a.example/3</link><pubDate>soon</pubDate></item>
<item><title>Not a link</title><link>javascript:alert(1)</link></item>
<item><link>https://a.example/5</link></item>
</channel></rss>"""

BOMB = b"""<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<rss><channel><item><title>&c;</title><link>https://a.example</link></item></channel></rss>"""

FILE = b"""<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<rss><channel><item><title>&x;</title><link>https://a.example</link></item></channel></rss>"""


def ask(
    replies: Mapping[str, Reply], timeout: float = 5.0, **request: str | int
) -> dict[str, object]:
    with serve(replies) as server:
        tool = news_tool(http(timeout), now, NewsOptions(server.url, server.url))
        answer: dict[str, object] = json.loads(asyncio.run(tool.call(request)))
        return answer


def refused(reply: Reply, timeout: float = 5.0) -> str:
    with pytest.raises(ToolFailure) as caught:
        ask({YAHOO: reply}, timeout, symbol="NVDA")
    return str(caught.value)


def test_headlines_come_newest_first_with_time_publisher_and_link() -> None:
    answer = ask({YAHOO: Reply(FEED)}, symbol="nvda")
    here = str(answer["url"]).split("/")[2]
    assert answer["headlines"] == [
        {
            "title": "New chips",
            "published": "2026-03-03T08:00:00Z",
            "publisher": here,
            "link": "https://a.example/2",
        },
        {
            "title": "Old & gold",
            "published": "2026-03-02T08:00:00Z",
            "publisher": "The Paper",
            "link": "https://a.example/1",
        },
        {
            "title": "Undated",
            "published": "not given",
            "publisher": here,
            "link": "https://a.example/3",
        },
    ]
    assert answer["as_of"] == "2026-04-01T12:00:00Z"


def test_words_are_looked_for_elsewhere_and_the_rest_is_said() -> None:
    answer = ask({GOOGLE: Reply(FEED)}, query=" Nvidia earnings ", limit=1)
    assert answer["about"] == "Nvidia earnings"
    assert answer["more"] == "2 older ones are in the feed: set limit."


def test_one_of_symbol_and_query_is_asked_for() -> None:
    for symbol, query in (("", ""), ("NVDA", "chips"), ("", " ")):
        with pytest.raises(ToolFailure, match="either a symbol"):
            ask({}, symbol=symbol, query=query)
    with pytest.raises(ToolFailure, match="1 to 50"):
        ask({}, symbol="NVDA", limit=0)
    with pytest.raises(ToolFailure, match="Shorten"):
        ask({}, query="x" * 201)


def test_a_feed_that_declares_entities_is_refused_before_any_is_expanded() -> None:
    assert "expand without end" in refused(Reply(BOMB))
    assert "expand without end" in refused(Reply(FILE))


def test_a_web_page_a_torn_feed_and_a_drip_are_refused() -> None:
    assert refused(Reply(b"<!DOCTYPE html><html><p>Consent", headers={"Content-Type": "text/html"}))
    assert "<html> document" in refused(Reply(b"<html><body/></html>"))
    assert refused(Reply(FEED, keep=300))
    assert "no whole feed" in refused(Reply(FEED[:300]))
    assert refused(Reply(FEED, drip=0.01), timeout=0.2)


def test_an_empty_feed_is_no_news() -> None:
    assert "no news about NVDA" in refused(Reply(b"<rss><channel/></rss>"))


def test_too_many_requests_are_said() -> None:
    assert "429" in refused(Reply(b"", 429, {"Retry-After": "0"}))


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_anything_is_a_feed_or_refused(body: bytes) -> None:
    for whole in (body, b"<rss><channel><item><title>" + body + b"</title></item></channel></rss>"):
        with suppress(ToolFailure):
            parse(whole, "made")
