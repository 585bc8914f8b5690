"""Prices from files: the layout of the daily prices, and files that are not that."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

import pytest
from tests.shared_data import shared
from tests.tools.market.made import closes

from tallybook.tools.failure import ToolFailure
from tallybook.tools.market.files import Files
from tallybook.tools.market.history import History

HEAD = "Date,Open,High,Low,Close,Volume\n"


def read(folder: Path, text: str) -> History:
    (folder / "X.csv").write_text(text)
    source = Files(folder)
    return asyncio.run(source.history("x", date(2024, 1, 1), date(2024, 12, 31)))


def test_a_file_of_daily_prices_is_read_whole() -> None:
    source = Files(shared("prices", "daily"))
    found = asyncio.run(source.history("NVDA", date(2024, 1, 1), date(2026, 12, 31)))
    assert [(str(bar.day), bar.close) for bar in found.bars] == closes("NVDA")
    assert (found.basis, found.dividends) == ("unstated", None)
    assert found.as_of == "2026-03-20 (the newest day in the file)"


def test_both_ends_are_included() -> None:
    source = Files(shared("prices", "daily"))
    found = asyncio.run(source.history("NVDA", date(2025, 1, 2), date(2025, 1, 7)))
    assert [bar.day.day for bar in found.bars] == [2, 3, 6, 7]


def test_rows_in_any_order_and_rows_without_a_close(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        HEAD
        + "2024-01-03,1,2,1,2,9\n\n2024-01-02,1,1,1,1,\n2024-01-04,,,,,\n2024-01-05,1,1,-9,-3,1\n",
    )
    assert [bar.day.day for bar in found.bars] == [2, 3]
    assert [bar.volume for bar in found.bars] == [None, 9]
    assert found.gaps == (date(2024, 1, 4), date(2024, 1, 5))


@pytest.mark.parametrize(
    "row",
    ["2024-01-02,1,1,1,x,1", "02.01.2024,1,1,1,1,1", "2024-01-02,1,1", "2024-01-02,1,1,1,NaN,1"],
)
def test_a_row_that_is_none_is_named(tmp_path: Path, row: str) -> None:
    with pytest.raises(ToolFailure, match=r"Line 2 of X\.csv"):
        read(tmp_path, HEAD + row)


def test_other_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolFailure, match="must begin with the columns Date, Open"):
        read(tmp_path, "Date,Close\n2024-01-02,1\n")
    with pytest.raises(ToolFailure, match="has no prices"):
        read(tmp_path, HEAD)


def test_an_unknown_symbol_is_told_which_there_are(tmp_path: Path) -> None:
    (tmp_path / "ABC.csv").write_text(HEAD)
    with pytest.raises(ToolFailure, match=r"no offline prices of NONE\. There are: ABC"):
        asyncio.run(Files(tmp_path).history("none", date(2024, 1, 1), date(2024, 1, 2)))
