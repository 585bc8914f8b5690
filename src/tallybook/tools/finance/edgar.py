"""Company facts live from EDGAR, or from a mirror of it.

The SEC asks every program for a name and an e-mail address and for at most ten requests a
second; both are kept. Facts change when a company files, so a day-old copy from the cache
is good enough for figures of quarters.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from tallybook.errors import ConfigError
from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.directory import Directory, read_directory
from tallybook.tools.finance.facts import CompanyFacts, parse
from tallybook.tools.finance.fetch import Cache, Fetcher
from tallybook.tools.http import Manners, NotFound


@dataclass(frozen=True)
class EdgarOptions:
    """Where to ask and as whom.

    `identity` is a name and an e-mail address, sent as User-Agent; a mirror needs none.
    `facts_url` serves `/api/xbrl/companyfacts/CIK##########.json`, `files_url` serves
    `/files/company_tickers.json`. Without a `cache` folder every request goes out.
    """

    identity: str = ""
    facts_url: str = "https://data.sec.gov"
    files_url: str = "https://www.sec.gov"
    cache: Path | None = None
    max_age: timedelta = timedelta(days=1)
    manners: Manners = field(default_factory=Manners)


class Edgar:
    """EDGAR as a source of facts."""

    def __init__(self, options: EdgarOptions) -> None:
        _check(options)
        self._options = options
        cache = Cache(options.cache, options.max_age)
        agent = options.identity or "tallybook"
        self._fetcher = Fetcher(options.manners, cache, agent)

    @property
    def about(self) -> str:
        """Name the host that the figures come from."""
        host = urlsplit(self._options.facts_url).netloc.rpartition("@")[2]
        return f"SEC EDGAR company facts ({host})"

    async def facts(self, names: Sequence[str]) -> Sequence[CompanyFacts | ToolFailure]:
        """Give the facts of each company; raise `ToolFailure` when none can be asked for."""
        self._introduce()
        url = f"{self._options.files_url}/files/company_tickers.json"
        directory = read_directory(await self._fetcher.json(url))
        return await asyncio.gather(*(self._one(directory, name) for name in names))

    async def _one(self, directory: Directory, name: str) -> CompanyFacts | ToolFailure:
        try:
            company = directory.find(name)
            path = f"/api/xbrl/companyfacts/CIK{company.cik_str:010}.json"
            try:
                body = await self._fetcher.json(self._options.facts_url + path)
            except NotFound:
                return ToolFailure(
                    f"EDGAR has no company facts of {company}: it is a fund, or a foreign or "
                    "new filer. Read its filings instead, or ask about another company."
                )
            return parse(body, company.ticker, company.cik_str)
        except ToolFailure as failure:
            return failure

    def _introduce(self) -> None:
        """Refuse to ask the SEC itself without an identity: it would answer 403 anyway."""
        urls = (self._options.facts_url, self._options.files_url)
        hosts = (urlsplit(url).hostname or "" for url in urls)
        if any(host.endswith("sec.gov") for host in hosts) and "@" not in self._options.identity:
            raise ToolFailure(
                "The SEC asks every program for a name and an e-mail address, and none is set. "
                'Set an EDGAR identity such as "Jane Doe jane@example.com", or use the '
                "embedded sample."
            )


def _check(options: EdgarOptions) -> None:
    for url in (options.facts_url, options.files_url):
        if not url.startswith(("https://", "http://")):
            raise ConfigError(f"The EDGAR address {url!r} must begin with https:// or http://.")
    if not options.identity.isprintable():
        raise ConfigError("The EDGAR identity must be one line: a name and an e-mail address.")
