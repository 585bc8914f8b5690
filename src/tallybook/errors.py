"""Everything Tallybook raises: one root, few children.

A message names the thing that failed and the way out.
"""


class TallybookError(Exception):
    """Root of every error that Tallybook raises."""


class ScratchpadError(TallybookError):
    """A scratchpad cannot be opened, read or appended to."""


class ScratchpadLocked(ScratchpadError):
    """Another process is writing this run."""


class BadEvent(ScratchpadError):
    """An event contradicts what the scratchpad already holds; nothing was written."""


class ViewError(TallybookError):
    """A view cannot be sent: it would break a rule that every provider has."""


class ViewTooLarge(TallybookError):
    """Even with everything let go that may be, the view exceeds the window."""


class OutOfRounds(TallybookError):
    """The round limit is reached and no closing answer could be had; the run can be resumed."""


class RecallError(TallybookError):
    """A result cannot be brought back as asked."""


class ConfigError(TallybookError):
    """An option or a setting is wrong."""
