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
    if (due := get("debt_due")) is not None:
        return due
    parts = [Term(key, value) for key in _short_parts(get) if (value := get(key)) is not None]
    if parts:
        return parts[0].value if len(parts) == 1 else add(parts)
    whole, long = get("debt_long_and_current"), get("long_term_debt")
    if whole is None or long is None or whole.amount < long.amount:
        return None
    return add((Term("debt_long_and_current", whole), Term("long_term_debt", long, -1)))


def total_debt(get: Get) -> Value | None:
    """Long-term debt and what is due within a year; None where the long-term part is unknown."""
    long, due = get("long_term_debt"), current_debt(get)
    if long is not None:
        terms = [Term("long_term_debt", long)]
        if due is not None:
            terms.append(Term("current_debt", due))
        return add(terms)
    whole = get("debt_long_and_current")
    if whole is None:
        return None
    beside = [Term(k, v) for k in ("commercial_paper",) if (v := get(k)) is not None]
    return add((Term("debt_long_and_current", whole), *beside))


def _short_parts(get: Get) -> tuple[str, ...]:
    maturing, borrowed = get("debt_maturing"), get("short_term_borrowings")
    if borrowed is None:
        return ("debt_maturing", "commercial_paper")
    if maturing is not None and maturing.amount == borrowed.amount:
        return ("short_term_borrowings",)
    return ("debt_maturing", "short_term_borrowings")
