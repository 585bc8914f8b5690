"""Write the offline analyst's answer: sentences, tables, what is missing, and the sources."""

from __future__ import annotations

from collections.abc import Iterator

from tallybook.research.caveats import confessions, formulas, gaps
from tallybook.research.facts import Fact, Fetched
from tallybook.research.findings import findings, series_of
from tallybook.research.plan import Plan
from tallybook.research.question import Question
from tallybook.research.tables import tables
from tallybook.research.wording import Words, words_for
from tallybook.tools.finance.financials import NAME

_MOST_FILINGS = 10


def answer(plan: Plan) -> str:
    """The whole answer, in the language of the question."""
    words = words_for(plan.asked.language)
    about, shown = series_of(plan)
    lead = list(findings(about, plan, words)) or [words.say("nothing")]
    laid_out = tables(shown, plan, words)
    said = "\n".join([*lead, *laid_out])
    blocks = [
        *lead,
        *laid_out,
        *_usual(plan, words),
        *formulas(shown, plan, said, words),
        *gaps(shown, plan, words),
        *confessions(plan.asked, words),
        *_sources(plan, words),
        _who(plan, words),
    ]
    return "\n\n".join(blocks)


def sorry(asked: Question) -> str:
    """What cannot be answered, and what can."""
    words = words_for(asked.language)
    missing = list(confessions(asked, words))
    if not asked.companies and not asked.unknown:
        missing.append(words.say("no company"))
    elif not asked.items and not asked.beyond:
        missing.append(words.say("no item"))
    return "\n\n".join([*missing, words.say("can"), words.say("who")])


def _usual(plan: Plan, words: Words) -> Iterator[str]:
    if plan.asked.periods is None:
        periods = plan.need.periods
        name = "usual" if periods.count > 1 else "usual one"
        yield words.say(name, count=periods.count, kind=words.say(periods.kind))


def _sources(plan: Plan, words: Words) -> Iterator[str]:
    """Each result that figures are from: its call, and the filings behind the figures."""
    used: dict[int, list[Fact]] = {}
    for fact in plan.facts():
        used.setdefault(fact.seq, []).append(fact)
    calls = {call.seq: call for call in plan.sight.fetched}
    lines = [
        words.say(
            "source",
            seq=seq,
            tool=NAME,
            arguments=_arguments(calls.get(seq), facts),
            filings=_filings(seq, facts, plan, words),
        )
        for seq, facts in sorted(used.items())
    ]
    if lines:
        yield "\n".join([f"**{words.say('sources')}**", "", *(f"- {line}" for line in lines)])


def _arguments(call: Fetched | None, facts: list[Fact]) -> str:
    if call is None:
        return ", ".join(dict.fromkeys(fact.row.ticker for fact in facts))
    bounds = [f"{name} {value}" for name, value in _bounds(call) if value is not None]
    return ", ".join([*call.tickers, call.period, *bounds])


def _bounds(call: Fetched) -> tuple[tuple[str, object], ...]:
    return (("limit", call.limit), ("start", call.start), ("end", call.end))


def _filings(seq: int, facts: list[Fact], plan: Plan, words: Words) -> str:
    named = {filing for fact in facts for filing in fact.row.filings}
    every = sorted(named.union(plan.sight.filings.get(seq, ())), key=_filed, reverse=True)
    if not every:
        return ""
    shown = every[:_MOST_FILINGS]
    if len(every) > len(shown):
        shown.append(words.say("more", count=len(every) - len(shown)))
    return words.say("filings", list=", ".join(shown))


def _filed(accession: str) -> str:
    """Year and number of an accession, which stand behind the filer's own number."""
    return accession.partition("-")[2]


def _who(plan: Plan, words: Words) -> str:
    facts = plan.facts()
    if not facts:
        return words.say("who")
    sources = ", ".join(sorted(set(plan.sight.sources.values()))) or NAME
    newest = max(fact.row.end for fact in facts)
    return words.sentences(words.say("who"), words.say("figures", sources=sources, end=newest))
