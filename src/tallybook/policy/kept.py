"""Figures as tables within a budget of tokens: those asked for first, then the newest."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tallybook.figures import when, wording
from tallybook.figures.asked import Asked
from tallybook.figures.figure import Figure
from tallybook.figures.ledger import Ledger, tables
from tallybook.policy.evidence import LEDGER
from tallybook.view.size import tokens
from tallybook.view.view import View

_TRIES = 4
_CHARS_PER_TOKEN = 2.2
_TOKENS_PER_FIGURE = 3


class Wish(msgspec.Struct, frozen=True):
    """What tables are to hold: what was `asked`, in `room` tokens, beside what was `left_out`."""

    asked: Asked
    room: int
    left_out: tuple[int, ...] = ()


def kept(view: View, figures: Sequence[Figure], wish: Wish) -> Ledger:
    """The tables; where what was asked for does not fit, periods are told by one name each."""
    full = [named(figure) for figure in figures]
    ledger = _within(view, full, wish)
    held = set(ledger.figures)
    if all(figure in held for figure in full if wish.asked.wants(figure)):
        return ledger
    return _within(view, [_terse(figure) for figure in full], wish)


def named(figure: Figure) -> Figure:
    """A figure as tables call it: its place is found again by the number of its result."""
    return msgspec.structs.replace(figure, label=wording.short(figure.label))


def size_of(view: View, figures: Sequence[Figure]) -> int:
    """The tokens that tables of all these figures take at their tersest."""
    text = tables(_terse(named(figure)) for figure in figures).text
    return tokens(view, view.count(f"{LEDGER}\n{text}")) if text else 0


def _terse(figure: Figure) -> Figure:
    period = when.read(figure.period)
    if period is None or not period.names:
        return figure
    return msgspec.structs.replace(figure, period=str(period.names[0]))


def _within(view: View, figures: Sequence[Figure], wish: Wish) -> Ledger:
    """The best of a few layouts: a budget is in characters, and how many a token has is learned."""
    worth = wish.asked.score
    ranked = sorted(figures, key=lambda f: (-worth(f), -f.seq, f.span))
    room = wish.room - tokens(view, view.count(LEDGER))
    most = max(room // _TOKENS_PER_FIGURE, 0)
    left_out = {*wish.left_out, *(figure.seq for figure in ranked[most:])}
    budget, best = int(room * _CHARS_PER_TOKEN), Ledger("", ())
    for _ in range(_TRIES):
        if budget <= 0:
            break
        tried = tables(ranked[:most], budget=budget, worth=worth, left_out=left_out)
        size = tokens(view, view.count(tried.text))
        if size <= room and len(tried.figures) >= len(best.figures):
            best = tried
        if not tried.text or (size <= room and len(tried.figures) == len(ranked[:most])):
            break
        budget = int(len(tried.text) * room / size)
    return best
