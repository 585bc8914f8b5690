"""Where a figure stands, however many layers of decoding lie above it.

Tables in HTML and strings in JSON are read in a decoded copy; a place found there
is told in characters of the text that was given.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tallybook.figures.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallybook.figures.numbers import Numeral
    from tallybook.figures.units import Measure

_ONE: Final = Decimal(1)
_LOOKALIKES: Final = (
    ("\u00a0", " "), ("\u202f", " "), ("\u2009", " "), ("\u2007", " "), ("\u3000", " "),
    ("−", "-"), ("‑", "-"), ("‒", "-"), ("﹣", "-"), ("－", "-"), ("＋", "+"),
    ("％", "%"), ("（", "("), ("）", ")"), ("＄", "$"), ("￥", "¥"), ("’", "'"),
)  # fmt: skip
_WIDE_DIGITS: Final = str.maketrans("０１２３４５６７８９．，", "0123456789.,")


def plain(text: str) -> str:
    """Write look-alikes of spaces, signs and digits in one way, keeping every place."""
    if text.isascii():
        return text
    for written, read in _LOOKALIKES:
        text = text.replace(written, read)
    if any(wide in text for wide in "０１２３４５６７８９"):
        text = text.translate(_WIDE_DIGITS)
    return text


@dataclass(frozen=True, slots=True)
class Source:
    """A text, the copy of it that is read, and the way back to what was given.

    `text` is as written and `plain` its copy of equal length. `starts` and `origins`
    pair places of `text` with places one layer up, each pair holding up to the next;
    both are empty where the places are the same. `depth` counts the JSON strings it is inside of.
    """

    text: str
    plain: str
    seq: int = 0
    entity: str = ""
    starts: Sequence[int] = ()
    origins: Sequence[int] = ()
    above: Source | None = None
    depth: int = 0

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Tell a span of `text` as a span of the text that was given."""
        if self.starts:
            at = bisect_right(self.starts, start) - 1
            first = self.origins[at] + start - self.starts[at]
            at = bisect_right(self.starts, end - 1) - 1
            start, end = first, self.origins[at] + end - self.starts[at]
        return self.above.place(start, end) if self.above else (start, end)

    def figure(
        self,
        span: tuple[int, int],
        number: Numeral,
        measure: Measure,
        words: tuple[str, str, str],
        *,
        identifier: bool = False,
    ) -> Figure:
        """Write down one figure; `words` are its label, period and entity."""
        value, step = number
        unit, scale = measure
        if scale != _ONE:
            value, step = value * scale, step * scale
        label, period, entity = words
        return Figure(
            value=value,
            precision=step,
            seq=self.seq,
            span=self.place(*span),
            unit=unit,
            scale=scale,
            label=label,
            period=period,
            entity=entity or self.entity,
            kind="identifier" if identifier else "figure",
            text=self.text[span[0] : span[1]],
        )
