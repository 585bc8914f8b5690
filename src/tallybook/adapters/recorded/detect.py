"""Tell recordings apart by looking at them: names of files and folders say nothing."""

from __future__ import annotations

from collections.abc import Sequence

from tallybook.adapters.recorded import (
    anthropic,
    bedrock,
    claude_code,
    gemini,
    langchain,
    openai,
    otel,
    pi,
    plain_log,
    responses,
    swe_agent,
    tau,
)
from tallybook.adapters.recorded.draft import Draft
from tallybook.adapters.recorded.values import Json, fields, rows, without
from tallybook.errors import ConfigError

_BLOCKS = (
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "server_tool_use",
    "compaction",
)
_LANGCHAIN = ("human", "ai", "system", "tool")


def conversations(records: Sequence[Json]) -> list[Draft]:
    """The conversations of a file, in order. Raises ConfigError where the format is not known."""
    if any("request" in record and "uri" in record for record in records):
        return [_exchange(record) for record in records]
    if len(records) == 1 and not _is_item(records[0]):
        return _document(records[0])
    return _lines(records)


def _exchange(record: Json) -> Draft:
    """A request over HTTP with its reply, which is kept with the rest of the document."""
    [draft] = _document(fields(record.get("request")))
    draft.frame = {**draft.frame, "exchange": without(record, "request")}
    return draft


def _document(document: Json) -> list[Draft]:
    if "contents" in document:
        return [gemini.read(document)]
    if "input" in document:
        return [responses.read(document)]
    if "history" in document and "trajectory" in document:
        return [swe_agent.read(document)]
    if "traj" in document or "task_id" in document:
        return [tau.read(document)]
    messages = rows(document.get("messages"))
    if rows(fields(document.get("values")).get("messages")) or _is_langchain(messages):
        return [langchain.read(document)]
    if messages:
        return [_request(document, messages)]
    return _lines([document])


def _request(body: Json, messages: list[Json]) -> Draft:
    if "inferenceConfig" in body or "toolConfig" in body:
        return bedrock.read(body)
    return anthropic.read(body) if _is_anthropic(body, messages) else openai.read(body)


def _is_anthropic(body: Json, messages: list[Json]) -> bool:
    blocks = [block for message in messages for block in rows(message.get("content"))]
    if any(block.get("type") in _BLOCKS for block in blocks) or "system" in body:
        return True
    if any(message.get("tool_calls") for message in messages):
        return False
    claude = str(body.get("model", "")).startswith("claude") and "max_tokens" in body
    return claude or "anthropic_version" in body


def _lines(records: Sequence[Json]) -> list[Draft]:
    if any("new_messages" in record for record in records):
        return [plain_log.read(records)]
    if any("uuid" in record and "sessionId" in record for record in records):
        return claude_code.read(records)
    if any("attributes" in record or "resourceSpans" in record for record in records):
        return [otel.read(records)]
    if any(record.get("type") == "message" and "message" in record for record in records):
        return [pi.read(records)]
    if _is_langchain(records):
        return [langchain.read({"messages": list(records)})]
    if any(record.get("type") in responses.OUTPUTS + responses.CALLS for record in records):
        return [responses.read({"input": list(records)})]
    if records and all("role" in record for record in records):
        return [_request({"messages": list(records)}, list(records))]
    if records and all("messages" in record or "input" in record for record in records):
        return [draft for record in records for draft in _document(record)]
    raise ConfigError(
        "no known recording: it is neither a chat of OpenAI, Anthropic, Gemini, Bedrock or "
        "LangChain, nor a session of Claude Code, pi, SWE-agent or tau-bench, nor GenAI spans."
    )


def _is_langchain(messages: Sequence[Json]) -> bool:
    return bool(messages) and all(
        langchain.kind(m) in _LANGCHAIN and "role" not in m for m in messages
    )


def _is_item(record: Json) -> bool:
    return "role" in record or "new_messages" in record
