"""A tool as every shell mounts it: a name, a typed request and what answers it.

A tool knows no framework. Its parameters are a msgspec struct, so that the schema a model sees
and the check of what it sends are one; what goes wrong is a `ToolFailure` that says what to do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from tallybook.tools.failure import ToolFailure

R = TypeVar("R", bound=msgspec.Struct)


@dataclass(frozen=True)
class Tool(Generic[R]):
    """One tool. `run` gives the text of its result or raises `ToolFailure`.

    `read_only` says that asking again changes nothing: such a result may be cleared from the
    view. A tool that is not read-only needs the user's approval.
    """

    name: str
    description: str
    request: type[R]
    run: Callable[[R], Awaitable[str]]
    read_only: bool = True

    def schema(self) -> dict[str, object]:
        """The JSON schema of the request, self-contained: nested types under `$defs`."""
        schema = msgspec.json.schema(self.request)
        definitions: dict[str, object] = dict(schema["$defs"])
        own = definitions.pop(self.request.__name__)
        parameters: dict[str, object] = dict(own) if isinstance(own, dict) else {}
        return {**parameters, "$defs": definitions} if definitions else parameters

    async def call(self, arguments: Mapping[str, object]) -> str:
        """Check a model's arguments and answer them; wrong ones fail with what is wrong."""
        try:
            request = msgspec.convert(dict(arguments), self.request, strict=False)
        except msgspec.ValidationError as error:
            raise ToolFailure(f"The arguments of {self.name} are wrong: {error}.") from error
        return await self.run(request)
