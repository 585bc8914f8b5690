"""What a line item is: its statement, unit, tags, and the formula that stands in for a tag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Statement = Literal["income", "cash_flow", "balance", "ratios"]
Kind = Literal["money", "money/share", "shares", "%", "x"]
"""`money` is in the company's reporting currency, written out in each result (USD)."""


@dataclass(frozen=True)
class Sum:
    """`plus` less `minus`; all must be known, but of `optional` what is reported is added."""

    plus: tuple[str, ...]
    minus: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ratio:
    """`top` over `bottom`, times 100 where the item's kind is "%"."""

    top: str
    bottom: str


@dataclass(frozen=True)
class Growth:
    """The change of an item in per cent, against the year before or the period before."""

    of: str
    against: Literal["year", "previous"] = "year"


@dataclass(frozen=True)
class Debt:
    """Debt from its overlapping parts; only what is due within a year unless `total`."""

    total: bool


Formula = Sum | Ratio | Growth | Debt


@dataclass(frozen=True)
class LineItem:
    """One line of a statement, or a ratio.

    `instant` items hold at a date, others over a period. An `average` over a
    period (a share count, earnings per share) has no sum and no difference over time. `formula` is
    used where no tag of `tags` reports the period. `parts` are items that only serve others:
    they are given when asked for by key, not with a whole statement.
    """

    key: str
    label: str
    statement: Statement
    tags: tuple[str, ...] = ()
    formula: Formula | None = None
    kind: Kind = "money"
    instant: bool = False
    part: bool = False
    average: bool = False

    @property
    def additive(self) -> bool:
        """Whether quarters may be computed as differences of longer periods."""
        return not self.instant and not self.average and self.statement != "ratios"
