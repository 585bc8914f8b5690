from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.scratchpad.helpers import lines, make, reply, result, rewrite

from tallybook.errors import ScratchpadError
from tallybook.scratchpad import read
from tallybook.scratchpad.events import (
    AssistantMessage,
    Capped,
    RunStarted,
    ToolResult,
    UserMessage,
)

if TYPE_CHECKING:
    from pathlib import Path

WORDS = [UserMessage(word) for word in ("two", "three", "four", "five")]


def seqs(folder: Path) -> list[int]:
    return [entry.seq for entry in read(folder).entries()]


BROKEN = {
    "a hole of NULs": b"\0" * 4096 + b"\n",
    "half a line": b'{"v":1,"seq":3,"at":"2026-\n',
    "bytes that are not UTF-8": b'{"v":1,"seq":3,"at":"2026-03-01T09:30:00Z",'
    b'"event":{"type":"UserMessage","text":"\xff\xfe"}}\n',
    "another event in bytes that are not UTF-8": b'{"v":1,"seq":3,"event":"\xff\xfe"}\n',
    "another program's words": b"npm WARN deprecated\n",
    "JSON nested without end": b"[" * 200_000 + b"\n",
    "a huge line": b"x" * 20_000_000 + b"\n",
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_line_costs_itself_and_is_reported_by_number(
    tmp_path: Path, broken: bytes
) -> None:
    folder = make(tmp_path, WORDS)
    one, two, _, *rest = lines(folder)
    rewrite(folder, [one, two, broken, *rest])
    assert seqs(folder) == [1, 2, 4, 5]
    damage, gap = read(folder).damage
    assert (damage.kind, damage.line) == ("lost", 3)
    assert (damage.offset, damage.lost) == (len(one + two), len(broken))
    assert (gap.kind, gap.line, gap.reason) == ("order", 4, "entries 3 to 3 are missing")


def test_a_hole_may_swallow_the_ends_of_lines(tmp_path: Path) -> None:
    folder = make(tmp_path, WORDS)
    data = bytearray(b"".join(lines(folder)))
    ends = [place for place, byte in enumerate(data) if byte == 10]
    data[ends[0] + 30 : ends[2]] = bytes(ends[2] - ends[0] - 30)
    rewrite(folder, [bytes(data)])
    assert seqs(folder) == [1, 4, 5]
    damage, gap = read(folder).damage
    assert (damage.line, damage.offset) == (2, ends[0] + 1)
    assert gap.reason == "entries 2 to 3 are missing"


SPOILED = {
    "padding of NULs behind": lambda line: line[:-1] + b"\0" * 9000 + b"\n",
    "padding of x behind": lambda line: line[:-1] + b"x" * 9000 + b"\n",
    "a hole before": lambda line: b"\0" * 512 + line,
    "half an entry before": lambda line: line[:50] + line,
    "half an entry behind": lambda line: line[:-1] + line[:50] + b"\n",
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED.keys())
@pytest.mark.parametrize("place", [0, 2, 4])
def test_a_sound_record_on_a_spoiled_line_is_kept(
    tmp_path: Path, spoil: object, place: int
) -> None:
    folder = make(tmp_path, WORDS)
    kept = lines(folder)
    assert callable(spoil)
    whole, kept[place] = kept[place], spoil(kept[place])
    rewrite(folder, kept)
    reader = read(folder)
    assert [entry.seq for entry in reader.entries()] == [1, 2, 3, 4, 5]
    (damage,) = reader.damage
    spare = len(kept[place]) - len(whole)
    assert damage.line == place + 1
    assert damage.lost in (spare, spare + 1)
    assert next(entry.seq for entry in reader.entries(place + 1)) == place + 1
    assert reader.text(place + 1) == read(folder).text(place + 1)


@pytest.mark.parametrize("ending", [b"\r\n", b"   \n", b"\n\n\n"])
def test_line_ends_of_other_systems_and_blank_lines_do_no_harm(
    tmp_path: Path, ending: bytes
) -> None:
    folder = make(tmp_path, WORDS)
    rewrite(folder, [b"\xef\xbb\xbf", *(line[:-1] + ending for line in lines(folder))])
    assert seqs(folder) == [1, 2, 3, 4, 5]
    assert read(folder).damage == ()


def test_two_entries_on_one_line_are_both_read(tmp_path: Path) -> None:
    folder = make(tmp_path, WORDS)
    one, two, *rest = lines(folder)
    rewrite(folder, [one[:-1], two, *rest])
    assert seqs(folder) == [1, 2, 3, 4, 5]
    assert read(folder).damage == ()


def test_numbers_that_repeat_or_skip_are_reported(tmp_path: Path) -> None:
    folder = make(tmp_path, WORDS)
    one, two, three, four, five = lines(folder)
    rewrite(folder, [one, two, two.replace(b"two", b"TWO"), four, three, five])
    reader = read(folder)
    assert [entry.seq for entry in reader.entries()] == [1, 2, 4, 5]
    assert [(d.kind, d.line, d.reason) for d in reader.damage] == [
        ("order", 3, "number 2 comes after number 2; it is left out"),
        ("order", 4, "entries 3 to 3 are missing"),
        ("order", 5, "number 3 comes after number 4; it is left out"),
    ]
    assert reader.text(2) == "two"


def test_a_number_out_of_all_reason_is_left_out(tmp_path: Path) -> None:
    folder = make(tmp_path, WORDS)
    kept = lines(folder)
    kept[2] = kept[2].replace(b'"seq":3', b'"seq":999999999999999')
    rewrite(folder, kept)
    assert seqs(folder) == [1, 2, 4, 5]


def test_what_does_not_follow_is_reported_and_still_given(tmp_path: Path) -> None:
    folder = make(tmp_path, [reply("a"), result("a"), Capped(3, 1)])
    kept = lines(folder)
    rewrite(folder, [kept[0], b"?\n", *kept[2:]])
    reader = read(folder)
    assert [entry.seq for entry in reader.entries()] == [1, 3, 4]
    assert [(d.kind, d.line) for d in reader.damage] == [
        ("lost", 2),
        ("order", 3),
        ("contradiction", 3),
    ]
    assert reader.text(3) == "42"


def test_an_event_of_a_newer_tallybook_is_passed_over_and_reported(tmp_path: Path) -> None:
    folder = make(tmp_path, WORDS)
    kept = lines(folder)
    kept[1] = kept[1].replace(b"UserMessage", b"Telepathy")
    kept[3] = kept[3].replace(b'"v":1', b'"v":2')
    rewrite(folder, kept)
    assert seqs(folder) == [1, 3, 5]
    assert [(d.kind, d.line) for d in read(folder).damage] == [
        ("unknown", 2),
        ("order", 3),
        ("unknown", 4),
        ("order", 5),
    ]


def test_a_missing_or_altered_file_is_said_so_and_never_served(tmp_path: Path) -> None:
    folder = make(
        tmp_path,
        [reply("a", "b", "c"), *(result(call, "long" * 9) for call in "abc")],
        inline=10,
    )
    (folder / "results" / "3-lookup.txt").unlink()
    (folder / "results" / "4-lookup.txt").write_text("long" * 8 + "lone")
    (folder / "results" / "5-lookup.txt").unlink()
    (folder / "results" / "5-lookup.txt").mkdir()
    found = [e.event.body for e in read(folder).entries(3) if isinstance(e.event, ToolResult)]
    assert [(body.text, body.damage) for body in found] == [
        (None, "missing"),
        (None, "altered"),
        (None, "missing"),
    ]
    with pytest.raises(
        ScratchpadError, match=r"result 3 .* cannot be served: .*3-lookup.txt is missing"
    ):
        read(folder).text(3)
    with pytest.raises(ScratchpadError, match=r"was altered: its hash .* call lookup again"):
        read(folder).text(4)


def test_a_line_cannot_name_a_file_outside_of_its_run(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = make(tmp_path, [reply("a"), result("a", "secret")], inline=3)
    kept = lines(folder)
    for name in (b"../secret.txt", b"/etc/passwd", b"results/../../secret.txt", b""):
        rewrite(folder, [*kept[:2], kept[2].replace(b"results/3-lookup.txt", name)])
        with pytest.raises(ScratchpadError, match="is missing"):
            read(folder).text(3)


def test_the_text_of_messages_is_given_and_of_edits_is_not(tmp_path: Path) -> None:
    folder = make(tmp_path, [AssistantMessage("said"), reply("a"), result("a", "r"), Capped(4, 0)])
    reader = read(folder)
    assert [reader.text(seq) for seq in (4, 2, 1)] == ["r", "said", "q"]
    with pytest.raises(ScratchpadError, match=r"entry 5 of run .* is a Capped, not a text"):
        reader.text(5)
    with pytest.raises(ScratchpadError, match="no entry 6 that can be read; its last is 5"):
        reader.text(6)


def test_a_reader_follows_a_file_that_is_written_in_pieces(tmp_path: Path) -> None:
    folder = make(tmp_path, WORDS)
    data = b"".join(lines(folder))
    rewrite(folder, [b""])
    reader = read(folder)
    found = []
    for end in range(0, len(data) + 1, 7):
        rewrite(folder, [data[:end]])
        found += [entry.seq for entry in reader.entries(reader.seq + 1)]
        assert all(damage.kind == "torn" for damage in reader.damage)
        found = sorted({*found, reader.seq} - {0})
    rewrite(folder, [data])
    assert [entry.event for entry in reader.entries()] == [RunStarted("q"), *WORDS]
    assert reader.damage == ()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_reading_never_fails_and_gives_each_entry_at_most_once_in_order(
    tmp_path: Path, data: st.DataObject
) -> None:
    folder = make(tmp_path, [reply("a"), result("a"), Capped(3, 1), *WORDS])
    content = bytearray(b"".join(lines(folder)))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content) - 1))
        end = data.draw(st.integers(start, min(len(content), start + 300)))
        noise = st.sampled_from([b"", b"\0" * (end - start), b"\n", b'"', b"{", b"\xff", b'{"v":1'])
        content[start:end] = data.draw(noise)
    rewrite(folder, [bytes(content)])
    reader = read(folder)
    first = list(reader.entries())
    assert [entry.seq for entry in first] == sorted({entry.seq for entry in first})
    assert list(reader.entries()) == first
    for entry in first:
        assert next(reader.entries(entry.seq)) == entry
