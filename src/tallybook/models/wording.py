"""What a provider's refusal says, as plain words, whatever envelope it came in.

A refusal is wrapped by gateways, SDKs and loggers: JSON in JSON, a Python repr, an SSE
line, an HTML page. All of it is flattened to lines of lower-case words, `key: value` where
there were keys, so that what follows reads sentences and never envelopes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

_DEPTH = 40
_LONGEST = 20_000
_ECHOES = frozenset({"input", "request", "headers", "url", "doc_url", "documentation_url", "help"})
"""Keys whose values repeat what was sent: a question about rate limits is not a rate limit."""
_SPEECH = frozenset(
    {
        "message",
        "msg",
        "text",
        "detail",
        "details",
        "error",
        "description",
        "reason",
        "raw",
        "title",
    }
)
"""Keys that only say that words follow; as words they would be taken for the subject."""

_OUTPUT_PARAMETER = re.compile(
    r"\b(?:max_?(?:(?:completion|output|new|gen|generated)_?)?tokens(?:_?to_?sample)?"
    r"|(?:num|n)_predict|max(?:imum)? tokens (?:value|(?:you )?requested))\b",
    re.IGNORECASE,
)
_GLOSSARY = (
    (r"上下文窗口|上下文长度|上下文", " context length "),
    (r"每分钟", " per minute "),
    (r"余额不足|欠费|账户余额", " insufficient balance "),
    (r"速率限制|频率限制|限流|请求过于频繁|调用频率|并发", " rate limit "),
    (r"请求体", " request body "),
    (r"超过了?|超出了?|大于|高于", " exceeds "),
    (r"过长|太长", " too long "),
    (r"过大|太大", " too large "),
    (r"繁忙|过载", " overloaded "),
    (r"超时", " timed out "),
    (r"最大值?|最长|上限|限制", " maximum "),
    (r"不能|不得|不可", " cannot "),
    (r"输入", " input "),
    (r"提示词", " prompt "),
    (r"消息|对话|内容", " messages "),
    (r"输出", " output "),
    (r"请求", " request "),
    (r"长度", " length "),
    (r"令牌|词元", " tokens "),
    (r"字节", " bytes "),
    (r"个|为", " "),
    (r"kontextfensters?|kontextl(?:ä|ae)nge|kontextgr(?:ö|oe)(?:ß|ss)e", " context window "),
    (r"(?:ü|ue)berschreitet|(?:ü|ue)bersteigt|(?:ü|ue)berschritten", " exceeds "),
    (r"zu lang\b", " too long "),
    (r"zu gro(?:ß|ss)\b", " too large "),
    (r"pro minute|per-minute", " per minute "),
    (r"\bvon\b", " of "),
    (r"h(?:ö|oe)chstens|maximal\w*", " maximum "),
    (r"\beingabe\w*", " input "),
    (r"\bausgabe\w*", " output "),
    (r"\bnachrichten\b", " messages "),
    (r"\banfrage\w*", " request "),
    (r"\bguthaben\w*", " credit balance "),
    (r"longueur\s+(?:maximum\s+)?(?:de|du) contexte|fen[eê]tre de contexte", " context length "),
    (r"longitud (?:m[aá]xima )?de(?:l)? contexto|ventana de contexto", " context length "),
    (r"d[eé]passe\w*|excede\w*|supera\b", " exceeds "),
    (r"trop longue?|demasiado larg[oa]", " too long "),
    (r"par minute|por minuto", " per minute "),
    (r"コンテキスト(?:長|ウィンドウ)?", " context length "),
    (r"超え\w*", " exceeds "),
    (r"トークン", " tokens "),
    (r"入力", " input "),
)
_WORDS = tuple((re.compile(pattern), words) for pattern, words in _GLOSSARY)
_TIDY = (
    (re.compile(r"https?://\S+"), " "),
    (_OUTPUT_PARAMETER, "outparam"),
    (re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])"), " "),
    (re.compile(r"\\[nrt]|[\r\t\n]+"), " . "),
    (re.compile(r"[_`\"“”‘’\\*]|(?<![A-Za-z])'|'(?![A-Za-z])"), " "),
)
_ESCAPED = re.compile(r"\\+u([0-9a-fA-F]{4})")
_JOINTS = re.compile(r"\\*[\"'],\s*\\*[\"']|[{}]")
_SPACES = re.compile(r" {2,}")


def words(body: object) -> str:
    """Every statement of `body` on a line of its own, in lower-case plain words.

    Bytes, text, and what `json.loads` returns are read; anything else by its `str`.
    """
    lines = [line for text in _texts(body, 0) if (line := _plain(text))]
    return "\n".join(dict.fromkeys(lines))[:_LONGEST]


def _texts(value: object, depth: int) -> Iterator[str]:
    """Flatten to statements, looking into JSON that stands inside strings."""
    if depth > _DEPTH:
        return
    match value:
        case None | "" | bool():
            return
        case bytes() | bytearray() | memoryview():
            yield from _inside(bytes(value[:_LONGEST]).decode("utf-8", "replace"), depth)
        case str():
            yield from _inside(value, depth)
        case Mapping():
            for key, item in value.items():
                if str(key).lower() not in _ECHOES or _is_short(item):
                    yield from _labelled(str(key), item, depth)
        case Sequence():
            for item in value:
                yield from _texts(item, depth + 1)
        case _:
            yield str(value)


def _is_short(item: object) -> bool:
    return isinstance(item, str) and len(item) <= 24


def _labelled(key: str, item: object, depth: int) -> Iterator[str]:
    if isinstance(item, (Mapping, list, tuple)):
        yield from _texts(item, depth + 1)
        return
    found = list(_texts(item, depth + 1))
    if found and key.lower() not in _SPEECH:
        found[0] = f"{key}: {found[0]}"
    yield from found


def _inside(text: str, depth: int) -> Iterator[str]:
    """The text around a JSON object or Python literal, and the object's own statements."""
    text = text[:_LONGEST]
    start = min((at for at in (text.find("{"), text.find("[{")) if at >= 0), default=-1)
    if start < 0:
        yield text
        return
    try:
        found, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        yield from _loose(text)
        return
    yield text[:start].strip()
    yield from _texts(found, depth + 1)
    yield from _texts(text[end:].strip(), depth + 1)


def _loose(text: str) -> list[str]:
    """A Python repr, or JSON that was cut off or quoted twice, read as the words it holds."""
    text = _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), text)
    return _JOINTS.split(text)


def _plain(text: str) -> str:
    for pattern, replacement in _TIDY:
        text = pattern.sub(replacement, text)
    text = text.lower()
    for pattern, replacement in _WORDS:
        text = pattern.sub(replacement, text)
    return _SPACES.sub(" ", text).strip(" .")
