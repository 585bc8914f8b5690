"""Gather the figures that stand in the messages, each with the number of its result.

The analyst knows nothing but what it is shown: full results, pages that recall brought,
and its own notes beside earlier calls. State is read from the messages alone, so a run that
was killed goes on where it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

import msgspec
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from tallybook.scratchpad.events import RECALL
from tallybook.tools.finance.financials import NAME

_NUMBER = re.compile(r"\[(?:result )?(\d+)[\]: ]")
_LINE = re.compile(
    r"^(?P<ticker>[A-Z.]+) (?P<item>\w+) (?P<unit>\S+) \[(?P<seq>\d+)\]: (?P<values>.+)$",
    re.MULTILINE,
)
_VALUE = re.compile(
    r"(?P<period>[^;]+?) (?P<end>\d{4}-\d\d-\d\d) (?P<value>-?[\d.]+)(?P<derived>†?)(?:; |$)"
)
_ROW = re.compile(r'\{"company":.*?\}(?=,?\s*[\n\]])|\{"company":[^{}]*\}')
_GONE = re.compile(r"\[(?:This session goes on from )?(\d+) earlier round")
_INDEX = re.compile(rf'#(\d+) {NAME}{{"tickers":\["([A-Z.]+)"\]')
_LET_GO = re.compile(r"recall\((\d+)")


class Row(msgspec.Struct, frozen=True):
    """One figure as `get_financials` gives it; unknown fields are passed over."""

    ticker: str
    item: str
    period: str
    end: date
    value: Decimal
    unit: str
    derived: str = ""
    note: str = ""


class Fact(msgspec.Struct, frozen=True):
    """A figure and the number of the result it stands in."""

    row: Row
    seq: int

    @property
    def key(self) -> tuple[str, str, str]:
        """Whose, what, and when."""
        return (self.row.ticker, self.row.item, self.row.period)


class Fetched(msgspec.Struct, frozen=True):
    """A call of `get_financials` that was answered: what it asked for, and its result.

    Of a call that left the view only the companies are known: `items` and `period` are empty.
    `whole` says that the result is shown in full, `failed` why there is none.
    """

    tickers: tuple[str, ...]
    items: tuple[str, ...]
    period: str
    seq: int
    whole: bool
    failed: str = ""


class _Arguments(msgspec.Struct):
    tickers: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    period: str = "quarterly"


def facts(messages: Iterable[ModelMessage]) -> dict[tuple[str, str, str], Fact]:
    """Every figure in sight by company, item and period; the latest mention wins."""
    return {fact.key: fact for message in messages for fact in _facts(message)}


def fetched(messages: Iterable[ModelMessage]) -> list[Fetched]:
    """The answered calls of `get_financials`, in order."""
    calls: dict[str, ToolCallPart] = {}
    found: list[Fetched] = []
    for message in messages:
        for part in message.parts:
            match part:
                case ToolCallPart(tool_name=tool) if tool == NAME:
                    calls[part.tool_call_id] = part
                case ToolReturnPart(tool_call_id=call_id) if call_id in calls and _is_known(part):
                    found.append(_fetched(calls[call_id], part))
                case UserPromptPart() if _OURS.search(text := _words(part)):
                    found.extend(_listed(text))
    return found


def _listed(text: str) -> Iterator[Fetched]:
    """Calls whose rounds left the view, by the lines that stand for their results."""
    for seq, ticker in _INDEX.findall(text):
        yield Fetched((ticker,), (), "", int(seq), whole=False)


def recalls(messages: Iterable[ModelMessage]) -> set[str]:
    """The recalls that were answered already, as their arguments."""
    calls: dict[str, str] = {}
    answered: set[str] = set()
    for message in messages:
        for part in message.parts:
            match part:
                case ToolCallPart(tool_name=tool, tool_call_id=call_id) if tool == RECALL:
                    calls[call_id] = part.args_as_json_str()
                case ToolReturnPart(tool_call_id=call_id) if call_id in calls and _is_known(part):
                    answered.add(calls[call_id])
    return answered


def rounds(messages: Iterable[ModelMessage]) -> int:
    """How many replies were given so far, the dropped ones included."""
    count = 0
    for message in messages:
        count += message.kind == "response"
        for part in message.parts:
            if isinstance(part, UserPromptPart) and (gone := _GONE.match(_words(part))):
                count += int(gone[1])
    return count


def notes(found: Iterable[Fact]) -> str:
    """Figures as the analyst notes them beside its calls, to have them when results are gone.

    A line for each company, item and result; empty where there is nothing to note.
    """
    lines: dict[str, list[str]] = {}
    for fact in found:
        row = fact.row
        head = f"{row.ticker} {row.item} {row.unit} [{fact.seq}]"
        mark = "†" if row.derived else ""
        lines.setdefault(head, []).append(f"{row.period} {row.end} {row.value}{mark}")
    return "\n".join(f"{head}: {'; '.join(values)}" for head, values in lines.items())


def said(messages: Iterable[ModelMessage]) -> list[str]:
    """The user's own messages, without what the engine writes in the same place."""
    return [
        text
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart) and (text := _words(part)) and not _OURS.search(text)
    ]


