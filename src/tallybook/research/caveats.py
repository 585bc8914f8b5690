"""What an answer must own up to: how figures were made, what is missing or not understood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tallybook.research.derive import BY_TOOL, HERE, Series
from tallybook.research.facts import Covered
from tallybook.research.need import label
from tallybook.research.plan import Plan
from tallybook.research.question import Question
from tallybook.research.wording import Words
from tallybook.tools.finance.items import ITEMS
from tallybook.tools.finance.line_item import Debt, Ratio, Return, Sum
from tallybook.tools.finance.statements import Period

_COMPUTED = ("cagr", "average", "total", "difference", "share")


def formulas(series: Sequence[Series], plan: Plan, said: str, words: Words) -> Iterator[str]:
    """How marked figures were computed: by the tool, and here."""
    if by_tool := list(dict.fromkeys(_by_tool(series, plan, words))):
        yield words.say("tool", list=words.listed(by_tool))
    if HERE in said:
        yield words.say("here", list=words.listed(list(_here(series, plan, words))))


def _by_tool(series: Sequence[Series], plan: Plan, words: Words) -> Iterator[str]:
    """The formulas behind figures that the tool computed; items before periods."""
    marked = [cell for one in series for cell in one.cells.values() if cell.mark == BY_TOOL]
    keys = [one.key for one in series if any(c.mark == BY_TOOL for c in one.cells.values())]
    yield from filter(None, (_formula(key, words) for key in keys))
    if plan.need.periods.kind == "ttm" and marked:
        yield words.say("months")
    if plan.need.periods.kind != "quarterly":
        return
    over_time = [key for key in keys if not ITEMS[key].instant]
    if over_time and any(cell.name.startswith("Q4") for cell in marked):
        yield words.say("fourth")
    if any("cash_flow" in (ITEMS[key].statement, *_parts_of(key)) for key in over_time):
        yield words.say("cash quarters")


def _here(series: Sequence[Series], plan: Plan, words: Words) -> Iterator[str]:
    units = {(one.key.split()[-1], one.unit) for one in series}
    for kind in ("yoy", "qoq"):
        if (kind, "%") in units:
            yield words.say(f"formula {kind}")
    if any(unit == "pp" for _, unit in units):
        yield words.say("formula points")
    yield from (words.say(f"formula {o}") for o in _COMPUTED if o in plan.asked.operations)
    if _shows_difference(plan):
        yield words.say("formula difference")


def _shows_difference(plan: Plan) -> bool:
    """Growth over years also gives the change over all of them."""
    operations = plan.asked.operations
    annual = plan.need.periods.kind == "annual"
    return annual and "growth_yoy" in operations and "difference" not in operations


def _parts_of(key: str) -> tuple[str, ...]:
    """The statements that the parts of a ratio stand in."""
    match ITEMS[key].formula:
        case Ratio(top=top, bottom=bottom) | Return(top=top, bottom=bottom):
            return (ITEMS[top].statement, ITEMS[bottom].statement)
    return ()


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


def _formula(key: str, words: Words) -> str:
    """An item's formula in words; empty for what is only the difference of two periods."""
    match ITEMS[key].formula:
        case Ratio(top=top, bottom=bottom):
            return f"{words.item(key)} = {words.item(top)} / {words.item(bottom)}"
        case Sum(plus=plus, minus=minus, optional=optional):
            left = [part for part in (*plus, *minus, *optional) if ITEMS[part].part]
            if left:
                return ""
            added = " + ".join(words.item(part) for part in (*plus, *optional))
            return f"{words.item(key)} = {' − '.join([added, *map(words.item, minus)])}"
        case Debt():
            return words.say("debt", item=words.item(key))
    return ""


def _outside(ticker: str, covered: Covered, plan: Plan, words: Words) -> Iterator[str]:
    periods = plan.need.periods
    have = plan.need.wanted(covered)
    first, last = (
        f"{name} ({end})"
        for name, end in ((covered.first, covered.first_end), (covered.last, covered.last_end))
    )
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
    why = plan.why(ticker, item) or _no_reason(ticker, item, plan, words)
    labels = [label(item, period) for period in lacking]
    name = "gap told" if all(one in why for one in labels) else "gap"
    named = ", ".join(labels)
    yield words.say(name, ticker=ticker, item=words.item(item), periods=named, why=_sentence(why))


def _no_reason(ticker: str, item: str, plan: Plan, words: Words) -> str:
    """Of a figure that no result explains: it was let go for good, or never was there."""
    source = plan.source(ticker, item)
    if source is None:
        return words.say("gap no result")
    name = "gap unknown" if plan.may_hold(ticker, item, source) else "gap absent"
    return words.say(name, seq=source.seq)


def _without_base(ticker: str, series: Sequence[Series], plan: Plan, words: Words) -> Iterator[str]:
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
