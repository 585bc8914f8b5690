"""Figures straight from raw company facts in a few lines, sharing no code with Tallybook.

It knows each company's tags by hand. A single quarter is its own row, else the longest period
that ends with it less the longest that starts with that and ends before.
"""

from __future__ import annotations

import gzip
import json
from datetime import date
from pathlib import Path

FLOWS = {
    "NVDA": {
        "revenue": "Revenues",
        "cost_of_revenue": "CostOfRevenue",
        "capital_expenditure": "PaymentsToAcquireProductiveAssets",
    },
    "AAPL": {
        "revenue": "RevenueFromContractWithCustomerExcludingAssessedTax",
        "cost_of_revenue": "CostOfGoodsAndServicesSold",
        "capital_expenditure": "PaymentsToAcquirePropertyPlantAndEquipment",
    },
    "GOOGL": {
        "revenue": "Revenues",
        "cost_of_revenue": "CostOfRevenue",
        "capital_expenditure": "PaymentsToAcquirePropertyPlantAndEquipment",
    },
    "MRVL": {
        "revenue": "RevenueFromContractWithCustomerExcludingAssessedTax",
        "cost_of_revenue": "CostOfGoodsAndServicesSold",
        "capital_expenditure": "PaymentsToAcquirePropertyPlantAndEquipment",
    },
}
EVERYWHERE = {
    "operating_income": "OperatingIncomeLoss",
    "net_income": "NetIncomeLoss",
    "operating_cash_flow": "NetCashProvidedByUsedInOperatingActivities",
}
DEBT = {
    "NVDA": [["LongTermDebt"]],
    "AAPL": [["LongTermDebtNoncurrent"], ["LongTermDebtCurrent"], ["CommercialPaper"]],
    "GOOGL": [
        ["LongTermDebtNoncurrent", "LongTermDebtAndCapitalLeaseObligations"],
        ["LongTermDebtCurrent"],
        ["CommercialPaper"],
    ],
    "MRVL": [["LongTermDebt"]],
}

Row = dict[str, float | None]


def raw_figures(folder: Path, ticker: str, ends: list[str]) -> dict[str, Row]:
    """Give the ten figures of each quarter that ends on one of the dates."""
    (path,) = folder.glob(f"CIK*_{ticker}.json.gz")
    gaap = json.loads(gzip.decompress(path.read_bytes()))["facts"]["us-gaap"]

    def rows(tag: str, unit: str) -> dict[tuple[str, str], float]:
        found = gaap.get(tag, {"units": {}})["units"].get(unit, [])
        found = [f for f in found if f["form"] in ("10-K", "10-Q")]
        ordered = sorted(found, key=lambda f: f["filed"])
        return {(f.get("start", ""), f["end"]): f["val"] for f in ordered}

    def days(start: str, end: str) -> int:
        return (date.fromisoformat(end) - date.fromisoformat(start)).days

    def quarter(tag: str, end: str, unit: str = "USD") -> float | None:
        facts = rows(tag, unit)
        ending = sorted(days(s, e) for s, e in facts if e == end and days(s, e) < 380)
        starts = {days(s, e): s for s, e in facts if e == end}
        if ending and ending[0] < 100:
            return facts[starts[ending[0]], end]
        if not ending or unit != "USD":
            return None
        start = starts[ending[-1]]
        before = max(e for s, e in facts if s == start and e < end)
        return facts[start, end] - facts[start, before]

    def at(tags: list[str], end: str) -> float:
        return next((v for t in tags if (v := rows(t, "USD").get(("", end))) is not None), 0)

    table: dict[str, Row] = {}
    for end in ends:
        tags = FLOWS[ticker] | EVERYWHERE
        row: Row = {key: quarter(tag, end) for key, tag in tags.items()}
        revenue, cost = row["revenue"], row["cost_of_revenue"]
        assert revenue is not None
        assert cost is not None
        row["gross_profit"] = revenue - cost
        row["eps_diluted"] = quarter("EarningsPerShareDiluted", end, "USD/shares")
        row["cash"] = at(["CashAndCashEquivalentsAtCarryingValue"], end)
        row["total_debt"] = sum(at(tags, end) for tags in DEBT[ticker])
        table[end] = row
    return table
