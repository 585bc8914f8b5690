from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent, AgentRunResultEvent, BinaryContent, ToolReturn
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.run import AgentRunResult
from tests.runs import PROSE, TABLE, text

from tallybook.adapters.pydantic_ai import ContextEvent, Tallybook
from tallybook.errors import ViewTooLarge
from tallybook.scratchpad import read, runs
from tallybook.scratchpad.events import (
    Answered,
    AssistantMessage,
    Capped,
    Cleared,
    Event,
    Overflowed,
    RunStarted,
    Stopped,
    Summarized,
    ToolResult,
    UserMessage,
)
from tallybook.testing import ScriptedModel, call, say
from tallybook.view.project import project

PNG = bytes.fromhex("89504e470d0a1a0a") + b"\0" * 400


def _agent(model: ScriptedModel, root: Path, **options: Any) -> tuple[Agent[None, str], Tallybook]:
    tallybook = Tallybook(root=root, **options)
    agent = Agent(model, instructions="You are an analyst.", capabilities=[tallybook])

    @agent.tool_plain(metadata={"read_only": True})
    def filing(chars: int = 3_000, kind: str = "prose") -> str:
        """Read a filing."""
        return text(PROSE if kind == "prose" else TABLE, chars)

    @agent.tool_plain(metadata={"read_only": True})
    def facts() -> dict[str, object]:
        """Structured facts."""
        return {"revenue": 94_036_000_000, "margin": 0.465}

    @agent.tool_plain(metadata={"read_only": True})
    def chart() -> ToolReturn[str]:
        """A picture."""
        return ToolReturn("a chart", content=["see:", BinaryContent(PNG, media_type="image/png")])

    @agent.tool_plain
    def order(chars: int = 3_000) -> str:
        """Does something that cannot be done twice, so its result is never cleared."""
        return text(PROSE, chars)

    return agent, tallybook


def ask(agent: Agent[None, Any], *question: Any, **options: Any) -> AgentRunResult[Any]:
    """Run the agent in an event loop of its own."""
    return asyncio.run(agent.run(*question, **options))


def _events(tallybook: Tallybook) -> list[Event]:
    return [entry.event for entry in read(tallybook.engine.scratchpad.folder).entries()]


def _kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def test_everything_is_recorded_in_order(tmp_path: Path) -> None:
    agent, tallybook = _agent(ScriptedModel([call("facts"), say("It is 94.0 billion.")]), tmp_path)
    result = ask(agent, "Revenue?")
    assert result.output == "It is 94.0 billion."
    events = _events(tallybook)
    assert _kinds(events) == [
        RunStarted,
        UserMessage,
        AssistantMessage,
        ToolResult,
        AssistantMessage,
        Answered,
    ]
    start, asked, _, facts, _, answered = events
    assert isinstance(start, RunStarted)
    assert start.query == "Revenue?"
    assert start.system == "You are an analyst."
    assert {tool.name for tool in start.tools} >= {"recall", "filing", "facts"}
    assert asked == UserMessage("Revenue?")
    assert isinstance(facts, ToolResult)
    assert json.loads(facts.body.text or "") == {"revenue": 94_036_000_000, "margin": 0.465}
    assert facts.read_only
    assert answered == Answered("It is 94.0 billion.")
    assert [run.state for run in runs(tmp_path)] == ["answered"]


