"""The tools that a language model gets beside its financial figures, as keys and settings allow."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from tallybook.console.settings import Settings
from tallybook.research.mounting import Mountable
from tallybook.tools.http import Http
from tallybook.tools.market.financial_datasets import FINANCIAL_DATASETS, FinancialDatasets
from tallybook.tools.market.history import PriceSource
from tallybook.tools.market.news import news_tool
from tallybook.tools.market.prices import market_tool
from tallybook.tools.market.tiingo import TIINGO, Tiingo
from tallybook.tools.market.yahoo import YAHOO, Yahoo

AGENT = "Mozilla/5.0 (compatible; tallybook)"


def toolbox(settings: Settings) -> tuple[Mountable, ...]:
    """Prices, returns and news; a service with a key comes before the one without."""
    http = Http(headers={"User-Agent": AGENT})
    return market_tool(_prices(settings, http, _now), _now), news_tool(http, _now)


def _prices(settings: Settings, http: Http, now: Callable[[], datetime]) -> PriceSource:
    if key := settings.get("TIINGO_API_KEY"):
        return Tiingo(http, now, key, settings.get("TALLYBOOK_TIINGO_URL") or TIINGO)
    if key := settings.get("FINANCIAL_DATASETS_API_KEY"):
        url = settings.get("TALLYBOOK_FINANCIAL_DATASETS_URL") or FINANCIAL_DATASETS
        return FinancialDatasets(http, now, key, url)
    return Yahoo(http, now, settings.get("TALLYBOOK_YAHOO_URL") or YAHOO)


def _now() -> datetime:
    return datetime.now(UTC)
