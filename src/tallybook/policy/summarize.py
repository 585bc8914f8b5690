"""Line 3: ask for a summary in nine sections of the older rounds.

To sizes, the newest rounds stay as they are and the summary stands for the rest; the next
one takes the last one in, within the same budget, so it cannot grow. A request never
exceeds the window of the model asked: what does not fit is left for a second summary.
"""

from __future__ import annotations

import re

from tallybook.policy.clear import active_results
from tallybook.policy.limits import Limits
from tallybook.policy.needs import NeedSummary, template
from tallybook.policy.pressure import pressure
from tallybook.policy.record import record
from tallybook.scratchpad.events import RECALL, ToolResult, UserMessage
from tallybook.view.edits import kept_after
from tallybook.view.measure import Measure
from tallybook.view.size import tokens
from tallybook.view.view import Item, Round, View

_KEPT_SHARE = 0.3
_WORDS_PER_TOKEN = 0.55
_SYSTEM_CHARS = 6_000
_SLACK = 1.2
_ANALYSIS = re.compile(r"<analysis>.*?(</analysis>|\Z)", re.DOTALL | re.IGNORECASE)
_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL | re.IGNORECASE)
_RESULTS = "\nResults in reach of recall(number)"
_QUESTION = "\nThe user's latest message, to be answered now:"
_UPDATE = "\nThe record opens with the summary so far: bring it up to date, keep its figures.\n"


def need_summary(view: View, limits: Limits, *, by_hand: bool = False) -> NeedSummary | None:
    """The summary to ask for, or None where one is not allowed or would not help.

    `by_hand`, someone asked for it: no breaker, and no question whether it pays.
    """
    old = _old_rounds(view, limits)
    if not old or not (by_hand or _allowed(view, limits)):
        return None
    through = old[-1].last
    budget = max(150, int(limits.room(view.window) * limits.summary_share))
    if not (by_hand or limits.counts or _helps(view, limits, through, budget)):
        return None
    return NeedSummary(
        prompt=_prompt(view, through, budget),
        through=through,
        sources=_sources(view, through),
        tokens=budget,
    )


def extract(reply: str) -> str:
    """The summary in a model's reply; empty when there is none."""
    plain = _ANALYSIS.sub("", reply)
    found = _SUMMARY.search(plain)
    return (found.group(1) if found else plain).strip()


def fitted(view: View, summary: str, budget: int) -> str:
    """The summary within its budget of tokens, cut at the end of a line where it is longer."""
    size = tokens(view, view.count(summary))
    if size <= budget * _SLACK:
        return summary
    kept = summary[: int(len(summary) * budget / size)]
    whole = kept.rpartition("\n")[0] or kept
    return f"{whole}\n[cut here to fit; recall(query=…) finds what is missing]"


def framed(view: View, through: int, summary: str) -> str:
    """The summary as it will stand in the view: how to go on, which results can be recalled."""
    kept = kept_after(view, through)
    listed = "\n".join(kept.lines)
    older = f" (and {kept.results - len(kept.lines)} older ones)" * (kept.results > len(kept.lines))
    question = _latest_question(view, through)
    return template("continue").format(
        summary=summary,
        rounds=kept.rounds,
        results=f"{_RESULTS}{older}:\n{listed}\n" if listed else "",
        question=f"{_QUESTION}\n{question}\n" if question else "",
    )


def unframed(text: str) -> str:
    """The summary out of what `framed` made of it."""
    before = template("continue").partition("{summary}")[0].rpartition("\n\n")[0]
    closing = before.rpartition("\n")[2]
    summary = text.partition(f"{closing}\n\n")[2] or text
    return summary.partition(_RESULTS)[0].partition(_QUESTION)[0]


def _allowed(view: View, limits: Limits) -> bool:
    if not limits.summarize or view.refused or view.refusals >= limits.max_refusals:
        return False
    return limits.counts is None or len(active_results(view)) >= limits.min_results


def _old_rounds(view: View, limits: Limits) -> tuple[Round, ...]:
    rounds = view.rounds()
    if limits.counts:
        return rounds
    budget = _KEPT_SHARE * limits.room(view.window)
    kept = 1
    size = tokens(view, rounds[-1].size) if rounds else 0
    while kept < len(rounds) and size + tokens(view, rounds[-kept - 1].size) <= budget:
        size += tokens(view, rounds[-kept - 1].size)
        kept += 1
    return _fitting(view, limits, rounds[:-kept])


def _fitting(view: View, limits: Limits, old: tuple[Round, ...]) -> tuple[Round, ...]:
    """The oldest of these rounds that fit the window of the model asked."""
    if not limits.fast_window:
        return old
    frame = tokens(view, view.count(view.system[:_SYSTEM_CHARS])) + 800
    room = (
        limits.room(limits.fast_window)
        - frame
        - sum(
            tokens(view, item.size) for item in view.items if isinstance(item.message, UserMessage)
        )
    )
    fit = 0
    while fit < len(old) and room >= (size := tokens(view, old[fit].size)):
        room -= size
        fit += 1
    return old[:fit]


def _helps(view: View, limits: Limits, through: int, budget: int) -> bool:
    """Whether the summary brings the view under the mark: if not, it is not even tried."""
    gone = sum((i.size for i in view.items if i.seq <= through and not _pinned(i)), Measure())
    saved = tokens(view, gone) - budget
    now = pressure(view, limits)
    enough = limits.fast_window or now.used - saved <= now.mark
    return bool(enough) and saved >= limits.least_gain * limits.room(view.window)


def _prompt(view: View, through: int, budget: int) -> str:
    items = [item for item in view.items if item.seq <= through]
    previous = any(item.form == "summary" for item in items)
    return template("summary").format(
        words=int(budget * _WORDS_PER_TOKEN),
        previous=_UPDATE if previous else "",
        system=view.system[:_SYSTEM_CHARS],
        record=record(items),
    )


def _sources(view: View, through: int) -> tuple[int, ...]:
    return tuple(i.seq for i in view.items if i.seq <= through and _is_result(i))


def _latest_question(view: View, through: int) -> str:
    """The newest words of the user, where the summary would come after them."""
    words = [item for item in view.items if _pinned(item)]
    return words[-1].text if len(words) > 1 and words[-1].seq < through else ""


def _pinned(item: Item) -> bool:
    return isinstance(item.message, UserMessage) and item.form == "full"


def _is_result(item: Item) -> bool:
    return isinstance(item.message, ToolResult) and item.message.tool != RECALL
