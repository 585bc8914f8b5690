"""The lines of the income and the cash flow statement, in the order of the statements."""

from __future__ import annotations

from tallybook.tools.finance.line_item import Formula, LineItem, Sum


def _income(key: str, label: str, *tags: str, by: Formula | None = None) -> LineItem:
    return LineItem(key, label, "income", tags, by)


def _per_share(key: str, label: str, *tags: str) -> LineItem:
    return LineItem(key, label, "income", tags, kind="money/share", average=True)


def _shares(key: str, label: str, *tags: str) -> LineItem:
    return LineItem(key, label, "income", tags, kind="shares", average=True)


def _cash(key: str, label: str, *tags: str, by: Formula | None = None) -> LineItem:
    return LineItem(key, label, "cash_flow", tags, by)


def _cash_part(key: str, label: str, *tags: str) -> LineItem:
    return LineItem(key, label, "cash_flow", tags, part=True)


INCOME: tuple[LineItem, ...] = (
    _income(
        "revenue",
        "Revenue",
        "Revenues",
        "RevenueFromContractWithCustomerExcludingAssessedTax",
        "RevenueFromContractWithCustomerIncludingAssessedTax",
        "SalesRevenueNet",
        "SalesRevenueGoodsNet",
    ),
    _income(
        "cost_of_revenue",
        "Cost of revenue",
        "CostOfRevenue",
        "CostOfGoodsAndServicesSold",
        "CostOfGoodsSold",
        by=Sum(("revenue",), ("gross_profit",)),
    ),
    _income(
        "gross_profit",
        "Gross profit",
        "GrossProfit",
        by=Sum(("revenue",), ("cost_of_revenue",)),
    ),
    _income(
        "research_and_development",
        "Research and development",
        "ResearchAndDevelopmentExpense",
        "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
    ),
    _income(
        "selling_general_admin",
        "Selling, general and administrative",
        "SellingGeneralAndAdministrativeExpense",
        by=Sum(("sales_and_marketing", "general_and_administrative")),
    ),
    _income("sales_and_marketing", "Sales and marketing", "SellingAndMarketingExpense"),
    _income(
        "general_and_administrative",
        "General and administrative",
        "GeneralAndAdministrativeExpense",
    ),
    _income(
        "operating_expenses",
        "Operating expenses (without cost of revenue)",
        "OperatingExpenses",
        by=Sum(("gross_profit",), ("operating_income",)),
    ),
    _income("operating_income", "Operating income", "OperatingIncomeLoss"),
    _income(
        "interest_expense",
        "Interest expense",
        "InterestExpense",
        "InterestExpenseNonoperating",
        "InterestExpenseDebt",
    ),
    _income(
        "pretax_income",
        "Income before tax",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
        "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
        by=Sum(("net_income", "income_tax")),
    ),
    _income("income_tax", "Income tax", "IncomeTaxExpenseBenefit"),
    _income("net_income", "Net income", "NetIncomeLoss", "ProfitLoss"),
    _per_share("eps_basic", "Earnings per share, basic", "EarningsPerShareBasic"),
    _per_share("eps_diluted", "Earnings per share, diluted", "EarningsPerShareDiluted"),
    LineItem(
        "dividends_per_share",
        "Dividends declared per share",
        "income",
        ("CommonStockDividendsPerShareDeclared",),
        kind="money/share",
    ),
    _shares(
        "shares_basic",
        "Weighted average shares, basic",
        "WeightedAverageNumberOfSharesOutstandingBasic",
    ),
    _shares(
        "shares_diluted",
        "Weighted average shares, diluted",
        "WeightedAverageNumberOfDilutedSharesOutstanding",
    ),
)

CASH_FLOW: tuple[LineItem, ...] = (
    _cash(
        "operating_cash_flow",
        "Operating cash flow",
        "NetCashProvidedByUsedInOperatingActivities",
        "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
    ),
    _cash(
        "capital_expenditure",
        "Capital expenditure (outflow, positive)",
        "PaymentsToAcquirePropertyPlantAndEquipment",
        "PaymentsToAcquireProductiveAssets",
    ),
    _cash(
        "free_cash_flow",
        "Free cash flow",
        by=Sum(("operating_cash_flow",), ("capital_expenditure",)),
    ),
    _cash(
        "depreciation_amortization",
        "Depreciation and amortization",
        "DepreciationDepletionAndAmortization",
        "DepreciationAmortizationAndAccretionNet",
        by=Sum(("depreciation_other", "amortization_intangibles")),
    ),
    _cash_part("depreciation", "Depreciation", "Depreciation"),
    _cash_part(
        "depreciation_other",
        "Depreciation and other amortization",
        "OtherDepreciationAndAmortization",
    ),
    _cash_part(
        "amortization_intangibles",
        "Amortization of intangible assets",
        "AmortizationOfIntangibleAssets",
    ),
    _cash("stock_based_compensation", "Stock-based compensation", "ShareBasedCompensation"),
    _cash(
        "investing_cash_flow",
        "Investing cash flow",
        "NetCashProvidedByUsedInInvestingActivities",
    ),
    _cash(
        "financing_cash_flow",
        "Financing cash flow",
        "NetCashProvidedByUsedInFinancingActivities",
    ),
    _cash(
        "acquisitions",
        "Acquisitions, net of cash (outflow, positive)",
        "PaymentsToAcquireBusinessesNetOfCashAcquired",
    ),
    _cash(
        "dividends_paid",
        "Dividends paid (outflow, positive)",
        "PaymentsOfDividends",
        "PaymentsOfDividendsCommonStock",
    ),
    _cash(
        "share_repurchases",
        "Share repurchases (outflow, positive)",
        "PaymentsForRepurchaseOfCommonStock",
    ),
)
"""What is paid out is positive."""
