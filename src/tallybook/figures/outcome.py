"""What one formula gives, and how it is spelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

_POINTS: Final = frozenset({"%", "pp", "bps"})
_TEMPLATES: Final = {
    "difference": "{0} − {1}",
    "growth": "({0} − {1}) ÷ {1}",
    "ratio": "{0} ÷ {1}",
    "product": "{0} × {1}",
}


class Outcome(msgspec.Struct, frozen=True):
    """What one formula gives: `pure` if a ratio, `directed` if its sign means up or down."""

    name: str
    value: float
    operands: tuple[int, ...]
    pure: bool = False
    directed: bool = False
    template: str = ""

    def spelled(self, texts: Sequence[str]) -> str:
        """The formula with its operands written out."""
        if self.template:
            return self.template.format(*texts)
        if self.name in _TEMPLATES:
            return _TEMPLATES[self.name].format(*texts)
        total = " + ".join(texts)
        return f"({total}) ÷ {len(texts)}" if self.name == "average" else total


def same_kind(one: str, other: str) -> bool:
    """Whether two units can be added; an unknown one can to any."""
    if one == other or "" in (one, other) or {one, other} <= _POINTS:
        return True
    return one.partition("/")[0] == other.partition("/")[0] and "/" in one + other
