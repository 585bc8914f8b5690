"""Which calls of `get_financials` were answered, and what each asked for.

A call that left the view is known by the line that stands for its result: from that, at
least its companies and kind of period.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import msgspec
from pydantic_ai.messages import ToolCallPart

from tallybook.research.facts import Fetched
from tallybook.tools.finance.financials import NAME, USUAL_PERIODS
from tallybook.tools.finance.items import items_of
from tallybook.tools.finance.line_item import Statement


class ShownCompany(msgspec.Struct):
    """A company of a whole result: why figures of an item are not there."""

    ticker: str
    missing: dict[str, str] = {}


class Shown(msgspec.Struct):
    """A result that is shown whole."""

    source: str
    companies: tuple[ShownCompany, ...]


class _Arguments(msgspec.Struct):
    tickers: tuple[str, ...] = ()
    statement: Statement | str = "income"
    period: str = "quarterly"
    limit: int | None = None
    start: date | None = None
    end: date | None = None
    items: tuple[str, ...] = ()


def read_call(call: ToolCallPart, seq: int, *, whole: bool = False, failed: str = "") -> Fetched:
    """A call that was answered by result `seq`: what it asked for."""
    try:
        asked = msgspec.json.decode(call.args_as_json_str(), type=_Arguments, strict=False)
    except msgspec.DecodeError:
        asked = _Arguments()
    items = asked.items or tuple(
        item.key
        for statement in _STATEMENTS.get(asked.statement, ())
        for item in items_of(statement)
    )
    return Fetched(
        asked.tickers,
        asked.period,
        seq,
        items,
        asked.limit or (None if asked.start else USUAL_PERIODS),
        asked.start,
        asked.end,
        whole,
        failed,
    )


def read_index(text: str) -> Iterator[Fetched]:
    """Calls whose rounds left the view, by the lines that stand for their results."""
    for line in _INDEX.finditer(text):
        told = line["arguments"]
        tickers = re.search(r'"tickers":\["([^\]]*)"\]', told)
        period = re.search(r'"period":"(\w+)"', told)
        limit = re.search(r'"limit":(\d+)', told)
        bounds = [re.search(rf'"{name}":"(\d{{4}}-\d\d-\d\d)"', told) for name in ("start", "end")]
        if tickers and period:
            start, end = (date.fromisoformat(bound[1]) if bound else None for bound in bounds)
            yield Fetched(
                tuple(tickers[1].split('","')),
                period[1],
                int(line["seq"]),
                limit=int(limit[1]) if limit else None,
                start=start,
                end=end,
            )


def read_whole(text: str) -> Shown | None:
    """The result, None where only a part of it is shown."""
    try:
        return msgspec.json.decode(text, type=Shown)
    except msgspec.DecodeError:
        return None


_STATEMENTS: dict[str, tuple[Statement, ...]] = {
    "income": ("income",),
    "cash_flow": ("cash_flow",),
    "balance": ("balance",),
    "ratios": ("ratios",),
    "all": ("income", "cash_flow", "balance", "ratios"),
}
_INDEX = re.compile(rf"#(?P<seq>\d+) {NAME}(?P<arguments>\{{[^\n]*)")
