"""The tools that a language model gets beside its financial figures, as keys and settings allow."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from tallybook.console.settings import Settings
from tallybook.research.mounting import Mountable
from tallybook.tools.filings.holdings import holdings_tool
from tallybook.tools.filings.insiders import insider_tool
from tallybook.tools.filings.listing import list_filings_tool
from tallybook.tools.filings.reading import read_filings_tool
from tallybook.tools.filings.source import MANNERS, Filings, FilingsOptions
from tallybook.tools.http import Http
from tallybook.tools.market.financial_datasets import FINANCIAL_DATASETS, FinancialDatasets
from tallybook.tools.market.history import PriceSource
from tallybook.tools.market.news import news_tool
from tallybook.tools.market.prices import market_tool
from tallybook.tools.market.tiingo import TIINGO, Tiingo
from tallybook.tools.market.yahoo import YAHOO, Yahoo

AGENT = "Mozilla/5.0 (compatible; tallybook)"


def toolbox(settings: Settings, identity: str = "") -> tuple[Mountable, ...]:
    """Prices, returns, news and filings; a service with a key comes before the one without.

    Filings need an `identity`, as the SEC asks of every program, or a mirror of EDGAR.
    """
    http = Http(headers={"User-Agent": AGENT})
    market = (market_tool(_prices(settings, http, _now), _now), news_tool(http, _now))
    return market + _filings(settings, identity)


def _filings(settings: Settings, identity: str) -> tuple[Mountable, ...]:
    mirror = settings.get("TALLYBOOK_EDGAR_URL")
    if not (identity or mirror):
        return ()
    options = FilingsOptions(identity, mirror, mirror) if mirror else FilingsOptions(identity)
    filings = Filings(Http(MANNERS), options)
    return (
        list_filings_tool(filings),
        read_filings_tool(filings),
        insider_tool(filings),
        holdings_tool(filings),
    )


def _prices(settings: Settings, http: Http, now: Callable[[], datetime]) -> PriceSource:
    if key := settings.get("TIINGO_API_KEY"):
        return Tiingo(http, now, key, settings.get("TALLYBOOK_TIINGO_URL") or TIINGO)
    if key := settings.get("FINANCIAL_DATASETS_API_KEY"):
        url = settings.get("TALLYBOOK_FINANCIAL_DATASETS_URL") or FINANCIAL_DATASETS
        return FinancialDatasets(http, now, key, url)
    return Yahoo(http, now, settings.get("TALLYBOOK_YAHOO_URL") or YAHOO)


def _now() -> datetime:
    return datetime.now(UTC)
