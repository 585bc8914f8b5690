"""How amounts of filings are shown: whole ones whole, and never in exponent form."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def number(value: Decimal) -> int | float:
    """The value as JSON shows it."""
    return int(value) if value == value.to_integral_value() else float(value)


def known(value: Decimal | None) -> int | float | None:
    """The same, None where there is none."""
    return None if value is None else number(value)


def cents(value: Decimal) -> int | float:
    """An amount of money, rounded to cents."""
    return number(value.quantize(Decimal("0.01"), ROUND_HALF_UP))


def percent(part: Decimal, whole: Decimal) -> float:
    """A share in per cent, to two places."""
    return float((100 * part / whole).quantize(Decimal("0.01"), ROUND_HALF_UP)) if whole else 0.0
