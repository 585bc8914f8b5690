"""Numbers that are no figures: names, references, addresses, ids, markers.

A number counts as a figure unless what stands around it says otherwise. A currency, a scale
or a unit settles it for the figure; what is asked here is asked of bare numbers.
"""

from __future__ import annotations

import re
from typing import Final

REFERENCES: Final = frozenset(
    "item items note notes section sections sec page pages pg p pp exhibit exhibits rule rules part parts chapter "
    "chapters table tables figure figures fig form forms article articles schedule schedules appendix annex no nos "
    "number num version versions ver v build release level levels tier phase step steps class series topic paragraph act asc asu ias ifrs fas sfas "
    "sab fin eitf ssap vol volume issue footnote footnotes slide slides suite room floor box route highway apt unit "
    "id ids code codes zip ext extension port error status http line lines row rows column col job attempt season episode gate "
    "flight reservation ticket account invoice policy reference ref cusip isin lei ein commission file cik sic film "
    "day week month quarter year stage round question q task option line episode round grade type category priority scope u.s.c usc cfr c.f.r regulation "
    "rank ranked top pid cve bug pr rfc iso python java windows ios android gpt chapter §".split()
)
"""Words that give the number after them a name instead of an amount."""
_WEAK: Final = frozenset(
    "top volume unit account day week month quarter year rank status code class form error line lines row rows number".split()
)
"""Of these, words that do so only for a whole number without a comma."""

METRICS: Final = frozenset(
    "eps pe p/e roe roa roi roic rsi beta macd ebitda ebit cagr vix cpi gdp pmi nav fcf capex opex sma ema ma yoy qoq "
    "arr mrr nps wacc dcf ttm ltm dau mau arpu gmv aum price open high low close revenue revenues sales income margin total cash debt assets "
    "equity profit loss volume net cost costs ratio rate yield score average mean median target value balance shares employees "
    "today yesterday tomorrow now then before after previous previously current currently prev last new old start end buy sell bid ask "
    "about over under nearly approximately around some only roughly than to of in with and or the at by from for up down between was were is are".split()
)
_STATES: Final = frozenset(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR "
    "PA RI SC SD TN TX UT VT VA WA WV WI WY DC".split()
)
_STATE_NAMES: Final = frozenset(
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois "
    "indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana "
    "nebraska nevada hampshire jersey mexico york carolina dakota ohio oklahoma oregon pennsylvania tennessee texas utah "
    "vermont virginia washington wisconsin wyoming columbia".split()
)
_LABELLED: Final = frozenset(
    "id ids code codes zip phone tel telephone fax number no ext file ein sic port line version ticket account reference "
    "ref confirmation order isbn issn doi item note page section exhibit figure table rule step chapter part cell mobile".split()
)
"""Words that name the number after them even with a colon between."""
_STREET: Final = re.compile(
    r"(?:[ ](?:[NSEW]\.?|[A-Z0-9][\w.'-]*)){1,5}?[ ](?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Expressway|Drive|Dr"
    r"|Way|Lane|Ln|Parkway|Pkwy|Plaza|Court|Ct|Square|Highway|Hwy|Loop|Circle|Place|Terrace|Park Way)\b"
)
_PERIOD_OF_TIME: Final = re.compile(
    r"[ -](?:fiscal[ -])?(?:months?|weeks?|days?|quarters?|years?)[ -]+(?:ended|ending|period|fiscal period|from now|ago|of age|old)\b",
    re.IGNORECASE,
)
_RECENT: Final = frozenset(
    "last past next previous prior trailing first every preceding subsequent following within".split()
)
_TIME_WORD: Final = re.compile(
    r"[ -](?:(?:fiscal|calendar|consecutive)[ -])?(?:months?|weeks?|days?|quarters?|years?|hours?|minutes?|mins?|seconds?)\b",
    re.IGNORECASE,
)
_LAW: Final = re.compile(r"[ ](?:U\.?S\.?C|C\.?F\.?R)\b")
_TITLE: Final = re.compile(r"[ ]{1,3}[A-Z][a-z]")
_HAN_NAME: Final = re.compile(
    r"(?:代码|编号|电话|传真|邮编|账号|证号|单号|附注|注释)[一二三四五六七八九十]*[:：、.]?[ ]?\Z"
)
_COMPACT_DATE: Final = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")
_LINE_NUMBER: Final = re.compile(r":[^\s\d]")
"""What follows the number of a line that a search found: `42:## Usage`."""
_LIST_ENDS: Final = (". ", ") ", ".\t", ")\t", "、", "． ", ".\n", ")\n", ".*", ".**")
_WORD: Final = re.compile(r"[A-Za-z][\w&./'-]*")