def test_parallel_calls_are_paired_and_structured_results_come_back_as_they_were(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([[*call("facts"), *call("filing", chars=50)], say("done")])
    agent, _ = _agent(model, tmp_path)
    ask(agent, "Revenue?")
    returned = [part for part in model.requests[1][-1].parts if isinstance(part, ToolReturnPart)]
    assert [part.tool_name for part in returned] == ["facts", "filing"]
    assert returned[0].content == {"revenue": 94_036_000_000, "margin": 0.465}
    assert sorted(part.metadata["seq"] for part in returned) == [4, 5]


def test_a_long_run_stays_within_the_window_and_nothing_is_refused(tmp_path: Path) -> None:
    script = [call("filing", chars=3_000, kind=kind) for kind in ("prose", "table") * 20]
    model = ScriptedModel([*script, say("done")], window=8_000)
    agent, tallybook = _agent(model, tmp_path)
    result = ask(agent, "Read forty filings.")
    assert model.refused == 0
    assert len(result.all_messages()) == 82
    events = _events(tallybook)
    assert Cleared in _kinds(events)
    originals = [e.body.text for e in events if isinstance(e, ToolResult)]
    assert len(originals) == 40
    assert all(len(one or "") == 3_000 for one in originals)


def test_the_model_can_recall_what_was_capped(tmp_path: Path) -> None:
    model = ScriptedModel(
        [
            call("filing", chars=60_000, kind="table"),
            call("recall", seq=4, char=30_000),
            say("done"),
        ],
        window=8_000,
    )
    agent, tallybook = _agent(model, tmp_path)
    ask(agent, "Read.")
    assert Capped in _kinds(_events(tallybook))
    [page] = [p for p in model.requests[2][-1].parts if isinstance(p, ToolReturnPart)]
    header, _, body = str(page.content).partition("\n")
    assert "characters 30,000 to" in header
    assert text(TABLE, 60_000)[30_000:].startswith(body)
    assert len(str(page.content)) <= tallybook.limits.recall_chars(8_000)


def test_a_recall_that_cannot_be_answered_is_a_failed_result_with_advice(tmp_path: Path) -> None:
    model = ScriptedModel([call("recall", seq=99), say("sorry")])
    agent, tallybook = _agent(model, tmp_path)
    ask(agent, "Hm?")
    [result] = [e for e in _events(tallybook) if isinstance(e, ToolResult)]
    assert result.status == "error"
    assert "has no entry 99" in (result.body.text or "")


def test_a_tool_that_asks_to_be_retried_is_an_error_result(tmp_path: Path) -> None:
    model = ScriptedModel([call("filing", chars="many"), say("sorry")])
    agent, tallybook = _agent(model, tmp_path)
    ask(agent, "Hm?")
    [result] = [e for e in _events(tallybook) if isinstance(e, ToolResult)]
    assert result.status == "error"


@pytest.mark.parametrize("streaming", [False, True], ids=["run", "run_stream_events"])
def test_a_request_refused_as_too_long_is_sent_again_smaller_and_the_window_is_learned(
    tmp_path: Path, streaming: bool
) -> None:
    script = [call("filing", chars=6_000) for _ in range(6)]
    model = ScriptedModel([*script, say("done")], window=5_000, claims=128_000)
    agent, tallybook = _agent(model, tmp_path)
    if streaming:
        assert asyncio.run(_streamed(agent, "Read six filings.")) == "done"
    else:
        assert ask(agent, "Read six filings.").output == "done"
    assert model.refused == 1
    overflows = [e for e in _events(tallybook) if isinstance(e, Overflowed)]
    assert [e.limit for e in overflows] == [5_000]
    assert tallybook.engine.view.window == 5_000


async def _streamed(agent: Agent[None, str], question: str) -> str:
    async with agent.run_stream_events(question) as events:
        async for event in events:
            if isinstance(event, AgentRunResultEvent):
                return str(event.result.output)
    raise AssertionError("the stream ended without a result")


def test_a_refusal_without_numbers_shrinks_until_it_fits_or_says_why_not(tmp_path: Path) -> None:
    too_long = ModelHTTPError(400, "m", {"error": {"message": "Input is too long."}})
    script = [call("filing", chars=6_000) for _ in range(5)]
    model = ScriptedModel([*script, too_long, too_long, say("done")], claims=128_000)
    agent, _ = _agent(model, tmp_path)
    assert ask(agent, "Read.").output == "done"
    sizes = [sum(len(str(p)) for m in request for p in m.parts) for request in model.requests]
    assert sizes[5] > sizes[6] > sizes[7]
    stubborn = ScriptedModel([call("filing", chars=900), *[too_long] * 9], claims=128_000)
    agent, tallybook = _agent(stubborn, tmp_path)
    with pytest.raises(ViewTooLarge, match=r"larger window|refused this request"):
        ask(agent, "Read.")
    assert isinstance(_events(tallybook)[-1], Stopped)


def test_another_error_ends_the_run_and_says_so_in_a_sentence(tmp_path: Path) -> None:
    model = ScriptedModel([ModelHTTPError(401, "m", "Incorrect API key provided: sk-secret")])
    agent, tallybook = _agent(model, tmp_path)
    with pytest.raises(ModelHTTPError):
        ask(agent, "Hello?")
    stopped = _events(tallybook)[-1]
    assert isinstance(stopped, Stopped)
    assert "does not accept the key" in stopped.reason
    assert "sk-secret" not in tallybook.engine.scratchpad.path.read_text()


def test_thinking_signatures_and_images_are_sent_back_untouched(tmp_path: Path) -> None:
    thought = say("", thinking="I should look.", signature="SIGNED==")[:1]
    model = ScriptedModel([[*thought, *call("chart")], say("a line goes up")])
    agent, tallybook = _agent(model, tmp_path)
    ask(agent, ["What is this?", BinaryContent(PNG, media_type="image/png")])
    sent = model.requests[1]
    [thinking] = [p for p in sent[1].parts if isinstance(p, ThinkingPart)]
    assert (thinking.content, thinking.signature) == ("I should look.", "SIGNED==")
    pictures = [
        one.data
        for message in sent
        for part in message.parts
        if isinstance(part, UserPromptPart) and not isinstance(part.content, str)
        for one in part.content
        if isinstance(one, BinaryContent)
    ]
    assert pictures == [PNG, PNG]
    asked, shown = [e for e in _events(tallybook) if isinstance(e, UserMessage | ToolResult)]
    assert asked.media[0].kind == "image"
    assert shown.media[0].bytes == len(PNG)


def test_a_summary_is_written_by_the_fast_model_and_a_failing_one_is_no_disaster(
    tmp_path: Path,
) -> None:
    def script() -> list[Any]:
        return [*[call("order", chars=2_000) for _ in range(12)], say("done")]

    fast = ScriptedModel([say("<analysis>x</analysis><summary>THE SUMMARY</summary>")] * 20)
    model = ScriptedModel(script(), window=4_200)
    agent, tallybook = _agent(model, tmp_path, fast=fast)
    ask(agent, "Read.")
    summaries = [e for e in _events(tallybook) if isinstance(e, Summarized)]
    assert summaries
    assert "THE SUMMARY" in summaries[0].summary
    assert summaries[0].model == "scripted"
    assert summaries[0].tokens_after < summaries[0].tokens_before
    failing = ScriptedModel([ModelHTTPError(500, "m", "down")] * 20)
    agent, tallybook = _agent(ScriptedModel(script(), window=4_200), tmp_path, fast=failing)
    assert ask(agent, "Read.").output == "done"


def test_an_interrupted_run_goes_on_where_it_was_and_asks_nothing_twice(tmp_path: Path) -> None:
    first = ScriptedModel([call("facts"), RuntimeError("power cut")])
    agent, tallybook = _agent(first, tmp_path)
    with pytest.raises(RuntimeError):
        ask(agent, "Revenue?")
    folder = tallybook.engine.scratchpad.folder
    second = ScriptedModel([say("It is 94.0 billion.")])
    agent, resumed = _agent(second, tmp_path, resume=folder)
    result = ask(agent, message_history=resumed.history())
    assert result.output == "It is 94.0 billion."
    events = _events(resumed)
    assert [type(e) for e in events if not isinstance(e, Stopped)] == [
        RunStarted,
        UserMessage,
        AssistantMessage,
        ToolResult,
        AssistantMessage,
        Answered,
    ]
    assert len(second.requests) == 1
    [sent] = second.requests
    assert isinstance(sent[-1].parts[0], ToolReturnPart)


def test_a_follow_up_question_goes_into_the_same_run(tmp_path: Path) -> None:
    agent, tallybook = _agent(ScriptedModel([call("facts"), say("94.0")]), tmp_path)
    ask(agent, "Revenue?")
    folder = tallybook.engine.scratchpad.folder
    model = ScriptedModel([say("46.5 %")])
    agent, again = _agent(model, tmp_path, resume=folder)
    ask(agent, "And the margin?", message_history=again.history())
    said = [e.text for e in _events(again) if isinstance(e, UserMessage)]
    assert said == ["Revenue?", "And the margin?"]
    assert len(runs(tmp_path)) == 1


def test_history_of_another_origin_is_recorded_whole(tmp_path: Path) -> None:
    history: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart("Earlier?")]),
        ModelResponse(parts=[ToolCallPart("facts", {}, "old")]),
        ModelRequest(parts=[ToolReturnPart("facts", "x", "old")]),
        ModelResponse(parts=say("Earlier answer.")),
    ]
    agent, tallybook = _agent(ScriptedModel([say("now")]), tmp_path)
    ask(agent, "Now?", message_history=history)
    view = project(read(tallybook.engine.scratchpad.folder).entries())
    assert [item.text for item in view.items] == [
        "Earlier?",
        "",
        "x",
        "Earlier answer.",
        "Now?",
        "now",
    ]


