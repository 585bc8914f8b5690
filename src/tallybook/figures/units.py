"""Units and scales as people write them, beside a number or above a column.

A currency becomes its ISO 4217 code. `¥` is read as CNY unless the text speaks of yen,
since the same sign stands for both.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

ONE: Final = Decimal(1)


class Measure(NamedTuple):
    """A unit ("" where none is known) and a multiplier."""

    unit: str = ""
    scale: Decimal = ONE


SYMBOLS: Final = {
    "$": "USD", "US$": "USD", "U.S.$": "USD", "U.S. $": "USD", "HK$": "HKD", "NT$": "TWD", "C$": "CAD", "CA$": "CAD",
    "A$": "AUD", "AU$": "AUD", "S$": "SGD", "R$": "BRL", "€": "EUR", "£": "GBP", "¥": "CNY", "CN¥": "CNY",
    "JP¥": "JPY", "₹": "INR", "₩": "KRW", "US": "USD", "RMB": "CNY",
    "人民币": "CNY", "美元": "USD", "港元": "HKD", "港币": "HKD", "欧元": "EUR", "英镑": "GBP", "日元": "JPY",
}  # fmt: skip
CODES: Final = frozenset(
    "USD EUR GBP JPY CNY HKD CAD AUD CHF SEK NOK DKK INR KRW TWD SGD BRL MXN ZAR NZD THB ILS".split()
)
PREFIX: Final = r"(?:US|HK|NT|CA?|AU?|S|R)?\$|U\.S\. ?\$|[€£₹₩]|(?:CN|JP)?¥|RMB|人民币|" + "|".join(
    sorted(CODES)
)
"""A currency before a number."""

_NAMES: Final = (
    (r"(?:NT|New Taiwan) dollars?", "TWD"), (r"(?:CDN|Canadian) dollars?", "CAD"),
    (r"(?:AU|Australian) dollars?", "AUD"), (r"Singapore dollars?", "SGD"),
    (r"U\.?S\.? dollars?|dollars?|美元|美金", "USD"), (r"euros?|欧元", "EUR"),
    (r"pounds? sterling|pounds?|英镑", "GBP"), (r"yen|日元|円", "JPY"),
    (r"yuan|renminbi|RMB|人民币|元|块钱", "CNY"), (r"Hong Kong dollars?|港元|港币", "HKD"),
)  # fmt: skip
_MONEY_WORDS: Final = (
    "|".join(words for words, _ in reversed(_NAMES)) + "|" + "|".join(sorted(CODES))
)

DOLLARS: Final = frozenset("TWD CAD AUD SGD HKD NZD".split())
"""Currencies that a lone "$" may stand for where a caption names them."""

SCALES: Final = {
    "hundred": Decimal("1E2"), "百": Decimal("1E2"),
    "thousand": Decimal("1E3"), "k": Decimal("1E3"), "千": Decimal("1E3"), "000": Decimal("1E3"),
    "万": Decimal("1E4"), "百万": Decimal("1E6"), "千万": Decimal("1E7"), "亿": Decimal("1E8"),
    "million": Decimal("1E6"), "mn": Decimal("1E6"), "mln": Decimal("1E6"), "mio": Decimal("1E6"),
    "mm": Decimal("1E6"), "m": Decimal("1E6"), "mil": Decimal("1E6"),
    "billion": Decimal("1E9"), "bn": Decimal("1E9"), "bln": Decimal("1E9"), "b": Decimal("1E9"),
    "trillion": Decimal("1E12"), "tn": Decimal("1E12"), "trn": Decimal("1E12"), "t": Decimal("1E12"),
    "万亿": Decimal("1E12"),
}  # fmt: skip

TAIL: Final = re.compile(
    r"(?:[ -]?(?P<word>(?i:hundred|thousands?|millions?|billions?|trillions?))(?![A-Za-z])"
    r"|[ ]?(?P<short>mn|mln|[Mm]io|bn|bln|tn|trn|MM|mm|Mn|Bn|BN|MN|Tn|K|M|B|T)(?![A-Za-z0-9&'])"
    r"|(?P<low>[kmbt])(?![A-Za-z0-9])"
    r"|[ ]?(?P<han>万亿|千万|百万|亿|万|千|百)(?![分])"
    r")?\+?"
    r"(?:[ -]?\)?[ ]?(?P<share>%|(?i:percent(?:age)?|per[ ]cent|pct)(?![ ]points?)(?![A-Za-z])))?"
    r"(?:[ -]?(?P<points>(?i:percentage[ ]points?|per[ ]cent[ ]points?|ppts?|pp|p\.p\.|pts|ppt)(?![A-Za-z])|个?百分点)"
    r"|[ -]?(?P<bps>(?i:basis[ ]points?|bps|bp)(?![A-Za-z])|个?基点)"
    r"|(?P<times>[x×X](?![\w])|[ ]?倍|[ ]times(?![A-Za-z]))"
    rf"|[ ]?(?P<money>(?:{_MONEY_WORDS})(?![A-Za-z])|[€£])"
    r"|[ ]?(?P<shares>(?:(?i:common|ordinary|preferred|additional|new)[ ])?(?i:shares?)(?![A-Za-z-])|股(?!票|份|权|价|市|东)))?"
    r"(?P<per>[ ]?(?:(?i:per|a)[ ](?:(?i:basic|diluted|common|ordinary)[ ](?:and[ ]diluted[ ])?)*"
    r"(?i:share|ads|unit)(?![A-Za-z-])|/[ ]?(?i:share)(?![A-Za-z])|/股|每股))?"
)
"""What may follow a number: scale, then unit, then "per share". Always matches, perhaps nothing."""

_NAME_OF: Final = tuple(
    (re.compile(rf"(?:{words})\Z", re.IGNORECASE), code) for words, code in _NAMES
)


@lru_cache(maxsize=1024)
def money_of(word: str) -> str:
    """The ISO code of a currency's sign, code or name; "" if it is none."""
    if word in CODES:
        return word
    if word in SYMBOLS:
        return SYMBOLS[word]
    return next((code for name, code in _NAME_OF if name.match(word)), "")


