"""Understand a question about companies, line items and periods, in English or Chinese.

By rules and word lists, so it is honest about its limits: what was not understood is part of
the result, and what no statement can answer is named.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import Literal, TypeVar

from tallybook.research.companies import KNOWN, Company
from tallybook.research.intent import BEYOND, FILLER, FILLER_ZH, OPERATIONS, Beyond, Operation
from tallybook.research.lexicon import PHRASES
from tallybook.research.periods import Periods
from tallybook.research.spelling import mend
from tallybook.research.spoken_periods import read_periods
from tallybook.research.text import WIDE, blank, find_phrases, lower, take_all

Language = Literal["en", "zh"]
Kind = TypeVar("Kind", bound=str)


@dataclass(frozen=True)
class Question:
    """What was understood. `companies` (tickers) and `items` (keys) in order of mention.

    `operations` is what to compute of them. `beyond` names what was asked that no statement
    holds, `unknown` words that look like companies and are none we know, `leftovers` the other
    words that were not understood, `mended` what was read for a misspelt word. A
    `follows_up` question took what it lacks from the one before.
    """

    companies: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    periods: Periods | None = None
    operations: tuple[Operation, ...] = ()
    language: Language = "en"
    beyond: tuple[Beyond, ...] = ()
    unknown: tuple[str, ...] = ()
    leftovers: tuple[str, ...] = ()
    mended: Mapping[str, str] = field(default_factory=dict)
    follows_up: bool = False

    @property
    def answerable(self) -> bool:
        """Whether it names at least one company and one item."""
        return bool(self.companies and self.items)

    @property
    def says_nothing(self) -> bool:
        """Whether nothing at all was understood."""
        return not (self.companies or self.items or self.periods or self.operations)


def understand(
    text: str,
    *,
    today: date,
    known: Sequence[Company] = KNOWN,
    before: Question | None = None,
) -> Question:
    """Understand one question; what it leaves out is taken from the one `before`."""
    asked = _alone(text, today, known)
    return _follow(before, asked) if before else asked


def understand_all(
    texts: Sequence[str], *, today: date, known: Sequence[Company] = KNOWN
) -> Question:
    """Understand the last of a conversation's questions in the light of those before it."""
    before: Question | None = None
    for text in texts[:-1]:
        now = understand(text, today=today, known=known, before=before)
        before = before if now.says_nothing else now
    return understand(texts[-1] if texts else "", today=today, known=known, before=before)


def _alone(text: str, today: date, known: Sequence[Company]) -> Question:
    written = unicodedata.normalize("NFKC", text).replace("’", "'")
    tickers = frozenset(company.ticker.lower() for company in known)
    left, mended = mend(written, _vocabulary(known), FILLER | tickers)
    companies, left = _companies(left, known)
    names = _names(left)
    left = lower(left)
    beyond, left = _kinds(left, BEYOND)
    items, sliced, left = _items(left)
    operations, left = _operations(left)
    if sliced and "share" not in operations:
        operations = (*operations, "share")
    periods, left = read_periods(left, today)
    unknown, leftovers = _rest(left, names)
    return Question(
        companies,
        items,
        periods,
        operations,
        "zh" if WIDE.search(text) else "en",
        beyond,
        unknown,
        leftovers,
        mended,
    )


def _follow(before: Question, now: Question) -> Question:
    """Fill in what a follow-up leaves out; a question whole in itself takes nothing over."""
    if now.says_nothing or (now.companies and now.items):
        return now
    strange = now.unknown or now.leftovers
    companies = now.companies or (() if strange else before.companies)
    items = now.items or (() if now.beyond else before.items)
    return replace(
        now,
        companies=companies,
        items=items,
        periods=now.periods or before.periods,
        operations=now.operations or before.operations,
        follows_up=True,
    )


def _vocabulary(known: Sequence[Company]) -> frozenset[str]:
    """The words whose misspellings are mended."""
    names = (name for company in known for name in company.names)
    return frozenset(re.findall(r"[a-z]{5,}", " ".join([*PHRASES, *names, _OTHER_WORDS])))


def _kinds(text: str, patterns: Mapping[Kind, re.Pattern[str]]) -> tuple[tuple[Kind, ...], str]:
    """The kinds whose words are in the text, and the text without them."""
    found: list[Kind] = []
    for kind, pattern in patterns.items():
        matches, text = take_all(text, pattern)
        if matches:
            found.append(kind)
    return tuple(found), text


