"""Read what the analyst knows out of the messages it is given, and out of nothing else.

So a run that was killed goes on where it was: full results, pages that recall brought, the
analyst's own notes, and the lines that stand where something was let go say what is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from tallybook.research import notes
from tallybook.research.facts import (
    Covered,
    Fact,
    Fetched,
    Key,
    Recalled,
    Sight,
    read_covers,
    read_rows,
)
from tallybook.research.fetched import read_call, read_index, read_whole
from tallybook.research.periods import read_label
from tallybook.scratchpad.events import RECALL
from tallybook.tools.finance.financials import NAME
from tallybook.tools.finance.statements import PeriodKind

SeqOf = Callable[[ToolReturnPart], int]


def result_number(part: ToolReturnPart) -> int:
    """The number of a result: in its metadata, else in its text, else 0."""
    if isinstance(part.metadata, dict) and isinstance(seq := part.metadata.get("seq"), int):
        return seq
    found = _NUMBER.match(str(part.content))
    return int(found[1]) if found else 0


def look(messages: Sequence[ModelMessage], seq_of: SeqOf = result_number) -> Sight:
    """Everything that can be seen in these messages."""
    reader = _Reader(seq_of)
    for message in messages:
        if isinstance(message, ModelResponse):
            reader.reply(message)
            continue
        for part in message.parts:
            match part:
                case UserPromptPart() if _OURS.search(text := words(part)):
                    reader.ours(text)
                case UserPromptPart():
                    reader.asked()
                case ToolReturnPart() if part.outcome != "interrupted":
                    reader.result(part)
    return reader.sight()


def said(messages: Iterable[ModelMessage]) -> list[str]:
    """The user's own messages, without what the engine writes in the same place."""
    return [
        text
        for message in messages
        for part in message.parts
        if isinstance(part, UserPromptPart) and (text := words(part)) and not _OURS.search(text)
    ]


def words(part: UserPromptPart) -> str:
    """The text of what stands in the user's place."""
    if isinstance(part.content, str):
        return part.content
    return "\n".join(one for one in part.content if isinstance(one, str))


class _RecallArguments(msgspec.Struct):
    seq: int = 0
    path: str | None = ""


