"""The lines of the income and the cash flow statement, in the order of the statements."""

from __future__ import annotations

from tallybook.tools.finance.line_item import Formula, LineItem, Sum


def income() -> tuple[LineItem, ...]:
    """The income statement."""

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
            ("CommonStockDividendsPerShareDeclared",),
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


def cash_flow() -> tuple[LineItem, ...]:
    """The cash flow statement; what is paid out is positive."""

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
