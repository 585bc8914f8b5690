"""What to call next: fetch what was never fetched, recall what left the view.

A plan is made anew for each reply from what is in sight. Nothing is fetched that an earlier
call brings, no page is recalled that is still shown, and recalls name just the rows that are
lacking, so that what comes back is small.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import islice

from tallybook.research import notes
from tallybook.research.facts import Covered, Fact, Fetched, Recalled, Sight
from tallybook.research.need import Need, known, label, need_of
from tallybook.research.question import Question
from tallybook.tools.finance.statements import Period

AT_ONCE = 6
_LABELLED = re.compile(r"(?:Q[1-4] )?FY\d{4}")

Arguments = dict[str, object]


@dataclass(frozen=True)
class Plan:
    """A question, what it needs, and what is in sight; `rows` fit one page that recall brings."""

    asked: Question
    need: Need
    sight: Sight
    rows: int

    def requests(self) -> list[Arguments]:
        """Arguments of `get_financials`, one call for each company that lacks something."""
        return [
            self.need.request(ticker, items)
            for ticker in self.asked.companies
            if (items := tuple(item for item in self.asked.items if self._is_new(ticker, item)))
        ]

    def recalls(self) -> list[Arguments]:
        """Arguments of `recall` for parts that are not in sight, a few at a time."""
        return list(islice(self._recalls(), AT_ONCE))

    def covered(self, ticker: str) -> Covered | None:
        """The periods a company has, if that is known."""
        return self.sight.covered.get((ticker, self.need.periods.kind))

    def source(self, ticker: str, item: str) -> Fetched | None:
        """The latest call that was to bring an item of a company, failed or not."""
        return next(
            (
                call
                for call in reversed(self.sight.fetched)
                if ticker in call.tickers
                and (not call.items or item in call.items)
                and self.need.is_brought_by(call, self.covered(ticker))
                and not self._is_not_there(call, item)
            ),
            None,
        )

    def lacking(self, ticker: str, item: str) -> tuple[Period, ...]:
        """The periods needed whose figure is not in sight."""
        needed = self.need.needed(self.covered(ticker))
        return tuple(period for period in needed if not known(self.sight, ticker, item, period))

    def why(self, ticker: str, item: str) -> str:
        """What the result itself says of figures that are not there; empty if that is unknown."""
        source = self.source(ticker, item)
        return self.sight.missing.get((source.seq, item), "") if source else ""

    def may_hold(self, ticker: str, item: str, source: Fetched) -> bool:
        """Whether what is lacking may stand in a part of a result that was not looked into."""
        return not source.whole and any(self._parts(ticker, item, source))

    def facts(self) -> list[Fact]:
        """The figures in sight that the question needs."""
        keys = (
            (ticker, item, label(item, period))
            for ticker in self.asked.companies
            for item in self.asked.items
            for period in self.need.needed(self.covered(ticker))
        )
        return [self.sight.facts[key] for key in keys if key in self.sight.facts]

    def note(self) -> str:
        """What came into sight and is needed, to be had when its result is gone.

        Where words of old replies are stripped from the view, everything is noted again.
        """
        noted: frozenset[Hashable] = frozenset() if self.sight.stripped else self.sight.noted
        facts = self.facts()
        lines = [notes.HEAD.format(step=self.sight.steps + 1)]
        lines += notes.write_facts(fact for fact in facts if fact.key not in noted)
        for ticker in self.asked.companies:
            key = (ticker, self.need.periods.kind)
            if key in self.sight.covered and key not in noted:
                lines.append(notes.write_covered(ticker, self.sight.covered[key]))
        lines += self._note_missing(noted)
        for seq in dict.fromkeys(fact.seq for fact in facts):
            filings = (f for fact in facts if fact.seq == seq for f in fact.row.filings)
            fresh = [filing for filing in dict.fromkeys(filings) if (seq, filing) not in noted]
            lines += [notes.write_filings(seq, fresh)] if fresh else []
        sources = {source: seq for seq, source in self.sight.sources.items()}
        lines += [notes.write_source(q, s) for s, q in sources.items() if s not in noted]
        return "\n".join(lines)

    def _note_missing(self, noted: frozenset[Hashable]) -> Iterator[str]:
        """Why figures are not there, and where they were looked for in vain."""
        for ticker in self.asked.companies:
            for item in self.asked.items:
                source = self.source(ticker, item)
                if source is None or source.failed or not self.lacking(ticker, item):
                    continue
                why = self.why(ticker, item)
                if why and (source.seq, item) not in noted:
                    yield notes.write_missing(source.seq, item, why)
                paths = (path for some in self._paths(ticker, item, source) for path in some)
                vain = [Recalled(source.seq, path) for path in dict.fromkeys(paths)]
                fresh = [one for one in vain if one in self.sight.recalled and one not in noted]
                if fresh:
                    yield notes.write_tried(source.seq, (one.path for one in fresh))

    def _is_new(self, ticker: str, item: str) -> bool:
        if self.source(ticker, item) is not None:
            return False
        return self.covered(ticker) is None or bool(self.lacking(ticker, item))

    def _is_not_there(self, call: Fetched, item: str) -> bool:
        """Whether a call of which little is known turned out to hold no row of an item."""
        place = f".items.{item}[0:"
        return not call.items and any(
            one.failed and one.seq == call.seq and place in one.path for one in self.sight.recalled
        )

    def _recalls(self) -> Iterator[Arguments]:
        asked: set[int] = set()
        for ticker in self.asked.companies:
            for item in self.asked.items:
                source = self.source(ticker, item)
                if source is None or source.failed or source.whole:
                    continue
                if self.covered(ticker) is None and source.seq not in asked:
                    asked.add(source.seq)
                    yield from self._fresh(source, [f"{_at(source, ticker)}.covers"])
                yield from self._parts(ticker, item, source)

    def _parts(self, ticker: str, item: str, source: Fetched) -> Iterator[Arguments]:
        """Pages with what is lacking; then why it is; then row by row, if a page was cut."""
        if all(self._is_explained(ticker, item, one) for one in self.lacking(ticker, item)):
            return
        for paths in self._paths(ticker, item, source):
            if fresh := list(self._fresh(source, paths)):
                yield from fresh
                return

    def _paths(self, ticker: str, item: str, source: Fetched) -> tuple[list[str], ...]:
        """The parts of a result that may hold what is lacking of an item, best first."""
        at = _at(source, ticker)
        places = self._places(ticker, item, source)
        pages = sorted({place // self.rows for place in places})
        rows = f"{at}.items.{item}"
        return (
            [f"{rows}[{page * self.rows}:{(page + 1) * self.rows}]" for page in pages],
            [f"{at}.missing.{item}"],
            [f"{rows}[{place}:{place + 1}]" for place in places],
        )

    def _places(self, ticker: str, item: str, source: Fetched) -> list[int]:
        """Where in an item's rows, newest first, the lacking ones may stand.

        Rows that are not there move those behind them up, so a row stands at its distance from
        the newest period, or as much before as figures in between are unknown.
        """
        covered = self.covered(ticker)
        span = covered.span() if covered else None
        step = self.need.periods.step
        if span is None or source.start or source.end:
            return list(range(_most_rows(source, covered, step)))
        places: set[int] = set()
        for period in self.lacking(ticker, item):
            distance = (span[1].place - period.place) // step
            between = (Period(period.kind, span[1].place - n * step) for n in range(distance))
            unknown = sum(not known(self.sight, ticker, item, one) for one in between)
            places |= set(range(distance - unknown, distance + 1))
        return sorted(places)

    def _is_explained(self, ticker: str, item: str, period: Period) -> bool:
        why = self.why(ticker, item)
        return bool(why) and (label(item, period) in why or not _LABELLED.search(why))

    def _fresh(self, source: Fetched, paths: list[str]) -> Iterator[Arguments]:
        done = {one.path for one in self.sight.recalled if one.seq == source.seq}
        return ({"seq": source.seq, "path": path} for path in paths if path not in done)


def plan(asked: Question, sight: Sight, rows: int) -> Plan:
    """The plan for a question as things stand."""
    return Plan(asked, need_of(asked), sight, rows)


def _at(source: Fetched, ticker: str) -> str:
    return f"$.companies[{source.tickers.index(ticker)}]"


def _most_rows(source: Fetched, covered: Covered | None, step: int) -> int:
    end = source.end or (covered.last_end if covered else None)
    if source.start is None or end is None:
        return source.limit or 0
    return max(1, (end - source.start).days // (85 * step) + 2)
