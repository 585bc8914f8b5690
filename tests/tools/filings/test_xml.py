"""XML is read without ever declaring, expanding or fetching anything."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.xml import parse

BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE a [<!ENTITY b "nest"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<a>&c;</a>"""
REACH = b"""<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>"""
OUTSIDE = b"""<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>"""


@pytest.mark.parametrize("body", [BOMB, REACH, OUTSIDE])
def test_a_document_type_is_refused_before_anything_is_expanded(body: bytes) -> None:
    with pytest.raises(ToolFailure, match="declares a document type"):
        parse(body, "here")


def test_names_lose_their_namespace_whatever_the_prefix_is() -> None:
    for body in (
        b'<t xmlns="urn:n"><v> 1,5 </v></t>',
        b'<n:t xmlns:n="urn:n"><n:v>1,5</n:v></n:t>',
    ):
        root = parse(body, "here")
        assert (root.name, root.words("v")) == ("t", "1,5")


def test_a_number_is_exact_or_missing_or_refused() -> None:
    root = parse(b"<t><a>1,234.50</a><b/><c>many</c></t>", "here")
    assert root.number("a") == Decimal("1234.50")
    assert root.number("b") is None
    assert root.number("d/e") is None
    with pytest.raises(ToolFailure, match="'many', which is no number"):
        root.number("c")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"<!DOCTYPE html><html>blocked</html>", "a web page instead of XML"),
        (b"<t><a>1</a>", "not whole XML"),
        (b"", "not whole XML"),
        (b"<a>" * 100 + b"</a>" * 100, "nests more than"),
    ],
)
def test_what_is_no_xml_is_said(body: bytes, words: str) -> None:
    with pytest.raises(ToolFailure, match=words):
        parse(body, "here")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with suppress(ToolFailure):
        parse(body, "here")
