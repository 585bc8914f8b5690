"""Read a recording's bytes as JSON records: one document, or one per line, gzipped or not.

A line that is no JSON costs itself only, and is reported with its number.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tallybook.adapters.recorded.values import Json, rows
from tallybook.errors import ConfigError


@dataclass(frozen=True)
class Broken:
    """A line that could not be read: its number from 1, and why."""

    line: int
    reason: str


def load(path: Path) -> tuple[list[Json], list[Broken]]:
    """The records of a file. A list of objects is its objects. Raises ConfigError."""
    text = _text(path)
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return _lines(text)
    return ([document] if isinstance(document, dict) else rows(document)), []


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        if data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ConfigError(f"{path} cannot be read ({error}): name another file.") from error
    return data.decode("utf-8-sig", errors="replace")


def _lines(text: str) -> tuple[list[Json], list[Broken]]:
    records: list[Json] = []
    broken: list[Broken] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            found = list(_objects(line))
        except (json.JSONDecodeError, RecursionError) as error:
            broken.append(Broken(number, str(error) or "nested too deeply"))
            continue
        records.extend(one for one in found if isinstance(one, dict))
        if others := [type(one).__name__ for one in found if not isinstance(one, dict)]:
            broken.append(Broken(number, f"a {others[0]}, not an object"))
    return records, broken


def _objects(line: str) -> Iterator[object]:
    """The values on a line: a writer that died may have left two on one."""
    decoder, rest = json.JSONDecoder(), line.strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        yield value
        rest = rest[end:].lstrip()
