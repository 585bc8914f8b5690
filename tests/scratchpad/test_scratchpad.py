from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw
from tests.pads import call_and_result, new_pad, reopened, started, with_results
from tests.runs import NOW

from tallybook.errors import BadEvent, ScratchpadError, ScratchpadLocked
from tallybook.scratchpad import Scratchpad, read, runs
from tallybook.scratchpad.codec import decode, encode
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Capped,
    Cleared,
    Dropped,
    Entry,
    Event,
    Media,
    RunStarted,
    Summarized,
    SummaryAsked,
    SummaryRefused,
    ThinkingStripped,
    ToolCall,
    ToolResult,
    UserMessage,
)

AWKWARD = [
    "line\u2028separator\u2029",
    "lone \ud800 surrogate \udfff",
    "nul \x00 and bell \x07",
    "crlf\r\nand\rcr\n",
    "营业收入 🚀",
    "",
]


def _events(folder: Path) -> list[Event]:
    return [entry.event for entry in read(folder).entries()]


def test_a_run_is_named_by_its_time_and_the_md5_of_the_query(tmp_path: Path) -> None:
    assert new_pad(tmp_path, "hello").id == "2026-01-02-030405_5d41402abc4b"


def test_two_runs_of_one_query_in_one_second_have_folders_of_their_own(tmp_path: Path) -> None:
    names = {new_pad(tmp_path, "hello").id for _ in range(4)}
    assert len(names) == 4