@dataclass
class _Reader:
    """Gathers what one message after another shows; what is shown later wins."""

    seq_of: SeqOf
    facts: dict[Key, Fact] = field(default_factory=dict)
    covered: dict[tuple[str, PeriodKind], Covered] = field(default_factory=dict)
    missing: dict[tuple[int, str], str] = field(default_factory=dict)
    filings: dict[int, dict[str, None]] = field(default_factory=dict)
    sources: dict[int, str] = field(default_factory=dict)
    fetched: list[Fetched] = field(default_factory=list)
    recalled: set[Recalled] = field(default_factory=set)
    noted: set[Hashable] = field(default_factory=set)
    calls: dict[str, ToolCallPart] = field(default_factory=dict)
    steps: int = 0
    stripped: bool = False

    def asked(self) -> None:
        """A new question: what failed before may be tried again."""
        self.steps, self.stripped = 0, False
        self.fetched = [call for call in self.fetched if not call.failed]

    def reply(self, message: ModelResponse) -> None:
        """The analyst's own notes, and its calls."""
        text = "\n".join(part.content for part in message.parts if isinstance(part, TextPart))
        self.calls = {p.tool_call_id: p for p in message.parts if isinstance(p, ToolCallPart)}
        self.steps = max(self.steps + 1, notes.read_step(text))
        self.stripped |= bool(self.calls) and not text
        self._note(text)

    def ours(self, text: str) -> None:
        """A summary may keep notes; an index names the results that were let go."""
        self._note(text)
        self.fetched.extend(read_index(text))

    def result(self, part: ToolReturnPart) -> None:
        """A result of one of our two tools."""
        call = self.calls.get(part.tool_call_id)
        text = _UNNUMBERED.sub("", str(part.content))
        match part.tool_name:
            case tool if tool == NAME and call:
                self._financials(call, part, text)
            case tool if tool == RECALL and call and not _GONE.match(text):
                self._recall(call, text, failed=part.outcome != "success")

    def sight(self) -> Sight:
        """What was gathered."""
        return Sight(
            self.facts,
            self.covered,
            self.missing,
            {seq: tuple(filings) for seq, filings in self.filings.items()},
            self.sources,
            tuple(self.fetched),
            frozenset(self.recalled),
            frozenset(self.noted),
            self.steps,
            self.stripped,
        )

    def _note(self, text: str) -> None:
        for fact in notes.read_facts(text):
            self.facts[fact.key] = fact
            self.noted.add(fact.key)
        for ticker, covered in notes.read_covered(text):
            self.noted.add(self._cover(ticker, covered))
        for key, why in notes.read_missing(text).items():
            self.missing[key] = why
            self.noted.add(key)
        for seq, filings in notes.read_filings(text).items():
            self.filings.setdefault(seq, {}).update(dict.fromkeys(filings))
            self.noted |= {(seq, filing) for filing in filings}
        tried = set(notes.read_tried(text))
        self.recalled |= tried
        self.noted |= tried
        for seq, source in notes.read_sources(text).items():
            self.sources[seq] = source
            self.noted.add(source)

    def _financials(self, call: ToolCallPart, part: ToolReturnPart, text: str) -> None:
        seq = self.seq_of(part)
        if part.outcome != "success" and not _GONE.match(text):
            self.fetched.append(read_call(call, seq, failed=text))
            return
        whole = read_whole(text)
        self.fetched.append(read_call(call, seq, whole=whole is not None))
        self._rows(text, seq)
        for company in _COMPANY.finditer(text):
            if covered := read_covers(company["covers"], seq):
                self._cover(company["ticker"], covered)
        if source := _SOURCE.match(text):
            self.sources[seq] = source[1]
        for shown in whole.companies if whole else ():
            self.missing |= {(seq, item): why for item, why in shown.missing.items()}

    def _recall(self, call: ToolCallPart, text: str, *, failed: bool) -> None:
        try:
            asked = msgspec.json.decode(call.args_as_json_str(), type=_RecallArguments)
        except msgspec.DecodeError:
            return
        path = asked.path or ""
        self.recalled.add(Recalled(asked.seq, path, failed))
        if failed or not asked.seq:
            return
        self._rows(text, asked.seq)
        if item := _MISSING_PATH.search(path):
            if quoted := _QUOTED.findall(text):
                self.missing[asked.seq, item[1]] = msgspec.json.decode(quoted[-1], type=str)
        elif index := _COVERS_PATH.search(path):
            covered = read_covers(text, asked.seq)
            source = next((one for one in self.fetched if one.seq == asked.seq), None)
            if covered and source and int(index[1]) < len(source.tickers):
                self._cover(source.tickers[int(index[1])], covered)

    def _rows(self, text: str, seq: int) -> None:
        for row in read_rows(text):
            fact = Fact(row, seq)
            self.facts[fact.key] = fact

    def _cover(self, ticker: str, covered: Covered) -> Hashable:
        newest = read_label(covered.last)
        key = (ticker, newest.kind if newest else "quarterly")
        self.covered[ticker, newest.kind if newest else "quarterly"] = covered
        return key


_NUMBER = re.compile(r"\[(?:Tool )?result #?(\d+)")
_UNNUMBERED = re.compile(r"^\[result \d+\]\n")
_GONE = re.compile(r"\[Tool result #\d+ (?:cleared|cannot)")
_SOURCE = re.compile(r'\{"source":"([^"]*)"')
_COMPANY = re.compile(
    r'\{"ticker":"(?P<ticker>[^"]+)","name":"(?:[^"\\]|\\.)*","cik":\d+,"covers":"(?P<covers>[^"]*)"'
)
_COVERS_PATH = re.compile(r"companies\[(\d+)\]\.covers$")
_MISSING_PATH = re.compile(r"\.missing\.(\w+)$")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_OURS = re.compile(
    r"^\[(?:This session goes on|\d+ earlier round)|^Tool usage so far|^\w+: one call left|"
    r"^\w+ was called \d+ times|is close to an earlier query|was recalled \d+ times"
)
