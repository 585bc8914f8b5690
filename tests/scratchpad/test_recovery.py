from __future__ import annotations

import hashlib
import os
import resource
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from msgspec import Raw
from tests.scratchpad.helpers import START, lines, make, reopen, reply, result, rewrite, ticking

from tallybook.errors import BadEvent, ScratchpadError, ScratchpadLocked
from tallybook.scratchpad import Scratchpad, read
from tallybook.scratchpad.events import (
    AssistantMessage,
    Body,
    Capped,
    Dropped,
    Event,
    Media,
    RunStarted,
    SummaryAsked,
    SummaryRefused,
    ToolCall,
    ToolResult,
    Usage,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallybook.scratchpad.scratchpad import Fsync


def test_a_run_is_named_by_its_utc_time_and_the_md5_of_its_query(tmp_path: Path) -> None:
    east = datetime(2026, 3, 2, 1, 2, 3, tzinfo=timezone(timedelta(hours=8)))
    with Scratchpad.create(tmp_path / "new" / "root", "q", clock=lambda: east) as pad:
        assert pad.id == "2026-03-01-170203_" + hashlib.md5(b"q").hexdigest()[:12]
        assert pad.folder == tmp_path / "new" / "root" / pad.id
        assert pad.seq == 0
        assert list(pad.entries()) == []


def test_the_same_query_in_the_same_second_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    pads = [Scratchpad.create(tmp_path, "q", clock=lambda: START) for _ in range(3)]
    first = pads[0].id
    assert [pad.id for pad in pads] == [first, f"{first}-2", f"{first}-3"]
    for pad in pads:
        pad.close()


def test_what_append_gives_is_what_a_reader_gets(tmp_path: Path) -> None:
    events: tuple[Event, ...] = (
        RunStarted("q \u2028 \ud800", "rules"),
        AssistantMessage("", "hm", (ToolCall("", "a", '{"x": 1.0}'), ToolCall("", "b")), Usage(9)),
        ToolResult("", "a", Body('{"v": NaN, "w": Infinity}\r\n'), "error"),
        ToolResult("", "b", Body("long\r\n" * 9), native=Raw(b'{\n"n": 1.50}')),
        Capped(4, 5),
        UserMessage("", Raw(b'{"image":"aGk="}'), (Media("image", "image/png", 2, 1, 1),)),
    )
    with Scratchpad.create(tmp_path, "q", clock=ticking(), inline=40) as pad:
        given = [pad.append(event) for event in events]
        assert [entry.seq for entry in given] == [1, 2, 3, 4, 5, 6]
        assert list(pad.entries()) == given
        assert list(pad.entries(4)) == given[3:]
        assert list(read(pad.folder).entries()) == given
    with reopen(pad.folder) as again:
        assert list(again.entries()) == given
        assert again.append(reply("c")).seq == 7


def test_texts_come_back_to_the_letter(tmp_path: Path) -> None:
    texts = ["", "\r\n\r\n", "\ufeffBOM", "\0nul\0", "a\u2028b\u2029c\x85d", "\ud83d\ude00 halves"]
    texts += ["\udcff", "数" * 50, '{"a": NaN}', "é\r" * 30]
    with Scratchpad.create(tmp_path, "q", clock=ticking(), inline=40) as pad:
        pad.append(RunStarted("q"))
        pad.append(reply(*(str(i) for i in range(len(texts)))))
        seqs = [pad.append(result(str(i), text)).seq for i, text in enumerate(texts)]
        assert [pad.text(seq) for seq in seqs] == texts
        assert [read(pad.folder).text(seq) for seq in seqs] == texts


def test_a_long_text_is_a_readable_file_named_by_number_and_tool(tmp_path: Path) -> None:
    text = "a,b\r\n" * 100
    folder = make(tmp_path, [reply("a"), result("a", text, "../web search/数")], inline=10)
    assert (folder / "results" / "3-.._web_search_.txt").read_bytes() == text.encode()
    digest = hashlib.sha256(text.encode()).hexdigest().encode()
    assert b'"sha256":"' + digest + b'","chars":500' in lines(folder)[2]
    assert b"a,b" not in lines(folder)[2]


def test_tools_whose_names_differ_in_punctuation_do_not_share_a_file(tmp_path: Path) -> None:
    folder = make(
        tmp_path,
        [reply("a", "b"), result("a", "first", "x.y"), result("b", "other", "x/y")],
        inline=3,
    )
    assert [read(folder).text(seq) for seq in (3, 4)] == ["first", "other"]


def test_a_bad_event_changes_nothing(tmp_path: Path) -> None:
    folder = make(tmp_path, [reply("a"), result("a")])
    before = lines(folder)
    bad: tuple[Event, ...] = (
        result("a"),
        Dropped(2),
        UserMessage("", Raw(b'"\xff"')),
    )
    with reopen(folder) as pad:
        for event in bad:
            with pytest.raises(BadEvent, match=r"(?s)(refused|not UTF-8).*[Nn]othing was written"):
                pad.append(event)
        assert lines(folder) == before
        assert pad.append(reply("b")).seq == 4
        with pytest.raises(BadEvent, match="its body has no text"):
            pad.append(ToolResult("b", "t", Body(file="results/3-x.txt", sha256="0")))


def test_a_second_writer_is_told_and_readers_are_not_held_up(tmp_path: Path) -> None:
    with Scratchpad.create(tmp_path, "q", clock=ticking()) as pad:
        start = pad.append(RunStarted("q"))
        with pytest.raises(ScratchpadLocked, match=rf"{pad.id} is being written"):
            reopen(pad.folder)
        reader = read(pad.folder)
        assert list(reader.entries()) == [start]
        more = pad.append(UserMessage("more"))
        assert list(reader.entries()) == [start, more]
        assert reader.seq == 2
    with reopen(pad.folder) as again:
        assert again.seq == 2


def test_a_closed_scratchpad_takes_nothing(tmp_path: Path) -> None:
    pad = Scratchpad.create(tmp_path, "q", clock=ticking())
    pad.close()
    pad.close()
    with pytest.raises(ScratchpadError, match="it was closed"):
        pad.append(RunStarted("q"))


TORN = [b"", b"\n", b"\n\n \n", b"\0" * 4096, b"\0\0\n", b"\r\n"]


@pytest.mark.parametrize("after", TORN)
@pytest.mark.parametrize("kept", [1, 9, 40, -2])
def test_a_torn_last_line_is_cut_on_opening(tmp_path: Path, kept: int, after: bytes) -> None:
    folder = make(tmp_path, [UserMessage("one"), UserMessage("two")])
    *whole, last = lines(folder)
    rewrite(folder, [*whole, last[:kept], after])
    assert [d.kind for d in read(folder).damage] == ["torn"]
    with reopen(folder) as pad:
        assert [(d.kind, d.line, d.offset) for d in pad.damage] == [
            ("torn", 3, len(b"".join(whole)))
        ]
        assert lines(folder) == whole
        pad.append(UserMessage("three"))
        assert [entry.seq for entry in pad.entries()] == [1, 2, 3]
    assert read(folder).damage == ()


def test_a_last_line_that_lacks_only_its_newline_is_kept(tmp_path: Path) -> None:
    folder = make(tmp_path, [UserMessage("one")])
    *whole, last = lines(folder)
    rewrite(folder, [*whole, last[:-1]])
    with reopen(folder) as pad:
        pad.append(UserMessage("two"))
        assert [entry.seq for entry in pad.entries()] == [1, 2, 3]
        assert pad.damage == ()
    assert lines(folder)[:2] == [*whole, last]
    assert read(folder).damage == ()


def test_padding_at_the_end_is_cut_and_its_record_kept(tmp_path: Path) -> None:
    folder = make(tmp_path, [UserMessage("one")])
    *whole, last = lines(folder)
    rewrite(folder, [*whole, last[:-1], b"\0" * 9000, b"\n"])
    with reopen(folder) as pad:
        pad.append(UserMessage("two"))
        assert [entry.seq for entry in pad.entries()] == [1, 2, 3]
    assert lines(folder)[:2] == [*whole, last]


def test_a_run_torn_in_its_first_line_can_begin_again(tmp_path: Path) -> None:
    folder = make(tmp_path)
    rewrite(folder, [lines(folder)[0][:20]])
    with reopen(folder) as pad:
        assert pad.append(RunStarted("q")).seq == 1


def test_calls_left_without_result_are_closed_as_interrupted_in_order(tmp_path: Path) -> None:
    folder = make(tmp_path, [reply("a", "", "", "b"), result(""), UserMessage("wait"), result("b")])
    with reopen(folder) as pad:
        closed = [entry.event for entry in pad.entries(6)]
        assert [(e.call_id, e.status) for e in closed if isinstance(e, ToolResult)] == [
            ("a", "interrupted"),
            ("", "interrupted"),
        ]
        pad.append(reply("next"))
    with reopen(folder) as pad:
        assert pad.seq == 9


def test_a_summary_left_without_outcome_counts_as_refused(tmp_path: Path) -> None:
    folder = make(tmp_path, [reply("a"), result("a"), SummaryAsked(3)])
    with reopen(folder) as pad:
        assert [entry.event for entry in pad.entries(5)] == [SummaryRefused(3, "interrupted")]
    with reopen(folder) as pad:
        assert pad.seq == 5


ROUNDS: tuple[Event, ...] = (reply("a", "b"), result("a"), result("b"), reply("c"), result("c"))


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_a_writer_refuses_to_build_on_a_broken_round(tmp_path: Path, lost: int) -> None:
    folder = make(tmp_path, [*ROUNDS, UserMessage("u")])
    kept = lines(folder)
    kept[lost] = kept[lost][:-9] + b"\n"
    rewrite(folder, kept)
    with pytest.raises(ScratchpadError, match="damaged where going on would build on it"):
        reopen(folder)
    assert len(list(read(folder).entries())) == 6
    assert lines(folder) == kept


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_damage_that_an_edit_has_let_go_is_no_matter(tmp_path: Path, lost: int) -> None:
    folder = make(tmp_path, [*ROUNDS, Dropped(6), UserMessage("u")])
    kept = lines(folder)
    kept[lost] = kept[lost][:-9] + b"\n"
    rewrite(folder, kept)
    with reopen(folder) as pad:
        assert [d.kind for d in pad.damage][:1] == ["lost"]
        assert pad.append(reply("d")).seq == 9


@pytest.mark.parametrize("lost", [4, 5])
def test_losing_an_edit_or_words_does_not_keep_a_run_from_going_on(
    tmp_path: Path, lost: int
) -> None:
    folder = make(tmp_path, [*ROUNDS[:3], UserMessage("x"), Capped(3, 1), UserMessage("u")])
    kept = lines(folder)
    kept[lost] = kept[lost][:-9] + b"\n"
    rewrite(folder, kept)
    with reopen(folder) as pad:
        assert [(d.kind, d.line) for d in pad.damage] == [("lost", lost + 1), ("order", lost + 2)]
        assert pad.append(UserMessage("on")).seq == 8


def test_a_result_lost_from_the_round_still_open_is_closed_as_interrupted(tmp_path: Path) -> None:
    folder = make(tmp_path, ROUNDS[:3])
    kept = lines(folder)
    rewrite(folder, [*kept[:2], b"\0" * 99 + b"\n", kept[3]])
    with reopen(folder) as pad:
        events = {entry.seq: entry.event for entry in pad.entries()}
        assert sorted(events) == [1, 2, 4, 5]
        last = events[5]
        assert isinstance(last, ToolResult)
        assert (last.call_id, last.status) == ("a", "interrupted")


@pytest.mark.parametrize(
    "line",
    [
        b'{"v":1,"seq":3,"at":"2026-03-01T09:30:00Z","event":{"type":"Dreamt","of":1}}\n',
        b'{"v":2,"seq":3,"at":"2026-03-01T09:30:00Z","event":{"type":"UserMessage"}}\n',
        b"broken\nlines\n",
    ],
)
def test_a_writer_never_cuts_off_more_than_one_write(tmp_path: Path, line: bytes) -> None:
    folder = make(tmp_path, [UserMessage("one")])
    kept = [*lines(folder), line]
    rewrite(folder, kept)
    with pytest.raises(ScratchpadError, match="line 3"):
        reopen(folder)
    assert b"".join(lines(folder)) == b"".join(kept)


def test_a_run_whose_start_is_lost_cannot_go_on(tmp_path: Path) -> None:
    folder = make(tmp_path, [UserMessage("one"), reply("a"), result("a"), Dropped(4)])
    rewrite(folder, lines(folder)[1:])
    with pytest.raises(ScratchpadError, match="starts with RunStarted"):
        reopen(folder)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """A real full disk, as far as writing sees it: a short write, then an error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("room", [0, 1, 500])
def test_a_full_disk_leaves_no_half_line(tmp_path: Path, room: int) -> None:
    folder = make(tmp_path, [reply("a")])
    before = lines(folder)
    with reopen(folder) as pad:
        pass
    before = lines(folder)
    with reopen(folder) as pad:
        with (
            file_size_limit(sum(map(len, before)) + room),
            pytest.raises(ScratchpadError, match=r"nothing was recorded. Make room"),
        ):
            pad.append(UserMessage("x" * 1000))
        assert lines(folder) == before
        assert pad.append(UserMessage("y")).seq == 4
        assert [entry.seq for entry in pad.entries()] == [1, 2, 3, 4]


@pytest.mark.parametrize("room", [700, 30_000])
def test_a_full_disk_leaves_no_half_result(tmp_path: Path, room: int) -> None:
    """With little room its file fails; with more its line does, and the file goes too."""
    folder = make(tmp_path, [UserMessage("x" * 29_900), reply("a")])
    with Scratchpad.open(folder, clock=ticking(), inline=1000) as pad:
        before = lines(folder)
        pad.append(reply("b"))
        with file_size_limit(room), pytest.raises(ScratchpadError, match="nothing was recorded"):
            pad.append(result("b", "z" * 20_000))
        assert list((folder / "results").iterdir()) == []
        assert len(lines(folder)) == len(before) + 1
        assert pad.text(pad.append(result("b", "z" * 20_000)).seq) == "z" * 20_000


def test_a_file_changed_or_deleted_under_the_writer_is_noticed(tmp_path: Path) -> None:
    with reopen(make(tmp_path)) as pad:
        path = pad.folder / "scratchpad.jsonl"
        with path.open("ab") as file:
            file.write(b"intruder\n")
        with pytest.raises(ScratchpadError, match="something else changed it"):
            pad.append(UserMessage("one"))
    with reopen(pad.folder) as pad:
        path.unlink()
        with pytest.raises(ScratchpadError, match="it was deleted"):
            pad.append(UserMessage("one"))


def test_what_is_no_run_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "odd" / "scratchpad.jsonl").mkdir(parents=True)
    (tmp_path / "file").write_text("")
    for folder in (tmp_path, tmp_path / "gone", tmp_path / "odd", tmp_path / "file"):
        with pytest.raises(ScratchpadError, match="holds no run"):
            reopen(folder)
        with pytest.raises(ScratchpadError, match="holds no run"):
            read(folder)
    with pytest.raises(ScratchpadError, match="no run can be started"):
        Scratchpad.create(tmp_path / "file", "q", clock=ticking())


@contextmanager
def unprivileged() -> Iterator[Path]:
    """A folder where permissions count, for root as well."""
    with TemporaryDirectory() as root:
        Path(root).chmod(0o755)
        user = os.geteuid()
        try:
            yield Path(root)
        finally:
            os.seteuid(user)


def test_a_read_only_run_is_read_but_not_written() -> None:
    with unprivileged() as root:
        folder = make(root, [UserMessage("one")])
        (folder / "scratchpad.jsonl").chmod(0o444)
        folder.chmod(0o555)
        if os.geteuid() == 0:
            os.seteuid(65534)
        assert len(list(read(folder).entries())) == 2
        with pytest.raises(ScratchpadError, match="cannot be written"):
            reopen(folder)
        with pytest.raises(ScratchpadError, match="no run can be started"):
            Scratchpad.create(folder, "q", clock=ticking())


@pytest.mark.parametrize("fsync", ["each", "batch", "never"])
def test_every_policy_writes_the_same(tmp_path: Path, fsync: Fsync) -> None:
    with Scratchpad.create(tmp_path, "q", clock=ticking(), fsync=fsync, inline=20) as pad:
        given = [pad.append(RunStarted("q"))]
        for _ in range(70):
            given.append(pad.append(reply("a")))
            given.append(pad.append(result("a", "x" * 50)))
            given.append(pad.append(Capped(pad.seq, 9)))
    assert list(read(pad.folder).entries()) == given


def test_times_are_kept_in_utc(tmp_path: Path) -> None:
    east = datetime(2026, 3, 2, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=8)))
    with Scratchpad.create(tmp_path, "q", clock=lambda: east) as pad:
        entry = pad.append(RunStarted("q"))
    assert entry.at == east
    assert entry.at.tzinfo is UTC