def test_ids_that_a_provider_uses_again_are_told_apart(tmp_path: Path) -> None:
    model = ScriptedModel(
        [call("facts", id="call_0"), call("filing", id="call_0", chars=9), say("done")]
    )
    agent, _ = _agent(model, tmp_path)
    ask(agent, "Twice.")
    ids = [
        part.tool_call_id
        for message in model.requests[2]
        for part in message.parts
        if isinstance(part, ToolCallPart | ToolReturnPart)
    ]
    assert len(set(ids)) == 2
    assert ids[0] == ids[1]
    assert ids[2] == ids[3]


def test_a_structured_output_is_recorded_with_its_call_and_answer(tmp_path: Path) -> None:
    model = ScriptedModel([call("final_result", response=7)])
    tallybook = Tallybook(root=tmp_path)
    agent = Agent(model, output_type=int, capabilities=[tallybook])
    assert ask(agent, "Seven?").output == 7
    assert _kinds(_events(tallybook))[-3:] == [AssistantMessage, ToolResult, Answered]


def test_a_system_prompt_is_sent_with_every_view(tmp_path: Path) -> None:
    model = ScriptedModel([say("ok")])
    agent = Agent(model, system_prompt="Only figures.", capabilities=[Tallybook(root=tmp_path)])
    ask(agent, "Hello?")
    assert [type(part).__name__ for part in model.requests[0][0].parts] == [
        "SystemPromptPart",
        "UserPromptPart",
    ]


