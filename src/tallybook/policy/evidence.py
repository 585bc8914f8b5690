"""What a summary may rest on: all that its writer could have seen, in the original.

Results and calls count, and the user's words; of an earlier summary its ledger, and those of
its figures that were not marked as unsupported. What the model said is no evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from tallybook.figures import wording
from tallybook.figures.figure import Figure
from tallybook.figures.find import find
from tallybook.figures.known import Known
from tallybook.figures.ledger import LedgerError, parse
from tallybook.figures.marks import is_marked
from tallybook.figures.subject import subject
from tallybook.policy.needs import NeedSummary
from tallybook.policy.summarize import unframed
from tallybook.scratchpad.events import RECALL, AssistantMessage, ToolResult, UserMessage
from tallybook.view.view import Item, View

LEDGER = "Figures of the results, as they stand there (company, unit and scale in each head):"
"""The line above the tables of a summary; what follows it is read back as figures."""
_DATED: Final = re.compile(r"\((\d{4}-\d\d-\d\d)\)\Z")
_NOTE: Final = re.compile(r"\[(\d{1,6})\]")


class Evidence(msgspec.Struct, frozen=True):
    """`figures` are those a ledger must not lose, `known` are all that may be quoted.

    `question` are the user's words so far, `left_out` the results whose figures an earlier
    ledger could not hold.
    """

    figures: tuple[Figure, ...]
    known: Known
    question: str
    left_out: tuple[int, ...] = ()


def evidence(view: View, need: NeedSummary, original: Callable[[Item], str]) -> Evidence:
    """Read what the need covers; `original` gives an item's text as it was recorded."""
    kept: list[Figure] = []
    said: list[Figure] = []
    left_out: tuple[int, ...] = ()
    texts: dict[int, str] = {}
    words: list[str] = []
    whose = dict(_subjects(view))
    for item in view.items:
        if item.seq > need.through:
            break
        match item.message:
            case ToolResult(tool=tool, call_id=call):
                texts[item.seq] = original(item)
                found = _found(texts[item.seq], item.seq, whose.get(call, ""))
                (said if tool == RECALL else kept).extend(found)
            case AssistantMessage(calls=calls):
                texts[item.seq] = "\n".join(f"{call.name} {call.arguments}" for call in calls)
                said += find(texts[item.seq], seq=item.seq)
            case UserMessage(text=text) if item.form == "summary":
                prose, _, tables = unframed(text).partition(LEDGER)
                ledger, left_out = _read(tables)
                kept += (*ledger, *_cited(prose, item.seq))
            case UserMessage(text=text) if item.form == "full":
                words.append(text)
    kept = list(_alike(kept))
    return Evidence(tuple(kept), Known((*kept, *said), texts), "\n".join(words), left_out)


@lru_cache(maxsize=64)
def _found(text: str, seq: int, entity: str) -> tuple[Figure, ...]:
    """The figures of a result; a summary that is sent back is soon checked again."""
    return tuple(find(text, seq=seq, entity=entity))


def _alike(figures: list[Figure]) -> Iterator[Figure]:
    """The figures, those of prose told as tables tell the same: so they can share a table.

    Its company is what a label begins with; its fiscal period and unit are those that the
    company's other figures have for this day and this name.
    """
    names = {figure.entity for figure in figures if figure.entity}
    periods = {
        (figure.entity, day[1]): figure.period
        for figure in figures
        if figure.entity and (day := _DATED.search(figure.period))
    }
    units = {(f.entity, wording.words(f.label)): f.unit for f in figures if f.entity and f.unit}
    for figure in figures:
        name, _, rest = figure.label.partition(" ")
        if figure.entity or name not in names:
            yield figure
            continue
        period = periods.get((name, figure.period), figure.period)
        unit = figure.unit or units.get((name, wording.words(rest)), "")
        yield msgspec.structs.replace(figure, entity=name, label=rest, period=period, unit=unit)


def _subjects(view: View) -> Iterator[tuple[str, str]]:
    for item in view.items:
        if isinstance(item.message, AssistantMessage):
            yield from ((call.id, subject(call.arguments)) for call in item.message.calls)


def _read(tables: str) -> tuple[tuple[Figure, ...], tuple[int, ...]]:
    """An earlier ledger; nothing where a cut made it unreadable: its results can be recalled."""
    try:
        ledger = parse(tables)
    except LedgerError:
        return (), ()
    return ledger.figures, ledger.left_out


def _cited(prose: str, seq: int) -> Iterator[Figure]:
    """The figures of a summary that nothing marks, with the result that is named beside them."""
    for figure in find(prose, seq=seq):
        end = figure.span[1]
        if not is_marked(prose, figure):
            line = prose[prose.rfind("\n", 0, end) + 1 : (prose + "\n").index("\n", end)]
            cited = _NOTE.search(line)
            yield msgspec.structs.replace(figure, seq=int(cited[1])) if cited else figure
