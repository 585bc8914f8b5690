"""Which period each figure of a sentence is of.

Lists are paired in order ("$5 and $6 in 2019 and 2018"). Else a period that is tied to the
figure by a word of time behind it wins ("$60.9 billion in fiscal 2024"), then the nearest one
before it. What follows "from", "than" or "compared with" is a base, not the figure's own.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Protocol

from tallybook.figures.dates import When

_LIST: Final = re.compile(r"(?:\s*(?:,|;|/|、|和|及|与|\band\b|&|\bor\b)\s*){1,2}(?:\$|€|£)?\Z")
_TIED: Final = re.compile(
    r"[\s\w,'%/)(&-]*?\b(?:in|for|during|at|of|on|by|through|until|as of|since|ended|ending)\s+(?:the\s+)?"
    r"(?:(?:fiscal|calendar|full|prior|previous|preceding|same|comparable|corresponding|three|six|nine|twelve|months?|weeks?|years?|quarters?|periods?|quarter|end|ended|ending|of|end of|both|each|early|late|mid|approximately)[\s-]+)*(?:the\s+)?\Z",
    re.IGNORECASE,
)
_BASE: Final = re.compile(
    r"\b(?:from|than|versus|vs|over|against|while|but|whereas|relative to|up|down|compar\w+|respect to|increase[ds]?|decrease[ds]?|grew|rose|fell)\b",
    re.IGNORECASE,
)
_APPOSED: Final = re.compile(r"[\w\s-]{0,30}(?:,? or|,? to|\()\s*\Z")
_JOINED: Final = re.compile(r"[\w\s-]{0,50}\band\s*\Z")
_COMPARED: Final = re.compile(r"\b(?:compared (?:to|with)|versus|than|against)\s*\Z")
_FAR: Final = 70


class Placed(Protocol):
    """Anything with a start and an end."""

    @property
    def start(self) -> int:
        """Its first character."""

    @property
    def end(self) -> int:
        """Behind its last."""


def periods_of(text: str, figures: Sequence[Placed], whens: Sequence[When]) -> list[str]:
    """The period of each figure, "" where the sentence gives none."""
    named = _continued(text, [when for when in whens if when.period])
    if not named:
        return [""] * len(figures)
    periods = _nearest(text, figures, named)
    dated = _runs(text, named)
    for run in _runs(text, figures):
        paired = [dates for dates in dated if len(dates) == len(run) > 1]
        if paired:
            ends = figures[run[-1]].end
            dates = min(paired, key=lambda dates: abs(named[dates[0]].start - ends))
            for at, when in zip(run, dates, strict=True):
                periods[at] = named[when].period
    return periods


def _runs(text: str, placed: Sequence[Placed]) -> list[list[int]]:
    runs = [[0]]
    for at, (one, two) in enumerate(pairwise(placed), 1):
        if two.start - one.end <= 8 and _LIST.match(text, one.end, two.start):
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _continued(text: str, whens: Sequence[When]) -> list[When]:
    """Give a bare year after "and" what stood before it: "fiscal 2019 and 2018" are both fiscal."""
    done: list[When] = []
    for when in whens:
        period = when.period
        if done and len(period) == 4 and period.isdigit():
            last = done[-1]
            year = re.search(r"(?:19|20)[0-9]{2}", last.period)
            if year and last.period != year[0] and _LIST.match(text, last.end, when.start):
                period = last.period.replace(year[0], period)
        done.append(When(when.start, when.end, period))
    return done


def _nearest(text: str, figures: Sequence[Placed], whens: Sequence[When]) -> list[str]:
    """For each figure the period tied to it or to the one it leads to, else the nearest before."""
    periods: list[str] = []
    ends, starts = [when.end for when in whens], [when.start for when in whens]
    tied, following = "", -1
    for figure in reversed(figures):
        passed, next_at = bisect_right(ends, figure.start), bisect_left(starts, figure.end)
        behind = whens[passed - 1].period if passed else ""
        ahead = whens[next_at] if next_at < len(whens) else None
        if not (following >= 0 and _leads_on(text, figure, following, behind)):
            tied = ""
        if ahead and (following < 0 or ahead.start < following):
            tied = ahead.period if _ties(text, figure.end, ahead) else ""
        periods.append(tied or behind)
        following = figure.start
    return periods[::-1]


def _leads_on(text: str, figure: Placed, following: int, behind: str) -> bool:
    """Whether a figure is told with the next one, as in "$5 million, or 3%, in 2024"."""
    if following - figure.end > _FAR:
        return False
    before = text[max(0, figure.start - 16) : figure.start]
    if _APPOSED.match(text, figure.end, following):
        based = _BASE.search(text, figure.end, following) or before.rstrip().endswith("from")
        return not based
    return (not behind or bool(_COMPARED.search(before))) and bool(
        _JOINED.match(text, figure.end, following)
    )


def _ties(text: str, end: int, when: When) -> bool:
    link = text[end : when.start]
    if len(link) > _FAR:
        return False
    if link.strip() == "(":
        return text[when.end : when.end + 1] == ")"
    if text[when.end : when.end + 1] in ("：", ":"):
        return False
    own = link if when.end - when.start < 8 else link + text[when.start : when.start + 4]
    return not _BASE.search(link) and (bool(_TIED.match(link)) or bool(_TIED.match(own)))
