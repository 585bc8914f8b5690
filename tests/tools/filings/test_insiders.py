"""What insiders traded, over real HTTP from a server on this machine."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.loopback import Loopback, Reply, serve
from tests.tools.filings.made import FOLDER, edgar, filings, recorded

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.insiders import insider_tool
from tallybook.tools.filings.ownership import read_report

FOUR = f"{FOLDER}/000000007725000008/four.xml"
AGAIN = f"{FOLDER}/000000007725000010/again.xml"


def report(*rows: str, form: str = "4") -> bytes:
    return f"""<?xml version="1.0"?><ownershipDocument><documentType>{form}</documentType>
    <periodOfReport>2025-03-31</periodOfReport><aff10b5One>1</aff10b5One>
    <issuer><issuerName>Wren &amp; Co</issuerName>
    <issuerTradingSymbol>WREN</issuerTradingSymbol></issuer>
    <reportingOwner><reportingOwnerId><rptOwnerName>Robin Red</rptOwnerName></reportingOwnerId>
    <reportingOwnerRelationship><isDirector>true</isDirector><isOfficer>1</isOfficer>
    <officerTitle>CEO</officerTitle></reportingOwnerRelationship></reportingOwner>
    <nonDerivativeTable>{"".join(rows)}</nonDerivativeTable>
    <footnotes><footnote id="F1">Between $9 and $11.</footnote>
    <footnote id="F2">Of nobody's row.</footnote></footnotes></ownershipDocument>""".encode()


def trade(code: str, shares: str, price: str, way: str = "D", after: str = "0") -> str:
    priced = f"<value>{price}</value>" if price else ""
    return f"""<nonDerivativeTransaction><securityTitle><value>Common</value></securityTitle>
    <transactionDate><value>2025-03-31</value></transactionDate>
    <transactionCoding><transactionCode>{code}</transactionCode></transactionCoding>
    <transactionAmounts><transactionShares><value>{shares}</value></transactionShares>
    <transactionPricePerShare>{priced}<footnoteId id="F1"/></transactionPricePerShare>
    <transactionAcquiredDisposedCode><value>{way}</value></transactionAcquiredDisposedCode>
    </transactionAmounts><postTransactionAmounts><sharesOwnedFollowingTransaction>
    <value>{after}</value></sharesOwnedFollowingTransaction></postTransactionAmounts>
    <ownershipNature><directOrIndirectOwnership><value>I</value></directOrIndirectOwnership>
    <natureOfOwnership><value>By nest</value></natureOfOwnership></ownershipNature>
    </nonDerivativeTransaction>"""


def told(server: Loopback, **arguments: object) -> dict[str, Any]:
    tool = insider_tool(filings(server))
    answer: dict[str, Any] = json.loads(asyncio.run(tool.call({"company": "WREN", **arguments})))
    return answer


def test_trades_are_spelled_out_and_market_trades_added_without_amendments() -> None:
    first = report(trade("S", "100", "10.50"), trade("F", "40", "10"), trade("S", "2", "10.25"))
    with serve(edgar({FOUR: Reply(first), AGAIN: Reply(report(trade("S", "9", "1")))})) as server:
        found = told(server)
    assert found["sold"] == {"shares": 102, "value": 1070.5}
    assert found["bought"] == {"shares": 0, "value": 0}
    amended, four = found["reports"]
    assert (amended["form"], four["form"]) == ("4/A", "4")
    assert four["url"] == server.url + FOUR
    assert four["owners"] == [{"name": "Robin Red", "relation": "director, officer (CEO)"}]
    assert four["trades"][0] == {
        "security": "Common",
        "table": "non-derivative",
        "date": "2025-03-31",
        "code": "S",
        "meaning": "open-market or private sale",
        "direction": "disposed",
        "shares": 100,
        "price": 10.5,
        "value": 1050,
        "held_after": 0,
        "held": "indirect: By nest",
        "notes": ["F1"],
    }
    assert four["footnotes"] == {"F1": "Between $9 and $11."}
    assert four["planned_10b5_1"] is True


def test_a_price_that_stands_in_a_footnote_only_leaves_the_total_without_a_value() -> None:
    with serve(edgar({FOUR: Reply(report(trade("P", "5", "", "A")))})) as server:
        found = told(server)
    assert found["bought"] == {"shares": 5}
    assert "price" not in found["reports"][0]["trades"][0]


def test_a_report_that_cannot_be_read_is_said_and_costs_no_other() -> None:
    bad = Reply(b"<!DOCTYPE html><html>no</html>")
    with serve(edgar({FOUR: Reply(report(trade("P", "5", "2"))), AGAIN: bad})) as server:
        found = told(server)
        assert [r["form"] for r in found["reports"]] == ["4"]
        assert "a web page instead of XML" in found["failures"][0]
    with (
        serve(edgar({FOUR: Reply(b"<a/>"), AGAIN: bad})) as server,
        pytest.raises(ToolFailure, match="a web page"),
    ):
        told(server)


def test_a_wrong_request_says_what_to_ask() -> None:
    with serve(edgar()) as server:
        wrong: list[tuple[dict[str, object], str]] = [
            ({"forms": ["3"]}, "no insider reports of form 3"),
            ({"forms": ["13"]}, "forms"),
            ({"limit": 0}, "limit is 0"),
            ({"company": " "}, "Name a company"),
            ({"company": "999"}, "no filer with CIK 999"),
        ]
        for arguments, words in wrong:
            with pytest.raises(ToolFailure, match=words):
                told(server, **arguments)


def test_a_recorded_report_is_read_right() -> None:
    found = read_report(recorded("ownership", "SNOW_form4.xml"), "SNOW")
    sales = [t for t in found.trades if t.code == "S"]
    assert (found.issuer, found.ticker, found.period) == ("Snowflake Inc.", "SNOW", "2022-12-13")
    assert found.owners[0].relation == "officer (Chief Financial Officer)"
    assert [t.table for t in found.trades].count("derivative") == 1
    assert len(sales) == 5
    assert sum(float(t.shares or 0) for t in sales) == 200_000
    assert (sales[0].shares, sales[0].price, sales[0].value) == (73170, 150.841, 11037035.97)
    option = found.trades[-1]
    assert (option.exercise_price, option.expires, option.underlying_shares) == (
        8.88,
        "2029-08-26",
        200_000,
    )
    assert option.notes == ("F16",)
    assert all(t.held == "indirect: Trust" for t in found.holdings)
    assert len(found.footnotes) == 16
