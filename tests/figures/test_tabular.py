from __future__ import annotations

import gzip
import json
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.figures.json_texts import json_texts
from tests.shared_data import shared

from tallybook.figures.exact import Json, Num, read, write
from tallybook.figures.ledger import LedgerError, decode, encode
from tallybook.figures.tabular import ledger_of

COMPANIES = ("0000320193_AAPL", "0001045810_NVDA", "0001652044_GOOGL", "0001835632_MRVL")
Typed: TypeAlias = "tuple[str, str] | list[Typed] | dict[str, Typed]"


def typed(value: Json) -> Typed:
    """Tell 1 from "1", and every literal from every other."""
    match value:
        case list():
            return [typed(item) for item in value]
        case dict():
            return {name: typed(item) for name, item in value.items()}
        case _:
            return type(value).__name__, str(value)


def same(one: str, other: str) -> bool:
    return typed(read(one)) == typed(read(other))


def lines(value: object) -> list[str]:
    """The ledger of a value without its legend, with `1` and the like as numbers."""
    return ledger_of(read(json.dumps(value))).splitlines()[1:]


def company_facts(company: str) -> str:
    path = shared("sec", "companyfacts", f"CIK{company}.json.gz")
    return gzip.decompress(path.read_bytes()).decode()


@given(json_texts)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_what_is_decoded_is_what_was_encoded(text: str) -> None:
    assert same(decode(ledger_of(read(text))), text)


@given(json_texts)
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_ledger_is_shorter_or_there_is_none(text: str) -> None:
    ledger = encode(text)
    if ledger is not None:
        assert len(ledger) < len(text)
        assert same(decode(ledger), text)


@given(st.text())
def test_a_text_that_is_no_json_has_no_ledger(text: str) -> None:
    assert encode(f"#{text}") is None


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "", "12 available", "[" * 5000, "[1]"])
def test_what_json_does_not_know_or_cannot_shorten_has_no_ledger(text: str) -> None:
    assert encode(text) is None


@pytest.mark.parametrize("company", COMPANIES)
def test_company_facts_take_a_fifth_of_their_json_and_come_back_exactly(company: str) -> None:
    text = company_facts(company)
    ledger = encode(text)
    assert ledger is not None
    assert len(ledger) <= 0.2 * len(text)
    assert same(decode(ledger), text)


def test_yahoo_charts_come_back_exactly() -> None:
    for path in sorted(shared("prices", "yahoo").glob("*.json")):
        text = path.read_text("utf-8")
        ledger = encode(text)
        assert ledger is not None
        assert same(decode(ledger), text)


def test_names_are_said_once_and_a_row_is_a_line() -> None:
    rows: Json = [{"sku": "A-1", "qty": Num("2")}, {"sku": "B-9", "qty": None}, {"sku": "007"}]
    assert ledger_of(rows).splitlines()[1:] == [
        "A|sku,qty",
        "$: [3 A]",
        "A-1,2",
        "B-9,null",
        "007",
    ]


def test_what_all_rows_share_is_in_the_header() -> None:
    rows = [{"unit": "USD", "val": str(n)} for n in ("one", "two")]
    assert lines({"rows": rows}) == ["A|unit=USD,val", "rows: [2 A]", "one", "two"]


def test_large_numbers_are_written_in_millions_where_that_is_shorter() -> None:
    rows = [{"q": f"Q{n}", "val": n * 1_234_000_000} for n in range(1, 5)]
    assert lines({"rows": rows})[1:] == [
        "rows: [4 A] val×1e6",
        "Q1,1234",
        "Q2,2468",
        "Q3,3702",
        "Q4,4936",
    ]


def test_filings_that_repeat_a_value_share_its_line() -> None:
    text = company_facts("0000320193_AAPL")
    assets = json.loads(text)["facts"]["us-gaap"]["Assets"]
    ledger = encode(json.dumps(assets)) or ""
    assert "\n2012-09-29,176064;15;17;18;16;19;20,*\n" in ledger
    assert "\n 20,0001193125-13-416534,2013,FY,10-K,2013-10-30\n" in ledger


def test_a_quarter_is_seen_by_its_days() -> None:
    text = company_facts("0001045810_NVDA")
    revenues = json.loads(text)["facts"]["us-gaap"]["Revenues"]
    ledger = encode(json.dumps(revenues)) or ""
    assert "days(start..end)" in ledger.splitlines()[1]
    assert "\n91,2025-04-27,44062;" in ledger


def test_what_has_no_column_stands_below_its_row() -> None:
    value = {"runs": [{"id": "a", "log": {"steps": [{"n": "x"}, {"n": "y"}]}}, {"id": "b"}]}
    assert lines(value) == [
        "A|id",
        "B|n",
        "runs: [2 A]",
        " a",
        "  log.steps: [2 B]",
        "x",
        "y",
        " b",
    ]  # fmt: skip


@pytest.mark.parametrize("literal", ["1.0", "1", "-0.0", "1e400", "0.1", "9" * 400, "1E+2"])
def test_numbers_keep_their_digits(literal: str) -> None:
    text = f'[{{"a": {literal}, "b": "{literal}"}}, {{"a": {literal}, "b": 2}}, {{"a": "x"}}]'
    assert write(read(text)) == decode(ledger_of(read(text)))


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_ledger_that_was_cut_is_refused(cut: int) -> None:
    rows = [{"name": f"row {n}", "val": n} for n in range(40)]
    ledger = encode(json.dumps({"rows": rows})) or ""
    with pytest.raises(LedgerError, match="recall the result itself"):
        decode(ledger[: -(cut + 8)])


def test_a_ledger_grows_no_faster_than_its_text() -> None:
    small, large = (json.dumps([{"a": n, "b": [n]} for n in range(size)]) for size in (50, 5000))
    assert len(ledger_of(read(large))) < 130 * len(ledger_of(read(small)))
