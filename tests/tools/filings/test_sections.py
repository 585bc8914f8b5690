"""Sections found in small filings of our own wording, and in real ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tools.filings.made import ANNUAL_REPORT, CURRENT_REPORT, heading, recorded

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.blocks import read_blocks
from tallybook.tools.filings.sections import Document

pytest.importorskip("selectolax", reason="the extra `finance` is not installed")


def document(html: str) -> Document:
    return Document(read_blocks(html))


def text(found: Document, asked: str) -> str:
    return found.page(found.find(asked), 0, 1_000_000).text


def quarterly() -> Document:
    listed = "".join(f"<p>Item {n}. {t}</p>" for n, t in [("1", "Statements"), ("2", "Review")])
    return document(
        f"<html><p>PART I</p>{listed}<p>PART II</p><p>Item 1. Disputes</p><p>Item 2. Sales</p>"
        + heading("Part I. Financial Information")
        + heading("Item 1. Statements")
        + "<p>Figures of the quarter, all of them.</p><p>More of them.</p>"
        + heading("Item 2. Review")
        + "<p>Nests sold well.</p>"
        + heading("Part II. Other Information")
        + heading("Item 1. Disputes")
        + "<p>A cat has sued.</p>"
        + heading("Item 2. Sales")
        + "<p>No shares were sold.</p></html>"
    )


def test_the_contents_leave_out_the_page_of_contents() -> None:
    assert [section.name for section in document(ANNUAL_REPORT).contents] == [
        "Item 1. Business",
        "Item 1A. Risk Factors",
        "Item 8. Financial Statements and Supplementary Data",
        "Consolidated Statements of Income",
        "Note 1. Segment Information",
        "Item 9A. Controls and Procedures",
    ]


@pytest.mark.parametrize(
    ("asked", "begins", "holds", "lacks"),
    [
        ("Item 1", "## Item 1. Business", "Nest", "Storms"),
        ("1a", "## Item 1A.", "Cats climb", "Item 8"),
        ("Risk Factors", "## Item 1A.", "Storms", "Item 8"),
        ("cats", "## Cats", "we cannot keep it away", "Storms"),
        ("Note 1", "## Note 1", "One segment", "Item 9A"),
        ("segment information", "## Note 1", "One segment", "They work"),
        ("income statement", "## Consolidated", "| Sold | $1,250 | $990 |", "segment"),
        ("Item 9A", "## Item 9A", "They work", "segment"),
    ],
)
def test_a_section_is_found_by_item_note_or_title(
    asked: str, begins: str, holds: str, lacks: str
) -> None:
    found = text(document(ANNUAL_REPORT), asked)
    assert found.startswith(begins)
    assert holds.casefold() in found.casefold()
    assert lacks not in found


def test_what_is_not_for_readers_is_left_out() -> None:
    found = document(ANNUAL_REPORT)
    everything = found.page(found.whole, 0, 1_000_000).text
    assert "hidden facts" not in everything
    assert "Table of Contents" not in everything
    assert "\n4\n" not in everything


def test_a_table_keeps_its_figures_and_its_scale() -> None:
    assert text(document(ANNUAL_REPORT), "Consolidated Statements of Income").splitlines() == [
        "## Consolidated Statements of Income",
        "",
        "(In thousands, except per nest)",
        "",
        "|  | Year Ended 2024 | Year Ended 2023 |",
        "| --- | --- | --- |",
        "| Nests: |  |  |",
        "| Sold | $1,250 | $990 |",
        "| Lost | (45) | (7) |",
        "| Margin | 12.5% | — |",
    ]


def test_a_page_that_begins_inside_a_table_says_what_stands_above_it() -> None:
    found = document(ANNUAL_REPORT)
    section = found.find("income statement")
    whole = found.page(section, 0, 1_000_000).text
    page = found.page(section, whole.index("| Lost"), 1000)
    assert page.text.splitlines()[:5] == [
        "(Consolidated Statements of Income; (In thousands, except per nest))",
        "|  | Year Ended 2024 | Year Ended 2023 |",
        "| --- | --- | --- |",
        "| Lost | (45) | (7) |",
        "| Margin | 12.5% | — |",
    ]


def test_a_quarterly_report_has_two_of_an_item_and_its_part_says_which() -> None:
    found = quarterly()
    assert "A cat has sued" in text(found, "Part II, Item 1")
    assert "Figures of the quarter" in text(found, "part i item 1")
    assert "sued" in text(found, "Disputes")
    with pytest.raises(ToolFailure, match=r"'Part I Item 2\. Review' or 'Part II Item 2\. Sales'"):
        found.find("Item 2")


def test_headings_that_lead_back_to_the_contents_are_headings() -> None:
    def item(text: str, to: str) -> str:
        return heading(f'<a href="#{to}">{text}</a>')

    names = ("Item 1. Business", "Item 1A. Risk Factors", "Item 2. Properties")
    listed = "".join(item(name, "x") for name in names)
    body = "".join(item(name, "top") + f"<p>Of {name[-5:]}.</p><p>More.</p>" for name in names)
    found = document(f"<html>{listed}{body}</html>")
    assert [section.name for section in found.contents] == list(names)
    assert "Of ctors." in text(found, "Item 1A")


def test_a_current_report_has_items_with_dots_and_no_signatures_in_them() -> None:
    found = document(CURRENT_REPORT)
    assert "told the press" in text(found, "2.02")
    assert "Wren" not in text(found, "Item 9.01")


@given(st.integers(60, 400))
def test_pages_put_together_are_the_section(limit: int) -> None:
    found = document(ANNUAL_REPORT)
    section = found.find("Item 1A")
    whole, offset, parts = found.page(section, 0, 1_000_000), 0, []
    while True:
        page = found.page(section, offset, limit)
        assert len(page.text) <= limit
        parts.append(page.text)
        if page.following is None:
            break
        assert page.following > offset
        offset = page.following
    together = "".join("".join(parts).split())
    assert together == "".join(whole.text.split())


def test_old_plain_text_is_read_by_its_own_lines() -> None:
    found = document("ITEM 1. BUSINESS\n\nNests of straw.\n\nITEM 2. PROPERTIES\n\nA tree.\n")
    assert text(found, "Item 2") == "ITEM 2. PROPERTIES\n\nA tree.\n\n".rstrip("\n") + "\n"


@given(st.text(alphabet="<>/tdrivbalep =\"'&;item 1.A", max_size=300))
def test_any_text_is_read(html: str) -> None:
    found = document(f"<html><div>{html}")
    assert found.contents is not None


def test_a_real_annual_report_has_all_its_items_and_notes() -> None:
    found = document(recorded("filings", "NVDA_10-K_2025-02-26.html.gz").decode())
    names = [section.name.partition(".")[0] for section in found.contents]
    items = "1 1A 1B 1C 2 3 4 5 6 7 7A 8 9 9A 9B 9C 10 11 12 13 14 15 16".split()
    assert [name for name in names if name.startswith("Item")] == [f"Item {n}" for n in items]
    assert [n for n in names if n.startswith("Note")] == [f"Note {n}" for n in range(1, 18)]
    income = text(found, "Income statement")
    assert "(In millions, except per share data)" in income
    assert "| Revenue | $130,497 | $60,922 | $26,974 |" in income
    assert "| Acquisition termination cost | — | — | 1,353 |" in income
    assert 110_000 < found.size(found.find("Item 1A")) < 111_500


def test_a_real_quarterly_report_has_both_parts() -> None:
    found = document(recorded("filings", "AAPL_10-Q_2025-08-01.html.gz").decode())
    items = [s.name.partition(".")[0] for s in found.contents if "Item" in s.name]
    assert items == [f"Part I Item {n}" for n in "1 2 3 4".split()] + [
        f"Part II Item {n}" for n in "1 1A 2 3 4 5 6".split()
    ]
    assert "| Total net sales | 94,036 | 85,777 | 313,695 | 296,105 |" in text(
        found, "statements of operations"
    )
    row = "| Corporate debt securities | 49,671 | 212 | (1,251) | 48,632 | 7 | 11,576 | 37,049 |"
    assert row in text(found, "Note 4")
    assert "Form 10-Q |" not in text(found, "Part I Item 1")


def test_a_real_current_report_and_its_press_release() -> None:
    report = document(recorded("filings", "Buckle_8-K.html").decode())
    assert "furnished as Exhibit 99.1" in text(report, "Item 2.02")
    assert "SIGNATURES" not in text(report, "Item 9.01")
    release = document(recorded("filings", "Buckle_8-K_EX99.1_press_release.html").decode())
    income = text(release, "income statement")
    assert "| Diluted | $0.88 | $1.04 | $2.35 | $2.81 |" in income