def test_requests_share_their_beginning_until_an_edit(tmp_path: Path) -> None:
    script = [call("filing", chars=2_000) for _ in range(12)]
    model = ScriptedModel([*script, say("done")], window=8_000)
    agent, tallybook = _agent(model, tmp_path)
    ask(agent, "Read twelve filings.")
    sent = [[_plain(message) for message in request] for request in model.requests]
    moved = [
        number
        for number, (before, after) in enumerate(pairwise(sent))
        if after[: len(before) - 1] != before[:-1]
    ]
    edits = [e for e in _events(tallybook) if isinstance(e, Cleared | Capped)]
    assert 0 < len(moved) <= len(edits)


def test_what_was_let_go_stands_in_the_event_stream_of_the_agent(tmp_path: Path) -> None:
    model = ScriptedModel([call("filing", chars=60_000), say("done")], window=8_000)
    agent, _ = _agent(model, tmp_path)

    async def kinds() -> list[str]:
        async with agent.run_stream_events("Read.") as events:
            return [event.what async for event in events if isinstance(event, ContextEvent)]

    assert asyncio.run(kinds()) == ["Capped"]


def _plain(message: ModelMessage) -> str:
    """A message as a provider sees it: without times and marks."""
    return "|".join(f"{part.part_kind}:{getattr(part, 'content', part)}" for part in message.parts)