def _paired(text: str) -> str:
    """Two halves of a pair side by side are one character to JSON."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@given(st.text(alphabet=st.characters(codec=None), max_size=80).map(_paired))
def test_any_text_survives_the_line(text: str) -> None:
    for event in (
        UserMessage(text),
        AssistantMessage(text, text, (ToolCall(text, text, text),)),
        ToolResult(text, text, Body(text=text, chars=len(text))),
    ):
        entry = Entry(7, NOW, event)
        assert decode(encode(entry)[:-1]) == entry
        assert encode(entry).count(b"\n") == 1


@pytest.mark.parametrize(
    "native",
    [
        b'{\n  "a": 1.0,\r\n  "b": [1e400, 12345678901234567890123]\n}',
        b'{"a": NaN}',
        rb'{"a": "\ud800"}',
        '{"a": "\u2028 \\n 营业"}'.encode(),
        b"no json at all",
        b'{"$raw": "tricky"}',
    ],
)
def test_native_json_keeps_every_digit_and_stays_on_its_line(native: bytes) -> None:
    line = encode(Entry(1, NOW, UserMessage("x", Raw(native))))
    assert line.count(b"\n") == 1
    event = decode(line[:-1]).event
    assert isinstance(event, UserMessage)
    back = bytes(event.native or b"")
    try:
        json.loads(native)
    except ValueError:
        assert back == native
    else:
        assert b"".join(back.split()) == b"".join(native.split())


def test_native_json_keeps_its_digits_beside_a_lone_surrogate() -> None:
    entry = Entry(1, NOW, UserMessage("\ud800", Raw(b'{"a":1.0,"b":1e400}')))
    event = decode(encode(entry)[:-1]).event
    assert isinstance(event, UserMessage)
    assert bytes(event.native or b"") == b'{"a":1.0,"b":1e400}'
    assert event.text == "\ud800"


@pytest.mark.parametrize("inline", [3, 32_000])
@pytest.mark.parametrize("text", AWKWARD)
def test_a_result_comes_back_byte_for_byte_from_line_or_file(
    tmp_path: Path, text: str, inline: int
) -> None:
    pad = with_results(tmp_path, text, inline=inline)
    assert pad.text(4) == text
    pad.close()
    assert read(pad.folder).text(4) == text
    assert [e.body.text for e in _events(pad.folder) if isinstance(e, ToolResult)] == [text]


def test_a_long_result_is_a_readable_file_named_by_number_and_tool(tmp_path: Path) -> None:
    pad = started(tmp_path, inline=100)
    for event in call_and_result("figure " * 100, tool="get/../financials"):
        pad.append(event)
    [file] = (pad.folder / "results").iterdir()
    assert file.name == "4-get_.._financials.txt"
    assert file.read_text() == "figure " * 100
    assert b"figure" not in pad.path.read_bytes()


def test_a_result_of_50_mb_is_kept_whole(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "0123456789" * 5_000_000)
    assert len(pad.text(4)) == 50_000_000
    assert pad.path.stat().st_size < 2_000


def test_images_are_described_and_their_json_is_kept(tmp_path: Path) -> None:
    pad = started(tmp_path)
    picture = Media("image", "image/png", bytes=9, width=2, height=3)
    pad.append(UserMessage("look", Raw(b'{"data":"iVBORw0KGgo="}'), (picture,)))
    [*_, event] = _events(pad.folder)
    assert isinstance(event, UserMessage)
    assert event.media == (picture,)
    assert bytes(event.native or b"") == b'{"data":"iVBORw0KGgo="}'


def test_a_second_writer_is_told_which_run_is_taken_and_readers_are_not(tmp_path: Path) -> None:
    pad = started(tmp_path)
    with pytest.raises(ScratchpadLocked, match=pad.id):
        reopened(pad.folder)
    assert len(_events(pad.folder)) == 2
    assert runs(tmp_path)[0].state == "running"
    pad.close()
    reopened(pad.folder).close()


def test_a_second_process_cannot_write_either(tmp_path: Path) -> None:
    pad = started(tmp_path)
    code = (
        "import sys; from pathlib import Path; from datetime import datetime, UTC\n"
        "from tallybook.scratchpad import Scratchpad\n"
        f"Scratchpad.open(Path({str(pad.folder)!r}), clock=lambda: datetime.now(UTC))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ScratchpadLocked" in done.stderr


@pytest.mark.parametrize(
    "torn",
    [b'{"v":1,"seq":3,"at":"20', b'{"v":1,"se\n', b'{"v":1,"se\n\n\n', b"\x00" * 4096, b"\xff\n"],
)
def test_a_torn_last_line_is_cut_on_opening(tmp_path: Path, torn: bytes) -> None:
    pad = started(tmp_path)
    pad.close()
    whole = pad.path.read_bytes()
    pad.path.write_bytes(whole + torn)
    again = reopened(pad.folder)
    assert pad.path.read_bytes() == whole
    assert again.append(UserMessage("more")).seq == 3
    again.close()
    assert [type(event) for event in _events(pad.folder)] == [RunStarted, UserMessage, UserMessage]


def test_a_last_line_without_its_newline_is_kept_and_closed(tmp_path: Path) -> None:
    pad = started(tmp_path)
    pad.close()
    pad.path.write_bytes(pad.path.read_bytes()[:-1])
    again = reopened(pad.folder)
    again.append(UserMessage("more"))
    again.close()
    assert len(_events(pad.folder)) == 3


def test_a_broken_line_costs_itself_and_is_reported_by_number_and_bytes(tmp_path: Path) -> None:
    pad = started(tmp_path)
    for word in ("one", "two", "three"):
        pad.append(UserMessage(word))
    pad.close()
    lines = pad.path.read_bytes().splitlines(keepends=True)
    lines[3] = b'{"broken\n'
    pad.path.write_bytes(b"".join(lines))
    reader = read(pad.folder)
    assert [entry.seq for entry in reader.entries()] == [1, 2, 3, 5]
    broken, gap = reader.damage
    assert (broken.line, broken.lost) == (4, 9)
    assert "entries 4 to 4 are missing" in gap.reason
    [info] = runs(tmp_path)
    assert (info.state, info.question) == ("damaged", "What was the revenue?")


def test_nul_blocks_in_the_middle_are_skipped_the_rest_is_read_and_the_hole_reported(
    tmp_path: Path,
) -> None:
    pad = started(tmp_path)
    pad.append(UserMessage("after"))
    pad.close()
    lines = pad.path.read_bytes().splitlines(keepends=True)
    pad.path.write_bytes(b"".join([*lines[:2], b"\x00" * 4_096, lines[2]]))
    reader = read(pad.folder)
    assert [entry.seq for entry in reader.entries()] == [1, 2, 3]
    [hole] = reader.damage
    assert (hole.line, hole.lost) == (3, 4_096)
    assert "NUL" in hole.reason


def test_a_record_with_padding_behind_it_is_kept(tmp_path: Path) -> None:
    pad = started(tmp_path)
    pad.close()
    lines = pad.path.read_bytes().splitlines()
    pad.path.write_bytes(lines[0] + b" " * 9_000 + b"x\n" + lines[1] + b"\n")
    assert len(_events(pad.folder)) == 2


def test_crlf_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    pad = started(tmp_path)
    pad.close()
    pad.path.write_bytes(b"\xef\xbb\xbf" + pad.path.read_bytes().replace(b"\n", b"\r\n"))
    assert len(_events(pad.folder)) == 2
    assert read(pad.folder).damage == ()


def test_a_line_of_a_newer_schema_is_said_so(tmp_path: Path) -> None:
    pad = started(tmp_path)
    pad.close()
    with pad.path.open("ab") as file:
        file.write(b'{"v":9,"seq":3,"at":"2026-01-02T03:04:05Z","event":{"type":"New"}}\n')
        file.write(b'{"v":1,"seq":4,"at":"2026-01-02T03:04:05Z","event":{"type":"New"}}\n')
    newer, unknown = [spot for spot in read(pad.folder).damage if spot.lost]
    assert "upgrade Tallybook" in newer.reason
    assert "New" in unknown.reason


def test_calls_that_a_crash_left_open_are_closed_as_interrupted(tmp_path: Path) -> None:
    pad = started(tmp_path)
    calls = tuple(ToolCall(id, f"tool{n}") for n, id in enumerate(("call_0", "call_0", "")))
    pad.append(AssistantMessage(calls=calls))
    pad.append(ToolResult("call_0", "tool0", Body(text="done")))
    pad.append(UserMessage("Still there?"))
    pad.close()
    again = reopened(pad.folder)
    closed = [e for e in _events(pad.folder) if isinstance(e, ToolResult)]
    assert [(e.tool, e.status) for e in closed] == [
        ("tool0", "ok"),
        ("tool1", "interrupted"),
        ("tool2", "interrupted"),
    ]
    again.append(AssistantMessage("Yes."))


def test_a_summary_that_died_is_refused_on_opening(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "one")
    pad.append(SummaryAsked(4))
    pad.close()
    reopened(pad.folder).close()
    assert _events(pad.folder)[-1] == SummaryRefused(4, "interrupted")


@pytest.mark.parametrize(
    ("event", "rule"),
    [
        (RunStarted("again"), "starts once"),
        (ToolResult("nobody", "get", Body(text="x")), "no open call"),
        (Capped(3, 10), "not the number of a tool result"),
        (Capped(4, -1), "0 or more"),
        (Cleared(()), "names no result"),
        (Cleared((4, 99)), "99 is not the number"),
        (ThinkingStripped((4,)), "not the number of a reply"),
        (Summarized(2, "s"), "end of one"),
        (Summarized(3, "s"), "part a call from its result"),
        (Dropped(99), "end of one"),
        (Dropped(0), "gone already"),
    ],
)
def test_a_bad_event_is_refused_with_its_rule_and_nothing_is_written(
    tmp_path: Path, event: Event, rule: str
) -> None:
    pad = with_results(tmp_path, "one", "two")
    before = pad.path.read_bytes()
    with pytest.raises(BadEvent, match=rule):
        pad.append(event)
    assert pad.path.read_bytes() == before


def test_a_reply_cannot_come_before_the_results_of_the_last(tmp_path: Path) -> None:
    pad = started(tmp_path)
    pad.append(AssistantMessage(calls=(ToolCall("a", "get"),)))
    with pytest.raises(BadEvent, match=r"no result yet: get \('a'\)"):
        pad.append(AssistantMessage("done"))
    pad.append(UserMessage("typed meanwhile"))


def test_what_was_dropped_cannot_be_edited_again(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "one", "two")
    pad.append(Dropped(4))
    for event in (Cleared((4,)), Dropped(4)):
        with pytest.raises(BadEvent, match="already"):
            pad.append(event)
    pad.append(Cleared((6,)))


def test_the_first_event_starts_the_run(tmp_path: Path) -> None:
    with pytest.raises(BadEvent, match="starts with RunStarted"):
        new_pad(tmp_path).append(UserMessage("hi"))


def test_an_altered_or_missing_file_is_said_so_and_never_served(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "x" * 500, inline=100)
    file = next((pad.folder / "results").iterdir())
    file.write_text("y" * 500)
    [*_, event] = _events(pad.folder)
    assert isinstance(event, ToolResult)
    assert (event.body.text, event.body.damage) == (None, "altered")
    file.unlink()
    with pytest.raises(ScratchpadError, match="missing"):
        pad.text(4)


def test_a_line_cannot_point_out_of_the_run(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    pad = with_results(tmp_path / "runs", "x" * 500, inline=100)
    pad.close()
    line = pad.path.read_bytes().replace(b"results/4-get.txt", b"../../secret.txt")
    pad.path.write_bytes(line)
    with pytest.raises(ScratchpadError, match=r"secret.txt is missing or cannot be read"):
        read(pad.folder).text(4)


def test_a_folder_without_a_run_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(ScratchpadError, match="holds no run"):
        read(tmp_path)


def test_a_file_without_one_readable_entry_is_not_built_on(tmp_path: Path) -> None:
    pad = started(tmp_path)
    pad.close()
    pad.path.write_bytes(b"garbage\nmore garbage\n")
    with pytest.raises(ScratchpadError, match="damaged where going on would build on it"):
        reopened(pad.folder)
    assert pad.path.read_bytes() == b"garbage\nmore garbage\n"


def test_a_full_disk_is_a_clear_error_and_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="needs a limit on file sizes")
    pad = started(tmp_path)
    whole = pad.path.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 60, before[1]))
    try:
        with pytest.raises(ScratchpadError, match="could not be written"):
            pad.append(UserMessage("lost?"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert pad.path.read_bytes() == whole
    assert pad.append(UserMessage("found")).seq == 3


def test_an_entry_with_a_number_that_was_there_is_reported(tmp_path: Path) -> None:
    pad = started(tmp_path)
    pad.close()
    lines = pad.path.read_bytes().splitlines(keepends=True)
    pad.path.write_bytes(b"".join([*lines, lines[1]]))
    reader = read(pad.folder)
    assert [entry.seq for entry in reader.entries()] == [1, 2]
    assert "comes after" in reader.damage[0].reason


def test_the_states_of_runs_are_told_newest_first(tmp_path: Path) -> None:
    for hour, question in enumerate(("first?", "second?")):
        at = datetime(2026, 1, 2, hour, tzinfo=UTC)
        with Scratchpad.create(tmp_path, question, clock=lambda at=at: at) as pad:  # type: ignore[misc]
            pad.append(RunStarted(question))
    assert [run.question for run in runs(tmp_path)] == ["second?", "first?"]
    assert {run.state for run in runs(tmp_path)} == {"interrupted"}
    assert runs(tmp_path / "nothing") == []


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.events import *
pad = Scratchpad.create(Path(sys.argv[1]), "q", clock=lambda: datetime.now(UTC), inline=2_000)
print(pad.id, flush=True)
pad.append(RunStarted("q"))
pad.append(UserMessage("q"))
for n in range(100_000):
    pad.append(AssistantMessage(calls=(ToolCall(f"c{n}", "get"), ToolCall(f"d{n}", "get"))))
    for side in "cd":
        pad.append(ToolResult(f"{side}{n}", "get", Body(text=f"figure {n} " * (n % 700))))
        print(pad.seq, flush=True)
"""


