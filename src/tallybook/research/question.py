"""Understand a question about companies, line items and periods, in English or Chinese.

By rules and a lexicon, so it is honest about its limits: what it did not understand is part
of the result, and what it cannot answer is named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from tallybook.research.lexicon import BEYOND, COMPANIES, ITEMS
from tallybook.research.periods import Periods, periods

Language = Literal["en", "zh"]

_CJK = re.compile(r"[\u4e00-\u9fff]")
_TICKER = re.compile(r"\$?\b[A-Za-z]{2,5}\b")
_NAME = re.compile(r"\b[A-Z][a-z]{2,}(?:\s[A-Z][a-z]+)*\b")
_NO_TICKER = frozenset(
    re.findall(
        r"\w+",
        "FY TTM USD EPS FCF OCF YOY QOQ SG GAAP EBIT COGS CEO CFO SEC US USA UK EU AND FOR THE "
        "OF IN TO VS IPO ETF CAPEX OPEX SBC SGA RD AI LTM IS IT ME WHAT HOW SHOW GIVE TELL",
    )
)
_WORDS = frozenset({"COST", "DIS", "HD", "KO", "META", "MU"})
_NO_NAME = frozenset(
    re.findall(
        r"\w+",
        "Compare Show Give Tell What How Which Please List Report Find The Last Past Latest And "
        "Revenue Gross Free Cash Flow Net Income Operating Margin Fiscal Year Quarter Quarters "
        "Between From Since For Who Why Did Does Was Were Over Total Annual Quarterly Earnings "
        "January February March April May June July August September October November December "
        "Then Now Also Are Can Could Has Have Capital",
    )
)


@dataclass(frozen=True)
class Question:
    """What was understood. `tickers` and `items` are in the order of their first mention.

    `unknown` are words that look like companies and are none we know; `beyond` names what was
    asked that is not in financial statements.
    """

    tickers: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    periods: Periods | None = None
    compares: bool = False
    language: Language = "en"
    unknown: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether it names at least one company and one item."""
        return bool(self.tickers and self.items)


def understand(texts: list[str], today: date) -> Question:
    """Understand the last of the user's messages; what it leaves out comes from those before."""
    asked = Question()
    for text in texts:
        asked = _follow(asked, _alone(text, today))
    return asked


def _alone(text: str, today: date) -> Question:
    tickers, left = _tickers(text)
    items = _items(left)
    unknown = [
        name
        for name in _NAME.findall(left)
        if not set(name.split()) & _NO_NAME and not _items(name)
    ]
    return Question(
        tickers=tickers,
        items=items,
        periods=periods(text, today),
        compares=len(tickers) > 1,
        language="zh" if _CJK.search(text) else "en",
        unknown=tuple(dict.fromkeys(unknown)),
        beyond=tuple(kind for kind, words in BEYOND.items() if re.search(words, text.lower())),
    )


def _follow(before: Question, now: Question) -> Question:
    tickers = now.tickers or before.tickers
    return replace(
        now,
        tickers=tickers,
        items=now.items or before.items,
        periods=now.periods or before.periods,
        compares=len(tickers) > 1,
    )


def _tickers(text: str) -> tuple[tuple[str, ...], str]:
    """Companies by name or ticker in order of mention, and the text without them."""
    places: dict[str, int] = {}
    left = text
    names = sorted(((n, t) for t, ns in COMPANIES.items() for n in ns), key=lambda p: -len(p[0]))
    for name, ticker in names:
        bound = "" if _CJK.search(name) else r"\b"
        pattern = re.compile(f"{bound}{re.escape(name)}(?:'s|’s)?{bound}", re.IGNORECASE)
        for match in pattern.finditer(left):
            places.setdefault(ticker, match.start())
        left = pattern.sub(lambda match: " " * len(match[0]), left)
    shouted = text.isupper()
    for match in _TICKER.finditer(left):
        ticker = match[0].lstrip("$").upper()
        capital = match[0].isupper()
        if not capital and (ticker not in COMPANIES or ticker in _WORDS):
            continue
        if ticker in COMPANIES or (ticker not in _NO_TICKER and not shouted):
            places.setdefault(ticker, match.start())
            left = left[: match.start()] + " " * len(match[0]) + left[match.end() :]
    return tuple(sorted(places, key=lambda ticker: places[ticker])), left


def _items(text: str) -> tuple[str, ...]:
    """Items in order of mention, each place of the text read once, the longest phrase first."""
    lower = text.lower()
    places: dict[str, int] = {}
    by_length = sorted(
        ((p, k) for k, ps in ITEMS.items() for p in ps), key=lambda pair: -len(pair[0])
    )
    for phrase, key in by_length:
        bound = "" if _CJK.search(phrase) else r"(?![a-z])"
        start = "" if _CJK.search(phrase) else r"(?<![a-z])"
        pattern = re.compile(f"{start}{re.escape(phrase)}{bound}")
        match = pattern.search(lower)
        if match:
            places.setdefault(key, match.start())
            lower = pattern.sub(lambda found: " " * len(found[0]), lower)
    return tuple(sorted(places, key=lambda key: places[key]))
