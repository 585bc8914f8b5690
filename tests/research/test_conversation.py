"""What happens between rounds, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from pydantic_ai.exceptions import AgentRunError

from tallybook.errors import OutOfRounds
from tallybook.research.agent import Finished, Research, ask, converse
from tallybook.research.rules import Rules
from tallybook.scratchpad import read, runs
from tallybook.scratchpad.events import (
    Allowed,
    Answered,
    AssistantMessage,
    Cautioned,
    Overflowed,
    Queued,
    RunStarted,
    Stopped,
    ToolCall,
    ToolResult,
    UserMessage,
)
from tallybook.testing import Dropped, ErrorInStream, LoopbackProvider, Refusal, call, replayed, say
from tallybook.testing.answers import Answer, Line, Received
from tests.providers import WIRES, Wire, anthropic, chat
from tests.research.talking import Desk, events, of, strings
from tests.shared_data import shared

NO_CREDIT = Refusal(402, {"error": {"message": "Insufficient credit balance."}})


def _folder(root: Path) -> Path:
    return runs(root)[0].folder


@pytest.mark.parametrize(
    ("failure", "pauses"),
    [
        (Refusal(429, {"error": {"message": "Slow down."}}, {"Retry-After": "3"}), [3.0]),
        (Refusal(529, {"error": {"type": "overloaded_error", "message": "Overloaded"}}), [1.0]),
        (Refusal(500, b"Internal Server Error"), [1.0]),
        (Refusal(503, b"<html>upstream unavailable</html>"), [1.0]),
        (Refusal(504, b"gateway timeout"), [1.0]),
        (Dropped(call("page", number=1)), [1.0]),
        (Dropped(say("Half a sent")), [1.0]),
    ],
    ids=["429", "overloaded", "500", "503", "504", "dropped call", "dropped words"],
)
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_what_passes_is_waited_for_and_asked_again(
    wire: Wire, failure: Answer, pauses: list[float], tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    with LoopbackProvider([call("page", number=1), failure, say("done")]) as provider:
        finished = asyncio.run(ask(desk.research(wire, provider), "Read."))
        bodies = [request.body for request in provider.requests]
    assert finished.answer == "done"
    assert desk.slept == pauses
    assert desk.read == [1]
    assert bodies[1] == bodies[2]
    assert len(of(AssistantMessage, events(finished.folder))) == 2


def test_a_failure_that_stays_ends_the_run_after_growing_pauses(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with LoopbackProvider([Refusal(503, b"down")] * 6) as provider, pytest.raises(AgentRunError):
        asyncio.run(ask(desk.research(chat, provider), "Read."))
    assert desk.slept == [1.0, 2.0, 4.0, 8.0, 16.0]
    stopped = events(_folder(tmp_path))[-1]
    assert isinstance(stopped, Stopped)
    assert "overloaded or down" in stopped.reason


def test_who_asks_for_an_hour_is_not_waited_for(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with (
        LoopbackProvider([Refusal(429, b"later", {"Retry-After": "3600"})]) as provider,
        pytest.raises(AgentRunError),
    ):
        asyncio.run(ask(desk.research(chat, provider), "Read."))
    assert desk.slept == []
    assert "3,600 s" in of(Stopped, events(_folder(tmp_path)))[0].reason


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (NO_CREDIT, "no credit"),
        (Refusal(401, {"error": {"message": "Incorrect API key: sk-secret-123456"}}), "the key"),
        (Refusal(400, {"error": {"message": "Unknown parameter: 'foo'."}}), "Unknown parameter"),
    ],
    ids=["billing", "auth", "other"],
)
def test_what_does_not_pass_ends_the_run_in_one_sentence_and_it_resumes(
    failure: Refusal, said: str, tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    with (
        LoopbackProvider([call("page", number=1), failure]) as provider,
        pytest.raises(AgentRunError),
    ):
        asyncio.run(ask(desk.research(chat, provider), "Read."))
    folder = _folder(tmp_path)
    stopped = events(folder)[-1]
    assert isinstance(stopped, Stopped)
    assert said in stopped.reason
    assert desk.slept == []
    assert "sk-secret" not in (folder / "scratchpad.jsonl").read_text()
    with LoopbackProvider([say("done")]) as provider:
        finished = asyncio.run(ask(desk.research(chat, provider, resume=folder), None))
    assert finished.answer == "done"
    assert desk.read == [1]
    assert len(of(UserMessage, events(folder))) == 1


def _rows() -> list[dict[str, object]]:
    path = shared("errors", "context_errors.jsonl")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "failure",
    [
        ErrorInStream(
            {
                "type": "error",
                "error": {
                    "type": "invalid_request_error",
                    "message": "prompt is too long: 20001 tokens > 16000 maximum",
                },
            }
        ),
        Refusal(413),
        Refusal(
            502,
            {
                "error": {
                    "message": "Provider returned error: This endpoint's maximum context length is "
                    "16000 tokens. However, you requested about 20001 tokens.",
                    "code": 502,
                }
            },
        ),
    ],
    ids=["in a 200 stream", "empty 413", "wrapped 502"],
)
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_an_overflow_in_any_wrapping_is_shortened_and_its_words_reach_no_view(
    wire: Wire, failure: Answer, tmp_path: Path
) -> None:
    desk = Desk(tmp_path, chars=4_000)
    pages: list[Line] = [call("page", number=number) for number in range(1, 9)]
    with LoopbackProvider([*pages, failure, say("done")]) as provider:
        finished = asyncio.run(ask(desk.research(wire, provider), "Read."))
        before, after = [strings(request.body) for request in provider.requests[-2:]]
    assert finished.answer == "done"
    assert len(of(Overflowed, events(finished.folder))) == 1
    assert desk.slept == []
    assert sum(map(len, after)) < sum(map(len, before))
    assert not any("maximum" in one or "too long" in one for one in after)


def test_no_tokens_per_minute_limit_ever_cuts_the_history(tmp_path: Path) -> None:
    rows = [row for row in _rows() if row["label"] == "rate_limit_tokens"]
    assert rows
    for number, row in enumerate(rows):
        desk = Desk(tmp_path / str(number))
        with LoopbackProvider([call("page", number=1), replayed(row), say("done")]) as provider:
            try:
                asyncio.run(ask(desk.research(chat, provider), "Read."))
            except AgentRunError:
                provider.script.clear()
        assert not of(Overflowed, events(_folder(desk.root)))


def test_a_reply_limit_without_a_number_is_halved(tmp_path: Path) -> None:
    too_much = Refusal(400, {"error": {"message": "max_tokens is too large for this model."}})
    desk = Desk(tmp_path)
    with LoopbackProvider([too_much, say("done")]) as provider:
        finished = asyncio.run(ask(desk.research(anthropic, provider), "Read."))
        limits = [request.body["max_tokens"] for request in provider.requests]
    assert finished.answer == "done"
    assert limits == [200, 100]
    assert not of(Overflowed, events(finished.folder))


def test_words_during_the_last_reply_are_answered_in_a_turn_of_their_own(tmp_path: Path) -> None:
    desk = Desk(tmp_path)

    async def run() -> list[Finished]:
        loop = asyncio.get_running_loop()

        def too_late(request: Received) -> Answer:
            loop.call_soon_threadsafe(desk.inbox.put, "And the margin?")
            return say("94.0 billion")

        provider.script = [too_late, say("46.5 %")]
        research = desk.research(chat, provider)
        return [finished async for finished in converse(research, "Revenue?")]

    with LoopbackProvider() as provider:
        finished = asyncio.run(run())
    assert [one.answer for one in finished] == ["94.0 billion", "46.5 %"]
    kinds = [type(event) for event in events(finished[-1].folder)]
    assert kinds == [
        RunStarted,
        UserMessage,
        Queued,
        AssistantMessage,
        Answered,
        UserMessage,
        AssistantMessage,
        Answered,
    ]


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_words_that_wait_when_a_run_stops_are_said_when_it_goes_on(
    wire: Wire, tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    desk.on_page = lambda number: desk.inbox.put("Only 2024.")

    def stopped_before_delivery() -> Research:
        return desk.research(wire, provider)

    async def stop() -> None:
        task = asyncio.create_task(ask(stopped_before_delivery(), "Read."))
        while not desk.read:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with LoopbackProvider([call("page", number=1), *[say("never")] * 3]) as provider:
        asyncio.run(stop())
    folder = _folder(tmp_path)
    told = events(folder)
    assert of(Queued, told)
    assert isinstance(told[-1], Stopped)
    assert told[-1].kind == "user"
    again = Desk(tmp_path)
    with LoopbackProvider([say("done")]) as provider:
        finished = asyncio.run(ask(again.research(wire, provider, resume=folder), None))
        last = strings(provider.requests[-1].body)
    assert finished.answer == "done"
    assert last.count("Only 2024.") == 1
    assert [one.text for one in of(UserMessage, events(folder))] == ["Read.", "Only 2024."]


def test_words_said_before_the_run_starts_go_with_its_first_request(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.inbox.put("In billions.")
    with LoopbackProvider([say("94.0")]) as provider:
        finished = asyncio.run(ask(desk.research(chat, provider), "Revenue?"))
        [request] = provider.requests
    assert "In billions." in strings(request.body)
    said = [one.text for one in of(UserMessage, events(finished.folder))]
    assert said == ["Revenue?", "In billions."]


def test_a_follow_up_question_is_asked_in_the_same_run(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with LoopbackProvider([say("94.0"), say("46.5 %")]) as provider:
        first = asyncio.run(ask(desk.research(chat, provider), "Revenue?"))
        research = desk.research(chat, provider, resume=first.folder)
        second = asyncio.run(ask(research, "And the margin?"))
        sent = strings(provider.requests[-1].body)
    assert second.folder == first.folder
    assert second.answer == "46.5 %"
    assert sent.index("94.0") < sent.index("And the margin?")


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_a_call_that_is_denied_does_not_run_and_the_model_is_told(
    wire: Wire, tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    with LoopbackProvider([call("order", shares=5), say("Not bought.")]) as provider:
        finished = asyncio.run(ask(desk.research(wire, provider), "Buy."))
        sent = strings(provider.requests[-1].body)
    assert desk.placed == []
    [result] = of(ToolResult, events(finished.folder))
    assert result.status == "denied"
    assert any("did not allow this call" in one for one in sent)


def test_what_is_allowed_once_is_asked_again_and_always_holds_after_a_resume(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path)
    asked: list[str] = []

    async def approve(request: ToolCall) -> Literal["once", "always", "no"]:
        asked.append(request.arguments)
        return "once" if len(asked) == 1 else "always"

    orders: list[Line] = [call("order", shares=number) for number in (1, 2, 3)]
    with LoopbackProvider([*orders, NO_CREDIT]) as provider, pytest.raises(AgentRunError):
        asyncio.run(ask(desk.research(chat, provider, approve=approve), "Buy."))
    folder = _folder(tmp_path)
    with LoopbackProvider([call("order", shares=4), say("done")]) as provider:
        research = desk.research(chat, provider, approve=approve, resume=folder)
        asyncio.run(ask(research, None))
    assert desk.placed == [1, 2, 3, 4]
    assert [json.loads(one)["shares"] for one in asked] == [1, 2]
    assert of(Allowed, events(folder)) == [Allowed("order")]


def test_parallel_calls_are_approved_one_at_a_time(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    open_questions = 0

    async def approve(request: ToolCall) -> Literal["once", "always", "no"]:
        nonlocal open_questions
        open_questions += 1
        assert open_questions == 1
        await asyncio.sleep(0)
        open_questions -= 1
        return "no" if "2" in request.arguments else "once"

    both = [*call("order", shares=1), *call("order", shares=2)]
    with LoopbackProvider([both, say("done")]) as provider:
        finished = asyncio.run(ask(desk.research(chat, provider, approve=approve), "Buy."))
    statuses = [result.status for result in of(ToolResult, events(finished.folder))]
    assert sorted(statuses) == ["denied", "ok"]
    assert desk.placed == [1]


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_at_the_round_limit_the_model_answers_from_what_is_known(
    wire: Wire, tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    pages: list[Line] = [call("page", number=number) for number in (1, 2, 3)]
    with LoopbackProvider([*pages, say("From three pages; the fourth is missing.")]) as provider:
        finished = asyncio.run(ask(desk.research(wire, provider, rounds=3), "Read."))
        last = provider.requests[-1].body
    assert finished.answer == "From three pages; the fourth is missing."
    assert last["tool_choice"] in ("none", {"type": "none"})
    assert any("round limit is reached" in one for one in strings(last))
    assert of(Cautioned, events(finished.folder))
    assert isinstance(events(finished.folder)[-1], Answered)


@pytest.mark.parametrize(
    "last", [call("page", number=9), NO_CREDIT], ids=["calls again", "no credit"]
)
def test_a_closing_answer_that_fails_is_a_plain_sentence_and_the_run_resumes(
    last: Answer, tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    with (
        LoopbackProvider([call("page", number=1), last]) as provider,
        pytest.raises(OutOfRounds, match="limit of 1 rounds is reached"),
    ):
        asyncio.run(ask(desk.research(chat, provider, rounds=1), "Read."))
    folder = _folder(tmp_path)
    stopped = events(folder)[-1]
    assert isinstance(stopped, Stopped)
    assert stopped.kind == "limit"
    assert desk.read == [1]
    with LoopbackProvider([call("page", number=2), say("done")]) as provider:
        research = desk.research(chat, provider, rounds=5, resume=folder)
        assert asyncio.run(ask(research, None)).answer == "done"
    assert desk.read == [1, 2]


def test_rules_stand_in_every_request_and_outlive_a_summary(tmp_path: Path) -> None:
    desk = Desk(tmp_path, chars=6_000)
    rules = Rules(Path("RULES.md"), "Always name the fiscal year.", 28)
    pages: list[Line] = [call("page", number=number) for number in range(1, 25)]
    with LoopbackProvider([*pages, say("done")], window=9_000) as provider:
        research = replace(desk.research(chat, provider), rules=(rules,), window=9_000)
        finished = asyncio.run(ask(research, "Read."))
        bodies = [request.body for request in provider.requests]
    for body in bodies:
        assert sum("Always name the fiscal year." in one for one in strings(body)) == 1
    [start] = of(RunStarted, events(finished.folder))
    assert "Always name the fiscal year." in start.system


def test_two_runs_with_the_same_settings_share_prompt_and_tools_to_the_letter(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path)
    with LoopbackProvider([say("one"), say("two")]) as provider:
        research = desk.research(chat, provider)
        asyncio.run(ask(research, "One?"))
        asyncio.run(ask(replace(research, tools=research.tools[::-1]), "Two?"))
        first, second = [request.body for request in provider.requests]
    assert json.dumps(first["tools"]) == json.dumps(second["tools"])
    assert strings(first["messages"])[:2] == strings(second["messages"])[:2]


def test_anthropics_cache_points_are_set_and_the_cache_holds(tmp_path: Path) -> None:
    desk = Desk(tmp_path, chars=6_000)
    pages: list[Line] = [call("page", number=number) for number in range(1, 6)]
    with LoopbackProvider([*pages, say("done")]) as provider:
        finished = asyncio.run(ask(desk.research(anthropic, provider), "Read."))
        body = provider.requests[-1].body
    marks = json.dumps(body).count('"cache_control"')
    assert 2 <= marks <= 4
    assert '"cache_control"' in json.dumps(body["tools"])
    assert '"cache_control"' in json.dumps(body["system"])
    usages = [reply.usage for reply in of(AssistantMessage, events(finished.folder))]
    last = usages[-1]
    assert last
    assert last.cached > 0.5 * last.input
    assert last.cached + last.cache_write <= last.input


def test_a_key_that_a_tool_or_a_provider_says_aloud_is_blotted_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    refused = Refusal(400, {"error": {"message": "Bad request for key hunter2hunter2."}})

    def blot(text: str) -> str:
        return text.replace("hunter2hunter2", "…")

    with LoopbackProvider([refused]) as provider, pytest.raises(AgentRunError):
        asyncio.run(ask(desk.research(chat, provider, blot=blot), "Read."))
    text = (_folder(tmp_path) / "scratchpad.jsonl").read_text()
    assert "Bad request for key …" in text
    assert "hunter2" not in text


def test_no_second_call_is_made_for_what_is_there_after_a_stop(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with (
        LoopbackProvider([call("page", number=1), call("page", number=2), NO_CREDIT]) as provider,
        pytest.raises(AgentRunError),
    ):
        asyncio.run(ask(desk.research(chat, provider), "Read."))
    folder = _folder(tmp_path)
    before = list(read(folder).entries())
    with LoopbackProvider([call("page", number=3), say("done")]) as provider:
        asyncio.run(ask(desk.research(chat, provider, resume=folder), None))
        first = strings(provider.requests[0].body)
    assert desk.read == [1, 2, 3]
    assert sum(one.startswith("[result") for one in first) == 2
    assert list(read(folder).entries())[: len(before)] == before
