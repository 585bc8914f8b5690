"""Scratchpads of every schema version load for ever and give the same views for ever.

`v1/run` holds every kind of event; `v1/views.json` what the model saw after each entry. They
were written once and are never changed: a new version gets a folder of its own.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from tallybook.scratchpad import read
from tallybook.scratchpad.codec import decode, encode
from tallybook.scratchpad.events import Event
from tallybook.view.project import project
from tallybook.view.view import View

HERE = Path(__file__).parent
VERSIONS = sorted(folder.name for folder in HERE.iterdir() if (folder / "run").is_dir())


def test_every_kind_of_event_is_in_one_and_nothing_is_damaged() -> None:
    readers = [read(HERE / version / "run") for version in VERSIONS]
    kinds = {type(entry.event) for reader in readers for entry in reader.entries()}
    assert all(reader.damage == () for reader in readers)
    assert kinds == set(Event.__args__)


@pytest.mark.parametrize("version", VERSIONS)
def test_it_gives_the_same_views_for_ever(version: str) -> None:
    reader = read(HERE / version / "run")
    views = json.loads((HERE / version / "views.json").read_text("utf-8"))
    assert reader.seq == len(views)
    for number, expected in enumerate(views, 1):
        view = project(islice(reader.entries(), number))
        assert shown(view) == expected, f"after entry {number}"


@pytest.mark.parametrize("version", VERSIONS)
def test_its_lines_are_written_as_they_were(version: str) -> None:
    lines = read(HERE / version / "run").path.read_bytes().splitlines(keepends=True)
    assert [encode(decode(line)) for line in lines] == lines


def shown(view: View) -> dict[str, object]:
    """What the model sees, as plain JSON."""
    return {
        "system": view.system,
        "window": view.window,
        "caution": view.caution,
        "items": [[item.seq, item.form, item.text] for item in view.items],
    }
