"""What the decoders of all sources share: exact numbers, days, symbols, and plain refusals."""

from __future__ import annotations

import re
import struct
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from tallybook.tools.failure import ToolFailure

T = TypeVar("T")

_SYMBOL = re.compile(r"[A-Z0-9^][A-Z0-9.\-=^]{0,19}")


def decode(body: bytes, kind: type[T], source: str) -> T:
    """Read a document as a type, its numbers exactly; raise `ToolFailure` if it is another."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError as error:
        raise ToolFailure(
            f"{source} sent something else than prices ({error}). Try again later, or use "
            "another price source."
        ) from error


def symbol_of(text: str) -> str:
    """A symbol in capitals; raise `ToolFailure` for what cannot be one."""
    symbol = text.strip().upper()
    if not _SYMBOL.fullmatch(symbol):
        raise ToolFailure(f"{text!r} is not a ticker symbol. Give one such as NVDA or BRK-B.")
    return symbol


def stamp(moment: datetime) -> str:
    """A moment as results say it."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def host(url: str) -> str:
    """The host of an address, for the name of a source."""
    return urlsplit(url).netloc.rpartition("@")[2]


def day_of(text: str, source: str) -> date:
    """The day an ISO date or date-time begins with."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError as error:
        raise ToolFailure(
            f"{source} sent a price without a date that can be read. Use another price source."
        ) from error


def single(value: Decimal) -> Decimal:
    """The shortest decimal that is the same single-precision number.

    Yahoo computes in single precision and writes the result in double: 129.0399932861328 was
    129.04. A number that is not single precision stays as it is.
    """
    number = float(value)
    if number == 0 or abs(number) > 3e38 or _narrow(number) != number:
        return value
    for digits in range(6, 10):
        short = f"{number:.{digits}g}"
        if _narrow(float(short)) == number:
            return Decimal(short)
    return value


def _narrow(number: float) -> float:
    narrow: float = struct.unpack("f", struct.pack("f", number))[0]
    return narrow
