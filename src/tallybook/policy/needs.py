"""What the engine asks of its caller, who has the I/O."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


class Need(msgspec.Struct, frozen=True):
    """A text to be written by a model: send `prompt`, hand the reply to `engine.supply`."""

    prompt: str


class NeedSummary(Need, frozen=True):
    """A summary in nine sections of everything up to `through`.

    `sources` are the numbers of the results it must not lose a figure of, `tokens` is the
    most it may have. `again` says that it was written before, with figures of no source.
    """

    through: int
    sources: tuple[int, ...] = ()
    tokens: int = 0
    again: bool = False


class NeedMemoryFlush(Need, frozen=True):
    """Notes worth keeping beyond this run; `NOTHING` as the reply means that there are none."""


NOTHING = "NOTHING_TO_KEEP"


@cache
def template(name: str) -> str:
    """A prompt of this package, as the text of its file."""
    return files("tallybook.policy").joinpath("prompts", f"{name}.md").read_text("utf-8")
