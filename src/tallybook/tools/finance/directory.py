"""Which company a name means: by ticker, else by its name, else the likely ones are named.

Only one reading is ever taken: an ambiguous name fails with the candidates, because figures
of the wrong company are worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

import msgspec

from tallybook.tools.failure import ToolFailure

_LEGAL = re.compile(
    r"\b(inc|incorporated|corp|corporation|co|company|companies|ltd|limited|plc|llc|lp|sa|nv|ag"
    r"|se|holdings?|group|trust|the|de|new|class [a-c])\b"
)


class Listing(msgspec.Struct, frozen=True):
    """A company as EDGAR lists it."""

    cik_str: int
    ticker: str
    title: str

    def __str__(self) -> str:
        """Name it for a reader: "AAPL (Apple Inc.)"."""
        return f"{self.ticker} ({self.title})"


@dataclass(frozen=True)
class Directory:
    """All listed companies, the most traded first, as EDGAR orders them."""

    listings: tuple[Listing, ...]

    def find(self, name: str) -> Listing:
        """Give the one company that a ticker or name means, or raise `ToolFailure`."""
        ticker = re.sub(r"[./ ]", "-", name.strip().upper())
        listed = next((x for x in self.listings if x.ticker == ticker), None)
        if listed is not None and name.isupper():
            return listed
        named = self._named(_plain(name))
        if listed is not None and (not named or listed in named):
            return listed
        if listed is None and len({x.cik_str for x in named}) == 1:
            return named[0]
        likely = _first_of_each([x for x in (listed, *named) if x] or self._close(name))[:4]
        hint = f"Did you mean {', '.join(map(str, likely))}?" if likely else "Check its spelling."
        raise ToolFailure(f"EDGAR lists no company {name!r} for certain. {hint} Use the ticker.")

    def _named(self, wanted: str) -> list[Listing]:
        """Companies of that name, else those whose name begins with it."""
        if not wanted:
            return []
        first = wanted.split(maxsplit=1)[0]
        near = [(x, _plain(x.title)) for x in self.listings if first in _folded(x.title)]
        same = [x for x, title in near if title == wanted]
        return same or [x for x, title in near if title.startswith(f"{wanted} ")]

    def _close(self, name: str) -> Iterable[Listing]:
        by_title = {_plain(listing.title): listing for listing in reversed(self.listings)}
        by_ticker = {listing.ticker: listing for listing in reversed(self.listings)}
        for key in get_close_matches(_plain(name), by_title, n=2, cutoff=0.7):
            yield by_title[key]
        for key in get_close_matches(name.upper(), by_ticker, n=3, cutoff=0.7):
            yield by_ticker[key]


def read_directory(body: bytes) -> Directory:
    """Read EDGAR's `company_tickers.json`."""
    try:
        listings = msgspec.json.decode(body, type=dict[str, Listing])
    except msgspec.MsgspecError as error:
        raise ToolFailure(
            f"The list of tickers has another form than EDGAR's ({error}). Check the base URL."
        ) from error
    return Directory(tuple(listings.values()))


def _folded(name: str) -> str:
    return name.casefold().replace("'", "")


def _plain(name: str) -> str:
    words = re.sub(r"[^\w ]+", " ", _folded(name))
    return " ".join(_LEGAL.sub(" ", words).split())


def _first_of_each(listings: Iterable[Listing]) -> list[Listing]:
    return list({listing.cik_str: listing for listing in reversed(list(listings))}.values())[::-1]
