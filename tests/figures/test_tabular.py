from __future__ import annotations

import gzip
import json
from time import process_time
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallybook.figures.exact import Json, Num, read, write
from tallybook.figures.gather import gather
from tallybook.figures.ledger import LedgerError, decode, encode
from tallybook.figures.tabular import ledger_of
from tests.figures.json_texts import json_texts
from tests.shared_data import shared

Typed: TypeAlias = "tuple[str, str] | list[Typed] | dict[str, Typed]"


def typed(value: Json) -> Typed:
    """Tell 1 from "1", and every literal from every other."""
    match value:
        case list():
            return [typed(item) for item in value]
        case dict():
            return {name: typed(item) for name, item in value.items()}
        case _:
            return type(value).__name__, str(value)


def same(one: str, other: str) -> bool:
    return typed(read(one)) == typed(read(other))


@given(json_texts)
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_decoded_is_what_was_encoded(text: str) -> None:
    assert same(decode(ledger_of(read(text))), text)