def _operations(text: str) -> tuple[tuple[Operation, ...], str]:
    """Growth is over the year before, unless only the quarter before is spoken of."""
    explicit = _EXPLICIT_YOY.search(text)
    found, left = _kinds(text, OPERATIONS)
    if "growth_qoq" in found and not explicit:
        found = tuple(operation for operation in found if operation != "growth_yoy")
    return found, left


def _companies(text: str, known: Sequence[Company]) -> tuple[tuple[str, ...], str]:
    """Companies by name or ticker in order of mention, and the text without them."""
    places: dict[str, int] = {}
    by_name = {name: company.ticker for company in known for name in company.names}
    for start, end, ticker in find_phrases(lower(text), by_name):
        places.setdefault(ticker, start)
        text = blank(text, start, end)
    tickers = {company.ticker for company in known}
    for match in _TICKER.finditer(text):
        if _is_ticker(match, tickers, shouted=text.isupper()):
            places.setdefault(match["ticker"].upper().replace(".", "-"), match.start())
            text = blank(text, *match.span())
    return tuple(sorted(places, key=lambda ticker: places[ticker])), text


def _is_ticker(match: re.Match[str], known: set[str], *, shouted: bool) -> bool:
    """Capitals are a ticker unless they are a word we know; small letters only for known ones."""
    said = match["ticker"]
    if match["dollar"]:
        return True
    if not said.isupper():
        return said.upper() in known and len(said) > 2 and said.upper() not in _WORDS
    if said in known:
        return len(said) > 1 and not (shouted and said in _WORDS)
    return len(said) > 1 and said not in _NO_TICKER and not shouted


def _items(text: str) -> tuple[tuple[str, ...], bool, str]:
    """Items in order of mention, whether a slash makes a ratio of two, and what is left."""
    found = find_phrases(text, PHRASES)
    between = (text[one[1] : other[0]].strip() for one, other in pairwise(found))
    sliced = "/" in between
    for start, end, _ in found:
        text = blank(text, start, end)
    return tuple(dict.fromkeys(key for _, _, keys in found for key in keys)), sliced, text


def _names(text: str) -> tuple[str, ...]:
    """What is written like a name."""
    return tuple(match[0].removesuffix("'s") for match in _NAME.finditer(text))


def _rest(text: str, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What was not understood: words that were written like names, and others."""
    words = [word.removesuffix("'s") for word in _WORD.findall(text)]
    rest = [word for word in words if len(word) > 1 and word not in FILLER]
    unknown = [
        " ".join(shown)
        for name in names
        if (shown := [word for word in name.split() if word.lower() in rest])
    ]
    named = {word.lower() for name in unknown for word in name.split()}
    others = [word for word in rest if word not in named]
    wide = [run for run in _RUN_ZH.findall(text) if len(run) > 1 and FILLER_ZH.sub("", run)]
    return tuple(dict.fromkeys(unknown)), tuple(dict.fromkeys([*others, *wide]))


_EXPLICIT_YOY = re.compile(r"\byoy\b|y/y|year[- ](?:over|on)[- ]year|同比")
_TICKER = re.compile(r"(?P<dollar>\$)?(?<![\w&'])(?P<ticker>[A-Za-z]{1,5}(?:[.-][A-Z])?)(?![\w&'])")
_NAME = re.compile(r"\b[A-Z][a-z][\w&'-]*(?:\s+[A-Z][\w&'-]+)*")
_WORD = re.compile(r"[A-Za-z][\w&'.-]*[A-Za-z0-9]|\d[\d.,]*%?")
_RUN_ZH = re.compile(r"(?:(?![的和与跟及呢吗吧啊呀了])[\u3400-\u9fff])+")
_NO_TICKER = frozenset(
    re.findall(
        r"\w+",
        "FY TTM LTM USD EPS FCF OCF YOY QOQ SG GAAP EBIT COGS CEO CFO SEC US USA UK EU AND FOR "
        "THE OF IN TO VS IPO ETF CAPEX OPEX SBC SGA RD AI IS IT ME WHAT HOW SHOW GIVE TELL CAGR "
        "EBITDA ROE "
        "ROA ROI ROIC ARR GPU CPU PE PS PB DCF WACC NPV IRR HBM YTD GM DPS PPE PLEASE OK HI",
    )
)
_WORDS = frozenset(re.findall(r"\w+", "COST DIS META MU CAT LOW ARM SNOW UBER TGT MA GE BA CRM MS"))
"""Tickers that are words when written small."""
_OTHER_WORDS = (
    "quarter quarters quarterly annual annually yearly fiscal latest trailing twelve months eight "
    "seven average highest lowest largest smallest growth compare comparison difference"
)
