"""The vocabulary of line items: what each is, where it is reported, how it is computed.

One table, because the same words serve the question parser, the tool's parameters, the
standardizer and the reader of a result. A key never changes its meaning: scratchpads name
items by key. The order of tags breaks ties only; which tag a company uses now is learned
from its facts (see `series`), since companies change tags over time.
"""

from __future__ import annotations

from types import MappingProxyType

from tallybook.tools.finance.items_balances import BALANCE, RATIOS
from tallybook.tools.finance.items_flows import CASH_FLOW, INCOME
from tallybook.tools.finance.line_item import LineItem, Statement

TAG_NOTES: MappingProxyType[str, str] = MappingProxyType(
    {
        "DebtSecuritiesCurrent": "debt securities only",
        "InterestExpenseDebt": "interest on debt only",
        "LongTermDebtAndCapitalLeaseObligations": "may include finance leases",
        "PaymentsToAcquireProductiveAssets": "may include intangible assets",
        "ProfitLoss": "includes noncontrolling interests",
    }
)
"""What to know of a tag that is a little wider or narrower than its item."""

ITEMS: MappingProxyType[str, LineItem] = MappingProxyType(
    {item.key: item for item in (*INCOME, *CASH_FLOW, *BALANCE, *RATIOS)}
)
"""Every line item by key, in the order of the statements."""


def items_of(statement: Statement) -> tuple[LineItem, ...]:
    """Give the lines of one statement, in order, without the parts that only serve others."""
    return tuple(i for i in ITEMS.values() if i.statement == statement and not i.part)
