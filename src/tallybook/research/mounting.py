"""Tools of ours as Pydantic AI calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from pydantic_ai import Tool as MountedTool
from pydantic_ai.exceptions import ToolFailed

from tallybook.tools.failure import ToolFailure


class Mountable(Protocol):
    """What a `tallybook.tools.tool.Tool` offers, whatever its request is."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def description(self) -> str: ...  # noqa: D102
    @property
    def read_only(self) -> bool: ...  # noqa: D102
    def schema(self) -> dict[str, object]: ...  # noqa: D102
    async def call(self, arguments: Mapping[str, object]) -> str: ...  # noqa: D102


def mounted(tool: Mountable, blot: Callable[[str], str] = str) -> MountedTool[None]:
    """A tool as Pydantic AI calls it; a failure becomes a result with status `error`.

    One that is not read-only runs alone. `blot` takes secrets out of what it says.
    """

    async def call(**arguments: object) -> str:
        try:
            return blot(await tool.call(arguments))
        except ToolFailure as failure:
            raise ToolFailed(blot(str(failure))) from failure

    made = MountedTool[None].from_schema(
        call, tool.name, tool.description, tool.schema(), sequential=not tool.read_only
    )
    made.metadata = {"read_only": tool.read_only}
    return made
