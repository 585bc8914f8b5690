"""The vocabulary of line items: what each is, where it is reported, how it is computed.

One table, because the same words serve the question parser, the tool's parameters, the
standardizer and the reader of a result. A key never changes its meaning: scratchpads name
items by key. The order of tags breaks ties only; which tag a company uses now is learned
from its facts (see `series`), since companies change tags over time.
"""

from __future__ import annotations

from types import MappingProxyType

from tallybook.tools.finance.line_item import (
    Debt,
    Formula,
    Growth,
    LineItem,
    Ratio,
    Statement,
    Sum,
)

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


def _income() -> tuple[LineItem, ...]:
    def item(key: str, label: str, *tags: str, by: Formula | None = None) -> LineItem:
        return LineItem(key, label, "income", tags, by)

    def per_share(key: str, label: str, *tags: str) -> LineItem:
        return LineItem(key, label, "income", tags, kind="money/share", average=True)

    def shares(key: str, label: str, *tags: str) -> LineItem:
        return LineItem(key, label, "income", tags, kind="shares", average=True)

    return (
        item(
            "revenue",
            "Revenue",
            "Revenues",
            "RevenueFromContractWithCustomerExcludingAssessedTax",
            "RevenueFromContractWithCustomerIncludingAssessedTax",
            "SalesRevenueNet",
            "SalesRevenueGoodsNet",
        ),
        item(
            "cost_of_revenue",
            "Cost of revenue",
            "CostOfRevenue",
            "CostOfGoodsAndServicesSold",
            "CostOfGoodsSold",
            by=Sum(("revenue",), ("gross_profit",)),
        ),
        item(
            "gross_profit",
            "Gross profit",
            "GrossProfit",
            by=Sum(("revenue",), ("cost_of_revenue",)),
        ),
        item(
            "research_and_development",
            "Research and development",
            "ResearchAndDevelopmentExpense",
            "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
        ),
        item(
            "selling_general_admin",
            "Selling, general and administrative",
            "SellingGeneralAndAdministrativeExpense",
            by=Sum(("sales_and_marketing", "general_and_administrative")),
        ),
        item("sales_and_marketing", "Sales and marketing", "SellingAndMarketingExpense"),
        item(
            "general_and_administrative",
            "General and administrative",
            "GeneralAndAdministrativeExpense",
        ),
        item(
            "operating_expenses",
            "Operating expenses (without cost of revenue)",
            "OperatingExpenses",
            by=Sum(("gross_profit",), ("operating_income",)),
        ),
        item("operating_income", "Operating income", "OperatingIncomeLoss"),
        item(
            "interest_expense",
            "Interest expense",
            "InterestExpense",
            "InterestExpenseNonoperating",
            "InterestExpenseDebt",
        ),
        item(
            "pretax_income",
            "Income before tax",
            "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
            "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
            by=Sum(("net_income", "income_tax")),
        ),
        item("income_tax", "Income tax", "IncomeTaxExpenseBenefit"),
        item("net_income", "Net income", "NetIncomeLoss", "ProfitLoss"),
        per_share("eps_basic", "Earnings per share, basic", "EarningsPerShareBasic"),
        per_share("eps_diluted", "Earnings per share, diluted", "EarningsPerShareDiluted"),
        LineItem(
            "dividends_per_share",
            "Dividends declared per share",
            "income",
            ("CommonStockDividendsPerShareDeclared", "CommonStockDividendsPerShareCashPaid"),
            kind="money/share",
        ),
        shares(
            "shares_basic",
            "Weighted average shares, basic",
            "WeightedAverageNumberOfSharesOutstandingBasic",
        ),
        shares(
            "shares_diluted",
            "Weighted average shares, diluted",
            "WeightedAverageNumberOfDilutedSharesOutstanding",
        ),
    )


