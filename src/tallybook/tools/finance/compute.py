"""Arithmetic on figures that keeps their origin: every result names its formula and filings.

A figure is computed from figures in one currency only, and a ratio only over a positive base;
anything else gives None, which is a gap and not a wrong number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal

from tallybook.tools.finance.fiscal import label, quarter_of
from tallybook.tools.finance.line_item import Kind, LineItem
from tallybook.tools.finance.series import Series, Value

_CENT = Decimal("0.01")


@dataclass(frozen=True)
class Term:
    """One figure of a formula under the name it has there; `sign` is 1 or -1."""

    name: str
    value: Value
    sign: int = 1


def add(terms: Sequence[Term]) -> Value | None:
    """Add and subtract figures; the period is that of the first."""
    first = terms[0].value
    if any(term.value.unit != first.unit for term in terms):
        return None
    amount = sum((term.sign * term.value.amount for term in terms), Decimal(0))
    signs = (" - " if term.sign < 0 else " + " for term in terms)
    formula = "".join(sign + term.name for sign, term in zip(signs, terms, strict=True))
    return _derive(terms, amount, first.unit, formula.removeprefix(" + "))


def difference(item: LineItem, series: Series, place: int) -> Value | None:
    """A single quarter as a longer period less the part of it that was over before."""
    quarters = quarter_of(place)
    if not item.additive or quarters == 1:
        return None
    whole, part = series.get((place, quarters)), series.get((place - 1, quarters - 1))
    if whole is None or part is None or part.end >= whole.end:
        return None
    value = add(
        (
            Term(label(place, quarters), whole),
            Term(label(place - 1, quarters - 1), part, -1),
        )
    )
    return value and _lasting(value, part, whole)


def twelve_months(item: LineItem, series: Series, place: int) -> Value | None:
    """Twelve months: last year, plus this year so far, less the same part of last year."""
    quarters = quarter_of(place)
    if not item.additive:
        return None
    year = series.get((place - quarters, 4))
    so_far, before = series.get((place, quarters)), series.get((place - 4, quarters))
    if year is None or so_far is None or before is None:
        return None
    value = add(
        (
            Term(label(place - quarters, 4), year),
            Term(label(place, quarters), so_far),
            Term(label(place - 4, quarters), before, -1),
        )
    )
    return value and _lasting(value, before, so_far)


def ratio(kind: Kind, top: Term, bottom: Term) -> Value | None:
    """One figure over another, rounded to two decimals; in per cent where the kind says so."""
    if bottom.value.amount <= 0 or top.value.unit != bottom.value.unit:
        return None
    times = 100 if kind == "%" else 1
    amount = _round(times * top.value.amount / bottom.value.amount)
    return _derive((top, bottom), amount, kind, f"{top.name} / {bottom.name}")


def growth(now: Term, earlier: Term) -> Value | None:
    """The change of a figure in per cent of a positive earlier one, rounded to two decimals."""
    base = earlier.value.amount
    if base <= 0 or now.value.unit != earlier.value.unit:
        return None
    amount = _round(100 * (now.value.amount - base) / base)
    return _derive((now, earlier), amount, "%", f"({now.name} - {earlier.name}) / {earlier.name}")


def _round(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, rounding=ROUND_HALF_UP)


def _lasting(value: Value, part: Value, whole: Value) -> Value:
    """From the day after `part` to the end of `whole`."""
    return replace(value, start=part.end + timedelta(days=1), end=whole.end)


def _derive(terms: Sequence[Term], amount: Decimal, unit: str, formula: str) -> Value:
    first = terms[0].value
    values = [term.value for term in terms]
    tags = {value.tag for value in values}
    return Value(
        amount,
        unit,
        first.end,
        first.start,
        tuple(dict.fromkeys(accn for value in values for accn in value.filings)),
        tags.pop() if len(tags) == 1 else "",
        formula + _steps(terms),
        "; ".join(dict.fromkeys(value.note for value in values if value.note)),
    )


def _steps(terms: Sequence[Term]) -> str:
    """How the terms themselves were derived, said once where it is the same for all."""
    steps = {term.name: term.value.derived for term in terms}
    if len(set(steps.values())) == 1:
        same = next(iter(steps.values()))
        return f", each {same}" if same else ""
    return "".join(f"; {name} = {how}" for name, how in steps.items() if how)
