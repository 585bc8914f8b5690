"""The list of filings, over real HTTP from a server on this machine."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.loopback import Loopback, Reply, serve
from tests.tools.filings.made import ANNUAL, FOLDER, edgar, filings, recorded

from tallybook.errors import ConfigError
from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.listing import list_filings_tool
from tallybook.tools.filings.source import Filings, FilingsOptions
from tallybook.tools.filings.submissions import read_submissions
from tallybook.tools.http import Http


def told(server: Loopback, **arguments: object) -> dict[str, Any]:
    tool = list_filings_tool(filings(server))
    answer: dict[str, Any] = json.loads(asyncio.run(tool.call({"company": "WREN", **arguments})))
    return answer


def test_each_filing_has_form_period_date_number_and_address() -> None:
    with serve(edgar()) as server:
        found = told(server, forms=["10-K"], limit=1)
    assert found["filings"] == [
        {
            "form": "10-K",
            "filed": "2025-02-20",
            "accession": ANNUAL,
            "url": f"{server.url}{FOLDER}/000000007725000001/annual.htm",
            "period": "2024-12-31",
        }
    ]
    assert found["more"] == "1 or more beyond: ask with end=2025-02-20 or a higher limit."
    assert (found["company"], found["cik"]) == ("Wren & Co", 77)


def test_older_pages_are_read_only_where_they_are_needed() -> None:
    older = "/submissions/CIK0000000077-submissions-001.json"
    with serve(edgar()) as server:
        assert len(told(server, forms=["10-K"])["filings"]) == 2
        assert older in server.paths()
    with serve(edgar()) as server:
        told(server, forms=["10-K"], start="2020-01-01")
        assert older not in server.paths()


def test_a_wrong_request_says_what_to_ask() -> None:
    with serve(edgar()) as server:
        wrong: list[tuple[dict[str, object], str]] = [
            ({"forms": []}, "Name at least one form"),
            ({"limit": 101}, "limit is 101"),
            ({"forms": ["S-1"]}, "filed no S-1"),
            ({"start": "2025-01-02", "end": "2025-01-01"}, "swap them"),
            ({"company": "Rook"}, "lists no company 'Rook'"),
        ]
        for arguments, words in wrong:
            with pytest.raises(ToolFailure, match=words):
                told(server, **arguments)


def test_the_sec_is_not_asked_without_a_name() -> None:
    tool = list_filings_tool(Filings(Http(), FilingsOptions()))
    with pytest.raises(ToolFailure, match="a name and an e-mail address"):
        asyncio.run(tool.call({"company": "WREN"}))
    with pytest.raises(ConfigError, match="must begin with"):
        Filings(Http(), FilingsOptions(data_url="data.sec.gov"))


def test_an_index_cut_off_is_asked_for_again_and_another_form_is_said() -> None:
    path = "/submissions/CIK0000000077.json"
    whole = edgar()[path]
    assert isinstance(whole, Reply)
    with serve(edgar({path: [Reply(whole.body, keep=50), whole]})) as server:
        assert told(server)["filings"]
    with (
        serve(edgar({path: Reply(b'{"cik": "77"}')})) as server,
        pytest.raises(ToolFailure, match="another form than EDGAR's"),
    ):
        told(server)


@pytest.mark.parametrize(
    ("cik", "name", "annual"),
    [
        ("0000320193", "Apple Inc.", ("2025-10-31", "2025-09-27")),
        ("0001045810", "NVIDIA CORP", ("2026-02-25", "2026-01-25")),
    ],
)
def test_a_recorded_index_is_read(cik: str, name: str, annual: tuple[str, str]) -> None:
    found = read_submissions(recorded("submissions", f"CIK{cik}.json.gz"))
    newest = next(filed for filed in found.filings if filed.form == "10-K")
    assert (found.name, len(found.filings) > 999) == (name, True)
    assert (newest.filed.isoformat(), newest.period) == annual
    assert found.older[0].name == f"CIK{cik}-submissions-001.json"
