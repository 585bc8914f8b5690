"""Claude Code's session JSONL: Anthropic messages, one block per line, among notes of its own.

Lines of one reply share the message's `id`. The messages are kept as Anthropic's, so that they
can be sent; each line, less its content, is kept beside. A sidechain is another agent's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from tallybook.adapters.recorded.anthropic import take
from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import Json, bill, fields, without, word

_BILL = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def read(records: Sequence[Json]) -> list[Draft]:
    """The main conversation, then the sidechains of each subagent."""
    chains: dict[str, Draft] = {}
    for key, group in groupby(_placed(records), key=lambda one: one[0]):
        chain, _ = key
        draft = chains.setdefault(chain, Draft("anthropic", {"source": "claude_code"}))
        lines = [record for _, record in group]
        _take(draft, lines)
    return [draft for _, draft in sorted(chains.items()) if draft.said]


def _placed(records: Sequence[Json]) -> Iterator[tuple[tuple[str, object], Json]]:
    """Each line with its chain and the message that it belongs to."""
    for number, record in enumerate(records):
        message = fields(record.get("message"))
        side = record.get("isSidechain") is True
        chain = (word(record.get("agentId")) or "sidechain") if side else ""
        reply = word(message.get("id")) if message.get("role") == "assistant" else ""
        yield (chain, reply or number), record


def _take(draft: Draft, lines: Sequence[Json]) -> None:
    message = fields(lines[-1].get("message"))
    if not message.get("role"):
        for line in lines:
            draft.aside(line)
        return
    spoken: Json = {"role": message["role"], "content": _content(lines)}
    draft.model = draft.model or word(message.get("model"))
    usage = bill(fields(message.get("usage")), _BILL)
    take(draft, spoken, [_emptied(line) for line in lines], usage)


def _content(lines: Sequence[Json]) -> object:
    contents = [fields(line.get("message")).get("content") for line in lines]
    if len(contents) == 1:
        return contents[0]
    return [
        block
        for content in contents
        for block in (content if isinstance(content, list) else [{"type": "text", "text": content}])
    ]


def _emptied(line: Json) -> Json:
    return {**line, "message": without(fields(line.get("message")), "content")}
