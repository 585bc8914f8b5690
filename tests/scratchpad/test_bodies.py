from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

from tests.scratchpad.helpers import reply, result, ticking

from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.bodies import load, name_of, store
from tallybook.scratchpad.events import Body, RunStarted

if TYPE_CHECKING:
    from pathlib import Path


def test_a_name_is_safe_whatever_the_tool_is_called() -> None:
    assert name_of(7, "web_search") == "results/7-web_search.txt"
    assert name_of(7, "../../etc/passwd") == "results/7-.._.._etc_passwd.txt"
    assert name_of(7, "数据") == "results/7-_.txt"
    assert name_of(7, "") == "results/7-tool.txt"
    assert len(name_of(7, "x" * 500)) < 100


def test_what_was_stored_is_loaded(tmp_path: Path) -> None:
    text = "數\r\n\udc80\ud83d\ude00\0" * 300_000
    body = store(tmp_path, "results/1-t.txt", text, sync=True)
    assert body.text is None
    assert load(tmp_path, body).text == text


def test_a_body_with_neither_text_nor_file_is_missing(tmp_path: Path) -> None:
    assert load(tmp_path, Body()).damage == "missing"


def test_50_megabytes_are_kept_without_a_pile_of_copies(tmp_path: Path) -> None:
    text = "0123456789abcde\n" * (50_000_000 // 16)
    with Scratchpad.create(tmp_path, "q", clock=ticking(), fsync="never") as pad:
        pad.append(RunStarted("q"))
        pad.append(reply("a"))
        tracemalloc.start()
        try:
            pad.append(result("a", text))
            assert tracemalloc.get_traced_memory()[1] < len(text) / 10
            assert pad.text(3) == text
            assert tracemalloc.get_traced_memory()[1] < len(text) * 2.2
        finally:
            tracemalloc.stop()
