"""Write a figure's number so that value, scale and precision can all be read off it.

The digits are those that were shown: 94.9B stays 94.9B and is not 94900000000, which would
claim a precision nobody gave. Arithmetic is on exponents alone, so no digit is rounded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from tallybook.figures.cells import text_cell, text_of
from tallybook.figures.columns import shifted, unshifted
from tallybook.figures.figure import Figure

_SUFFIXES: Final = {3: "K", 6: "M", 9: "B", 12: "T"}
_PLACES: Final = {suffix: places for places, suffix in _SUFFIXES.items()}
_MOST_ZEROS: Final = 40
_OVERHEAD: Final = 10
_WHOLE: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z")
_AMOUNT: Final = re.compile(
    r"(?P<digits>-?[0-9]+(?:\.[0-9]+)?(?:E[+-]?[0-9]+)?)"
    r"(?:(?P<letter>[KMBT])|e(?P<power>-?[0-9]+)|\*(?P<scale>[^±]+))?"
    r"(?:±(?P<precision>.+))?\Z"
)


def places_of(scale: Decimal) -> int | None:
    """The power of ten that a scale is; None where it is none."""
    sign, digits, exponent = _parts(_bare(scale))
    return exponent if digits == (1,) and not sign else None


@dataclass(frozen=True, slots=True)
class Usual:
    """What holds in a table if a cell says nothing else: numbers are in units of 10**places.

    That is their scale; but where they are `exact` it is only a way to write whole numbers
    of scale and precision 1 without their zeros.
    """

    places: int = 0
    exact: bool = False


def usual_of(figures: Sequence[Figure], places: Mapping[Decimal, int | None]) -> Usual:
    """The scale most figures have; of whole numbers, the unit that writes them shortest."""
    scales = Counter(figure.scale for figure in figures)
    known = {p: n for scale, n in scales.items() if (p := places[scale]) is not None}
    most = max(known, key=lambda each: (known[each], -each), default=0)
    whole = [str(figure.value) for figure in figures if _is_whole(figure)]
    if most or 2 * len(whole) < len(figures):
        return Usual(most)
    gains = {
        zeros: sum(len(number) - len(shifted(number, zeros)) for number in whole)
        for zeros in (3, 6, 9)
    }
    zeros = max(gains, key=lambda each: (gains[each], -each))
    exact = gains[zeros] > _OVERHEAD + 2 * (len(figures) - len(whole))
    return Usual(zeros, exact=True) if exact else Usual(0)


def _is_whole(figure: Figure) -> bool:
    return figure.scale == 1 and figure.precision == 1 and not _parts(figure.value)[2]


def amount(figure: Figure, places: int | None, usual: Usual) -> str:
    """Write a figure's number; `places` is `places_of` its scale, which a table knows already."""
    if usual.exact and _is_whole(figure):
        return shifted(str(figure.value), usual.places)
    shift = places or 0
    shown = _moved(figure.value, -shift)
    step = _moved(figure.precision, -shift)
    digits, said = _with_precision(shown, step)
    if places is None:
        return f"{digits}*{figure.scale}{said}"
    if usual.exact or places != usual.places:
        digits += _SUFFIXES.get(places, f"e{places}")
    return digits + said


def amount_of(text: str, usual: Usual) -> tuple[Decimal, Decimal, Decimal]:
    """Read back value, precision and scale; ValueError where `amount` did not write it."""
    found = _AMOUNT.match(text)
    if not found:
        raise ValueError(f"{text!r} is no amount")
    if usual.exact and _WHOLE.match(text):
        return Decimal(unshifted(text, usual.places)), Decimal(1), Decimal(1)
    places = usual.places
    if found["letter"] or found["power"]:
        places = _PLACES[found["letter"]] if found["letter"] else int(found["power"])
    if found["scale"]:
        places = 0
    shown = Decimal(found["digits"])
    step = Decimal((0, (1,), _parts(shown)[2]))
    if found["precision"]:
        step = Decimal(found["precision"])
    scale = Decimal(found["scale"]) if found["scale"] else Decimal((0, (1,), places))
    return _moved(shown, places), _moved(step, places), scale


def identifier(figure: Figure) -> str:
    """Write an identifier as it stood, or its bare number where the text says another."""
    if figure.text and _digits(figure.text) == figure.value:
        return text_cell(figure.text)
    return f"={figure.value}"


def identifier_of(cell: str) -> tuple[Decimal, str]:
    """Read back an identifier's number and text."""
    if cell.startswith("="):
        return Decimal(cell[1:]), ""
    text = text_of(cell)
    value = _digits(text)
    if value is None:
        raise ValueError(f"{cell!r} is no identifier")
    return value, text


def _moved(number: Decimal, places: int) -> Decimal:
    if not places:
        return number
    sign, digits, exponent = _parts(number)
    return Decimal((sign, digits, exponent + places))


def _with_precision(shown: Decimal, step: Decimal) -> tuple[str, str]:
    """Write the digits down to the step that was shown; say the step where they cannot."""
    sign, digits, exponent = _parts(shown)
    _, unit, last = _parts(step)
    if unit != (1,):
        _, unit, last = _parts(_bare(step))
    more = exponent - last
    if unit == (1,) and more == 0:
        return _plain(shown), ""
    if unit == (1,) and 0 <= more <= _MOST_ZEROS:
        return _plain(Decimal((sign, digits + (0,) * more, last))), ""
    if unit == (1,) and more < 0 and not any(digits[more:]):
        return _plain(Decimal((sign, digits[:more] or (0,), last))), ""
    return _plain(shown), f"±{_bare(step)}"


def _bare(number: Decimal) -> Decimal:
    """The same number without zeros at its end; `normalize` would round it."""
    sign, digits, exponent = _parts(number)
    kept = "".join(map(str, digits)).rstrip("0") or "0"
    return Decimal((sign, tuple(map(int, kept)), exponent + len(digits) - len(kept)))


def _parts(number: Decimal) -> tuple[int, tuple[int, ...], int]:
    sign, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"{number} is no finite number")  # noqa: TRY004
    return sign, digits, exponent


def _plain(number: Decimal) -> str:
    sign, digits, exponent = _parts(number)
    if not exponent:
        return str(number)
    if -_MOST_ZEROS <= exponent < 0:
        return f"{number:f}"
    return f"{'-' if sign else ''}{''.join(map(str, digits))}E{exponent}"


def _digits(text: str) -> Decimal | None:
    digits = re.sub(r"[^0-9]", "", text)
    return Decimal(digits) if digits else None
