"""What each provider demands of a request's messages, by its documentation; one module each."""

from tallybook.adapters.rules.check import violations
from tallybook.adapters.rules.violation import Violation

__all__ = ["Violation", "violations"]
