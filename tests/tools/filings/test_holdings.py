"""What a manager holds, over real HTTP from a server on this machine."""

from __future__ import annotations

import asyncio
import json
import xml.etree.ElementTree as ET
from datetime import date
from typing import Any

import pytest
from tests.loopback import Loopback, Reply, serve
from tests.tools.filings.made import FOLDER, Row, edgar, filings, index, recorded, submissions

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.holdings import holdings_tool
from tallybook.tools.filings.thirteenf import doubt, read_positions

pytest.importorskip("selectolax", reason="the extra `finance` is not installed")

NEW = f"{FOLDER}/000000007723000003"
OLD = f"{FOLDER}/000000007722000007"
Line = tuple[str, str, int, int, str]

ROWS: tuple[Line, ...] = (
    ("TWIG INC", "111", 5_000, 100, ""),
    ("STRAW CO", "222", 60_000, 300, ""),
    ("TWIG INC", "111", 2_500, 50, ""),
    ("TWIG INC", "111", 9_000, 10, "Put"),
)


def table(rows: tuple[Line, ...] = ROWS, prefix: str = "n1:") -> bytes:
    p = prefix
    space = f"xmlns{':' + p[:-1] if p else ''}"
    body = "".join(
        f"<{p}infoTable><{p}nameOfIssuer>{name}</{p}nameOfIssuer><{p}titleOfClass>COM"
        f"</{p}titleOfClass><{p}cusip>{cusip}</{p}cusip><{p}value>{value}</{p}value>"
        f"<{p}shrsOrPrnAmt><{p}sshPrnamt>{amount}</{p}sshPrnamt><{p}sshPrnamtType>SH"
        f"</{p}sshPrnamtType></{p}shrsOrPrnAmt><{p}putCall>{put}</{p}putCall></{p}infoTable>"
        for name, cusip, value, amount, put in rows
    )
    urn = "http://www.sec.gov/edgar/document/thirteenf/informationtable"
    return f'<{p}informationTable {space}="{urn}">{body}</{p}informationTable>'.encode()


def pages(body: bytes) -> dict[str, Reply]:
    rows = index(
        ("13F-HR", "xslForm13F_X02/primary_doc.xml", ""),
        ("INFORMATION TABLE", "xslForm13F_X02/any.xml", ""),
        ("INFORMATION TABLE", "any.xml", ""),
    )
    return {
        f"{NEW}/0000000077-23-000003-index.htm": Reply(rows),
        f"{OLD}/0000000077-22-000007-index.htm": Reply(rows),
        f"{NEW}/any.xml": Reply(body),
        f"{OLD}/any.xml": Reply(body),
    }


def told(server: Loopback, **arguments: object) -> dict[str, Any]:
    tool = holdings_tool(filings(server))
    answer: dict[str, Any] = json.loads(asyncio.run(tool.call({"manager": "77", **arguments})))
    return answer


def test_rows_of_a_security_are_added_and_options_kept_apart() -> None:
    with serve(edgar(pages(table()))) as server:
        found = told(server)
    assert (found["total"], found["positions"], found["unit"]) == (76_500, 3, "US dollars")
    assert (found["period"], found["filed"]) == ("2022-12-31", "2023-02-10")
    assert found["url"] == f"{server.url}{NEW}/any.xml"
    assert [
        (h["issuer"], h["value"], h["amount"], h.get("put_call")) for h in found["holdings"]
    ] == [
        ("STRAW CO", 60_000, 300, None),
        ("TWIG INC", 9_000, 10, "put"),
        ("TWIG INC", 7_500, 150, None),
    ]
    assert found["holdings"][0]["share"] == 78.43


def test_the_unit_changed_with_the_day_of_filing_not_with_the_quarter() -> None:
    with serve(edgar(pages(table()))) as server:
        assert told(server, period="2022-12-31")["total"] == 76_500
        assert told(server, period="2022-11-30")["total"] == 76_500_000
    first_day, day_before = date(2023, 1, 3), date(2023, 1, 2)
    assert read_positions(table(), first_day, "t")[0].value == 60_000
    assert read_positions(table(), day_before, "t")[0].value == 60_000_000


