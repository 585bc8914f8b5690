"""How well and how fast figures are found: against labels made by hand, on real files.

Run `python -m benchmarks.figures_find [--wrong]` with TALLYBOOK_SHARED set where the data is
elsewhere. Labels are in `tests/figures/corpus`. Held-out ones were made before the finder had
seen their texts; what their first run showed was mended in general afterwards (the last 425 first
scored precision 0.992, recall 0.920), so their scores now are no estimate for texts never seen.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
from html import unescape
from pathlib import Path
from time import process_time

from tests.figures.scoring import passages, score_passages

from tallybook.figures.find import find

DATA = Path(os.environ.get("TALLYBOOK_SHARED", Path(__file__).parents[2] / "shared")) / "data"
FILES = (
    "sec/filings/NVDA_10-K_2025-02-26.html.gz",
    "sec/companyfacts/CIK0001045810_NVDA.json.gz",
)
RUNS = 3


def main() -> None:
    """Print the scores, then megabytes a second."""
    for held_out in (False, True):
        chosen = [passage for passage in passages() if passage.held_out == held_out]
        score = score_passages(DATA, chosen)
        print(score.line("held out" if held_out else "tuned"))
        if "--wrong" in sys.argv:
            print("\n".join(score.wrong))
    for name in (*FILES, "filing as plain text"):
        text = _plain() if name not in FILES else _read(DATA / name)
        seconds = min(_timed(text) for _ in range(RUNS))
        size = len(text.encode()) / 1e6
        print(f"{name:<48} {size:5.2f} MB  {size / seconds:5.1f} MB/s  {len(find(text)):6} figures")


def _plain() -> str:
    """The 10-K without its tags, a row of a table a line."""
    text = re.sub(r"</(?:tr|div|p)>", "\n", _read(DATA / FILES[0]))
    return re.sub(r"[ \t]*\n\s*", "\n", unescape(re.sub(r"<[^>]*>", " ", text)))


def _read(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def _timed(text: str) -> float:
    start = process_time()
    find(text)
    return process_time() - start


if __name__ == "__main__":
    main()