def is_marker(text: str, start: int, end: int, line: int) -> bool:
    """Whether a whole number is a list marker, a footnote sign or a heading's number.

    `line` is where its line begins.
    """
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if before in "([" and after in ")]" and before and after:
        return end - start <= 2 or (before == "[" and end - start <= 4)
    if before == "^":
        return True
    if _LINE_NUMBER.match(text, end) and not text[line:start].strip():
        return True
    if end - start > 3 or text[line:start].strip(" \t#*>•-_("):
        return False
    return text[end : end + 2].startswith(_LIST_ENDS) or (
        after in ".)" and after != "" and end + 1 >= len(text)
    )


def is_heading(text: str, start: int, end: int, line: int) -> bool:
    """Whether a decimal opens a line as the number of a section: "1.2 Overview"."""
    return (
        end - start <= 5 and not text[line:start].strip(" \t#*>") and bool(_TITLE.match(text, end))
    )


def is_address(text: str, start: int, end: int, word: str) -> bool:
    """Whether a bare whole number is a house number or a postal code."""
    if end - start == 5 and is_state(word):
        return True
    return (
        text[end : end + 1] == " "
        and text[end + 1 : end + 2].isupper()
        and bool(_STREET.match(text, end))
    )


def is_state(word: str) -> bool:
    """Whether a word is a state of the U.S., behind which five digits are a postal code."""
    bare = word.replace(".", "").rstrip(",")
    return bare in _STATES or bare.lower() in _STATE_NAMES


def is_page_number(text: str, start: int, end: int) -> bool:
    """Whether a short whole number stands alone on a line of a longer text."""
    if end - start > 3 or len(text) < 200:
        return False
    first = text.rfind("\n", max(0, start - 40), start)
    last = text.find("\n", end, end + 40)
    return first >= 0 and last >= 0 and not text[first:start].strip() and not text[end:last].strip()


def is_time_span(text: str, end: int, word: str) -> bool:
    """Whether a whole number tells a period: "39 weeks ended", "the last 12 months"."""
    return bool(_PERIOD_OF_TIME.match(text, end) or _LAW.match(text, end)) or (
        word.lower() in _RECENT and bool(_TIME_WORD.match(text, end))
    )


def is_named(word: str, *, opens: bool, whole: bool) -> bool:
    """Whether the word before makes a number part of a name: "Note 5", "iPhone 15", "H 100".

    `opens` says that the word opens its sentence, where a capital means nothing.
    """
    if not word or not (word[-1].isalnum() or word[-1] in ".#"):
        return (
            word[-1:] == "#" or word == "§" or (word[-1:] == ":" and word[:-1].lower() in _LABELLED)
        )
    low = word.lower().rstrip(".").lstrip("([*_#\"'“‘")
    if low in REFERENCES:
        return whole or low not in _WEAK
    if word[-1] == "." or low in METRICS:
        return False
    bare = word.lstrip("([*_\"'“‘")
    if not _WORD.fullmatch(bare):
        return False
    if any(letter.isupper() for letter in bare[1:]):
        return True
    return bare[:1].isupper() and not opens


def is_han_named(text: str, start: int) -> bool:
    """Whether Chinese words before a bare number make it a name: 代码600036, 附注五、3."""
    return bool(_HAN_NAME.search(text, max(0, start - 12), start))


def is_compact_date(digits: str) -> bool:
    """Whether eight digits are a day: 20240611."""
    return len(digits) == 8 and bool(_COMPACT_DATE.fullmatch(digits))
