"""What stands between a summary and the view: no figure invented, none of weight lost.

Each figure of a summary is traced to what it was written from. What stands in no source and
follows from none is sent back once, then marked. The figures themselves come from the results,
as tables within the summary's budget, those that were asked for first; results whose figures do
not all fit are named by the number to recall them with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tallybook.figures.asked import Asked
from tallybook.figures.distinct import distinct, without
from tallybook.figures.figure import Figure
from tallybook.figures.ledger import Ledger
from tallybook.figures.marks import marked
from tallybook.figures.trace import Audit, trace
from tallybook.policy.evidence import LEDGER, Evidence, evidence
from tallybook.policy.kept import Wish, kept, size_of
from tallybook.policy.needs import NeedSummary
from tallybook.policy.verdict import Check, Draft, Original, Verdict
from tallybook.view.size import tokens
from tallybook.view.view import View

_MOST_OF_TABLES = 0.8
"""The share of a summary's budget that figures asked for may take from its words."""
_SLACK = 1.2
_TRIES = 4


class _Words(msgspec.Struct, frozen=True):
    """A summary's words with marks, what became of their figures, and their tokens."""

    text: str
    audit: Audit
    tokens: int


def verified(view: View, need: NeedSummary, draft: Draft, original: Original) -> Verdict:
    """Mark what a summary invents and put back what it loses, within its budget."""
    if not draft(need.tokens):
        return Verdict("", refusal="the summary is empty")
    seen = evidence(view, need, original)
    figures = distinct(seen.figures)
    asked = Asked(seen.question, figures)
    wanted = [figure for figure in figures if asked.wants(figure)]
    words = _balanced(view, need, draft, (seen, wanted))
    wish = Wish(asked, need.tokens - words.tokens, seen.left_out)
    ledger = kept(view, _unquoted(figures, words.audit), wish)
    return Verdict(
        _joined(words.text, ledger, asked.missing),
        msgspec.Raw(msgspec.json.encode(_check(words.audit, ledger, wanted, need))),
        invented=tuple(dict.fromkeys(one.figure.text for one in words.audit.unsupported)),
    )


def _balanced(
    view: View, need: NeedSummary, draft: Draft, held: tuple[Evidence, Sequence[Figure]]
) -> _Words:
    """The words that leave room for the figures asked for which they do not quote themselves."""
    seen, wanted = held
    least = int((1 - _MOST_OF_TABLES) * need.tokens)
    room = need.tokens
    while True:
        words = _checked(view, draft, seen, room)
        missing = size_of(view, _unquoted(wanted, words.audit))
        over = words.tokens + missing - need.tokens
        if over <= 0 or room == least:
            return words
        room = max(least, min(room, words.tokens) - over)


def _checked(view: View, draft: Draft, seen: Evidence, most: int) -> _Words:
    """A draft with its inventions marked, in at most so many tokens with the marks."""
    room = most
    for _ in range(_TRIES):
        text = draft(room)
        audit = trace(text, seen.known, seen.question)
        shown = marked(text, audit)
        size = tokens(view, view.count(shown))
        if size <= most * _SLACK:
            break
        room = int(room * most / size)
    return _Words(shown, audit, size)


def _unquoted(figures: Iterable[Figure], audit: Audit) -> list[Figure]:
    """The figures that a text does not quote to the last digit."""
    quoted = (
        one.source
        for one in audit.traced
        if one.verdict == "quoted" and one.source and one.source.value == one.figure.value
    )
    return without(figures, quoted)


def _joined(words: str, ledger: Ledger, missing: Sequence[str]) -> str:
    parts = [words]
    if missing:
        parts.append(f"Asked for, and in no figure so far: {', '.join(missing)}.")
    if ledger.text:
        parts.append(f"{LEDGER}\n{ledger.text}")
    return "\n\n".join(parts)


def _check(audit: Audit, ledger: Ledger, wanted: Sequence[Figure], need: NeedSummary) -> Check:
    lost = without(_unquoted(wanted, audit), ledger.figures)
    return Check(
        figures=len(audit.traced),
        quoted=audit.count("quoted"),
        derived=audit.count("derived"),
        given=audit.count("given"),
        unsupported=tuple(one.figure.text for one in audit.unsupported),
        retried=need.again,
        asked=len(wanted),
        ledger=len(ledger.figures),
        lost=len(lost),
    )
