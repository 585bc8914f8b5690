"""Say what fills the window when nothing more may be let go, and what to do about it."""

from __future__ import annotations

from tallybook.scratchpad.events import UserMessage
from tallybook.view.measure import Measure
from tallybook.view.size import most, tokens
from tallybook.view.view import View


def too_large(view: View) -> str:
    """One sentence each: the size, its largest parts, the way out."""
    parts = _parts(view)
    largest = max(parts, key=lambda name: parts[name])
    listed = ", ".join(f"{name} {size:,}" for name, size in parts.items() if size)
    return (
        f"The view needs up to {most(view):,} tokens of a window of {view.window:,} and nothing "
        f"more may be let go: {listed}. {_way_out(largest)}"
    )


def _parts(view: View) -> dict[str, int]:
    newest = view.newest()
    words = sum((i.size for i in view.items if isinstance(i.message, UserMessage)), Measure())
    items = sum((item.size for item in view.items), Measure())
    parts = {
        "system prompt and tools": tokens(view, view.total - items),
        "the user's own words": tokens(view, words),
    }
    if newest:
        parts[f"the newest round (reply {newest.reply.seq})"] = tokens(view, newest.size)
    return parts


def _way_out(largest: str) -> str:
    match largest:
        case "system prompt and tools":
            return "Shorten the system prompt, offer fewer tools, or use a larger window."
        case "the user's own words":
            return "Put long text in a file and let a tool read it, or use a larger window."
        case _:
            return "Let the tools of that round return less at a time, or use a larger window."
