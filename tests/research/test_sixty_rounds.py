"""Sixty rounds in 16,000 tokens, with everything going wrong once, over real HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tallybook.research.agent import ask
from tallybook.scratchpad import read
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Edit,
    Entry,
    Overflowed,
    Queued,
    ToolResult,
    UserMessage,
)
from tallybook.testing import Dropped, LoopbackProvider, Refusal, call, say
from tallybook.testing.answers import Answer, Line, Received
from tallybook.view.project import project, step
from tallybook.view.view import View
from tests.providers import WIRES, Wire
from tests.research.talking import Desk, events, of, strings

ROUNDS = 60
WINDOW = 16_000
QUESTION = "Read all sixty pages and tell the latest revenue."
SAID = {
    7: "Only fiscal years, please.",
    33: "And leave out anything before 2019.",
    51: "Give it in billions.",
}
TPM = Refusal(
    429,
    {
        "error": {
            "message": "Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 28000, "
            "Requested 9000. Please try again in 14s.",
            "type": "tokens",
            "code": "rate_limit_exceeded",
        }
    },
    {"Retry-After": "14"},
)


def _script(desk: Desk, loop: list[asyncio.AbstractEventLoop]) -> list[Line]:
    def page_while_the_user_speaks(request: Received) -> Answer:
        loop[0].call_soon_threadsafe(desk.inbox.put, SAID[51])
        return call("page", number=51)

    pages: list[Line] = [call("page", number=number) for number in range(1, ROUNDS + 1)]
    pages[50] = page_while_the_user_speaks
    return [
        *pages[:20],
        TPM,
        *pages[20:40],
        Dropped(call("page", number=41)),
        *pages[40:],
        say("94.0"),
    ]


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_sixty_rounds_with_an_overflow_a_refusal_a_drop_and_three_messages_lose_nothing(
    wire: Wire, tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    desk.on_page = lambda number: desk.inbox.put(SAID[number]) if number in (7, 33) else None
    loop: list[asyncio.AbstractEventLoop] = []
    live: list[View] = [View()]

    def fold(entry: Entry) -> None:
        live.append(step(live[-1], entry))

    async def run() -> Path:
        loop.append(asyncio.get_running_loop())
        finished = await ask(desk.research(wire, provider), QUESTION, on_entry=fold)
        assert finished.answer == "94.0"
        return finished.folder

    with LoopbackProvider(_script(desk, loop), window=WINDOW) as provider:
        folder = asyncio.run(run())
        answered = [request for request in provider.requests if request.status == 200]
    told = events(folder)
    assert desk.read == list(range(1, ROUNDS + 1))
    assert len(of(ToolResult, told)) == ROUNDS
    assert len(of(Overflowed, told)) == 1
    assert len(of(Answered, told)) == 1
    assert [wait.seconds for wait in desk.waits] == [14.0, 1.0]
    assert [said.text for said in of(Queued, told)] == list(SAID.values())
    assert [said.text for said in of(UserMessage, told)] == [QUESTION, *SAID.values()]
    for words in (QUESTION, *SAID.values()):
        assert sum(words in one for one in strings(answered[-1].body)) == 1
    _assert_requests_are_the_views(folder, [request.body for request in answered])
    _assert_replays(folder, live)


def _assert_requests_are_the_views(folder: Path, bodies: list[dict[str, object]]) -> None:
    """What the provider was sent is what the scratchpad says the model saw."""
    entries = list(read(folder).entries())
    replies = [n for n, entry in enumerate(entries) if isinstance(entry.event, AssistantMessage)]
    dropped = len(bodies) - len(replies)
    assert dropped == 1
    kept = [*bodies[:40], *bodies[41:]]
    for place, body in zip(replies, kept, strict=True):
        sent = strings(body)
        view = project(entries[:place])
        results = {item.text for item in view.items if isinstance(item.message, ToolResult)}
        assert results <= set(sent)
        assert {one for one in sent if one.startswith("[result ")} <= results
        said = [item.text for item in view.items if isinstance(item.message, UserMessage)]
        assert [one for one in sent if one in said] == said
        assert not any("Rate limit reached" in one for one in sent)


def _assert_replays(folder: Path, live: list[View]) -> None:
    entries = list(read(folder).entries())
    assert any(isinstance(entry.event, Edit) for entry in entries)
    for count in range(0, len(entries) + 1, 7):
        replayed = project(entries[:count])
        assert list(replayed.items) == list(live[count].items)
        assert (replayed.caution, replayed.window) == (live[count].caution, live[count].window)
