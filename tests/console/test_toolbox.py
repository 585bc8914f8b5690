from __future__ import annotations

import asyncio

import pytest

from tallybook.console.settings import Settings
from tallybook.console.toolbox import toolbox
from tallybook.tools.failure import ToolFailure
from tests.loopback import serve

ASKED = {"symbols": ["ACME"], "start": "2026-01-01", "end": "2026-01-31"}


def _asked(server: str, **keys: str) -> list[str]:
    """Ask for prices with every service at `server`."""
    services = ("YAHOO", "TIINGO", "FINANCIAL_DATASETS")
    settings = Settings({**{f"TALLYBOOK_{name}_URL": server for name in services}, **keys})
    prices = next(tool for tool in toolbox(settings) if tool.name == "get_market_data")
    with pytest.raises(ToolFailure) as told:
        asyncio.run(prices.call(ASKED))
    return [str(told.value)]


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ({}, "/v8/finance/chart/ACME"),
        ({"TIINGO_API_KEY": "hunter2"}, "/tiingo/daily/acme/prices"),
        ({"FINANCIAL_DATASETS_API_KEY": "hunter2"}, "/prices"),
    ],
)
def test_the_service_whose_key_is_set_is_asked_and_the_key_not_shown(
    keys: dict[str, str], path: str
) -> None:
    with serve({}) as server:
        told = _asked(server.url, **keys)
        assert path in {asked.partition("?")[0] for asked in server.paths()}
    assert "hunter2" not in told[0]


def test_every_tool_only_reads_and_has_a_name_of_its_own() -> None:
    tools = toolbox(Settings({}))
    assert len({tool.name for tool in tools}) == len(tools)
    assert all(tool.read_only for tool in tools)
