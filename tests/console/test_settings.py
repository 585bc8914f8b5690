from __future__ import annotations

from pathlib import Path

import pytest

from tallybook.console.assemble import Choices, model_name, research_of
from tallybook.console.settings import read_settings
from tallybook.errors import ConfigError

KEY = "sk-test-0123456789"


def test_the_environment_wins_over_the_folder_and_the_folder_over_the_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(
        'model = "a:1"\nfast = "a:2"\nwindow = 32000\n[keys]\nOPENAI_API_KEY = "from-the-home"\n'
    )
    (tmp_path / ".env").write_text(
        '# keys\nexport OPENAI_API_KEY="from the folder" # mine\n\nTALLYBOOK_FAST=b:2 # quick\n'
    )
    settings = read_settings({"TALLYBOOK_MODEL": "c:1", "EMPTY": ""}, tmp_path, home)
    assert settings.get("TALLYBOOK_MODEL") == "c:1"
    assert settings.get("TALLYBOOK_FAST") == "b:2"
    assert settings.get("OPENAI_API_KEY") == "from the folder"
    assert settings.number("TALLYBOOK_WINDOW") == 32_000


def test_keys_are_blotted_out_and_stand_in_no_representation(tmp_path: Path) -> None:
    settings = read_settings({"X_API_KEY": KEY, "SHORT_KEY": "abc"}, tmp_path, tmp_path)
    assert settings.blot(f"abc: {KEY}{KEY}!") == "abc: ……!"
    assert KEY not in repr(settings)
    research = research_of(Choices(tmp_path, tmp_path, offline=True), settings)
    assert KEY not in repr(research)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (".env", "no equals sign", "line 1: write NAME=value"),
        ("config.toml", "model = ", "is not TOML"),
        ("config.toml", "modle = 1", "modle is no setting"),
        ("config.toml", "keys = 1", "keys is no setting"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=said):
        read_settings({}, tmp_path, tmp_path)


def test_a_window_that_is_no_number_is_said_so(tmp_path: Path) -> None:
    settings = read_settings({"TALLYBOOK_WINDOW": "big"}, tmp_path, tmp_path)
    with pytest.raises(ConfigError, match="must be a whole number"):
        research_of(Choices(tmp_path, tmp_path), settings)


def test_the_first_key_chooses_the_model_and_a_named_one_wins(tmp_path: Path) -> None:
    settings = read_settings({"ANTHROPIC_API_KEY": KEY}, tmp_path, tmp_path)
    choices = Choices(tmp_path, tmp_path)
    assert model_name(choices, settings) == "anthropic:claude-sonnet-4-6"
    assert model_name(Choices(tmp_path, tmp_path, model="openai:gpt-5"), settings) == "openai:gpt-5"
    assert model_name(Choices(tmp_path, tmp_path, offline=True), settings) == ""


def test_a_model_without_its_key_and_one_nobody_knows_are_mistakes_in_a_sentence(
    tmp_path: Path,
) -> None:
    settings = read_settings({}, tmp_path, tmp_path)
    for name in ("openai:gpt-5", "nobody:nothing"):
        with pytest.raises(ConfigError):
            research_of(Choices(tmp_path, tmp_path, model=name), settings)
