"""Read an answer's tables back, as a reader would: whose figure, which item, which period."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from decimal import Decimal

from tallybook.research.wording import words_for
from tallybook.tools.finance.financials import FinancialsRequest, Row, get_financials
from tallybook.tools.finance.sample import Sample
from tallybook.tools.finance.statements import PeriodKind

Place = tuple[str, str, str]
"""Ticker, the item's name as printed, the period's fiscal label."""

_CELL = re.compile(r"(?P<value>-?[\d,.]+)[†‡]? (?P<seqs>(?:\[\d+\])+)")
_PERIOD = re.compile(r"(?P<label>[A-Z0-9 ]+) \(\d{4}-\d\d-\d\d\)")


def figures(answer: str) -> dict[Place, Decimal]:
    """Every figure in the tables of an answer, by its place."""
    return {place: value for place, value, _ in _figures(answer)}


def sources(answer: str) -> dict[Place, tuple[int, ...]]:
    """The results that each figure in the tables cites."""
    return {place: seqs for place, _, seqs in _figures(answer)}


def expected(
    items: tuple[str, ...], tickers: tuple[str, ...], limit: int, period: PeriodKind = "quarterly"
) -> dict[Place, Decimal]:
    """The same, straight from the tool."""
    words = words_for("en")
    return {
        (row.ticker, words.item(row.item), row.period): in_millions(row)
        for row in rows(items, tickers, limit, period)
    }


def rows(
    items: tuple[str, ...], tickers: tuple[str, ...], limit: int, period: PeriodKind = "quarterly"
) -> list[Row]:
    """Rows of the embedded sample."""
    request = FinancialsRequest(tickers, period=period, limit=limit, items=items)
    found = asyncio.run(get_financials(request, Sample()))
    return [
        row for company in found.companies for item in items for row in company.items.get(item, ())
    ]


def in_millions(row: Row) -> Decimal:
    """A figure in the unit an answer shows."""
    value = Decimal(str(row.value))
    return value / 1_000_000 if row.unit in ("USD", "shares") else value


def _figures(answer: str) -> Iterator[tuple[Place, Decimal, tuple[int, ...]]]:
    labels: dict[tuple[str, str], str] = {}
    title = ""
    for block in answer.split("\n\n"):
        if block.startswith("**"):
            title = _plain(block.strip("*"))
        if not block.startswith("| "):
            continue
        head, _, *body = [_split(line) for line in block.splitlines()]
        if "," in head[0]:
            yield from _of_one(head, body)
        elif _PERIOD.fullmatch(body[0][1]) and len(head) > 2 and "(" in head[1]:
            yield from _of_companies(head, body)
        elif title:
            yield from _of_many(title, labels, head, body)
        else:
            labels = {
                (line[0], ticker): found["label"]
                for line in body
                for ticker, cell in zip(head[1:], line[1:], strict=True)
                if (found := _PERIOD.fullmatch(cell))
            }


def _of_one(
    head: list[str], body: list[list[str]]
) -> Iterator[tuple[Place, Decimal, tuple[int, ...]]]:
    ticker = head[0].split(",")[0]
    for line in body:
        label = line[0].split(" (")[0]
        for name, cell in zip(head[1:], line[1:], strict=True):
            yield from _cell((ticker, _plain(name), label), cell)


def _of_companies(
    head: list[str], body: list[list[str]]
) -> Iterator[tuple[Place, Decimal, tuple[int, ...]]]:
    for line in body:
        label = line[1].split(" (")[0]
        for name, cell in zip(head[2:], line[2:], strict=True):
            yield from _cell((line[0], _plain(name), label), cell)


def _of_many(
    title: str, labels: dict[tuple[str, str], str], head: list[str], body: list[list[str]]
) -> Iterator[tuple[Place, Decimal, tuple[int, ...]]]:
    for line in body:
        for ticker, cell in zip(head[1:], line[1:], strict=True):
            yield from _cell((ticker, title, labels.get((line[0], ticker), "")), cell)


def _cell(place: Place, cell: str) -> Iterator[tuple[Place, Decimal, tuple[int, ...]]]:
    if found := _CELL.fullmatch(cell):
        seqs = tuple(int(seq) for seq in re.findall(r"\d+", found["seqs"]))
        yield place, Decimal(found["value"].replace(",", "")), seqs


def _plain(title: str) -> str:
    """A title without its unit."""
    return re.sub(
        r", (USD million|million shares|%|USD/share|x|percentage points|百万美元)$", "", title
    )


def _split(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split(" | ")]
