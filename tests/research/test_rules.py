from __future__ import annotations

from pathlib import Path

import pytest

from tallybook.errors import ConfigError
from tallybook.research.rules import MOST_CHARS, find_rules, with_rules


def test_rules_of_the_home_come_before_those_of_the_folder(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "folder"
    for place, text in ((home, "In English."), (folder, "In millions.\n")):
        place.mkdir()
        (place / "RULES.md").write_text(text)
    prompt = with_rules("You are an analyst.\n", find_rules((home, folder)))
    assert prompt.startswith("You are an analyst.\n\nStanding rules")
    assert prompt.index("In English.") < prompt.index("In millions.")
    assert str(tmp_path) not in prompt


def test_one_file_is_taken_once_and_an_empty_one_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "RULES.md").write_text("Once.")
    assert len(find_rules((tmp_path, tmp_path))) == 1
    (tmp_path / "RULES.md").write_text(" \n")
    assert find_rules((tmp_path,)) == ()
    assert with_rules("Prompt.", ()) == "Prompt."


def test_rules_that_are_too_long_are_cut_and_say_so(tmp_path: Path) -> None:
    (tmp_path / "RULES.md").write_text("x" * 10_000)
    [rules] = find_rules((tmp_path,))
    assert (len(rules.text), rules.chars) == (MOST_CHARS, 10_000)
    assert "only its first 8,000 of 10,000 characters are rules" in with_rules("", [rules])


def test_rules_that_are_no_text_are_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "RULES.md").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="save it as UTF-8"):
        find_rules((tmp_path,))
