"""The engine: records what happened, decides what is let go, hands out the view.

It asks its caller for I/O and does none but the scratchpad's. The whole integration:

    while isinstance(step := engine.next(), Need):
        engine.supply(step, fast_model(step.prompt))
    reply = model(step)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from tallybook.errors import ScratchpadError, ViewError, ViewTooLarge
from tallybook.policy.decide import decide
from tallybook.policy.digest import digest
from tallybook.policy.limits import Limits
from tallybook.policy.memory import kept
from tallybook.policy.needs import Need, NeedMemoryFlush, NeedSummary
from tallybook.policy.sizes import too_large
from tallybook.policy.summarize import extract, fitted, framed, need_summary
from tallybook.policy.verdict import Draft, Verdict, Verify, accept, ask_again
from tallybook.recall.tool import recall
from tallybook.scratchpad import Scratchpad
from tallybook.scratchpad.events import (
    Dropped,
    Entry,
    Event,
    MemoryFlushed,
    Overflowed,
    Summarized,
    SummaryAsked,
    SummaryRefused,
)
from tallybook.view.check import check
from tallybook.view.edits import apply
from tallybook.view.measure import Count, by_kind
from tallybook.view.project import project, step
from tallybook.view.size import fullness, most
from tallybook.view.view import Item, View


@dataclass
class ContextEngine:
    """One run's engine; single-threaded, and the only writer of its scratchpad.

    `count` measures text (`exactly(tokenizer)` for an exact count). `verify` may mend or
    refuse a summary; the usual one checks its figures. `on_entry` is told of every entry after
    it is written.
    """

    scratchpad: Scratchpad
    limits: Limits = field(default_factory=Limits)
    count: Count = by_kind
    verify: Verify | None = None
    on_entry: Callable[[Entry], None] | None = None
    view: View = field(default_factory=View)
    _pending: Need | None = field(default=None, init=False)
    _sound: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if not self.view.at:
            self.view = project(self.scratchpad.entries(), self.count)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        clock: Callable[[], datetime],
        limits: Limits | None = None,
        count: Count = by_kind,
    ) -> ContextEngine:
        """Go on with the run in `folder`, checked and folded in one pass over its scratchpad."""
        view = View(count=count)

        def take(entry: Entry) -> None:
            nonlocal view
            view = step(view, entry)

        scratchpad = Scratchpad.open(folder, clock=clock, visit=take)
        return cls(scratchpad, limits or Limits(), count, view=view)

    def record(self, event: Event) -> Entry:
        """Write an event, then take it into the view; a bad one raises BadEvent and is not kept."""
        entry = self.scratchpad.append(event)
        self.view = step(self.view, entry)
        if isinstance(event, Summarized | Dropped):
            self._sound = 0
        if self.on_entry:
            self.on_entry(entry)
        return entry

    def next(self) -> View | Need:
        """The view to send, or a text that someone must write first.

        Raises ViewTooLarge, with the sizes and the way out, where nothing more may be let go.
        """
        if self._pending:
            return self._pending
        while (decision := decide(self.view, self.limits)) is not None:
            if isinstance(decision, Need):
                return self._ask(decision)
            self.record(decision)
        self._ensure_sendable()
        return self.view

    def supply(self, need: Need, text: str | None, *, model: str = "") -> None:
        """Hand in what a need asked for; None where it could not be had.

        Without a model's summary one is put together from the view alone. A need that was
        answered already, or was overtaken, is ignored.
        """
        if need is not self._pending:
            return
        self._pending = None
        match need:
            case NeedSummary():
                self._summarized(need, text or "", model)
            case NeedMemoryFlush():
                self.record(MemoryFlushed(kept(text or ""), ok=text is not None))

    def compact(self) -> Need | None:
        """Ask for a summary now, or get the one under way; None with nothing to sum up."""
        if self._pending:
            return self._pending
        need = need_summary(self.view, self.limits, by_hand=True)
        return self._ask(need) if need else None

    def overflowed(
        self, message: str = "", *, limit: int | None = None, requested: int | None = None
    ) -> None:
        """The provider refused the view as too long; `limit` and `requested` in tokens, if said.

        Raises ViewTooLarge when it has refused too often or nothing can be let go.
        """
        self.record(Overflowed(message, limit, requested))
        if self.view.overflowed > self.limits.max_overflows:
            raise ViewTooLarge(
                f"The provider refused this request {self.view.overflowed} times as too long, "
                f"the last time at about {self.view.refused_size:,} tokens "
                f"({message or 'no reason given'}). Use a model with a larger window, or shorten "
                "the system prompt and the tools."
            )

    def recall(self, arguments: str) -> str:
        """Answer a recall call: the arguments as the model wrote them, the text for its result.

        Raises RecallError, whose message is meant for the model.
        """
        limit = self.limits.recall_chars(self.view.window)
        return recall(self.scratchpad, arguments, limit=limit)

    def _ask(self, need: Need) -> Need:
        self._pending = need
        if isinstance(need, NeedSummary):
            self.record(SummaryAsked(need.through, fullness(self.view).used))
        return need

    def _summarized(self, need: NeedSummary, reply: str, model: str) -> None:
        written = extract(reply)
        by_model = bool(written) or self.limits.counts is not None
        verify = self.verify or _usual(self.limits)
        verdict = verify(self.view, need, self._draft(need, written, by_model), self._original)
        model = model if by_model else ""
        if verdict.refusal:
            self.record(SummaryRefused(need.through, verdict.refusal, model))
        elif verdict.invented and by_model and not need.again:
            self._ask(ask_again(need, verdict.invented))
        else:
            self._stand_in(need, verdict, model)

    def _draft(self, need: NeedSummary, written: str, by_model: bool) -> Draft:
        """The model's summary, or one put together without a model, in any size."""
        if by_model:
            return lambda most: fitted(self.view, written, most)
        return lambda most: digest(self.view, replace(need, tokens=most))

    def _stand_in(self, need: NeedSummary, verdict: Verdict, model: str) -> None:
        """Put a summary into the view, with what it saves."""
        text = framed(self.view, need.through, verdict.summary)
        before = fullness(self.view).used
        draft = Summarized(need.through, text, model, verdict.check, before)
        after = fullness(apply(self.view, draft)).used
        self.record(replace(draft, tokens_after=after))

    def _original(self, item: Item) -> str:
        """An item's text as recorded; as it is shown, where the file is missing or altered."""
        try:
            return self.scratchpad.text(item.seq)
        except ScratchpadError:
            return item.text

    def _ensure_sendable(self) -> None:
        view = self.view
        if faults := check(view, self._sound):
            raise ViewError(f"This view cannot be sent: {'; '.join(faults)}.")
        self._sound = view.items[-1].seq
        used = fullness(view).used
        refused = view.overflowed and (not view.shrunk or used >= view.refused_size)
        if refused or (self.limits.counts is None and most(view) > view.window):
            raise ViewTooLarge(too_large(view))


def _usual(limits: Limits) -> Verify:
    """The check of figures, imported only now: its patterns take time to compile."""
    if not limits.verify:
        return accept
    from tallybook.policy.verify import verified

    return verified