def _cash_flow() -> tuple[LineItem, ...]:
    def item(key: str, label: str, *tags: str, by: Formula | None = None) -> LineItem:
        return LineItem(key, label, "cash_flow", tags, by)

    def part(key: str, label: str, *tags: str) -> LineItem:
        return LineItem(key, label, "cash_flow", tags, part=True)

    return (
        item(
            "operating_cash_flow",
            "Operating cash flow",
            "NetCashProvidedByUsedInOperatingActivities",
            "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
        ),
        item(
            "capital_expenditure",
            "Capital expenditure (outflow, positive)",
            "PaymentsToAcquirePropertyPlantAndEquipment",
            "PaymentsToAcquireProductiveAssets",
        ),
        item(
            "free_cash_flow",
            "Free cash flow",
            by=Sum(("operating_cash_flow",), ("capital_expenditure",)),
        ),
        item(
            "depreciation_amortization",
            "Depreciation and amortization",
            "DepreciationDepletionAndAmortization",
            "DepreciationAmortizationAndAccretionNet",
            "DepreciationAndAmortization",
            by=Sum(("depreciation_other", "amortization_intangibles")),
        ),
        part("depreciation", "Depreciation", "Depreciation"),
        part(
            "depreciation_other",
            "Depreciation and other amortization",
            "OtherDepreciationAndAmortization",
        ),
        part(
            "amortization_intangibles",
            "Amortization of intangible assets",
            "AmortizationOfIntangibleAssets",
        ),
        item("stock_based_compensation", "Stock-based compensation", "ShareBasedCompensation"),
        item(
            "investing_cash_flow",
            "Investing cash flow",
            "NetCashProvidedByUsedInInvestingActivities",
        ),
        item(
            "financing_cash_flow",
            "Financing cash flow",
            "NetCashProvidedByUsedInFinancingActivities",
        ),
        item(
            "acquisitions",
            "Acquisitions, net of cash (outflow, positive)",
            "PaymentsToAcquireBusinessesNetOfCashAcquired",
        ),
        item(
            "dividends_paid",
            "Dividends paid (outflow, positive)",
            "PaymentsOfDividends",
            "PaymentsOfDividendsCommonStock",
        ),
        item(
            "share_repurchases",
            "Share repurchases (outflow, positive)",
            "PaymentsForRepurchaseOfCommonStock",
        ),
    )


def _balance() -> tuple[LineItem, ...]:
    def item(key: str, label: str, *tags: str, by: Formula | None = None) -> LineItem:
        return LineItem(key, label, "balance", tags, by, instant=True)

    def part(key: str, label: str, *tags: str) -> LineItem:
        return LineItem(key, label, "balance", tags, instant=True, part=True)

    return (
        item("cash", "Cash and cash equivalents", "CashAndCashEquivalentsAtCarryingValue"),
        item(
            "short_term_investments",
            "Short-term investments (marketable securities)",
            "MarketableSecuritiesCurrent",
            "ShortTermInvestments",
            "DebtSecuritiesCurrent",
            "AvailableForSaleSecuritiesDebtSecuritiesCurrent",
        ),
        item(
            "cash_and_investments",
            "Cash and short-term investments",
            "CashCashEquivalentsAndShortTermInvestments",
            by=Sum(("cash",), optional=("short_term_investments",)),
        ),
        item(
            "accounts_receivable",
            "Accounts receivable",
            "AccountsReceivableNetCurrent",
            "ReceivablesNetCurrent",
        ),
        item("inventory", "Inventory", "InventoryNet"),
        item("current_assets", "Current assets", "AssetsCurrent"),
        item(
            "long_term_investments",
            "Long-term marketable securities",
            "MarketableSecuritiesNoncurrent",
            "LongTermInvestments",
        ),
        item(
            "property_plant_equipment",
            "Property, plant and equipment, net",
            "PropertyPlantAndEquipmentNet",
            "PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization",
        ),
        item("goodwill", "Goodwill", "Goodwill"),
        item("intangible_assets", "Intangible assets, net", "IntangibleAssetsNetExcludingGoodwill"),
        item("total_assets", "Total assets", "Assets"),
        item("accounts_payable", "Accounts payable", "AccountsPayableCurrent"),
        item("current_liabilities", "Current liabilities", "LiabilitiesCurrent"),
        item("current_debt", "Debt due within a year", by=Debt(total=False)),
        item(
            "long_term_debt",
            "Long-term debt (without the current part)",
            "LongTermDebtNoncurrent",
            "LongTermDebtAndCapitalLeaseObligations",
        ),
        item("total_debt", "Total debt", by=Debt(total=True)),
        part("debt_due", "Debt due within a year, all kinds", "DebtCurrent"),
        part("debt_maturing", "Current part of long-term debt", "LongTermDebtCurrent"),
        part("short_term_borrowings", "Short-term borrowings", "ShortTermBorrowings"),
        part("commercial_paper", "Commercial paper", "CommercialPaper"),
        part("debt_long_and_current", "Long-term debt with its current part", "LongTermDebt"),
        item(
            "total_liabilities",
            "Total liabilities",
            "Liabilities",
            by=Sum(("liabilities_and_equity",), ("equity_with_minorities",)),
        ),
        part(
            "liabilities_and_equity", "Liabilities and equity", "LiabilitiesAndStockholdersEquity"
        ),
        part(
            "equity_with_minorities",
            "Equity with minorities",
            "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
            "StockholdersEquity",
        ),
        item("retained_earnings", "Retained earnings", "RetainedEarningsAccumulatedDeficit"),
        item("equity", "Shareholders' equity", "StockholdersEquity"),
        item(
            "net_cash",
            "Net cash (cash and short-term investments less debt)",
            by=Sum(("cash_and_investments",), ("total_debt",)),
        ),
    )


