"""Share splits, seen where a later filing restates a per-share figure or a share count.

After a split a company restates only the periods it shows again, so its facts mix two bases.
Every value filed before the split is put on the newest basis, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tallybook.tools.finance.facts import CompanyFacts, Fact
from tallybook.tools.finance.items import ITEMS
from tallybook.tools.finance.line_item import Kind

_RATIOS = (*((new, 1) for new in range(2, 101)), (3, 2), (5, 4), *((1, n) for n in range(2, 101)))


@dataclass(frozen=True)
class Split:
    """`old` shares became `new` ones, between the filings of `before` and `after`."""

    new: int
    old: int
    before: date
    after: date

    def __str__(self) -> str:
        """Say it as companies do."""
        return f"{self.new}-for-{self.old} split (filings of {self.before} and {self.after})"


@dataclass(frozen=True)
class _Seen:
    """The ratio lies in `low` to `high`; `exact` when share counts show it."""

    before: date
    after: date
    low: Decimal
    high: Decimal
    exact: bool
    times: int = 1

    def and_also(self, other: _Seen) -> _Seen | None:
        before, after = max(self.before, other.before), min(self.after, other.after)
        low, high = max(self.low, other.low), min(self.high, other.high)
        if before >= after or low > high:
            return None
        exact = self.exact or other.exact
        return _Seen(before, after, low, high, exact, self.times + other.times)


def find_splits(facts: CompanyFacts) -> tuple[Split, ...]:
    """Find the splits between the filings of a company, oldest first.

    One restated share count shows a split; restated per-share figures alone need three,
    because a single one may be a correction.
    """
    found: list[_Seen] = []
    for seen in sorted(_restatements(facts), key=lambda s: (s.before, s.after)):
        for at, cluster in enumerate(found):
            if (both := cluster.and_also(seen)) is not None:
                found[at] = both
                break
        else:
            found.append(seen)
    splits = (_split(seen) for seen in found if seen.exact or seen.times >= 3)
    return tuple(sorted((s for s in splits if s), key=lambda s: s.before))


def restate(value: Decimal, filed: date, kind: Kind, splits: Sequence[Split]) -> Decimal | None:
    """Put a value filed on `filed` on the newest basis; None if its basis cannot be known."""
    for split in splits:
        if split.before < filed < split.after:
            return None
        if filed <= split.before:
            more, less = (split.new, split.old) if kind == "shares" else (split.old, split.new)
            value = value * more / less
    return value


def splits_after(filed: date, splits: Sequence[Split]) -> tuple[Split, ...]:
    """The splits a value filed on `filed` had still before it."""
    return tuple(split for split in splits if filed <= split.before)


def _restatements(facts: CompanyFacts) -> Iterable[_Seen]:
    for item in ITEMS.values():
        if item.kind in ("shares", "money/share"):
            for tag in item.tags:
                for rows in facts.facts.get(tag, {}).values():
                    yield from _restated(rows, shares=item.kind == "shares")


def _restated(rows: Iterable[Fact], *, shares: bool) -> Iterable[_Seen]:
    last: dict[tuple[date | None, date], Fact] = {}
    for row in sorted(rows, key=lambda f: f.filed):
        key = row.start, row.end
        old = last.get(key)
        last[key] = row
        if old is None or old.val * row.val <= 0 or old.filed == row.filed:
            continue
        first, second = (row, old) if shares else (old, row)
        low, high = _bounds(first.val, second.val, exact=shares)
        if high < Decimal("0.8") or low > Decimal("1.2"):
            yield _Seen(old.filed, row.filed, low, high, shares)


def _bounds(top: Decimal, bottom: Decimal, *, exact: bool) -> tuple[Decimal, Decimal]:
    """Bounds of a quotient of rounded numbers: half a step each way, or half a per cent."""
    top, bottom = abs(top), abs(bottom)
    if exact:
        ratio = top / bottom
        return ratio * Decimal("0.995"), ratio * Decimal("1.005")
    half = Decimal("0.005")
    high = (top + half) / (bottom - half) if bottom > half else Decimal(1000)
    return (top - half) / (bottom + half), high


def _split(seen: _Seen) -> Split | None:
    for new, old in _RATIOS:
        if seen.low * old <= new <= seen.high * old:
            return Split(new, old, seen.before, seen.after)
    return None