def scale_of(word: str) -> Decimal:
    """The multiplier of a scale word; 1 if it is none."""
    word = word.lower()
    return SCALES.get(word) or SCALES.get(word.rstrip("s"), ONE)


class Heading(NamedTuple):
    """What a caption or a header says of the numbers below it.

    `shares` is the scale of share counts where it differs from `scale`.
    """

    unit: str = ""
    scale: Decimal | None = None
    shares: Decimal | None = None


_WORDS_OF_SCALE: Final = r"thousands?|millions?|billions?|trillions?|hundreds"
_STATED: Final = re.compile(
    rf"(?P<money>{PREFIX}|(?i:U\.?S\.? dollars?|dollars?|euros?|yen|renminbi|yuan))?[ ]?"
    rf"(?i:(?:amounts? |figures |expressed |stated |dollars |reported )?\bin (?:(?P<inner>{PREFIX}|u\.?s\.? dollars?|dollars) ?)?(?:the )?(?P<word>{_WORDS_OF_SCALE})\b)"
    rf"(?: (?:of )?(?P<after>(?i:(?:u\.?s\.?|NT|new taiwan|hong kong|canadian|australian|singapore) dollars?|euros?|yen|yuan|RMB|renminbi)|{'|'.join(sorted(CODES))}))?"
    rf"|(?P<sign>{PREFIX})[ ]?(?:(?P<zeros>['0]?000s?)(?![0-9])|(?P<short>(?i:mn|mln|mio|bn|bln|million|billion|thousand|trillion)s?|MM|M|B|K|m|b|k)(?![A-Za-z0-9]))"
    r"|(?:单位[:：]?[ ]?|\((?=(?:万亿|亿|百万|千万|万|千)?(?:美元|港元|欧元|日元|元|股)(?:/股)?\)))(?:(?P<kind>人民币|美元|港元|欧元|日元))?[ ]?(?P<han>万亿|亿|百万|千万|万|千)?(?P<hanunit>美元|港元|欧元|日元|元|股|%)?"
    rf"|\([ ]?(?P<bare>{PREFIX}|%|(?i:(?:NT|US|U\.S\.|HK|CDN|AU) dollars?|euros?|yen|yuan))[ ]?\)"
    r"|\((?P<alone>(?i:thousands?|millions?|billions?))\)"
    rf"|(?:^|[ (])(?P<loose>(?i:mn|bn)|MM)(?=$|[ )])"
)
_SHARES_TOO: Final = re.compile(
    r"shares?(?: data| amounts| numbers)?,?(?: and par values?,?)?(?: which are| are)?(?: reflected| shown| stated)? in (thousands|millions)",
    re.IGNORECASE,
)
_EXCEPT_SHARES: Final = re.compile(
    r"except[^)]{0,40}?\b(?:number of shares|(?<!per )(?<!per-)share(?!s? ?owner)(?:s|,| and| data| amounts| count)(?! per))",
    re.IGNORECASE,
)


_SHORT: Final = 80
_MARKS: Final = (
    "illion", "ILLION", "housand", "HOUSAND", "hundreds", "单位", "(", "$", "€", "£", "¥", "000", "mn", "bn", "MM",
)  # fmt: skip
"""One of these stands in every longer text that states a unit or scale; most prose has none."""


@lru_cache(maxsize=4096)
def heading(text: str) -> Heading:
    """Read the unit and scale that a caption, header or label states for what it governs."""
    if not text or (len(text) > _SHORT and not any(mark in text for mark in _MARKS)):
        return Heading()
    unit, scale = "", None
    for stated in _STATED.finditer(text):
        found = stated.groupdict()
        written = (
            found["money"]
            or found["inner"]
            or found["after"]
            or found["sign"]
            or found["kind"]
            or found["bare"]
        )
        unit = unit or _unit_of(written or "", found["hanunit"] or "")
        word = (
            found["word"]
            or found["short"]
            or found["han"]
            or found["loose"]
            or found["alone"]
            or ("k" if found["zeros"] else "")
        )
        if word and scale is None:
            scale = scale_of(word)
    shares = None
    if scale is not None and "share" in text:
        if reflected := _SHARES_TOO.search(text):
            shares = scale_of(reflected[1])
        elif _EXCEPT_SHARES.search(text):
            shares = ONE
    return Heading(unit, scale, shares)


def _unit_of(written: str, hanunit: str) -> str:
    if written == "%" or hanunit == "%":
        return "%"
    if hanunit == "股":
        return "shares"
    return money_of(written) or money_of(hanunit)
