"""What the digits themselves say: a value and the step of the last digit shown.

Scale and unit are not read here. Everything is exact: a numeral with more digits
than `Decimal` keeps by default is no figure (nobody reports one, identifiers look so),
hence nothing is ever rounded.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, NamedTuple

MOST_DIGITS: Final = 25

GROUPED: Final = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])"
PLAIN: Final = r"[0-9]+"
CONTINENTAL: Final = (
    r"[0-9]{1,3}(?:[ ][0-9]{3})+,[0-9]{1,2}(?![0-9])"
    r"|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}(?![0-9])"
    r"|[0-9]{1,3},[0-9]{1,2}(?=[ ]?[%€])"
)
DIGITS: Final = (
    rf"(?:{CONTINENTAL}|(?:{GROUPED}|{PLAIN})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{{1,2}}(?![0-9A-Za-z]))?"
    r"|\.[0-9]+)"
)
"""A numeral without sign, unit or scale. `1 234,5` and `1.234,5` are read as continental
because nothing else is written so; a lone comma group of three is always thousands."""

_CONTINENTAL = re.compile(rf"(?:{CONTINENTAL.replace('(?=[ ]?[%€])', '')})\Z")
_STEPS: Final = tuple(Decimal(1).scaleb(-places) for places in range(MOST_DIGITS + 1))


class Numeral(NamedTuple):
    """A value and the value of one step in its last digit."""

    value: Decimal
    step: Decimal


def read_digits(text: str) -> Numeral | None:
    """Read what `DIGITS` matched; None if it has more digits than any figure has."""
    if len(text) > MOST_DIGITS + 15:
        return None
    if "," in text:
        text = _without_groups(text)
    if len(text) > MOST_DIGITS:
        return None
    point = text.find(".")
    if "e" in text or "E" in text:
        value = Decimal(text)
        exponent = value.as_tuple().exponent
        return Numeral(value, Decimal((0, (1,), exponent if isinstance(exponent, int) else 0)))
    return Numeral(Decimal(text), _STEPS[len(text) - point - 1] if point >= 0 else _STEPS[0])


def _without_groups(text: str) -> str:
    if _CONTINENTAL.match(text):
        return text.replace(" ", "").replace(".", "").replace(",", ".")
    return text.replace(",", "")


_ONES: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS: Final = {word: n for n, word in enumerate(_ONES, 1)} | {
    word: n * 10 for n, word in enumerate(_TENS, 2)
}
_ANY_WORD: Final = "|".join(_WORDS)
WORDED: Final = re.compile(
    rf"(?<![\w-])((?:(?:{_ANY_WORD}|hundred)(?:[ -]|[ ]and[ ])){{1,5}}|half an? )"
    r"(thousand|[mbtr]{1,2}illion)s?(?![\w])",
    re.IGNORECASE,
)
"""English number words before a scale word: group 1 the words, group 2 the scale."""


def read_words(text: str) -> Numeral | None:
    """Read the number words before a scale: "two hundred and fifty " is 250."""
    words = text.lower().replace("-", " ").split()
    if words[:1] == ["half"]:
        return Numeral(Decimal("0.5"), Decimal("0.5"))
    total = 0
    for word in words:
        if word == "hundred":
            total = max(total, 1) * 100
        elif word != "and":
            total += _WORDS[word]
    return Numeral(Decimal(total), _STEPS[0])


_HAN_DIGITS: Final = {han: n for n, han in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_TENS: Final = {"十": 10, "百": 100, "千": 1000}
HAN: Final = r"[零〇一二两三四五六七八九十百千]+(?:点[零〇一二三四五六七八九]+)?"


def read_han(text: str) -> Numeral:
    """Read Chinese numerals below ten thousand: 三百二十 is 320, 三点五 is 3.5."""
    whole, _, fraction = text.partition("点")
    total, digit = 0, 0
    for han in whole:
        if han in _HAN_TENS:
            total += (digit or (1 if total == 0 else 0)) * _HAN_TENS[han]
            digit = 0
        else:
            digit = digit * 10 + _HAN_DIGITS[han]
    places = "".join(str(_HAN_DIGITS[han]) for han in fraction)
    return Numeral(
        Decimal(f"{total + digit}.{places}" if places else total + digit), _STEPS[len(places)]
    )
