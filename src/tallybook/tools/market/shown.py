"""How figures are shown: rounded once, at the end, half away from zero, without idle zeros."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

_FOUR = Decimal("0.0001")
_CENT = Decimal("0.01")


def price(value: Decimal) -> Decimal:
    """A price to four places, or to six digits where it is below one."""
    step = _FOUR if abs(value) >= 1 or value == 0 else Decimal(1).scaleb(value.adjusted() - 5)
    exponent = value.as_tuple().exponent
    fine = isinstance(exponent, int) and exponent < step.adjusted()
    return _plain(value.quantize(step, ROUND_HALF_UP) if fine else value)


def count(value: Decimal) -> Decimal:
    """A number of shares, whole unless it is small."""
    return _plain(value.quantize(Decimal(1), ROUND_HALF_UP) if value >= 1000 else value)


def percent(growth: Decimal) -> Decimal:
    """The change in per cent, to two places, that a growth factor means."""
    return (100 * (growth - 1)).quantize(_CENT, ROUND_HALF_UP)


def _plain(value: Decimal) -> Decimal:
    """Without trailing zeros, and never in exponent form where digits will do."""
    short = value.normalize()
    return short.quantize(Decimal(1)) if short == short.to_integral_value() else short
