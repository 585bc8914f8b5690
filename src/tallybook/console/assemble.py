"""Put the research agent together from what was asked for and what is set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model

from tallybook.adapters.pydantic_ai import Conversation
from tallybook.console.settings import Settings
from tallybook.console.toolbox import toolbox
from tallybook.errors import ConfigError
from tallybook.models.providers import model_named
from tallybook.models.windows import resolve
from tallybook.policy.limits import Limits
from tallybook.research.agent import Research
from tallybook.research.analyst import OfflineAnalyst
from tallybook.research.rules import find_rules
from tallybook.tools.finance.edgar import Edgar, EdgarOptions
from tallybook.tools.finance.financials import FactsSource
from tallybook.tools.finance.sample import Sample

USUAL: Mapping[str, str] = MappingProxyType(
    {
        "OPENAI_API_KEY": "openai:gpt-5.4",
        "ANTHROPIC_API_KEY": "anthropic:claude-sonnet-4-6",
        "GOOGLE_API_KEY": "google-gla:gemini-3.5-flash",
        "DEEPSEEK_API_KEY": "deepseek:deepseek-v4-pro",
    }
)
"""The model of the first key that is set, unless one is named."""


@dataclass(frozen=True)
class Choices:
    """What the options of a command say; `home` and `folder` are where to keep and to look."""

    home: Path
    folder: Path
    model: str = ""
    fast: str = ""
    window: int | None = None
    limits: str = "default"
    rounds: int = 60
    edgar: str = ""
    offline: bool = False


def research_of(choices: Choices, settings: Settings) -> Research:
    """The agent as chosen and set. Raises ConfigError."""
    name = model_name(choices, settings)
    window = choices.window or settings.number("TALLYBOOK_WINDOW")
    if window is not None and window < 4_000:
        raise ConfigError(f"--window {window} is too small: 4000 tokens is the least.")
    if choices.rounds < 1:
        raise ConfigError(f"--rounds {choices.rounds} leaves no round: 1 is the least.")
    fast = choices.fast or settings.get("TALLYBOOK_FAST")
    known = resolve(name, window=window, fast=fast or None) if name else None
    sibling = known.fast_sibling if known else None
    return Research(
        model=_model(name, settings) if name else OfflineAnalyst(window=window),
        facts=_facts(choices, settings),
        root=choices.home / "runs",
        limits=Limits.reference() if choices.limits == "reference" else Limits(),
        window=known.window if known else window,
        fast=_model(sibling, settings) if sibling else None,
        tools=toolbox(settings, identity(settings)) if name else (),
        conversation=Conversation(rounds=choices.rounds, blot=settings.blot),
        rules=find_rules((choices.home, choices.folder)),
    )


def model_name(choices: Choices, settings: Settings) -> str:
    """The model asked for, else the usual one of the first key that is set, else none."""
    if choices.offline:
        return ""
    chosen = choices.model or settings.get("TALLYBOOK_MODEL")
    return chosen or next((model for key, model in USUAL.items() if settings.get(key)), "")


def identity(settings: Settings) -> str:
    """Who asks SEC EDGAR: a name and an e-mail address."""
    return settings.get("TALLYBOOK_EDGAR_IDENTITY") or settings.get("EDGAR_IDENTITY")


def _model(name: str, settings: Settings) -> Model:
    try:
        return model_named(name, settings.get)
    except (UserError, ValueError, ImportError) as error:
        raise ConfigError(settings.blot(f"{name} cannot be used: {error}")) from error


def _facts(choices: Choices, settings: Settings) -> FactsSource:
    who = identity(settings)
    mirror = choices.edgar or settings.get("TALLYBOOK_EDGAR_URL")
    if choices.offline or not (who or mirror):
        return Sample()
    cache = choices.home / "cache" / "edgar"
    if mirror:
        return Edgar(EdgarOptions(who, mirror, mirror, cache))
    return Edgar(EdgarOptions(who, cache=cache))
