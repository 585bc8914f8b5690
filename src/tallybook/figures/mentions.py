"""One number in prose read whole: sign and currency before it, scale and unit after it.

"decreased 5 %" stays +5, as written: the label says which way. A loss is negative only
where the number is the loss itself ("a loss of $5 million", 亏损5亿元), and so is
"$(5) million". "(5)" alone is a marker in prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from tallybook.figures import traps
from tallybook.figures.numbers import Numeral, read_digits, read_han
from tallybook.figures.units import ONE, PREFIX, TAIL, money_of, scale_of

_LEFT: Final = re.compile(
    r"(?P<sign>(?<![0-9A-Za-z_.)$€£¥%])[-+–])?"
    rf"(?:(?P<money>(?<![A-Za-z])(?:{PREFIX}))[ ]?)?(?P<open>\()?(?P<inner>(?<=[$€£¥( ])[-+])?\Z"
)
_LEFT_SIGNS: Final = frozenset("$€£¥₹₩-+–( ") | frozenset("DRPYFKCBLSN币")
"""The last letter of all that `_LEFT` reads."""
_LOSS: Final = re.compile(
    r"(?:\bloss(?:es)? of|亏损了?额?|净亏)(?:[ ]?(?:about|approximately|around|nearly|over|more than|up to|some|roughly|约|超过|近|达到?|为|逾))?[ ]?\Z",
    re.IGNORECASE,
)
_PER_SHARE: Final = re.compile(
    r"(?:per (?:\w+ ){0,2}share|\bEPS|每股\w{0,4})(?:[^.;\d]{0,24})\Z", re.IGNORECASE
)
_BY_SHARE: Final = re.compile(r"[ ](?:[a-z]+ ){1,2}per (?:[a-z]+ )?share\b")
_IDENTIFIER: Final = re.compile(
    r"(?:\bCIK\b|central index key|\bCUSIP\b|\bISIN\b|\baccession)[^0-9A-Za-z]{0,12}(?:(?:no|number|code)\b[^0-9A-Za-z]{0,8})?\Z",
    re.IGNORECASE,
)
_ID_DIGITS: Final = 4
"""The fewest digits an identifier has; a shorter number is not asked what it is named."""


@dataclass(slots=True)
class Mention:
    """A figure being read: its whole span, its number and what it is measured in."""

    start: int
    end: int
    number: Numeral
    unit: str = ""
    scale: Decimal = ONE
    identifier: bool = False


def read_mention(text: str, start: int, end: int, opens: int) -> Mention | None:
    """Read the numeral at `text[start:end]`; None if it is no figure. `opens` is where its sentence begins."""
    number = read_digits(text[start:end])
    if number is None:
        return None
    before = text[start - 1] if start else ""
    left = _LEFT.search(text, max(0, start - 9), start) if before in _LEFT_SIGNS else None
    money = (left["money"] or "") if left else ""
    if not money and _glued(before):
        return None
    mention = _measured(text, Mention(start, end, number), left, money)
    if mention is None or (mention.end - end <= 1 and mention.unit == "" and not money):
        if end - start >= _ID_DIGITS and _IDENTIFIER.search(text, max(0, start - 40), start):
            if text[end : end + 1].isalnum():
                return None
            return Mention(start, end, number, identifier=True)
        if mention is None or not _stands(text, start, end, opens):
            return None
    return _signed(text, mention)


def read_scaled(text: str, start: int, end: int, number: Numeral) -> Mention | None:
    """Read the scale and unit after number words or Chinese numerals that end at `end`."""
    return (
        _signed(text, mention)
        if (mention := _measured(text, Mention(start, end, number), None, ""))
        else None
    )


def _glued(before: str) -> bool:
    """Whether the character before makes the digits part of a name or an address."""
    return (before.isascii() and before.isalnum()) or (before != "" and before in "_#@^/\\'第.§")


def _measured(
    text: str, mention: Mention, left: re.Match[str] | None, money: str
) -> Mention | None:
    """Take in what stands around; None where letters follow that are no unit."""
    start, end = mention.start, mention.end
    bracket = bool(left and left["open"])
    closed = bracket and bool(money) and text[end : end + 1] == ")"
    tail = TAIL.match(text, end + closed)
    if tail is None:
        return None
    unit, scale, stop = _unit(tail, money, text[start:end])
    if stop == end + closed and not closed:
        stop = end
    if stop == end and not money and _runs_on(text, end):
        return None
    if stop == end and money and text[end : end + 1].isalpha() and text[end : end + 1].isascii():
        return None
    inside = bracket and (closed or (tail["share"] is not None and ")" in text[end : tail.end()]))
    negative = (
        inside
        or bool(left and "-" in (left["sign"], left["inner"]))
        or bool(left and left["sign"] == "–")
    )
    if bracket and money and not closed and text[stop : stop + 1] == ")":
        negative, stop = True, stop + 1
    mention.unit, mention.scale, mention.end = unit, scale, stop
    if left:
        mention.start = _first(left, start, money, inside)
    if negative:
        mention.number = Numeral(-mention.number.value, mention.number.step)
    return mention


def _first(left: re.Match[str], start: int, money: str, inside: bool) -> int:
    if left["sign"]:
        return left.start("sign")
    if money:
        return left.start("money")
    if inside:
        return left.start("open")
    return left.start("inner") if left["inner"] else start


def _unit(tail: re.Match[str], money: str, digits: str) -> tuple[str, Decimal, int]:
    """Unit, scale and end; a lone letter is a scale only where nothing else can be meant."""
    word, short, low, han, share, points, bps, times, named, shares, per = tail.groups()
    scaled = word or han or short or low or ""
    spaced = tail.string[tail.start() : tail.start() + 1] == " "
    if (
        short
        and len(short) == 1
        and not money
        and (spaced or (short == "K" and digits in ("8", "10", "6", "20")))
    ):
        return "", ONE, tail.start()
    if low and low != "k" and not money and "." not in digits:
        return "", ONE, tail.start()
    scale = scale_of(scaled) if scaled else ONE
    if share:
        return "%", scale, tail.end("share")
    if points:
        return "pp", scale, tail.end("points")
    if bps:
        return "bps", scale, tail.end("bps")
    if times:
        return "x", scale, tail.end("times")
    if shares and not money:
        return "shares", scale, tail.end("shares")
    unit = money_of(money) or (money_of(named) if named else "")
    if unit and per:
        return f"{unit}/share", scale, tail.end()
    ends = tail.end("money") if named else max(map(tail.end, ("word", "short", "low", "han")))
    return unit, scale, ends if ends >= 0 else tail.start()


def _runs_on(text: str, end: int) -> bool:
    """Whether a bare number goes on as a word: 10-K, 52-week, 3rd, 80GB, 600036.SH."""
    after, then = text[end : end + 1], text[end + 1 : end + 2]
    if not after:
        return False
    if after.isascii() and (after.isalpha() or after in "_@\\"):
        return True
    return (
        after in "-–.'/:("
        and then.isascii()
        and (then.isalpha() or then == "_")
        and not (after == "." and then.isupper() and text[end + 2 : end + 3].islower())
    )


def _stands(text: str, start: int, end: int, opens: int) -> bool:
    """Whether a bare number is a figure, going by what stands around it."""
    digits = text[start:end]
    whole = digits.isdigit()
    if whole and len(digits) > 1 and digits[0] == "0":
        return False
    if text[start - 1 : start] in ("-", "–") and start > 1 and text[start - 2].isalpha():
        return False
    line = text.rfind("\n", max(0, start - 12), start) + 1 or max(opens, start - 12, 0)
    if whole and (traps.is_han_named(text, start) or traps.is_compact_date(digits)):
        return False
    if whole and (
        traps.is_marker(text, start, end, line) or traps.is_page_number(text, start, end)
    ):
        return False
    if "." in digits and traps.is_heading(text, start, end, line):
        return False
    words = text[max(opens, start - 26) : start].rsplit(None, 1)
    word = words[-1] if words and text[start - 1 : start].isspace() else ""
    if whole and (traps.is_address(text, start, end, word) or traps.is_time_span(text, end, word)):
        return False
    first = not text[opens : max(opens, start - len(word) - 1)].strip(" \t\n*#->•\"'([_")
    first = first or text[start - 1 : start] == "\n"
    return "," in digits or not traps.is_named(word, opens=first, whole=whole)


def _signed(text: str, mention: Mention) -> Mention:
    """Make a loss negative and money "per share" where the words before say so."""
    start = mention.start
    before = text[max(0, start - 44) : start]
    if (
        mention.number.value > 0
        and ("loss" in before or "Loss" in before or "亏" in before)
        and _LOSS.search(before)
    ):
        mention.number = Numeral(-mention.number.value, mention.number.step)
    if (
        len(mention.unit) == 3
        and mention.scale == ONE
        and (_PER_SHARE.search(before) or _BY_SHARE.match(text, mention.end))
    ):
        mention.unit += "/share"
    return mention


def read_han_mention(text: str, start: int, end: int) -> Mention | None:
    """Read Chinese numerals before a unit; 千元 and 一股 alone are words, not amounts."""
    han = text[start:end]
    if han[0] in "百千零〇" or (len(han) == 1 and text[end] == "股"):
        return None
    return read_scaled(text, start, end, read_han(han))