_OURS = re.compile(
    r"^\[(This session goes on|\d+ earlier round)|^Tool usage so far|^\w+: one call left|"
    r"^\w+ was called \d+ times|is close to an earlier query|was recalled \d+ times"
)


def noted(message: ModelMessage) -> Iterator[Fact]:
    """The figures that stand in notes, or in what a summary kept of them."""
    for part in message.parts:
        match part:
            case TextPart(content=text):
                yield from _noted(text)
            case UserPromptPart() if _OURS.search(text := _words(part)):
                yield from _noted(text)


def _facts(message: ModelMessage) -> Iterator[Fact]:
    yield from noted(message)
    for part in message.parts:
        if isinstance(part, ToolReturnPart) and part.tool_name in (NAME, RECALL):
            yield from _rows(str(part.content))


def _rows(text: str) -> Iterator[Fact]:
    if not (numbered := _NUMBER.match(text)):
        return
    for found in _ROW.finditer(text):
        try:
            row = msgspec.json.decode(found[0], type=Row)
        except msgspec.DecodeError:
            continue
        yield Fact(row, int(_origin(text) or numbered[1]))


def _origin(text: str) -> str | None:
    """For a page that recall brought, the number of the result it is a part of."""
    inner = re.match(r"\[result \d+\]\n\[(\d+)[: ]", text)
    return inner[1] if inner else None


def _noted(text: str) -> Iterator[Fact]:
    for line in _LINE.finditer(text):
        for found in _VALUE.finditer(line["values"]):
            row = Row(
                line["ticker"],
                line["item"],
                found["period"],
                date.fromisoformat(found["end"]),
                Decimal(found["value"]),
                line["unit"],
                "noted" if found["derived"] else "",
            )
            yield Fact(row, int(line["seq"]))


def _fetched(call: ToolCallPart, result: ToolReturnPart) -> Fetched:
    text = str(result.content)
    asked = msgspec.convert(call.args_as_dict(), _Arguments)
    numbered = _NUMBER.match(text) or _LET_GO.search(text)
    gone = re.match(r"\[Tool result #(\d+)", text)
    seq = int(gone[1] if gone else numbered[1] if numbered else 0)
    failed = "" if result.outcome == "success" else re.sub(r"^\[result \d+\]\n", "", text)
    whole = not gone and "characters of tool result #" not in text[-400:]
    return Fetched(asked.tickers, asked.items, asked.period, seq, whole, failed)


def _is_known(result: ToolReturnPart) -> bool:
    """Whether the outcome is known: a call that a crash interrupted has to be made again."""
    return result.outcome != "interrupted"


def _words(part: UserPromptPart) -> str:
    if isinstance(part.content, str):
        return part.content
    return "\n".join(one for one in part.content if isinstance(one, str))
