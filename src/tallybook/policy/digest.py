"""A summary without a model: nine sections from what is recorded, within a budget.

The last resort before dropping, the default where no model is set, and what cannot fail.
It only copies: the words that stood beside calls (where figures are written down), the errors,
and what was asked of which tool. The figures of the results follow it as tables (`verify`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tallybook.figures.subject import subject
from tallybook.policy.needs import NeedSummary
from tallybook.scratchpad.events import AssistantMessage, ToolResult, UserMessage
from tallybook.view.view import Item, View

_CHARS_PER_TOKEN = 3
_WORDS_SHARE = 0.8
_LINE = 160
_HEADS = (
    "1. Original query and intent",
    "2. Key concepts",
    "3. Data retrieved",
    "4. Errors and retries",
    "5. Analysis progress",
    "6. Numerical data",
    "7. Pending data needs",
    "8. Current work state",
    "9. Recommended next steps",
)


def digest(view: View, need: NeedSummary) -> str:
    """The nine sections, for the items that the need covers, in at most its tokens."""
    items = [item for item in view.items if item.seq <= need.through]
    room = need.tokens * _CHARS_PER_TOKEN
    words = _fit(_words(items), int(room * _WORDS_SHARE))
    left = room - sum(map(len, words))
    sections = (
        [_short(view.query)],
        _fit(_subjects(items), left // 8),
        _fit(reversed(list(_results(items))), left // 3),
        _fit(_errors(items), left // 4),
        words,
        ["Section 5 has those that were written down, the tables below those of the results."],
        ["Whatever the query asks for and neither section 5 nor the tables hold."],
        [_state(items)],
        ["Recall what is missing by its number, then go on."],
    )
    return "\n".join(
        f"{head}:\n" + ("\n".join(lines) if lines else "none")
        for head, lines in zip(_HEADS, sections, strict=True)
    )


def _words(items: list[Item]) -> Iterator[str]:
    """What was said beside calls, newest first, then what the summary before had kept."""
    for item in reversed(items):
        match item.message:
            case AssistantMessage(text=text) if text:
                yield text
            case UserMessage(text=text) if item.form == "summary":
                yield _progress(text)


def _progress(summary: str) -> str:
    """The part of an earlier summary that holds findings: all of it, if it is not ours."""
    _, ours, rest = summary.partition(f"{_HEADS[4]}:\n")
    return rest.partition(f"\n{_HEADS[5]}")[0] if ours else summary


def _calls(items: list[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item.message, AssistantMessage):
            yield from (_short(f"{call.name}{call.arguments}") for call in item.message.calls)


def _subjects(items: list[Item]) -> Iterator[str]:
    """Whose data was asked for, and of which tools."""
    calls = [
        call for i in items if isinstance(i.message, AssistantMessage) for call in i.message.calls
    ]
    whose = dict.fromkeys(name for call in calls if (name := subject(call.arguments)))
    if whose:
        yield f"Companies: {', '.join(whose)}"
    if calls:
        yield f"Tools: {', '.join(dict.fromkeys(call.name for call in calls))}"


def _results(items: list[Item]) -> Iterator[str]:
    """A line for each call with its result: what was asked, and what came back."""
    asked: dict[str, str] = {}
    for item in items:
        match item.message:
            case AssistantMessage(calls=calls):
                asked.update((call.id, f"{call.name}{call.arguments}") for call in calls)
            case ToolResult(call_id=call, status=status, body=body):
                told = _short(asked.get(call, ""))
                yield f"[{item.seq}] {told}: {status}, {body.chars:,} characters"


def _errors(items: list[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item.message, ToolResult) and item.message.status != "ok":
            yield _short(f"[{item.seq}] {item.message.tool}: {item.text}")


def _state(items: list[Item]) -> str:
    last = [line for item in items[-4:] for line in _calls([item])]
    return f"The last calls were {'; '.join(last)}." if last else "No call was made yet."


def _fit(lines: Iterable[str], room: int) -> list[str]:
    """The lines that fit, in their order; a line that does not is cut at a line end of its own."""
    kept: list[str] = []
    for line in lines:
        if len(line) > room:
            whole = line[: max(0, room)].rpartition("\n")[0]
            return [*kept, whole] if whole else kept
        kept.append(line)
        room -= len(line) + 1
    return kept


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LINE else f"{plain[: _LINE - 1]}…"
