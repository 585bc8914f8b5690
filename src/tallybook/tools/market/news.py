"""`get_news`: headlines about a company or a topic from RSS feeds, without a key.

A feed gives titles and links, never the articles, so a result says what was written where and
when; what an article says has to be fetched. Feeds reach back some days or weeks at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.http import Http
from tallybook.tools.market.decode import host, stamp, symbol_of
from tallybook.tools.market.rss import Item, parse
from tallybook.tools.tool import Tool

NAME = "get_news"

MOST_ITEMS = 50
LONGEST_QUERY = 200

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class NewsOptions:
    """Where the feeds are: by symbol from Yahoo Finance, by words from Google News."""

    yahoo_url: str = "https://feeds.finance.yahoo.com"
    google_url: str = "https://news.google.com"


class NewsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to look for: either a ticker `symbol`, or a `query` of words; `limit` is 1 to 50."""

    symbol: str = ""
    query: str = ""
    limit: int = 10


class Headline(msgspec.Struct, frozen=True, omit_defaults=True):
    """One piece of news. `published` is UTC."""

    title: str
    published: str
    publisher: str
    link: str


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """Headlines, newest first. `more` says how many the feed has beyond these."""

    about: str
    source: str
    url: str
    as_of: str
    more: str = ""
    headlines: tuple[Headline, ...] = ()


def news_tool(
    http: Http, now: Callable[[], datetime], options: NewsOptions | None = None
) -> Tool[NewsRequest]:
    """The tool over both feeds; `now` is an aware clock."""
    where = options or NewsOptions()

    async def run(request: NewsRequest) -> str:
        text = msgspec.json.encode(await get_news(request, http, now, where)).decode()
        return text.replace('{"title":', '\n{"title":')

    return Tool(NAME, DESCRIPTION, NewsRequest, run)


async def get_news(
    request: NewsRequest, http: Http, now: Callable[[], datetime], options: NewsOptions
) -> News:
    """Answer a request; raise `ToolFailure` when it is wrong, or no feed can be read."""
    _check(request)
    if request.symbol:
        about = symbol_of(request.symbol)
        url = f"{options.yahoo_url.rstrip('/')}/rss/2.0/headline"
        params = {"s": about, "region": "US", "lang": "en-US"}
    else:
        about = request.query.strip()
        url = f"{options.google_url.rstrip('/')}/rss/search"
        params = {"q": about, "hl": "en-US", "gl": "US", "ceid": "US:en"}
    reply = await http.get(url, params=params)
    items = sorted(parse(reply.body, host(url)), key=_moment, reverse=True)
    if not items:
        raise ToolFailure(
            f"{host(url)} has no news about {about}. Try the company's name as a query, or a "
            "web search."
        )
    return News(
        about,
        f"RSS feed of {host(url)}",
        url,
        stamp(now()),
        _more(len(items), request.limit),
        tuple(_headline(item, host(url)) for item in items[: request.limit]),
    )


DESCRIPTION = f"""\
Recent headlines about a company, by ticker symbol, or about a topic, by a query of words; newest
first, with time (UTC), publisher and link, at most {MOST_ITEMS}. Feeds reach back days, not
years, and hold no articles: fetch the link to read one. A headline is a claim, not a figure.
"""


def _check(request: NewsRequest) -> None:
    if bool(request.symbol.strip()) == bool(request.query.strip()):
        raise ToolFailure("Give either a symbol such as NVDA or a query of words, not both.")
    if len(request.query) > LONGEST_QUERY:
        raise ToolFailure(f"The query is longer than {LONGEST_QUERY} characters. Shorten it.")
    if not 1 <= request.limit <= MOST_ITEMS:
        raise ToolFailure(f"limit is {request.limit}; ask for 1 to {MOST_ITEMS} headlines.")


def _moment(item: Item) -> datetime:
    return item.published or _NEVER


def _headline(item: Item, source: str) -> Headline:
    published = stamp(item.published) if item.published else "not given"
    return Headline(item.title, published, item.publisher or source, item.link)


def _more(found: int, limit: int) -> str:
    return f"{found - limit} older ones are in the feed: set limit." if found > limit else ""
