from __future__ import annotations

import gzip

import pytest
from tests.shared_data import shared

from tallybook.tools.failure import ToolFailure
from tallybook.tools.finance.directory import Directory, read_directory


@pytest.fixture(scope="module")
def directory() -> Directory:
    return read_directory(gzip.decompress(shared("sec", "company_tickers.json.gz").read_bytes()))


@pytest.mark.parametrize(
    ("name", "ticker"),
    [
        ("AAPL", "AAPL"),
        ("aapl", "AAPL"),
        ("brk.b", "BRK-B"),
        ("nvidia", "NVDA"),
        ("Alphabet", "GOOGL"),
        ("Marvell", "MRVL"),
        ("Meta", "META"),
        ("FORD", "FORD"),
        ("McDonald's", "MCD"),
        ("Johnson & Johnson", "JNJ"),
    ],
)
def test_a_ticker_or_a_name_finds_its_company(directory: Directory, name: str, ticker: str) -> None:
    assert directory.find(name).ticker == ticker


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Ford", "F (FORD MOTOR CO)"),
        ("United", "UPS (UNITED PARCEL SERVICE INC)"),
        ("Microsft", "MSFT (MICROSOFT CORP)"),
        ("Google", "GOOGL (Alphabet Inc.)"),
        ("", "Check its spelling"),
        ("微软", "Check its spelling"),
    ],
)
def test_a_name_that_is_not_certain_names_the_likely_ones(
    directory: Directory, name: str, hint: str
) -> None:
    with pytest.raises(ToolFailure) as raised:
        directory.find(name)
    assert hint in str(raised.value)


def test_another_document_is_not_taken_for_the_list() -> None:
    with pytest.raises(ToolFailure, match="another form"):
        read_directory(b'{"0": 1}')
