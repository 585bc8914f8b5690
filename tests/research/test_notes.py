from __future__ import annotations

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tallybook.research import notes
from tallybook.research.facts import Covered, Fact, Recalled, Row

labels = st.builds(
    lambda ttm, quarter, year: f"{ttm}{quarter}FY{year}",
    st.sampled_from(["", "TTM "]),
    st.sampled_from(["", "Q1 ", "Q4 "]),
    st.integers(2000, 2099),
)
dates = st.dates(date(2000, 1, 1), date(2099, 12, 31))
facts = st.builds(
    Fact,
    st.builds(
        Row,
        st.sampled_from(["NVDA", "BRK-B", "F"]),
        st.sampled_from(["revenue", "gross_margin", "eps_diluted"]),
        labels,
        dates,
        st.decimals(-(10**15), 10**15, allow_nan=False, places=2),
        st.sampled_from(["USD", "%", "USD/share", "x", "shares"]),
        derived=st.sampled_from(["", "noted"]),
    ),
    st.integers(1, 9_999),
)


@given(st.lists(facts, max_size=30, unique_by=lambda fact: (fact.key, fact.seq, fact.row.unit)))
def test_noted_figures_are_read_back_to_the_digit(written: list[Fact]) -> None:
    text = "\n".join(["Step 3.", *notes.write_facts(written)])
    read = list(notes.read_facts(text))
    assert {fact.key: fact for fact in read} == {
        fact.key: fact for head in _grouped(written) for fact in head
    }
    assert len(read) == len(written)


def _grouped(written: list[Fact]) -> list[list[Fact]]:
    """In the order of their lines."""
    groups: dict[tuple[str, str, str, int], list[Fact]] = {}
    for fact in written:
        head = (fact.row.ticker, fact.row.item, fact.row.unit, fact.seq)
        groups.setdefault(head, []).append(fact)
    return list(groups.values())


@given(labels, dates, labels, dates, st.integers(1, 999))
def test_noted_coverage_is_read_back(
    first: str, first_end: date, last: str, last_end: date, seq: int
) -> None:
    covered = Covered(first, first_end, last, last_end, seq)
    line = notes.write_covered("NVDA", covered)
    assert list(notes.read_covered(f"Step 2.\n{line}")) == [("NVDA", covered)]


def test_all_else_that_is_noted_is_read_back() -> None:
    text = "\n".join(
        [
            notes.HEAD.format(step=12),
            notes.write_missing(4, "eps_diluted", "Q4 FY2025: no fourth quarter is reported"),
            notes.write_tried(4, ["$.companies[0].items.eps_diluted[0:4]"]),
            notes.write_filings(5, ["0000320193-26-000006", "0000320193-25-000079"]),
            notes.write_source(5, "sample of SEC EDGAR company facts (four companies)"),
        ]
    )
    assert notes.read_step(text) == 12
    assert notes.read_missing(text) == {
        (4, "eps_diluted"): "Q4 FY2025: no fourth quarter is reported"
    }
    assert list(notes.read_tried(text)) == [Recalled(4, "$.companies[0].items.eps_diluted[0:4]")]
    assert notes.read_filings(text) == {5: ("0000320193-26-000006", "0000320193-25-000079")}
    assert notes.read_sources(text) == {5: "sample of SEC EDGAR company facts (four companies)"}


def test_a_note_says_the_value_without_rounding_or_exponent() -> None:
    row = Row("NVDA", "revenue", "FY2026", date(2026, 1, 25), Decimal("2.15E+11"), "USD")
    assert list(notes.write_facts([Fact(row, 4)])) == [
        "NVDA revenue USD [4]: FY2026 2026-01-25 215000000000"
    ]


@given(st.text(max_size=300))
def test_any_text_is_searched_for_notes_without_failing(text: str) -> None:
    assert notes.read_step(text) >= 0
    assert not list(notes.read_facts(text)) or "[" in text
    assert isinstance(list(notes.read_covered(text)), list)
    assert isinstance(list(notes.read_tried(text)), list)
