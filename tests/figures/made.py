"""Figures made by hand: written as they would stand, read into the struct."""

from __future__ import annotations

from decimal import Decimal

from tallybook.figures.figure import Figure

_SCALES = {"": 1, "thousand": 10**3, "million": 10**6, "billion": 10**9}


def made(text: str, label: str = "", period: str = "", entity: str = "", seq: int = 1) -> Figure:
    """A figure from "$94.9 billion", "31 %", "(1,234)", "150 bps", "0.31"."""
    number, _, word = text.replace("$", "").replace("%", " %").strip().partition(" ")
    word = word.strip()
    shown = Decimal(number.strip("()").replace(",", ""))
    step = Decimal(1).scaleb(int(shown.as_tuple().exponent))
    scale = Decimal(_SCALES.get(word, 1))
    sign = -1 if number.startswith("(") else 1
    return Figure(
        value=sign * shown * scale,
        precision=step * scale,
        seq=seq,
        span=(0, len(text)),
        unit="USD" if "$" in text else word if word in {"%", "bps", "x"} else "",
        scale=scale,
        label=label,
        period=period,
        entity=entity,
        text=text,
    )
