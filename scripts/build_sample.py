"""Build the embedded sample from full company facts.

    python scripts/build_sample.py ../shared/data/sec/companyfacts

Kept are the tags that line items use, and periods that end since `SINCE`, with a quarter before
it so that the first cash flow can be differenced. Of equal values of one period the first and
the last filing are kept, so that restatements and splits remain visible.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterable
from datetime import date
from itertools import groupby
from pathlib import Path

import msgspec

from tallybook.tools.finance.facts import CompanyFacts, Fact, parse
from tallybook.tools.finance.sample import FILE, SampleCompany, SampleFile, SampleFiling

SINCE = date(2022, 9, 1)
EARLIEST = date(2022, 6, 1)

COMPANIES = {
    "NVDA": ("NVIDIA", "NVIDIA Corporation"),
    "AAPL": ("Apple", "Apple Inc"),
    "GOOGL": ("GOOG", "Google", "Alphabet", "Alphabet Inc"),
    "MRVL": ("Marvell", "Marvell Technology"),
}


def main(folder: Path, target: Path) -> None:
    """Write the sample of all companies to `target`."""
    companies = []
    for ticker, aliases in COMPANIES.items():
        (path,) = folder.glob(f"CIK*_{ticker}.json.gz")
        cik = int(path.name.removeprefix("CIK").partition("_")[0])
        facts = parse(gzip.decompress(path.read_bytes()), ticker, cik)
        companies.append(pack(facts, aliases))
    body = msgspec.json.encode(SampleFile(SINCE, tuple(companies)))
    target.write_bytes(gzip.compress(body, 9, mtime=0))
    print(f"{target.name}: {target.stat().st_size:,} bytes, {len(body):,} unpacked")


def pack(facts: CompanyFacts, aliases: tuple[str, ...]) -> SampleCompany:
    """Cut a company's facts down to what the sample keeps."""
    kept = {
        tag: {unit: list(_keep(rows)) for unit, rows in units.items()}
        for tag, units in sorted(facts.facts.items())
    }
    every = [fact for units in kept.values() for rows in units.values() for fact in rows]
    filings = sorted({SampleFiling(f.accn, f.form, f.filed, f.fy) for f in every}, key=_age)
    place = {filing.accn: number for number, filing in enumerate(filings)}
    packed = {
        tag: {
            unit: tuple((f.start, f.end, f.val, place[f.accn]) for f in rows)
            for unit, rows in units.items()
            if rows
        }
        for tag, units in kept.items()
    }
    rows = {tag: units for tag, units in packed.items() if units}
    return SampleCompany(facts.ticker, aliases, facts.name, facts.cik, tuple(filings), rows)


def _age(filing: SampleFiling) -> tuple[date, str]:
    return filing.filed, filing.accn


def _keep(rows: Iterable[Fact]) -> Iterable[Fact]:
    recent = (fact for fact in rows if fact.end >= EARLIEST)
    ordered = sorted(recent, key=lambda f: (f.end, f.start or date.min, f.filed, f.accn))
    for _, period in groupby(ordered, key=lambda f: (f.end, f.start)):
        runs = [list(run) for _, run in groupby(period, key=lambda f: f.val)]
        for run in runs:
            if len(runs) > 1 and len(run) > 1:
                yield run[0]
            yield run[-1]


if __name__ == "__main__":
    package = Path(__file__).parents[1] / "src/tallybook/tools/finance"
    main(Path(sys.argv[1]), package / FILE)
