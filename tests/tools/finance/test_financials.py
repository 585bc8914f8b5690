from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date

import msgspec
import pytest
from tests.tools.finance.filed import company, fact, quarters

from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.facts import CompanyFacts
from tallybook.tools.finance.financials import (
    Financials,
    FinancialsRequest,
    describe,
    get_financials,
    to_json,
)
from tallybook.tools.finance.items import ITEMS, items_of
from tallybook.tools.finance.sample import FILE, Sample, load


class Given:
    """A source that gives one company whatever it is asked for."""

    def __init__(self, facts: CompanyFacts) -> None:
        self._facts = facts

    @property
    def about(self) -> str:
        return "a test"

    async def facts(self, names: Sequence[str]) -> Sequence[CompanyFacts | ToolFailure]:
        return [self._facts for _ in names]


def ask(request: FinancialsRequest) -> Financials:
    return asyncio.run(get_financials(request, Sample()))


def refused(request: FinancialsRequest) -> str:
    with pytest.raises(ToolFailure) as raised:
        ask(request)
    return str(raised.value)


def test_rows_are_newest_first_and_can_be_read_alone() -> None:
    result = ask(FinancialsRequest(("NVDA",), items=("revenue",), limit=2))
    rows = msgspec.json.decode(to_json(result))["companies"][0]["items"]["revenue"]
    assert rows[0] == {
        "company": "NVIDIA CORP",
        "ticker": "NVDA",
        "item": "revenue",
        "period": "Q1 FY2027",
        "end": "2026-04-26",
        "value": 81615000000,
        "unit": "USD",
        "filings": ["0001045810-26-000052"],
        "tag": "Revenues",
    }
    assert rows[1]["period"] == "Q4 FY2026"
    assert rows[1]["derived"] == "FY2026 - 9M FY2026"


def test_every_filing_of_a_row_is_explained_with_its_address() -> None:
    for found in ask(FinancialsRequest(("NVDA", "AAPL"), statement="all")).companies:
        named = {accn for rows in found.items.values() for row in rows for accn in row.filings}
        assert named == set(found.filings)
        for accn, filing in found.filings.items():
            assert filing.form in ("10-K", "10-Q")
            assert filing.url.endswith(f"/{accn}-index.htm")


def test_json_has_one_row_on_each_line() -> None:
    text = to_json(ask(FinancialsRequest(("AAPL",), items=("revenue", "cash"))))
    assert len(text.splitlines()) == 1 + 8
    assert msgspec.json.decode(text, type=Financials).companies[0].ticker == "AAPL"


def test_what_is_missing_is_named_with_the_reason() -> None:
    (apple,) = ask(FinancialsRequest(("AAPL",), items=("eps_diluted", "goodwill"))).companies
    assert apple.missing["goodwill"] == "not reported"
    assert apple.missing["eps_diluted"].startswith("Q4 FY2025: no fourth quarter is reported")


def test_companies_go_by_their_names_too() -> None:
    result = ask(FinancialsRequest(("nvidia", "Apple Inc.", "Google", "Marvell Technology")))
    assert [found.ticker for found in result.companies] == ["NVDA", "AAPL", "GOOGL", "MRVL"]


def test_a_company_named_twice_is_given_once() -> None:
    assert len(ask(FinancialsRequest(("GOOG", "GOOGL"))).companies) == 1


def test_dates_bound_the_periods_and_then_all_are_given() -> None:
    request = FinancialsRequest(
        ("MRVL",), items=("revenue",), start=date(2024, 1, 1), end=date(2025, 12, 31)
    )
    rows = ask(request).companies[0].items["revenue"]
    assert [rows[0].period, rows[-1].period, len(rows)] == ["Q3 FY2026", "Q4 FY2024", 8]


def test_four_periods_are_given_unless_more_are_asked_for() -> None:
    assert len(ask(FinancialsRequest(("AAPL",))).companies[0].items["revenue"]) == 4


def test_balances_of_twelve_months_are_those_at_the_end() -> None:
    request = FinancialsRequest(("NVDA",), items=("revenue", "cash"), period="ttm", limit=1)
    items = ask(request).companies[0].items
    assert (items["revenue"][0].period, items["cash"][0].period) == ("TTM Q1 FY2027", "Q1 FY2027")


def test_a_company_that_is_unknown_does_not_take_the_others_with_it() -> None:
    result = ask(FinancialsRequest(("NVDA", "TSLA")))
    assert [found.ticker for found in result.companies] == ["NVDA"]
    assert "'TSLA' is not in the embedded sample" in result.failures[0]


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (FinancialsRequest(()), "Name 1 to 20 tickers"),
        (FinancialsRequest(("NVDA",), limit=0), "1 to 40"),
        (FinancialsRequest(("NVDA",), limit=41), "1 to 40"),
        (FinancialsRequest(("NVDA",), items=("revenues",)), "Did you mean revenue"),
        (FinancialsRequest(("NVDA",), start=date(2025, 1, 1), end=date(2024, 1, 1)), "swap"),
        (FinancialsRequest(("NVDA",), start=date(2030, 1, 1)), "Ask within these dates"),
        (FinancialsRequest(("NVDA",), end=date(2012, 1, 1)), "Q3 FY2023 (2022-10-30)"),
        (FinancialsRequest(("XYZ",)), "AAPL (Apple Inc.)"),
    ],
)
def test_a_wrong_request_says_what_to_do(request_: FinancialsRequest, says: str) -> None:
    assert says in refused(request_)


def test_a_filer_of_years_only_is_said_to_be_one() -> None:
    facts = company(Revenues=[fact(5, "2024-01-01", "2024-12-31", form="20-F", fy=2024)])
    with pytest.raises(ToolFailure, match="full years only"):
        asyncio.run(get_financials(FinancialsRequest(("T",)), Given(facts)))


def test_a_company_without_an_annual_report_is_said_to_have_none() -> None:
    facts = CompanyFacts("NEW", "New Corp", 1, {"Revenues": {"USD": tuple(quarters(2024, 1)[:1])}})
    with pytest.raises(ToolFailure, match="no annual report"):
        asyncio.run(get_financials(FinancialsRequest(("NEW",)), Given(facts)))


def test_the_description_names_every_item_once() -> None:
    text = describe()
    for statement in ("income", "cash_flow", "balance", "ratios"):
        for item in items_of(statement):
            assert item.key in text
    assert len(text) < 3000


def test_every_formula_is_made_of_known_items() -> None:
    result = ask(FinancialsRequest(("NVDA", "AAPL", "GOOGL", "MRVL"), items=tuple(ITEMS), limit=8))
    given = {key for found in result.companies for key in found.items}
    assert given | {"sales_and_marketing"} == set(ITEMS)


def test_the_sample_is_small_and_holds_what_it_says() -> None:
    from importlib.resources import files

    size = len(files("tallybook.tools.finance").joinpath(FILE).read_bytes())
    assert size < 250_000
    assert [found.ticker for found in load().companies] == ["NVDA", "AAPL", "GOOGL", "MRVL"]
    oldest = FinancialsRequest(("NVDA", "AAPL", "GOOGL", "MRVL"), items=("revenue",), limit=40)
    for found in ask(oldest).companies:
        assert date(2022, 9, 1) <= found.items["revenue"][-1].end <= date(2022, 10, 31)
