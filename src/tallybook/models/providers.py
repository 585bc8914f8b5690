"""A model by its name, with keys and addresses that were passed in rather than found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import Provider, infer_provider_class

from tallybook.models.windows import resolve

Lookup = Callable[[str], str]
"""Gives the value of a variable such as `OPENAI_API_KEY`, empty where there is none."""


def model_named(name: str, value_of: Lookup) -> Model:
    """The model that Pydantic AI knows by `name`, such as `openai:gpt-5.4`.

    The key of a provider is `<PROVIDER>_API_KEY`, another address `<PROVIDER>_BASE_URL`.
    Raises UserError for a missing key, ValueError for a name that nobody knows, ImportError for
    a provider whose client is not installed.
    """

    def provider(host: str) -> Provider[Any]:
        house = resolve(f"{host}:any").provider.upper().replace("-", "_")
        given = {"api_key": value_of(f"{house}_API_KEY"), "base_url": value_of(f"{house}_BASE_URL")}
        make: Callable[..., Provider[Any]] = infer_provider_class(host)
        return make(**{option: value for option, value in given.items() if value})

    return infer_model(name, provider)
