"""The sentences that answer a question: the newest figures, and what was asked to be computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tallybook.research.derive import (
    Cell,
    Series,
    average,
    changed,
    difference,
    growth,
    reported,
    share,
    total,
    yearly_growth,
)
from tallybook.research.plan import Plan
from tallybook.research.wording import Words
from tallybook.tools.finance.items import ITEMS

_MOST = 3


def series_of(plan: Plan) -> tuple[list[Series], list[Series]]:
    """What the sentences are about, and all that the tables show."""
    asked = plan.asked
    items = [reported(plan, item) for item in asked.items]
    computed: list[Series] = []
    if "growth_yoy" in asked.operations:
        computed += [growth(plan, item, 4) for item in asked.items]
    if "growth_qoq" in asked.operations:
        computed += [growth(plan, item, plan.need.periods.step) for item in asked.items]
    if "share" in asked.operations and len(asked.items) > 1:
        of = "revenue" if "revenue" in asked.items else asked.items[-1]
        computed += [share(plan, item, of) for item in asked.items if item != of]
    return (computed or items), [*items, *computed]


def findings(series: Sequence[Series], plan: Plan, words: Words) -> Iterator[str]:
    """A sentence or more on each series."""
    operations = plan.asked.operations
    for one in [one for one in series if one.cells][:_MOST]:
        if not one.unit:
            yield words.say("currencies", series=words.series(one.key))
            continue
        ordered = [kind for kind in operations if kind in ("highest", "lowest", "rank")]
        for kind in ordered:
            yield from _order(one, kind, plan, words)
        if not ordered:
            yield _newest(one, plan, words)
        for operation in operations:
            yield from _compute(one, operation, plan, words)
    if "difference" in operations and len(plan.asked.items) > 1:
        yield from _between_items(plan, words)
    if "share" in operations and len(plan.asked.items) < 2:
        yield words.say("share which")


def _newest(series: Series, plan: Plan, words: Words) -> str:
    """The newest figure of each company, the largest first."""
    newest = sorted(_newest_of_each(series, plan), key=lambda cell: cell.value, reverse=True)
    listed = words.listed([_one(cell, words) for cell in newest])
    return words.say("newest", series=words.series(series.key), list=listed)


def _order(series: Series, operation: str, plan: Plan, words: Words) -> Iterator[str]:
    name = words.series(series.key)
    newest = _newest_of_each(series, plan)
    ticker = newest[0].ticker
    ranked = sorted(newest if len(newest) > 1 else series.of(ticker), key=lambda cell: -cell.value)
    if operation != "rank":
        best = max if operation == "highest" else min
        top = best(series.cells.values(), key=lambda cell: cell.value)
        yield words.say(operation, series=words.inside(series.key), one=_one(top, words))
        if len(newest) < 2 or len(series.cells) == len(newest):
            return
    listed = words.listed(
        [words.say("ranked", place=i, one=_one(cell, words)) for i, cell in enumerate(ranked, 1)]
    )
    kind = "rank" if len(newest) > 1 else "rank periods"
    yield words.say(kind, series=name, list=listed, ticker=ticker)


def _compute(series: Series, operation: str, plan: Plan, words: Words) -> Iterator[str]:
    match operation:
        case "difference":
            yield from _difference(series, plan, words)
        case "average":
            yield from _average(series, plan, words)
        case "total":
            yield from _total(series, plan, words)
        case "cagr":
            yield from _cagr(series, plan, words)
        case "growth_yoy" if series.key.endswith(" yoy"):
            yield from _over_all(series.key.split()[0], plan, words)


def _difference(series: Series, plan: Plan, words: Words) -> Iterator[str]:
    """Between two companies at the newest period each, else between the ends of one's periods."""
    newest = _newest_of_each(series, plan)
    if len(newest) == 2:
        one, other = newest
        if value := difference(one, other):
            yield words.say(
                "difference companies",
                series=words.series(series.key),
                one=f"{one.ticker} {one.name}",
                other=f"{other.ticker} {other.name}",
                list=_value(value, words),
            )
    elif len(newest) == 1 and len(series.of(newest[0].ticker)) > 1:
        yield from _between_ends(series, newest[0].ticker, words)
    elif len(plan.asked.items) < 2:
        yield words.say("difference which")


