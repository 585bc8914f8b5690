"""Tell whose figures a result holds from the call that asked for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

_NAMES: Final = ("ticker", "tickers", "symbol", "symbols", "company", "companies", "stock_code")


def subject(arguments: str) -> str:
    """The one company that a call's arguments (JSON) name; "" where there is none or several."""
    try:
        given = msgspec.json.decode(arguments, type=dict[str, object])
    except msgspec.MsgspecError:
        return ""
    return _only(given)


def _only(given: Mapping[str, object]) -> str:
    for name in _NAMES:
        match given.get(name):
            case str(one) | [str(one)]:
                return one.strip()
    return ""
