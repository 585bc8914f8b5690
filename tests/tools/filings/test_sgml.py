"""A whole submission is cut into its documents."""

from __future__ import annotations

import pytest
from tests.tools.filings.made import recorded

from tallybook.tools.filings.blocks import read_blocks
from tallybook.tools.filings.sections import Document
from tallybook.tools.filings.sgml import Submitted, documents

SMALL = """<SEC-DOCUMENT>0000000077-99-000001.txt : 19990301
<DOCUMENT>
<TYPE>10-K
<SEQUENCE>1
<TEXT>
<PAGE>
ITEM 1. BUSINESS

Nests.
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-27
<FILENAME>data.xml
<TEXT>
<XML>
<a/>
</XML>
</TEXT>
</DOCUMENT>
"""


def test_each_document_has_its_type_and_text() -> None:
    first, second = documents(SMALL)
    assert (first.kind, first.name) == ("10-K", "")
    assert first.text.startswith("<PAGE>\nITEM 1")
    assert second == Submitted("EX-27", "data.xml", "<a/>")


def test_a_text_that_is_no_submission_has_no_documents() -> None:
    assert list(documents("<html><DOCUMENT><TEXT>x</TEXT></DOCUMENT></html>")) == []


def test_a_recorded_submission_has_its_report_and_exhibit() -> None:
    found = list(documents(recorded("filings", "0001045810-26-000024.txt.gz").decode()))
    assert [each.kind for each in found][:2] == ["8-K", "EX-10.1"]
    assert [each.name for each in found][:2] == [
        "nvda-20260302.htm",
        "formxex101xfy27variablecom.htm",
    ]
    pytest.importorskip("selectolax", reason="the extra `finance` is not installed")
    report = Document(read_blocks(found[0].text))
    names = [section.name for section in report.contents]
    assert [name.partition(". ")[0] for name in names] == ["Item 5.02", "Item 9.01"]
