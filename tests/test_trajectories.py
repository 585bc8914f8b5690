"""Recorded runs of real agents through the real engine, counted by a real tokenizer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tallybook.engine import ContextEngine
from tallybook.errors import ViewTooLarge
from tallybook.policy.needs import Need
from tallybook.scratchpad.events import (
    AssistantMessage,
    Event,
    RunStarted,
    ToolResult,
    Usage,
    UserMessage,
)
from tallybook.view.check import check
from tallybook.view.measure import by_kind, exactly, of_media
from tallybook.view.notes import spoken
from tallybook.view.view import Item, View
from tests.pads import new_pad
from tests.shared_data import ROOT
from tests.tokenizers import deepseek_tokens as count
from tests.trajectories import FOLDERS, events, recorded

RUNS = recorded() if all((ROOT / "data" / "trajectories" / f).exists() for f in FOLDERS) else []
SUMMARY = "1. The user asked. 2. Work went on. 3. The results are kept under their numbers."
SETTINGS = {
    "8k": (8_000, by_kind),
    "32k": (32_000, by_kind),
    "128k": (128_000, by_kind),
    "8k-exact": (8_000, exactly(count)),
}

PER_MESSAGE = 4
"""Tokens of a provider's template around a message."""

SUSPECTED = 0.7
"""Without a tokenizer, what no bill has seen may be refused from this share of 8,000 tokens on."""


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("path", RUNS, ids=lambda path: f"{path.parent.name}-{path.stem[:24]}")
def test_a_recorded_run_never_exceeds_its_window_breaks_no_pair_and_loses_nothing(
    path: Path, setting: str, tmp_path: Path
) -> None:
    window, measure = SETTINGS[setting]
    start, *rest = events(path)
    assert isinstance(start, RunStarted)
    with new_pad(tmp_path, start.query) as pad:
        engine = ContextEngine(pad, count=measure)
        engine.record(RunStarted(start.query, start.system, start.tools, window=window))
        suspected = _replayed(engine, rest)
        assert len(suspected) <= (1 if setting == "8k" else 0), "refused, though they would fit"
        assert all(least > SUSPECTED * window for least in suspected)
        _assert_nothing_is_lost(engine, rest)


def _replayed(engine: ContextEngine, rest: list[Event]) -> list[int]:
    """Play the run; the sizes that requests would have had at least that were wrongly refused."""
    suspected = []
    asked = 0
    for event in rest:
        if not isinstance(event, AssistantMessage) or not engine.view.items:
            engine.record(event)
            continue
        asked += 1
        view = _sendable(engine, SUMMARY if asked % 2 else None)
        used = true_tokens(view) if view else 0
        assert used <= engine.view.window, asked
        if not view and (least := _least(engine.view)) <= engine.view.window:
            suspected.append(least)
        usage = Usage(used) if used else None
        engine.record(AssistantMessage(event.text, event.thinking, event.calls, usage))
    return suspected


def _sendable(engine: ContextEngine, summary: str | None) -> View | None:
    """The view to send, or None where it was refused as too large."""
    try:
        while isinstance(step := engine.next(), Need):
            engine.supply(step, summary)
    except ViewTooLarge:
        return None
    assert not check(step)
    return step


def true_tokens(view: View) -> int:
    """What the view really is: every text counted, and the template of each message."""
    return _frame(view) + count(view.caution) + sum(_true(item) for item in view.items)


def _least(view: View) -> int:
    """What may not be let go: the frame, the user's words and the newest round."""
    newest = view.newest()
    since = newest.reply.seq if newest else 0
    return _frame(view) + sum(_true(i) for i in view.items if i.seq >= since or _is_user(i))


def _frame(view: View) -> int:
    tools = (f"{t.name}{t.description}{bytes(t.parameters or b'').decode()}" for t in view.tools)
    return count(view.system) + sum(count(tool) for tool in tools)


def _true(item: Item) -> int:
    message = item.message
    words = spoken(message) if isinstance(message, AssistantMessage) else item.text
    return count(words) + sum(of_media(one).media for one in message.media) + PER_MESSAGE


def _is_user(item: Item) -> bool:
    return isinstance(item.message, UserMessage) and item.form == "full"


def _assert_nothing_is_lost(engine: ContextEngine, rest: list[Event]) -> None:
    pad = engine.scratchpad
    originals = [e.body.text for e in rest if isinstance(e, ToolResult)]
    kept = [e.seq for e in pad.entries() if isinstance(e.event, ToolResult)]
    assert [pad.text(seq) for seq in kept] == originals
    assert [_recalled(engine, seq) for seq in kept] == originals


def _recalled(engine: ContextEngine, seq: int) -> str:
    """The result page by page, as the header of each page says how to go on."""
    arguments, gathered = f'{{"seq": {seq}}}', ""
    while True:
        header, _, page = engine.recall(arguments).partition("\n")
        gathered += page
        more = re.search(rf"recall\({seq}, char=(\d+)\)", header)
        if not more:
            return gathered
        arguments = f'{{"seq": {seq}, "char": {more[1]}}}'
