"""How long it takes to verify a summary of 20,000 characters against 500 kB of results.

The results are company facts, a 10-K and a 10-Q as filed; the summary states figures of theirs, of
which every fourth is invented, for those take the longest; `lucky` are those that were not found
out. `find` is the time to find the figures
of the results, `index` to prepare them, `trace` to verify the summary. The last row has many
figures of the same few names, so that whatever is quadratic in them would be seen.
Run: python -m benchmarks.figures_speed
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import TypeVar

import msgspec

from tallybook.figures.figure import Figure
from tallybook.figures.find import find
from tallybook.figures.trace import Sources, trace

DATA = Path(os.environ.get("TALLYBOOK_SHARED", Path(__file__).parents[2] / "shared")) / "data"
MOST = 500_000
SUMMARY = 20_000
INVENTED = 0.25
GOES = 3
Result = TypeVar("Result")
_UNITS = {"USD": " USD", "%": "%", "shares": " shares", "USD/share": " USD per share"}


def main() -> None:
    """Print a row for each kind of results, processor times in milliseconds."""
    header = ("results", "kB", "figures", "claims", "lucky", "find", "index", "trace")
    print("{:22}{:>6}{:>9}{:>8}{:>13}{:>8}{:>8}{:>8}".format(*header))
    for name, texts in _results():
        _report(name, texts)


def _report(name: str, texts: Mapping[int, str]) -> None:
    finding, figures = _best(
        lambda: [f for seq, text in texts.items() for f in find(text, seq=seq)]
    )
    preparing, sources = _best(lambda: Sources(texts))
    summary, invented = _summary(figures)
    tracing, audit = _best(lambda: trace(summary, sources))
    size = sum(map(len, texts.values())) / 1000
    times = (finding, max(0.0, preparing - finding), tracing)
    flagged = {one.figure.span[0] for one in audit.traced if one.verdict == "unsupported"}
    lucky = sum(not any(low <= at < high for at in flagged) for low, high in invented)
    row = (name, size, len(figures), len(audit.traced), f"{lucky} of {len(invented)}")
    print("{:22}{:>6.0f}{:>9}{:>8}{:>13}".format(*row), end="")
    print("".join(f"{1000 * time:8.0f}" for time in times))


def _best(work: Callable[[], Result]) -> tuple[float, Result]:
    """The least processor time of several goes, and what came of it."""
    times = []
    for _ in range(GOES):
        start = process_time()
        result = work()
        times.append(process_time() - start)
    return min(times), result


def _results() -> Iterator[tuple[str, Mapping[int, str]]]:
    facts = _read("sec/companyfacts/CIK0000320193_AAPL.json.gz")
    annual = _read("sec/filings/NVDA_10-K_2025-02-26.html.gz")
    quarterly = _read("sec/filings/AAPL_10-Q_2025-08-01.html.gz")
    mixed = {1: _facts(facts, 150_000), 2: annual[:200_000], 3: quarterly[-150_000:]}
    yield "facts, 10-K, 10-Q", mixed
    yield "10-K", {1: annual[-MOST:]}
    yield "company facts", {1: _facts(facts, MOST)}
    yield "one table", {1: _table(20_000)}


def _read(path: str) -> str:
    return gzip.decompress((DATA / path).read_bytes()).decode()


def _facts(text: str, most: int) -> str:
    """As many whole concepts of company facts as fit."""
    concepts = msgspec.json.decode(text)["facts"]["us-gaap"]
    taken: dict[str, object] = {}
    size = 0
    for name, concept in concepts.items():
        size += len(msgspec.json.encode(concept))
        if size > most:
            break
        taken[name] = concept
    return msgspec.json.encode({"entityName": "Apple Inc.", "facts": taken}).decode()


def _table(count: int) -> str:
    random = Random(1)
    years = range(2005, 2025)
    rows = ["| (in millions) | " + " | ".join(map(str, years)) + " |"]
    for number in range(count // len(years)):
        cells = " | ".join(f"{random.randint(100, 99_999):,}" for _ in years)
        rows.append(f"| Revenue of segment {chr(97 + number % 26)}{number} | {cells} |")
    return "\n".join(rows)


def _summary(figures: Sequence[Figure]) -> tuple[str, list[tuple[int, int]]]:
    """The summary, and where its sentences stand that state an invented value."""
    random = Random(2)
    telling = [one for one in figures if one.kind == "figure" and one.label and len(one.text) > 3]
    text, invented = "", []
    while len(text) < SUMMARY:
        one = random.choice(telling)
        name = one.label.removeprefix("$").replace("[", " ").replace("]", " ").replace(".", " ")
        name = " ".join(part for part in name.split() if not part.isdigit())[:80]
        false = random.random() < INVENTED
        value = one.value * random.randint(103, 900) / 100 if false else one.value
        shown = (
            f"{value / 10**6:,.1f} million" if abs(value) >= 10**7 else f"{value:,.{_places(one)}f}"
        )
        start = len(text)
        text += f"The {name} was {shown}{_UNITS.get(one.unit, '')} in {one.period or 'all'}. "
        if false:
            invented.append((start, len(text)))
    return text, invented


def _places(figure: Figure) -> int:
    """How many decimals a figure shows."""
    return max(0, -int(figure.precision.normalize().as_tuple().exponent))


if __name__ == "__main__":
    main()
