"""One number as someone wrote it, with what is needed to compare and trace it."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """A number with its meaning and its place.

    `value` has scale and sign applied: "$(1.5) million" is -1500000; a percentage
    keeps its own size ("31 %" is 31 with unit "%"), as do "bps" and "x".
    `precision` is the value of one step in the last digit shown: 1E8 for "94.9B".
    `scale` is the multiplier as written or inherited from a header (1E6 for "in millions").
    `unit` is an ISO 4217 code, "%", "pp", "bps", "x", "shares", or "" where none is known;
    per-share money is "USD/share".
    `label` says what is counted ("Total net sales", "$.revenue[0].value"), `entity` whose
    it is, `period` when ("FY2024", "Q3 2025", "2025-06-28", "2019"); "" where not near.
    `seq` is the result it stands in (0 outside of a run) and `span` its start and end there,
    in characters.
    """

    value: Decimal
    precision: Decimal
    seq: int
    span: tuple[int, int]
    unit: str = ""
    scale: Decimal = Decimal(1)
    label: str = ""
    period: str = ""
    entity: str = ""
    kind: Literal["figure", "identifier"] = "figure"
    text: str = ""
