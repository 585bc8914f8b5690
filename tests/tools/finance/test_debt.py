from __future__ import annotations

import pytest
from tests.tools.finance.filed import company, fact, quarters

from tallybook.tools.finance.statements import Statements

CASES = {
    "each part once": ({"LongTermDebtNoncurrent": 70, "LongTermDebtCurrent": 20}, 90, 20),
    "with commercial paper": (
        {"LongTermDebtNoncurrent": 70, "LongTermDebtCurrent": 20, "CommercialPaper": 5},
        95,
        25,
    ),
    "all that is due holds its parts": (
        {"LongTermDebtNoncurrent": 70, "DebtCurrent": 20, "LongTermDebtCurrent": 20},
        90,
        20,
    ),
    "the same line under two names": (
        {"LongTermDebtNoncurrent": 70, "ShortTermBorrowings": 20, "LongTermDebtCurrent": 20},
        90,
        20,
    ),
    "borrowings hold commercial paper": (
        {"LongTermDebtNoncurrent": 70, "ShortTermBorrowings": 8, "CommercialPaper": 5},
        78,
        8,
    ),
    "nothing due, and the whole says so": (
        {"LongTermDebtNoncurrent": 70, "LongTermDebt": 70},
        70,
        0,
    ),
    "a whole only": ({"LongTermDebt": 90, "CommercialPaper": 5}, 95, 5),
    "the long part is unknown": ({"LongTermDebtCurrent": 20}, None, 20),
    "no debt is reported": ({}, None, None),
}


@pytest.mark.parametrize("case", CASES)
def test_debt_counts_each_part_once(case: str) -> None:
    parts, total, due = CASES[case]
    balances = {tag: [fact(value, "", "2024-12-31")] for tag, value in parts.items()}
    statements = Statements(company(Revenues=quarters(2024, 1, 1, 1, 1), **balances))
    (year,) = statements.periods("annual")
    found = [statements.value(key, year) for key in ("total_debt", "current_debt")]
    assert [None if value is None else int(value.amount) for value in found] == [total, due]
