"""The analyst's working notes: what it found, written beside its calls.

Results leave the view before words do, so a note keeps a figure in sight when the result it
came from is gone. A note is written once and read back to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal

from tallybook.research.facts import Covered, Fact, Recalled, Row

HEAD = "Step {step}."

_STEP = re.compile(r"^Step (\d+)\.", re.MULTILINE)
_FIGURES = re.compile(
    r"^(?P<ticker>[A-Z.-]+) (?P<item>\w+) (?P<unit>\S+) \[(?P<seq>\d+)\]: (?P<values>.+)$",
    re.MULTILINE,
)
_VALUE = re.compile(
    r"(?P<period>[^;]+?) (?P<end>\d{4}-\d\d-\d\d) (?P<value>-?[\d.]+)(?P<derived>†?)(?:; |$)"
)
_PERIODS = re.compile(
    r"^(?P<ticker>[A-Z.-]+) has (?P<first>[A-Z0-9 ]+) (?P<first_end>\S+) to "
    r"(?P<last>[A-Z0-9 ]+) (?P<last_end>\S+) \[(?P<seq>\d+)\]$",
    re.MULTILINE,
)
_MISSING = re.compile(r"^Missing (?P<item>\w+) \[(?P<seq>\d+)\]: (?P<why>.+)$", re.MULTILINE)
_FILINGS = re.compile(r"^Filings \[(?P<seq>\d+)\]: (?P<filings>.+)$", re.MULTILINE)
_TRIED = re.compile(r"^Tried \[(?P<seq>\d+)\]: (?P<paths>.+)$", re.MULTILINE)
_SOURCE = re.compile(r"^Source \[(?P<seq>\d+)\]: (?P<source>.+)$", re.MULTILINE)


def write_facts(facts: Iterable[Fact]) -> Iterator[str]:
    """A line for each company, item and result."""
    lines: dict[str, list[str]] = {}
    for fact in facts:
        row = fact.row
        mark = "†" if row.derived else ""
        head = f"{row.ticker} {row.item} {row.unit} [{fact.seq}]"
        lines.setdefault(head, []).append(f"{row.period} {row.end} {row.value:f}{mark}")
    for head, values in lines.items():
        yield f"{head}: {'; '.join(values)}"


def write_covered(ticker: str, known: Covered) -> str:
    """A line for the periods a company has."""
    return (
        f"{ticker} has {known.first} {known.first_end} to {known.last} {known.last_end} "
        f"[{known.seq}]"
    )


def write_missing(seq: int, item: str, why: str) -> str:
    """A line for figures that are not there."""
    return f"Missing {item} [{seq}]: {why}"


def write_filings(seq: int, filings: Iterable[str]) -> str:
    """A line for the filings behind a result's figures."""
    return f"Filings [{seq}]: {' '.join(filings)}"


def write_source(seq: int, source: str) -> str:
    """A line for what a result itself names as its source."""
    return f"Source [{seq}]: {source}"


def write_tried(seq: int, paths: Iterable[str]) -> str:
    """A line for parts of a result that did not hold what was looked for."""
    return f"Tried [{seq}]: {' '.join(paths)}"


def read_step(text: str) -> int:
    """The number of the reply that a note belongs to, 0 where it has none."""
    found = _STEP.search(text)
    return int(found[1]) if found else 0


def read_facts(text: str) -> Iterator[Fact]:
    """The figures in notes."""
    for line in _FIGURES.finditer(text):
        for found in _VALUE.finditer(line["values"]):
            row = Row(
                line["ticker"],
                line["item"],
                found["period"],
                date.fromisoformat(found["end"]),
                Decimal(found["value"]),
                line["unit"],
                derived="noted" if found["derived"] else "",
            )
            yield Fact(row, int(line["seq"]))


def read_covered(text: str) -> Iterator[tuple[str, Covered]]:
    """The periods of companies in notes, by ticker."""
    for line in _PERIODS.finditer(text):
        first_end, last_end = (date.fromisoformat(line[end]) for end in ("first_end", "last_end"))
        yield (
            line["ticker"],
            Covered(line["first"], first_end, line["last"], last_end, int(line["seq"])),
        )


def read_missing(text: str) -> Mapping[tuple[int, str], str]:
    """Why figures are missing, by result and item."""
    return {(int(line["seq"]), line["item"]): line["why"] for line in _MISSING.finditer(text)}


def read_filings(text: str) -> Mapping[int, tuple[str, ...]]:
    """The filings behind the figures of results."""
    return {int(line["seq"]): tuple(line["filings"].split()) for line in _FILINGS.finditer(text)}


def read_tried(text: str) -> Iterator[Recalled]:
    """The parts of results that were looked into in vain."""
    for line in _TRIED.finditer(text):
        yield from (Recalled(int(line["seq"]), path) for path in line["paths"].split())


def read_sources(text: str) -> Mapping[int, str]:
    """What results name as their source."""
    return {int(line["seq"]): line["source"] for line in _SOURCE.finditer(text)}