def _ratios() -> tuple[LineItem, ...]:
    def percent(key: str, label: str, by: Formula) -> LineItem:
        return LineItem(key, label, "ratios", (), by, "%")

    def times(key: str, label: str, by: Formula) -> LineItem:
        return LineItem(key, label, "ratios", (), by, "x", instant=True)

    def margin(of: str) -> Ratio:
        return Ratio(of, "revenue")

    return (
        percent("gross_margin", "Gross margin", margin("gross_profit")),
        percent("operating_margin", "Operating margin", margin("operating_income")),
        percent("net_margin", "Net margin", margin("net_income")),
        percent("free_cash_flow_margin", "Free cash flow margin", margin("free_cash_flow")),
        percent(
            "research_to_revenue",
            "Research and development to revenue",
            margin("research_and_development"),
        ),
        percent(
            "capital_expenditure_to_revenue",
            "Capital expenditure to revenue",
            margin("capital_expenditure"),
        ),
        percent("effective_tax_rate", "Effective tax rate", Ratio("income_tax", "pretax_income")),
        percent("revenue_growth_yoy", "Revenue growth, year over year", Growth("revenue")),
        percent(
            "revenue_growth_qoq",
            "Revenue growth, against the period before",
            Growth("revenue", "previous"),
        ),
        percent("net_income_growth_yoy", "Net income growth, year over year", Growth("net_income")),
        percent("eps_growth_yoy", "Diluted EPS growth, year over year", Growth("eps_diluted")),
        percent(
            "free_cash_flow_growth_yoy",
            "Free cash flow growth, year over year",
            Growth("free_cash_flow"),
        ),
        times(
            "current_ratio",
            "Current assets to current liabilities",
            Ratio("current_assets", "current_liabilities"),
        ),
        times("debt_to_equity", "Debt to equity", Ratio("total_debt", "equity")),
    )


ITEMS: MappingProxyType[str, LineItem] = MappingProxyType(
    {item.key: item for item in (*_income(), *_cash_flow(), *_balance(), *_ratios())}
)
"""Every line item by key, in the order of the statements."""


def items_of(statement: Statement) -> tuple[LineItem, ...]:
    """Give the lines of one statement, in order, without the parts that only serve others."""
    return tuple(i for i in ITEMS.values() if i.statement == statement and not i.part)
