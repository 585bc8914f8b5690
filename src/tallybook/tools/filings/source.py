"""Filings live from EDGAR, or from a mirror of it.

The SEC asks every program for a name and an e-mail address; without one it is not asked. The
list of tickers and the newest documents are kept, so that reading on costs no further request.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypeVar
from urllib.parse import urljoin, urlsplit

from tallybook.errors import ConfigError
from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.submissions import (
    Filed,
    Submissions,
    plain_accession,
    read_older,
    read_submissions,
)
from tallybook.tools.finance.directory import Directory, read_directory
from tallybook.tools.http import Http, Manners, NotFound, Refused, place

T = TypeVar("T")

MANNERS = Manners(timeout=60.0, most_bytes=60_000_000)
"""How to ask EDGAR: slower than its ten requests a second; a bank's 10-K may have 30 MB."""

_BLOCKED = re.compile(rb"undeclared automated tool|request rate threshold exceeded", re.I)


@dataclass(frozen=True)
class FilingsOptions:
    """Where to ask and as whom: `identity` is a name and an e-mail address.

    `data_url` serves `/submissions/CIK##########.json`; `files_url` serves
    `/files/company_tickers.json` and `/Archives/edgar/data/`.
    """

    identity: str = ""
    data_url: str = "https://data.sec.gov"
    files_url: str = "https://www.sec.gov"


class Attachment(NamedTuple):
    """One document of a filing: its type such as "EX-99.1", and where it is."""

    kind: str
    url: str
    description: str


class Filings:
    """EDGAR as a source of filings."""

    def __init__(self, http: Http, options: FilingsOptions) -> None:
        _check(options)
        self._http = http
        self._options = options
        self._directory: Directory | None = None

    async def filer(self, name: str) -> Submissions:
        """The index of a company by ticker or name, or of any filer by CIK number."""
        self._introduce()
        cik = int(digits) if (digits := name.strip().upper().removeprefix("CIK")).isdigit() else 0
        if not cik:
            cik = (await self._listed()).find(name).cik_str
        url = f"{self._options.data_url.rstrip('/')}/submissions/CIK{cik:010}.json"
        try:
            return read_submissions(await self._json(url))
        except NotFound as error:
            raise ToolFailure(
                f"EDGAR has no filer with CIK {cik}. Check the number, or give a ticker."
            ) from error

    async def matching(
        self,
        filer: Submissions,
        wanted: Callable[[Filed], bool],
        enough: int,
        since: date | None = None,
    ) -> list[Filed]:
        """The newest filings that are wanted, from older pages of the index until `enough`.

        Pages that end before `since` are not asked for.
        """
        found = [filed for filed in filer.filings if wanted(filed)]
        base = self._options.data_url.rstrip("/")
        for page in sorted(filer.older, key=lambda page: page.last, reverse=True):
            if len(found) >= enough or (since and page.last < since):
                break
            older = read_older(await self._json(f"{base}/submissions/{page.name}"))
            found += filter(wanted, older)
        return found

    def url(self, cik: int, accession: str, document: str = "") -> str:
        """Where a document of a filing is, or without one the filing's index page."""
        plain = plain_accession(accession)
        folder = f"{self._options.files_url.rstrip('/')}/Archives/edgar/data/{cik}"
        return f"{folder}/{plain.replace('-', '')}/{document or f'{plain}-index.htm'}"

    def submission(self, cik: int, accession: str) -> str:
        """Where the whole of a filing is, as one text of all its documents."""
        return self.url(cik, accession, f"{plain_accession(accession)}.txt")

    async def attachments(self, cik: int, accession: str) -> tuple[Attachment, ...]:
        """The documents of a filing, in its order; an XML document as such, not as a page."""
        index = self.url(cik, accession)
        found = tuple(_rows((await self.document(index)).decode("utf-8", "replace"), index))
        if not found:
            raise ToolFailure(
                f"{place(index)} lists no documents. Check the base URL and the accession number."
            )
        return found

    async def document(self, url: str) -> bytes:
        """A document; a notice of the SEC in its place is refused."""
        self._introduce()
        body = (await self._asked(self._http.get(url, headers=self._headers()))).body
        if len(body) < 20_000 and (_BLOCKED.search(body) or not body.strip()):
            raise ToolFailure(_REFUSED.format(where=place(url)))
        return body

    async def _listed(self) -> Directory:
        if self._directory is None:
            url = f"{self._options.files_url.rstrip('/')}/files/company_tickers.json"
            self._directory = read_directory(await self._json(url))
        return self._directory

    async def _json(self, url: str) -> bytes:
        return await self._asked(self._http.json(url, headers=self._headers()))

    async def _asked(self, request: Awaitable[T]) -> T:
        """What was asked for; a 403 is explained, because the SEC's own words never say why."""
        try:
            return await request
        except Refused as refused:
            if refused.status != 403:
                raise
            where = str(refused).partition(" ")[0]
            raise ToolFailure(_REFUSED.format(where=where)) from refused

    def _headers(self) -> dict[str, str]:
        return {"User-Agent": self._options.identity or "tallybook"}

    def _introduce(self) -> None:
        """Refuse to ask the SEC itself without an identity: it would answer 403 anyway."""
        hosts = [urlsplit(url).hostname or "" for url in _urls(self._options)]
        if any(host.endswith("sec.gov") for host in hosts) and "@" not in self._options.identity:
            raise ToolFailure(
                "The SEC asks every program for a name and an e-mail address, and none is set. "
                'Set an EDGAR identity such as "Jane Doe jane@example.com".'
            )


_REFUSED = (
    "{where} refused the request. The SEC refuses programs that do not give a name and an e-mail "
    "address, or ask too often: check the identity, then wait ten minutes before asking again."
)


def _rows(page: str, index: str) -> Iterator[Attachment]:
    """The rows of an index page: number, description, document, type, size."""
    from selectolax.lexbor import LexborHTMLParser

    for row in LexborHTMLParser(page).css("table.tableFile tr"):
        cells = row.css("td")
        link = cells[2].css_first("a") if len(cells) >= 4 else None
        if link is None:
            continue
        target = (link.attrs.sget("href") or "").partition("doc=")
        url = urljoin(index, target[2] or target[0])
        if "/xsl" not in url and urlsplit(url).netloc == urlsplit(index).netloc:
            yield Attachment(cells[3].text(strip=True), url, cells[1].text(strip=True))


def _urls(options: FilingsOptions) -> tuple[str, str]:
    return options.data_url, options.files_url


def _check(options: FilingsOptions) -> None:
    for url in _urls(options):
        if not url.startswith(("https://", "http://")):
            raise ConfigError(f"The EDGAR address {url!r} must begin with https:// or http://.")
    if not options.identity.isprintable():
        raise ConfigError("The EDGAR identity must be one line: a name and an e-mail address.")
