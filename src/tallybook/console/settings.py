"""Settings: the environment first, then `.env` in the working folder, then `config.toml`.

Only the command line reads them, here. A key is known by the name of its variable in all three
places; it is never shown, and `blot` takes every key out of a sentence before it is printed or
recorded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tallybook.errors import ConfigError

_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_SECRET = re.compile(r"(?:_KEY|_TOKEN|_SECRET|_PASSWORD)$")
_SHORTEST = 8
"""Shorter values are no keys but words, and blotting them would garble the text."""

_NAMES: Mapping[str, str] = {
    "model": "TALLYBOOK_MODEL",
    "fast": "TALLYBOOK_FAST",
    "window": "TALLYBOOK_WINDOW",
    "edgar_identity": "TALLYBOOK_EDGAR_IDENTITY",
    "edgar_url": "TALLYBOOK_EDGAR_URL",
}


@dataclass(frozen=True)
class Settings:
    """Values by the names of their variables; the representation holds none of them."""

    values: Mapping[str, str] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> str:
        """A value, empty where there is none."""
        return self.values.get(name, "")

    def number(self, name: str) -> int | None:
        """A whole number. Raises ConfigError where something else stands."""
        text = self.get(name).replace("_", "")
        if text and not text.isdecimal():
            raise ConfigError(f"{name} is {text!r}: it must be a whole number.")
        return int(text) if text else None

    def secrets(self) -> list[str]:
        """Every key, the longest first, so that none is left in part."""
        found = {
            value
            for name, value in self.values.items()
            if _SECRET.search(name) and len(value) >= _SHORTEST
        }
        return sorted(found, key=len, reverse=True)

    def blot(self, text: str) -> str:
        """The text without any key."""
        for secret in self.secrets():
            text = text.replace(secret, "…")
        return text


def read_settings(environment: Mapping[str, str], folder: Path, home: Path) -> Settings:
    """What is set in the environment, in `folder/.env` and in `home/config.toml`.

    Raises ConfigError for a file that cannot be read.
    """
    values = {**_toml(home / "config.toml"), **_dotenv(folder / ".env")}
    return Settings({**values, **{name: text for name, text in environment.items() if text}})


def _dotenv(path: Path) -> dict[str, str]:
    """Lines `NAME=value`, perhaps with `export` in front and quotes around; no substitution."""
    found: dict[str, str] = {}
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ConfigError(f"{path}, line {number}: write NAME=value, or # for a comment.")
        found[match[1]] = _unquoted(match[2])
    return found


def _unquoted(value: str) -> str:
    value = value.strip()
    if value[:1] in {'"', "'"} and (end := value.find(value[0], 1)) > 0:
        return value[1:end]
    return value.partition(" #")[0].rstrip()


def _toml(path: Path) -> dict[str, str]:
    """Top-level settings by their short names, and a table `[keys]` by variable names."""
    try:
        table = tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML ({error}).") from error
    keys = table.pop("keys", {})
    unknown = sorted(set(table) - set(_NAMES))
    if unknown or not isinstance(keys, dict):
        wrong = ", ".join(unknown) or "keys"
        raise ConfigError(
            f"{path}: {wrong} is no setting. There are {', '.join(_NAMES)}, and a table [keys]."
        )
    own = {_NAMES[name]: str(value) for name, value in table.items()}
    return {**own, **{str(name): str(value) for name, value in keys.items()}}


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: save it as UTF-8 text you may read.") from error
