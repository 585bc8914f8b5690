"""Where figures stand in their results: the words around, the sentence, the row and the column.

The lines of a result are found once, so that no question costs more than the words it looks at,
however long the result or its only line is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from tallybook.figures.figure import Figure

_REACH: Final = 400
_WIDEST_ROW: Final = 2000
_STOP: Final = re.compile(r"\n|[.!?](?=\s+[^a-z])|[。！？]")
_MARKS: Final = ("|", "\t")


class Places:
    """The places of figures, given by position, in the results that are held (`texts`, by seq)."""

    def __init__(self, figures: Sequence[Figure], texts: Mapping[int, str]) -> None:
        self.figures = figures
        self.texts: Mapping[int, str] = dict(texts)

    def around(self, figure: Figure, width: int) -> str:
        """The words around a figure; "" where its result is not held."""
        text = self.texts.get(figure.seq, "")
        start, end = figure.span
        return text[max(0, start - width) : end + width]

    def sentence(self, at: int) -> str:
        """The sentence, or the table's row, that a figure stands in."""
        start, end = self.bounds(at)
        return self.texts.get(self.figures[at].seq, "")[start:end]

    def bounds(self, at: int) -> tuple[int, int]:
        """Where the sentence of a figure starts and ends in its result."""
        figure = self.figures[at]
        text = self.texts.get(figure.seq, "")
        start, end = figure.span
        low, high = max(0, start - _REACH), end + _REACH
        stops = [stop.end() for stop in _STOP.finditer(text, low, start)]
        after = _STOP.search(text, end, high)
        return stops[-1] if stops else low, after.end() if after else min(high, len(text))

    def row(self, at: int) -> int:
        """Where the line of text begins that a figure stands in; -1 where no text is held."""
        figure = self.figures[at]
        starts = self._lines.get(figure.seq)
        return starts[bisect_right(starts, figure.span[0]) - 1] if starts else -1

    def column(self, at: int) -> int:
        """Which cell of its row a figure stands in, from 1; 0 outside of tables of text."""
        figure = self.figures[at]
        row = self.row(at)
        if row < 0 or figure.span[0] - row > _WIDEST_ROW:
            return 0
        text = self.texts[figure.seq]
        return sum(text.count(mark, row, figure.span[0]) for mark in _MARKS)

    def spans_within(self, seq: int, start: int, end: int) -> list[tuple[int, int]]:
        """Where the figures of a stretch of one result stand, in order."""
        spans = self._spans.get(seq, ())
        return list(spans[bisect_left(spans, (start, 0)) : bisect_left(spans, (end, 0))])

    @cached_property
    def _lines(self) -> Mapping[int, Sequence[int]]:
        return {seq: _line_starts(text) for seq, text in self.texts.items()}

    @cached_property
    def _spans(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for figure in self.figures:
            spans[figure.seq].append(figure.span)
        return {seq: sorted(own) for seq, own in spans.items()}


def _line_starts(text: str) -> list[int]:
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
