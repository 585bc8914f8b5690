"""The lines of the balance sheet, and the ratios, in order."""

from __future__ import annotations

from tallybook.tools.finance.line_item import Debt, Formula, Growth, LineItem, Ratio, Sum


def balance() -> tuple[LineItem, ...]:
    """The balance sheet."""

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


def ratios() -> tuple[LineItem, ...]:
    """Key ratios, all computed."""

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
