"""A rule that a request breaks, and where."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Violation:
    """`rule` is a name that stays the same; `where` says which message, and what of it."""

    rule: str
    where: str