def test_values_in_the_other_unit_are_doubted_and_never_mended() -> None:
    rows = tuple((f"N{n}", str(n), 10 * n, 100 * n, "") for n in range(1, 9))
    new, old = date(2024, 2, 1), date(2022, 2, 1)
    assert "thousands of dollars" in doubt(read_positions(table(rows), new, "t"), new)
    assert doubt(read_positions(table(rows), old, "t"), old) == ""
    dear = tuple((f"N{n}", str(n), 60 * 100 * n, 100 * n, "") for n in range(1, 9))
    assert doubt(read_positions(table(dear), new, "t"), new) == ""
    assert "whole dollars" in doubt(read_positions(table(dear), old, "t"), old)


def test_one_name_is_found_and_the_rest_is_said() -> None:
    with serve(edgar(pages(table(prefix="")))) as server:
        assert [h["cusip"] for h in told(server, issuer="twig")["holdings"]] == ["111", "111"]
        assert told(server, limit=1)["more"].startswith("2 smaller positions")
        with pytest.raises(ToolFailure, match="no position in 'gold'"):
            told(server, issuer="gold")
        with pytest.raises(ToolFailure, match="limit is 0"):
            told(server, limit=0)


def filed(*rows: tuple[str, str, str]) -> dict[str, Reply]:
    listed: list[Row] = [
        (form, day, "2022-12-31", number, "primary_doc.xml", "") for form, day, number in rows
    ]
    return {"/submissions/CIK0000000077.json": Reply(submissions(listed))}


def test_an_amendment_is_named_and_read_by_its_number_only() -> None:
    rows = filed(
        ("13F-HR/A", "2023-03-01", "0000000077-22-000007"),
        ("13F-HR", "2023-02-10", "0000000077-23-000003"),
    )
    with serve(edgar({**pages(table()), **rows})) as server:
        found = told(server)
        assert found["accession"] == "0000000077-23-000003"
        assert found["notes"][0].startswith("Amended on 2023-03-01 by 0000000077-22-000007")
        assert told(server, accession="000000007722000007")["form"] == "13F-HR/A"


def test_a_manager_whose_holdings_others_report_is_said_to_be_one() -> None:
    rows = filed(("13F-NT", "2023-02-10", "0000000077-23-000003"))
    with (
        serve(edgar(rows)) as server,
        pytest.raises(ToolFailure, match="other managers report its holdings"),
    ):
        told(server)


def test_a_report_before_xml_is_said_to_be_text() -> None:
    text = Reply(index(("13F-HR", "holdings.txt", "")))
    with (
        serve(edgar({f"{NEW}/0000000077-23-000003-index.htm": text})) as server,
        pytest.raises(ToolFailure, match="no table in XML"),
    ):
        told(server)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares a document type"),
        (b"<!DOCTYPE html><html></html>", "a web page instead of XML"),
        (table()[:-9], "not whole XML"),
        (b"<a/>", "no 13F information table"),
    ],
)
def test_a_table_that_is_none_is_refused(body: bytes, words: str) -> None:
    with serve(edgar(pages(body))) as server, pytest.raises(ToolFailure, match=words):
        told(server)


def test_a_recorded_table_adds_up_as_an_independent_reading_does() -> None:
    body = recorded("ownership", "13F-HR.infotable.xml")
    rows = [e for e in ET.fromstring(body.strip()).iter() if e.tag.endswith("}value")]
    found = read_positions(body, date(2024, 2, 1), "t")
    assert sum(p.value for p in found) == sum(int(e.text or 0) for e in rows)
    assert doubt(found, date(2024, 2, 1)) == ""
    threem = next(p for p in found if p.cusip == "88579Y101")
    assert [threem.value, threem.amount] == [409_469, 2_334]
