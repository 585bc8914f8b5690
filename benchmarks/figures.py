"""Everything that `docs/figures.md` states as measured, one part after another.

Run `python -m benchmarks.figures` with TALLYBOOK_SHARED set where the data is elsewhere; each part
runs alone as well, and its own docstring says what it measures.
"""

from __future__ import annotations

from benchmarks import figures_find, figures_ledger, figures_speed, figures_tatqa, figures_verify

PARTS = {
    "Finding": figures_find.main,
    "TAT-QA": figures_tatqa.main,
    "A lossy summarizer": figures_verify.main,
    "The ledger": figures_ledger.main,
    "Speed of checking": figures_speed.main,
}


def main() -> None:
    """Run the parts."""
    for name, part in PARTS.items():
        print(f"\n{name}\n{'-' * len(name)}")
        part()


if __name__ == "__main__":
    main()