@settings(max_examples=20, deadline=None)
@given(lines=st.integers(1, 120))
def test_kill_9_at_any_point_loses_nothing_that_was_acknowledged(
    tmp_path_factory: pytest.TempPathFactory, lines: int
) -> None:
    root = tmp_path_factory.mktemp("killed")
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout
        run = child.stdout.readline().strip()
        acknowledged = 0
        for _ in range(lines):
            acknowledged = int(child.stdout.readline())
        child.kill()
    pad = reopened(root / run)
    found = [entry.seq for entry in pad.entries()]
    assert found == list(range(1, pad.seq + 1))
    assert pad.seq >= acknowledged
    assert all(
        entry.event.body.damage is None
        for entry in pad.entries()
        if isinstance(entry.event, ToolResult)
    )
    pad.append(AssistantMessage("goes on"))
    pad.close()


def test_a_place_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ScratchpadError, match="choose a folder"):
        new_pad(tmp_path / "file")


def test_two_processes_that_ask_the_same_in_one_second_have_runs_of_their_own(
    tmp_path: Path,
) -> None:
    code = (
        "import sys; from pathlib import Path; from datetime import datetime, UTC\n"
        "from tallybook.scratchpad import Scratchpad\n"
        "at = datetime(2026, 1, 2, tzinfo=UTC)\n"
        "for _ in range(20):\n"
        "    print(Scratchpad.create(Path(sys.argv[1]), 'q', clock=lambda: at, fsync='never').id)"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    names = [name for child in children for name in child.communicate()[0].split()]
    assert len(names) == len(set(names)) == 60
