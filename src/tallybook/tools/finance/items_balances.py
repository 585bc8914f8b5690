"""The lines of the balance sheet, and the ratios, in order."""

from __future__ import annotations

from tallybook.tools.finance.line_item import Debt, Formula, Growth, LineItem, Ratio, Sum


def _balance(key: str, label: str, *tags: str, by: Formula | None = None) -> LineItem:
    return LineItem(key, label, "balance", tags, by, instant=True)


def _part(key: str, label: str, *tags: str) -> LineItem:
    return LineItem(key, label, "balance", tags, instant=True, part=True)


def _percent(key: str, label: str, by: Formula) -> LineItem:
    return LineItem(key, label, "ratios", (), by, "%")


def _times(key: str, label: str, by: Formula) -> LineItem:
    return LineItem(key, label, "ratios", (), by, "x", instant=True)


def _to_revenue(of: str) -> Ratio:
    return Ratio(of, "revenue")


BALANCE: tuple[LineItem, ...] = (
    _balance("cash", "Cash and cash equivalents", "CashAndCashEquivalentsAtCarryingValue"),
    _balance(
        "short_term_investments",
        "Short-term investments (marketable securities)",
        "MarketableSecuritiesCurrent",
        "ShortTermInvestments",
        "DebtSecuritiesCurrent",
        "AvailableForSaleSecuritiesDebtSecuritiesCurrent",
    ),
    _balance(
        "cash_and_investments",
        "Cash and short-term investments",
        "CashCashEquivalentsAndShortTermInvestments",
        by=Sum(("cash",), optional=("short_term_investments",)),
    ),
    _balance(
        "accounts_receivable",
        "Accounts receivable",
        "AccountsReceivableNetCurrent",
        "ReceivablesNetCurrent",
    ),
    _balance("inventory", "Inventory", "InventoryNet"),
    _balance("current_assets", "Current assets", "AssetsCurrent"),
    _balance(
        "long_term_investments",
        "Long-term marketable securities",
        "MarketableSecuritiesNoncurrent",
        "LongTermInvestments",
    ),
    _balance(
        "property_plant_equipment",
        "Property, plant and equipment, net",
        "PropertyPlantAndEquipmentNet",
        "PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization",
    ),
    _balance("goodwill", "Goodwill", "Goodwill"),
    _balance("intangible_assets", "Intangible assets, net", "IntangibleAssetsNetExcludingGoodwill"),
    _balance("total_assets", "Total assets", "Assets"),
    _balance("accounts_payable", "Accounts payable", "AccountsPayableCurrent"),
    _balance("current_liabilities", "Current liabilities", "LiabilitiesCurrent"),
    _balance("current_debt", "Debt due within a year", by=Debt(total=False)),
    _balance(
        "long_term_debt",
        "Long-term debt (without the current part)",
        "LongTermDebtNoncurrent",
        "LongTermDebtAndCapitalLeaseObligations",
    ),
    _balance("total_debt", "Total debt", by=Debt(total=True)),
    _part("debt_due", "Debt due within a year, all kinds", "DebtCurrent"),
    _part("debt_maturing", "Current part of long-term debt", "LongTermDebtCurrent"),
    _part("short_term_borrowings", "Short-term borrowings", "ShortTermBorrowings"),
    _part("commercial_paper", "Commercial paper", "CommercialPaper"),
    _part("debt_long_and_current", "Long-term debt with its current part", "LongTermDebt"),
    _balance(
        "total_liabilities",
        "Total liabilities",
        "Liabilities",
        by=Sum(("liabilities_and_equity",), ("equity_with_minorities",)),
    ),
    _part("liabilities_and_equity", "Liabilities and equity", "LiabilitiesAndStockholdersEquity"),
    _part(
        "equity_with_minorities",
        "Equity with minorities",
        "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
        "StockholdersEquity",
    ),
    _balance("retained_earnings", "Retained earnings", "RetainedEarningsAccumulatedDeficit"),
    _balance("equity", "Shareholders' equity", "StockholdersEquity"),
    _balance(
        "net_cash",
        "Net cash (cash and short-term investments less debt)",
        by=Sum(("cash_and_investments",), ("total_debt",)),
    ),
)

RATIOS: tuple[LineItem, ...] = (
    _percent("gross_margin", "Gross margin", _to_revenue("gross_profit")),
    _percent("operating_margin", "Operating margin", _to_revenue("operating_income")),
    _percent("net_margin", "Net margin", _to_revenue("net_income")),
    _percent("free_cash_flow_margin", "Free cash flow margin", _to_revenue("free_cash_flow")),
    _percent(
        "research_to_revenue",
        "Research and development to revenue",
        _to_revenue("research_and_development"),
    ),
    _percent(
        "capital_expenditure_to_revenue",
        "Capital expenditure to revenue",
        _to_revenue("capital_expenditure"),
    ),
    _percent("effective_tax_rate", "Effective tax rate", Ratio("income_tax", "pretax_income")),
    _percent("revenue_growth_yoy", "Revenue growth, year over year", Growth("revenue")),
    _percent(
        "revenue_growth_qoq",
        "Revenue growth, against the period before",
        Growth("revenue", "previous"),
    ),
    _percent("net_income_growth_yoy", "Net income growth, year over year", Growth("net_income")),
    _percent("eps_growth_yoy", "Diluted EPS growth, year over year", Growth("eps_diluted")),
    _percent(
        "free_cash_flow_growth_yoy",
        "Free cash flow growth, year over year",
        Growth("free_cash_flow"),
    ),
    _times(
        "current_ratio",
        "Current assets to current liabilities",
        Ratio("current_assets", "current_liabilities"),
    ),
    _times("debt_to_equity", "Debt to equity", Ratio("total_debt", "equity")),
)
