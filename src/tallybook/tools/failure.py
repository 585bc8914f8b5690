"""A tool that cannot do what it was asked says so in one sentence a model can act on."""

from __future__ import annotations

from tallybook.errors import TallybookError


class ToolFailure(TallybookError):
    """What went wrong and what to do; a shell records it as a result with status `error`."""