def _between_ends(series: Series, ticker: str, words: Words) -> Iterator[str]:
    newest, *_, oldest = series.of(ticker)
    values = [difference(newest, oldest)]
    if newest.unit not in ("%", "pp"):
        values.append(changed(newest, oldest))
    shown = [_value(value, words) for value in values if value]
    if shown:
        yield words.say(
            "difference periods",
            series=words.series(series.key),
            ticker=ticker,
            newest=newest.name,
            oldest=oldest.name,
            value=words.listed(shown),
        )


def _over_all(item: str, plan: Plan, words: Words) -> Iterator[str]:
    """With growth, the change from the first to the last of several years."""
    if plan.need.periods.kind == "annual" and "difference" not in plan.asked.operations:
        shown = reported(plan, item)
        for ticker in plan.asked.companies:
            if len(shown.of(ticker)) > 1:
                yield from _between_ends(shown, ticker, words)


def _between_items(plan: Plan, words: Words) -> Iterator[str]:
    """The first item less the second, for each company at its newest period."""
    first, second = (reported(plan, item) for item in plan.asked.items[:2])
    for ticker in plan.asked.companies:
        for cell in first.of(ticker)[:1]:
            other = second.cells.get((ticker, cell.period.place))
            if other and (value := difference(cell, other)):
                yield words.say(
                    "difference items",
                    ticker=ticker,
                    one=words.series(first.key),
                    other=words.series(second.key),
                    period=cell.name,
                    value=_value(value, words),
                )


def _average(series: Series, plan: Plan, words: Words) -> Iterator[str]:
    """Over the periods of each company; of several companies at one period, over these."""
    newest = _newest_of_each(series, plan)
    name = words.inside(series.key)
    if len(series.cells) == len(newest) > 1:
        if value := average(newest):
            shown = _value(value, words)
            yield words.say("average companies", series=name, count=len(newest), value=shown)
        return
    for ticker in (cell.ticker for cell in newest):
        cells = series.of(ticker)
        if value := average(cells):
            shown = _value(value, words)
            yield words.say("average", series=name, ticker=ticker, count=len(cells), value=shown)


def _total(series: Series, plan: Plan, words: Words) -> Iterator[str]:
    newest = _newest_of_each(series, plan)
    name = words.series(series.key)
    over_companies = len(series.cells) == len(newest) > 1
    if not series.unit.endswith(" million") or (_is_instant(series) and not over_companies):
        yield words.say("no total", series=name)
        return
    if over_companies:
        if value := total(newest):
            shown = _value(value, words)
            yield words.say("total companies", series=name, count=len(newest), value=shown)
        return
    for ticker in (cell.ticker for cell in newest):
        cells = series.of(ticker)
        if value := total(cells):
            shown = _value(value, words)
            yield words.say("total", series=name, ticker=ticker, count=len(cells), value=shown)


def _cagr(series: Series, plan: Plan, words: Words) -> Iterator[str]:
    name = words.series(series.key)
    for ticker in plan.asked.companies:
        cells = series.of(ticker)
        value = yearly_growth(cells[0], cells[-1]) if len(cells) > 1 else None
        if value is None:
            yield words.say("no cagr", series=name, ticker=ticker)
        else:
            yield words.say(
                "cagr",
                series=name,
                ticker=ticker,
                oldest=cells[-1].name,
                newest=cells[0].name,
                value=_value(value, words),
            )


def _newest_of_each(series: Series, plan: Plan) -> list[Cell]:
    return [cells[0] for ticker in plan.asked.companies if (cells := series.of(ticker))]


def _is_instant(series: Series) -> bool:
    return ITEMS[series.key.split()[0]].instant


def _one(cell: Cell, words: Words) -> str:
    return words.say(
        "one",
        ticker=cell.ticker,
        number=cell.number(),
        unit=words.unit(cell.unit),
        period=cell.name,
        end=cell.end,
        refs="".join(f"[{seq}]" for seq in cell.seqs),
    )


def _value(cell: Cell, words: Words) -> str:
    refs = "".join(f"[{seq}]" for seq in cell.seqs)
    return f"{cell.number()} {words.unit(cell.unit)} {refs}"
