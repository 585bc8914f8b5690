"""Debt, which companies report in overlapping parts: each part is counted once.

"Debt, current" holds all that is due within a year; "short-term borrowings" may be the
current part of long-term debt under another name (Marvell), or stand beside it, and holds
commercial paper where both are given.
"""

from __future__ import annotations

from collections.abc import Callable

from tallybook.tools.finance.compute import Term, add
from tallybook.tools.finance.series import Value

Get = Callable[[str], Value | None]


def current_debt(get: Get) -> Value | None:
    """Debt due within a year, from the widest part reported; None if no part is."""
    parts = _due(get)
    if len(parts) == 1:
        return parts[0].value
    if parts:
        return add(parts)
    whole, long = get("debt_long_and_current"), get("long_term_debt")
    if whole is None or long is None or whole.amount < long.amount:
        return None
    return add((Term("debt_long_and_current", whole), Term("long_term_debt", long, -1)))


def total_debt(get: Get) -> Value | None:
    """Long-term debt and what is due within a year; None where the long-term part is unknown.

    Where nothing due is reported, long-term debt is taken with its current part if that is.
    """
    due = _due(get)
    whole, long = get("debt_long_and_current"), get("long_term_debt")
    if long is not None and (due or whole is None):
        return add((Term("long_term_debt", long), *due))
    if whole is None:
        return None
    beside = _terms(get, ("short_term_borrowings",)) or _terms(get, ("commercial_paper",))
    return add((Term("debt_long_and_current", whole), *(beside if long is None else ())))


def _due(get: Get) -> tuple[Term, ...]:
    if due := _terms(get, ("debt_due",)):
        return due
    maturing, borrowed = get("debt_maturing"), get("short_term_borrowings")
    if borrowed is None:
        return _terms(get, ("debt_maturing", "commercial_paper"))
    if maturing is not None and maturing.amount == borrowed.amount:
        return _terms(get, ("short_term_borrowings",))
    return _terms(get, ("debt_maturing", "short_term_borrowings"))


def _terms(get: Get, keys: tuple[str, ...]) -> tuple[Term, ...]:
    return tuple(Term(key, value) for key in keys if (value := get(key)) is not None)
