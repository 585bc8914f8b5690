"""Real texts by kind, four different parts of each, to hold estimates against tokenizers."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
import uuid
from collections.abc import Callable

from tests.shared_data import shared

PARTS = 4
Parts = list[str]


def prose() -> Parts:
    """Paragraphs of annual reports."""
    contexts = json.loads(gzip.decompress(shared("qa", "tatqa_dev_first60.json.gz").read_bytes()))
    return _parts(" ".join(part["text"] for one in contexts for part in one["paragraphs"]), 6_000)


def minified() -> Parts:
    """Company facts as EDGAR serves them."""
    return _parts(_facts(), 6_000)


def indented() -> Parts:
    """The same, pretty-printed."""
    facts = json.loads(_facts())["facts"]["us-gaap"]["Assets"]["units"]["USD"]
    return _parts(json.dumps(facts, indent=4), 6_000)


def table() -> Parts:
    """Daily prices, comma-separated."""
    return _parts(shared("prices", "daily", "NVDA.csv").read_text(), 6_000)


def chinese() -> Parts:
    """What agents wrote in Chinese."""
    return _parts(_chinese(), 1_500)


def escaped() -> Parts:
    """The same in JSON with ASCII escapes."""
    return [json.dumps(part) for part in chinese()]


def encoded() -> Parts:
    """Base64 of random bytes."""
    chance = random.Random(1)
    return [base64.b64encode(chance.randbytes(4_500)).decode() for _ in range(PARTS)]


def identifiers() -> Parts:
    """Random UUIDs, a line each."""
    chance = random.Random(2)
    ids = (str(uuid.UUID(int=chance.getrandbits(128))) for _ in range(800))
    return _parts("\n".join(ids), 6_000)


def html() -> Parts:
    """The page of an annual report as HTML."""
    html = gzip.decompress(shared("sec", "filings", "NVDA_10-K_2025-02-26.html.gz").read_bytes())
    return _parts(html.decode()[200_000:], 6_000)


def emoji() -> Parts:
    """Any emoji between short words."""
    chance = random.Random(3)
    signs = (chr(chance.randint(0x1F300, 0x1F5FF)) for _ in range(2_400))
    return _parts(" up ".join(signs), 2_000)


KINDS: dict[str, Callable[[], Parts]] = {
    kind.__name__: kind
    for kind in (
        prose,
        minified,
        indented,
        table,
        chinese,
        escaped,
        encoded,
        identifiers,
        html,
        emoji,
    )
}


def _facts() -> str:
    packed = shared("sec", "companyfacts", "CIK0001045810_NVDA.json.gz").read_bytes()
    return gzip.decompress(packed).decode()


def _chinese() -> str:
    logs = sorted(shared("trajectories", "ai_trader").glob("*.gz"))
    words = " ".join(gzip.decompress(path.read_bytes()).decode() for path in logs)
    plain = re.sub(
        r"\\u([0-9a-f]{4})",
        lambda found: chr(int(found[1], 16)) if not found[1].startswith("d") else "",
        words,
    )
    sentences = re.findall(
        r"[\u4e00-\u9fff][\u4e00-\u9fff，、：0-9A-Z.%（）]{6,}[。\u4e00-\u9fff]", plain
    )
    return "".join(dict.fromkeys(sentences))


def _parts(whole: str, chars: int) -> Parts:
    stride = len(whole) // PARTS
    assert stride >= chars // 2, f"only {len(whole):,} characters"
    return [whole[place * stride :][: min(chars, stride)] for place in range(PARTS)]
