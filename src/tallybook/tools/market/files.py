"""Prices from a folder of CSV files, one per symbol: for work without a network, and for tests."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

from tallybook.tools.failure import ToolFailure
from tallybook.tools.market.decode import symbol_of
from tallybook.tools.market.history import Bar, Basis, History

_COLUMNS = ("Date", "Open", "High", "Low", "Close", "Volume")


class Files:
    """`<folder>/<SYMBOL>.csv` with the columns Date, Open, High, Low, Close, Volume.

    Such a file does not say on which basis its closes are, so whoever has the files must:
    `basis` is `adjusted` for closes that allow for splits and dividends.
    """

    def __init__(self, folder: Path, basis: Basis = "unstated", currency: str = "USD") -> None:
        self._folder = folder
        self._basis: Basis = basis
        self._currency = currency

    async def history(self, symbol: str, start: date, end: date) -> History:
        """Give the days from `start` to `end`; a row without a close is a gap."""
        symbol = symbol_of(symbol)
        path = self._folder / f"{symbol}.csv"
        rows = list(_rows(self._text(path, symbol), path.name))
        if not rows:
            raise ToolFailure(f"{path.name} has no prices. Use another price source.")
        days = dict(sorted(rows))
        return History(
            symbol,
            self._basis,
            tuple(bar for day, bar in days.items() if bar and start <= day <= end),
            f"daily prices of the file {path.name}",
            f"file:{path.name}",
            f"{max(days)} (the newest day in the file)",
            self._currency,
            gaps=tuple(d for d, bar in days.items() if bar is None and start <= d <= end),
            notes=(f"The file covers {min(days)} to {max(days)}.",),
        )

    def _text(self, path: Path, symbol: str) -> str:
        try:
            return path.read_text(encoding="utf-8-sig")
        except FileNotFoundError as error:
            have = ", ".join(sorted(file.stem for file in self._folder.glob("*.csv"))[:30])
            raise ToolFailure(
                f"There are no offline prices of {symbol}. There are: {have or 'none'}."
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise ToolFailure(f"The price file {path.name} cannot be read. Mend it.") from error


def _rows(text: str, name: str) -> Iterator[tuple[date, Bar | None]]:
    lines = csv.reader(text.splitlines())
    if tuple(next(lines, [])) != _COLUMNS:
        raise ToolFailure(f"{name} must begin with the columns {', '.join(_COLUMNS)}.")
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        try:
            day = date.fromisoformat(line[0])
            opened, high, low, close, volume = (_number(cell) for cell in line[1:])
        except (ValueError, InvalidOperation) as error:
            raise ToolFailure(
                f"Line {number} of {name} is not a row of prices. Mend it."
            ) from error
        yield day, Bar(day, close, opened, high, low, volume) if close and close > 0 else None


def _number(cell: str) -> Decimal | None:
    if not cell.strip():
        return None
    value = Decimal(cell)
    if not value.is_finite():
        raise ValueError(cell)
    return value
