from __future__ import annotations

import json

import pytest

from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.facts import parse


def document(*rows: dict[str, object], **more: object) -> bytes:
    usual: dict[str, object] = {
        "start": "2024-01-01",
        "end": "2024-12-31",
        "val": 5,
        "accn": "a",
        "fy": 2024,
        "fp": "FY",
        "form": "10-K",
        "filed": "2025-02-01",
    }
    units = {"USD": [usual | row for row in rows]}
    gaap = {"Revenues": {"label": None, "description": None, "units": units}, **more}
    return json.dumps({"cik": 1, "entityName": "T Corp", "facts": {"us-gaap": gaap}}).encode()


def test_a_proxy_statement_is_no_source_of_figures() -> None:
    body = document({}, {"form": "DEF 14A", "filed": "2025-05-01", "val": 4, "fy": None})
    (fact,) = parse(body, "T", 1).facts["Revenues"]["USD"]
    assert (fact.form, int(fact.val)) == ("10-K", 5)


def test_an_instant_has_no_start_and_lasts_no_days() -> None:
    body = document({"start": None}, {"val": 1.5})
    instant, span = parse(body, "T", 1).facts["Revenues"]["USD"]
    assert (instant.days, span.days) == (0, 366)
    assert str(span.val) == "1.5"


def test_a_tag_that_no_item_uses_may_have_any_form() -> None:
    assert parse(document({}, Whatever={"units": "odd"}), "T", 1).facts.keys() == {"Revenues"}


@pytest.mark.parametrize("body", [b"", b"[]", b'{"facts": []}', document({"end": "soon"})])
def test_what_is_not_company_facts_is_refused(body: bytes) -> None:
    with pytest.raises(ToolFailure, match="not a whole company facts document"):
        parse(body, "T", 1)


def test_a_filer_without_facts_is_told_from_an_ifrs_filer() -> None:
    with pytest.raises(ToolFailure, match="a fund, or a foreign or new filer"):
        parse(b'{"entityName": "F", "facts": {}}', "F", 1)
    with pytest.raises(ToolFailure, match="20-F or 40-F"):
        parse(b'{"entityName": "F", "facts": {"ifrs-full": {}}}', "F", 1)
