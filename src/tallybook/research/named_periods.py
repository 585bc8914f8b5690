"""Years and quarters that a question names, with lists and ranges of them.

A quarter without a year takes the year of its neighbour ("Q1 and Q2 2025"). A year alone is
the fiscal year, or its four quarters where the question speaks of quarters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from tallybook.research.periods import Periods
from tallybook.research.text import take_all
from tallybook.tools.finance.financials import MOST_PERIODS
from tallybook.tools.finance.statements import Period, PeriodKind


def read_named(text: str, today: date, *, quarterly: bool) -> tuple[Periods | None, str]:
    """The periods named in a lower-case text, None where there are none, and what is left."""
    text = _written_out(text, today)
    found, left = take_all(text, _MENTION)
    mentions = _complete([_mention(match) for match in found])
    if not mentions:
        return None, text
    finer = quarterly or any(mention.quarters for mention in mentions)
    kind: PeriodKind = "quarterly" if finer else "annual"
    named = {period.place: period for period in _spread(mentions, text, kind)}
    newest_first = tuple(named[place] for place in sorted(named, reverse=True))
    _, left = take_all(left, _AROUND)
    if len(mentions) == 1 and _OPEN.search(text):
        return Periods(kind, since=newest_first[-1]), left
    return Periods(kind, len(newest_first), newest_first[:MOST_PERIODS]), left


@dataclass(frozen=True)
class _Mention:
    """A year, or quarters of one; the year is 0 until a neighbour gives it."""

    year: int
    quarters: tuple[int, ...]
    start: int
    end: int

    def periods(self, kind: PeriodKind) -> tuple[Period, ...]:
        """What it names; a year is four quarters."""
        if kind == "annual":
            return (Period(kind, self.year * 4 + 3),)
        return tuple(Period(kind, self.year * 4 + q - 1) for q in self.quarters or (1, 2, 3, 4))


def _written_out(text: str, today: date) -> str:
    """Short forms in full: "Q3'25", "3Q25", "FY25", "24财年", "Q3 last year"."""
    text = _QUARTER_SHORT.sub(_full, text)
    text = _ZH_SHORT.sub(r"20\1财年", _YEAR_SHORT.sub(r"fy20\1", text))
    for words, year in ((_THIS, today.year), (_LAST, today.year - 1)):
        text = words.sub(f" {year} ", text)
    return text


def _full(match: re.Match[str]) -> str:
    year = match["ya"] or match["yb"]
    return f"q{match['qa'] or match['qb']} {year if len(year) == 4 else f'20{year}'}"


def _mention(found: re.Match[str]) -> _Mention:
    year = found["after"] or found["before"] or found["alone"] or "0"
    part = found["first"] or found["second"] or found["lone"] or ""
    return _Mention(int(re.sub(r"\D", "", year)), _quarters(part), *found.span())


def _quarters(part: str) -> tuple[int, ...]:
    fitting = (quarters for words, quarters in _PARTS.items() if re.search(words, part))
    return next(fitting, ()) if part else ()


def _complete(mentions: list[_Mention]) -> list[_Mention]:
    """Give each quarter without a year that of the mention behind it, else of the one before."""
    for order in (-1, 1):
        year = 0
        filled = []
        for mention in mentions[::order]:
            year = mention.year or year
            filled.append(replace(mention, year=year))
        mentions = filled[::order]
    return [mention for mention in mentions if mention.year]


def _spread(mentions: list[_Mention], text: str, kind: PeriodKind) -> Iterator[Period]:
    """The periods of each mention, and those between two that a range joins."""
    before: _Mention | None = None
    for mention in mentions:
        yield from mention.periods(kind)
        if before and _is_range(text[: before.start], text[before.end : mention.start]):
            places = [p.place for one in (before, mention) for p in one.periods(kind)]
            step = 4 if kind == "annual" else 1
            yield from (Period(kind, place) for place in range(min(places), max(places), step))
        before = mention


def _is_range(before: str, between: str) -> bool:
    if re.search(r"\bbetween\s*$", before) and re.search(r"\band\b", between):
        return True
    return bool(_TO.fullmatch(between))


_PART = (
    r"(?<![a-z])q[1-4](?!\d)|(?:first|second|third|fourth|1st|2nd|3rd|4th) (?:fiscal )?quarter"
    r"|(?:first|second) half|(?<!\w)h[12](?!\d)|first (?:three|3) quarters"
    r"|第[一二三四1-4]个?季度?|[一二三四](?:财?季度|季)"
)
_PART_OF = rf"{_PART}|(?:last|final) (?:fiscal )?quarter|first nine months|前三个?季度?|[上下]半年"
_YEAR = r"(?:\bfy\s?|\bfiscal (?:year )?|\byear )?(?<!\d)20\d\d(?!\d)\s*(?:财年|年度|年)?"
_MENTION = re.compile(
    rf"(?P<first>{_PART_OF})[\s,]*(?:of |in )?(?:the )?(?P<after>{_YEAR})|"
    rf"(?P<before>{_YEAR})[\s,]*的?(?P<second>{_PART_OF})|"
    rf"(?P<alone>{_YEAR})|(?P<lone>{_PART})"
)
_TO = re.compile(
    r"\s*(?:-|–|—|~|～|to|through|thru|until|till|up to|至|到)\s*(?:the )?(?:end of )?(?:the )?\s*"
)
_OPEN = re.compile(
    r"\b(?:since|from|starting|after|onwards?)\b|自从?|从|以来|(?<=年)起|(?<=度)起|至今|开始"
)
_AROUND = re.compile(
    r"\b(?:since|from|between|starting|onwards?|through|thru|until|till)\b|自从?|从|以来|至今|之间|期间"
)
_QUARTER_SHORT = re.compile(
    r"(?<!\w)q(?P<qa>[1-4])\s*(?:fy)?\s*['’]?(?P<ya>20\d\d|\d\d)(?!\d)|"
    r"(?<!\w)(?P<qb>[1-4])q\s*(?:fy)?\s*['’]?(?P<yb>20\d\d|\d\d)(?!\d)"
)
_YEAR_SHORT = re.compile(r"(?<!\w)fy\s?['’]?(\d\d)(?!\d)")
_ZH_SHORT = re.compile(r"(?<!\d)(\d\d)(?:财年|年(?=第?[一二三四]季))")
_BEHIND = r"(?<=quarter )(?:of )?|(?<=q[1-4] )(?:of )?"
_THIS = re.compile(rf"(?:{_BEHIND})this (?:fiscal )?year\b|今年(?=第?[一二三四1-4]季|[上下]半年)")
_LAST = re.compile(rf"(?:{_BEHIND})last (?:fiscal )?year\b|去年(?=第?[一二三四1-4]季|[上下]半年)")
_PARTS = {
    r"first half|h1|上半年": (1, 2),
    r"second half|h2|下半年": (3, 4),
    r"前三|first (?:three|3|nine)": (1, 2, 3),
    r"first|1st|q1|一|1": (1,),
    r"second|2nd|q2|二|2": (2,),
    r"third|3rd|q3|三|3": (3,),
    r"fourth|4th|last|final|q4|四|4": (4,),
}
