"""All figures of some results in the least text that gives every one back exactly.

`tables` lays figures out with the number of the result they stand in, which is the way
back; `parse` reads them again, so that a later ledger can take in an earlier one. For a
result that is JSON as a whole, `encode` and `decode` do the same with everything in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, pairwise
from typing import Final

import msgspec

from tallybook.figures.figure import Figure
from tallybook.figures.layout import figures_of, is_head, layout
from tallybook.figures.restore import LedgerError, decode
from tallybook.figures.tabular import encode

__all__ = ["Ledger", "LedgerError", "decode", "encode", "parse", "tables"]

_FULL: Final = 0.98
"""A budget used to this share is used; the last figure is not worth another layout."""
_LEFT: Final = re.compile(r"More figures: recall ([0-9]+(?:-[0-9]+)?(?:, [0-9]+(?:-[0-9]+)?)*)\.\Z")


class Ledger(msgspec.Struct, frozen=True):
    """Tables of figures, the figures they hold, and the results whose other figures they lack."""

    text: str
    figures: tuple[Figure, ...]
    left_out: tuple[int, ...] = ()


def tables(
    figures: Iterable[Figure],
    *,
    budget: int | None = None,
    worth: Callable[[Figure], int] | None = None,
    left_out: Iterable[int] = (),
) -> Ledger:
    """Lay figures out within `budget` characters, those of most `worth` and the newest first.

    A figure that stands in several results is kept with the newest. What does not fit, and
    what an earlier ledger had `left_out`, is named by the number to recall it with, or by a
    range of numbers; where even that does not fit, the text is empty.
    """
    found = _distinct(figures)
    before = set(left_out)
    whole = _written(found, before)
    if budget is None or len(whole.text) <= budget:
        return whole
    ranked = _ranked(found, worth or _alike)
    low, best = 0, _within(found, ranked[:0], before)
    high, size = len(found), len(whole.text)
    if len(best.text) > budget:
        return msgspec.structs.replace(best, text="")
    while high - low > 1 and len(best.text) < _FULL * budget:
        share = (budget - len(best.text)) / (size - len(best.text) or 1)
        middle = min(max(low + int(share * (high - low)), low + 1), high - 1)
        tried = _within(found, ranked[:middle], before)
        if len(tried.text) <= budget:
            low, best = middle, tried
        else:
            high, size = middle, len(tried.text)
    return best


def parse(text: str) -> Ledger:
    """Read tables of figures back, whatever prose stands around them.

    Value, precision, unit, scale, label, period, entity and number of the result are exact;
    where a figure stood in it is not kept. LedgerError where a line does not fit its head.
    """
    found: list[Figure] = []
    left: list[int] = []
    lines = text.split("\n")
    heads = [at for at, line in enumerate(lines) if is_head(line)]
    for at, following in zip(heads, [*heads[1:], len(lines)], strict=False):
        block = lines[at:following]
        end = next((i for i, line in enumerate(block) if not line or _left(line)), len(block))
        try:
            found.extend(figures_of(block[:end]))
        except ValueError as error:
            raise LedgerError(f"{error}; recall the result itself") from error
    for line in lines:
        left.extend(_left(line))
    return Ledger(text, tuple(found), tuple(left))


def _distinct(figures: Iterable[Figure]) -> list[Figure]:
    """Each figure once, with the newest result it stands in, in the order of reading."""
    newest: dict[tuple[object, ...], Figure] = {}
    for figure in sorted(figures, key=lambda each: (each.seq, each.span)):
        said = _said(figure)
        newest.pop(said, None)
        newest[said] = figure
    return list(newest.values())


def _said(figure: Figure) -> tuple[object, ...]:
    """All that a ledger says of a figure but the result it stands in."""
    number = (figure.value, figure.precision, figure.unit, figure.scale)
    text = figure.text if figure.kind == "identifier" else ""
    return (*number, figure.label, figure.period, figure.entity, figure.kind, text)


def _written(figures: Sequence[Figure], left_out: set[int]) -> Ledger:
    lines = layout(figures)
    named = _with_gaps(left_out, {figure.seq for figure in figures})
    if named:
        lines.append(f"More figures: recall {_ranges(named)}.")
    return Ledger("\n".join(lines), tuple(figures), tuple(named))


def _with_gaps(left_out: set[int], held: set[int]) -> list[int]:
    """The numbers to recall, and those between of which nothing is held: ranges are short."""
    numbers = sorted(left_out)
    named = numbers[:1]
    for before, after in pairwise(numbers):
        gap = range(before + 1, after)
        named += [after] if any(number in held for number in gap) else [*gap, after]
    return named


def _within(figures: Sequence[Figure], chosen: Sequence[int], before: set[int]) -> Ledger:
    taken = set(chosen)
    rest = {figure.seq for at, figure in enumerate(figures) if at not in taken}
    return _written([figures[at] for at in sorted(taken)], before | rest)


def _ranked(figures: Sequence[Figure], worth: Callable[[Figure], int]) -> list[int]:
    """The figures' positions: those of most worth first, of these the newest."""
    return sorted(range(len(figures)), key=lambda at: (-worth(figures[at]), -figures[at].seq, at))


def _alike(_: Figure) -> int:
    return 0


def _ranges(numbers: Iterable[int]) -> str:
    """Write numbers as 3, 5-9, 12."""
    runs = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in run] for _, run in runs]
    return ", ".join(f"{s[0]}-{s[-1]}" if len(s) > 1 else str(s[0]) for s in spans)


def _left(line: str) -> list[int]:
    """The numbers of results that a line says have more figures."""
    found = _LEFT.match(line)
    if not found:
        return []
    spans = [part.partition("-") for part in found[1].split(", ")]
    return [n for low, _, high in spans for n in range(int(low), int(high or low) + 1)]
