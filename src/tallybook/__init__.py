"""Keep an LLM agent working past its context window, losing nothing it read.

The public API. Names load when they are used, so that importing costs next to nothing;
everything that is not here may move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tallybook.engine import ContextEngine
    from tallybook.errors import (
        BadEvent,
        RecallError,
        ScratchpadError,
        ScratchpadLocked,
        TallybookError,
        ViewTooLarge,
    )
    from tallybook.policy.limits import Limits
    from tallybook.policy.needs import Need, NeedMemoryFlush, NeedSummary
    from tallybook.recall.tool import recall_spec
    from tallybook.scratchpad import Scratchpad, read, runs
    from tallybook.scratchpad.events import (
        Answered,
        AssistantMessage,
        Body,
        RunStarted,
        ToolCall,
        ToolResult,
        Usage,
        UserMessage,
    )
    from tallybook.view.project import project
    from tallybook.view.size import fullness
    from tallybook.view.view import View

__version__ = "0.1.0"

_HOMES = {
    "ContextEngine": "engine",
    "BadEvent": "errors",
    "RecallError": "errors",
    "ScratchpadError": "errors",
    "ScratchpadLocked": "errors",
    "TallybookError": "errors",
    "ViewTooLarge": "errors",
    "Limits": "policy.limits",
    "Need": "policy.needs",
    "NeedMemoryFlush": "policy.needs",
    "NeedSummary": "policy.needs",
    "Scratchpad": "scratchpad",
    "View": "view.view",
    "fullness": "view.size",
    "project": "view.project",
    "read": "scratchpad",
    "recall_spec": "recall.tool",
    "runs": "scratchpad",
    "Answered": "scratchpad.events",
    "AssistantMessage": "scratchpad.events",
    "Body": "scratchpad.events",
    "RunStarted": "scratchpad.events",
    "ToolCall": "scratchpad.events",
    "ToolResult": "scratchpad.events",
    "Usage": "scratchpad.events",
    "UserMessage": "scratchpad.events",
}

__all__ = [
    "Answered",
    "AssistantMessage",
    "BadEvent",
    "Body",
    "ContextEngine",
    "Limits",
    "Need",
    "NeedMemoryFlush",
    "NeedSummary",
    "RecallError",
    "RunStarted",
    "Scratchpad",
    "ScratchpadError",
    "ScratchpadLocked",
    "TallybookError",
    "ToolCall",
    "ToolResult",
    "Usage",
    "UserMessage",
    "View",
    "ViewTooLarge",
    "fullness",
    "project",
    "read",
    "recall_spec",
    "runs",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tallybook' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"tallybook.{_HOMES[name]}"), name)
