"""What an answer must own up to: how figures were made, what is missing, what was not understood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tallybook.research.derive import BY_TOOL, HERE, Series
from tallybook.research.facts import Covered
from tallybook.research.need import label
from tallybook.research.plan import Plan
from tallybook.research.question import Question
from tallybook.research.wording import Words
from tallybook.tools.finance.items import ITEMS
from tallybook.tools.finance.line_item import Ratio, Sum
from tallybook.tools.finance.statements import Period

_HERE = ("growth_yoy", "growth_qoq", "cagr", "average", "total", "difference", "share")
_FORMULAS = {"growth_yoy": "formula yoy", "growth_qoq": "formula qoq"}


def formulas(series: Sequence[Series], plan: Plan, said: str, words: Words) -> Iterator[str]:
    """How marked figures were computed: by the tool, and here."""
    marked = {key for one in series for key in [one.key] if _marked(one, BY_TOOL)}
    if marked:
        by_tool = [text for key in marked_in_order(series, marked) if (text := _formula(key, words))]
        kind = plan.need.periods.kind
        by_tool += {"quarterly": [words.say("quarters")], "ttm": [words.say("months")]}.get(kind, [])
        yield words.say("tool", list=words.listed(by_tool))
    used = [op for op in _HERE if op in plan.asked.operations]
    if used and HERE in said:
        here = [words.say(_FORMULAS.get(op, f"formula {op}")) for op in used]
        yield words.say("here", list=words.listed(here))


def marked_in_order(series: Sequence[Series], marked: set[str]) -> list[str]:
    """Keys of the series with marked figures, in the order shown."""
    return [one.key for one in series if one.key in marked]


def gaps(series: Sequence[Series], plan: Plan, words: Words) -> Iterator[str]:
    """What was asked for and is not in the answer, company by company, with the reason."""
    for ticker in plan.asked.companies:
        failed = {
            source.failed
            for item in plan.asked.items
            if (source := plan.source(ticker, item)) and source.failed
        }
        yield from (words.say("failed", ticker=ticker, why=why) for why in failed)
        covered = plan.covered(ticker)
        if covered is None and not failed:
            yield words.say("no covered", ticker=ticker)
        elif covered and not failed:
            yield from _outside(ticker, covered, plan, words)
            for item in plan.asked.items:
                yield from _missing(ticker, item, plan, words)
            yield from _without_base(ticker, series, plan, words)


def confessions(asked: Question, words: Words) -> Iterator[str]:
    """What was read for what, and what was not understood or cannot be answered."""
    if asked.mended:
        pairs = [f"{said} → {meant}" for said, meant in asked.mended.items()]
        yield words.say("mended", list=words.listed(pairs))
    yield from (words.say("unknown", name=name) for name in asked.unknown)
    if asked.leftovers:
        yield words.say("leftovers", list=words.listed(list(asked.leftovers)))
    yield from (words.say(f"beyond {kind}") for kind in asked.beyond)


def _marked(series: Series, mark: str) -> bool:
    return any(cell.mark == mark for cell in series.cells.values())


def _formula(key: str, words: Words) -> str:
    """An item's formula in words; empty for what is only the difference of two periods."""
    match ITEMS[key].formula if key in ITEMS else None:
        case Ratio(top=top, bottom=bottom):
            return f"{words.item(key)} = {words.item(top)} / {words.item(bottom)}"
        case Sum(plus=plus, minus=minus, optional=optional):
            left = [part for part in (*plus, *minus, *optional) if ITEMS[part].part]
            if left:
                return ""
            added = " + ".join(words.item(part) for part in (*plus, *optional))
            return f"{words.item(key)} = {' − '.join([added, *map(words.item, minus)])}"
    return ""


def _outside(ticker: str, covered: Covered, plan: Plan, words: Words) -> Iterator[str]:
    periods = plan.need.periods
    have = plan.need.wanted(covered)
    first, last = (f"{name} ({end})" for name, end in (
        (covered.first, covered.first_end), (covered.last, covered.last_end)
    ))
    outside = [period for period in periods.named if period not in have]
    if outside:
        listed = ", ".join(map(str, outside))
        yield words.say("not covered", ticker=ticker, periods=listed, first=first, last=last)
    elif not periods.named and periods.since is None and len(have) < periods.count:
        yield words.say(
            "fewer", ticker=ticker, asked=periods.count, have=len(have), first=first, last=last
        )


def _missing(ticker: str, item: str, plan: Plan, words: Words) -> Iterator[str]:
    wanted = plan.need.wanted(plan.covered(ticker))
    lacking = [period for period in plan.lacking(ticker, item) if period in wanted]
    if not lacking:
        return
    source = plan.source(ticker, item)
    why = plan.why(ticker, item)
    if not why:
        why = words.say("gap unknown", seq=source.seq) if source else words.say("gap no result")
    named = ", ".join(label(item, period) for period in lacking)
    yield words.say("gap", ticker=ticker, item=words.item(item), periods=named, why=_sentence(why))


def _without_base(
    ticker: str, series: Sequence[Series], plan: Plan, words: Words
) -> Iterator[str]:
    """Periods shown for which a change or a share could not be computed."""
    for one in series:
        item = one.key.split()[0]
        if one.key == item:
            continue
        there = {cell.period.place for cell in one.of(ticker)}
        lost: list[Period] = [
            period
            for period in plan.need.wanted(plan.covered(ticker))
            if period.place not in there and (ticker, item, label(item, period)) in plan.sight.facts
        ]
        if lost:
            yield words.say(
                "base",
                ticker=ticker,
                series=words.series(one.key),
                periods=", ".join(map(str, lost)),
            )


def _sentence(text: str) -> str:
    return text if text.endswith((".", "。")) else f"{text}."
