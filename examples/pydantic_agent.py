"""A Pydantic AI agent that reads far more than its window holds. Offline: a scripted model."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic_ai import Agent

from tallybook.adapters.pydantic_ai import Tallybook
from tallybook.testing import ScriptedModel, call, say

script = [*[call("filing", page=page) for page in range(30)], say("Read all thirty.")]


async def main() -> None:
    """Thirty pages of about 1,000 tokens in a window of 8,000."""
    with TemporaryDirectory() as folder:
        tallybook = Tallybook(root=Path(folder))
        agent = Agent(ScriptedModel(script, window=8_000), capabilities=[tallybook])

        @agent.tool_plain(metadata={"read_only": True})
        def filing(page: int) -> str:
            """A page of a filing."""
            return f"Page {page}: revenue of 94,036 million, up from 85,777 million. " * 60

        result = await agent.run("Read the filing.")
        pad = tallybook.engine.scratchpad
        print(result.output, f"{pad.seq} entries are kept in {pad.id}.")


if __name__ == "__main__":
    asyncio.run(main())
