"""Which kind of refusal a provider's words are.

The order of the rules is the knowledge: a limit per minute speaks of tokens like an
overflow does, a gateway time-out speaks of an exceeded context, and a reply limit names the
window. So what can only be one thing is asked first, and the status code last.
"""

from __future__ import annotations

import re
from typing import Literal

from tallybook.models.quantities import Quantities

Kind = Literal[
    "overflow",
    "tokens_per_minute",
    "output_too_large",
    "payload_too_large",
    "rate_limit",
    "billing",
    "auth",
    "timeout",
    "overloaded",
    "other",
]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_PERIOD = r"(?:minute|min|second|sec|hour|day|month)"
_TOO = r"too (?:long|large|big|many|high)"
_EXCEEDS = r"(?:exceed\w*|over(?:flow\w*| the| its)|surpass\w*|beyond|(?:longer|larger|greater|more|bigger) than|above)"
_LIMIT = r"(?:limit|max(?:imum)?|length|size|window|context|allowed|capacity|budget|tokens?)"
_SUBJECT = r"(?:prompts?|inputs?|messages?|conversation|chat history|context|text|requested tokens?|(?<!output )(?<!completion )tokens?(?! per))"
_ELSE = r"(?:images?|pages?|pixels?|dimensions?|tools?|functions?|files?|documents?|stop sequences?|audio|video|names?|ids?)"

OWN_LIMIT = _any(
    r"usage limit exceeded",
    r"exceed(?:ed)? the (?:total |input |output |request |tool calls? )?(?:tokens? )?limit of [\d,]+ \(",
    r"while generating a tool call",
    r"before any response was generated",
)
TOKEN_RATE = _any(
    rf"tokens?(?: \w+){{0,3}} ?(?:per|/|a) ?(?:\w+ ){{0,2}}{_PERIOD}\b",
    rf"(?:per|/) ?{_PERIOD}\b[^\n]{{0,24}}?tokens?\b",
    r"\btp[mdh]\b",
    r"tokens? (?:rate|usage|quota) limit",
    r"tokens? quota",
    r"(?:throttl\w*|wait before)[^\n]{0,60}too many tokens|too many tokens[^\n]{0,60}(?:wait|throttl|try again|retry|slow)",
    r"rate limit[^\n]{0,40}\btokens\b",
)
RATE = _any(
    r"rate[ -]?limit(?!s? error)",
    r"(?<!429 )too many (?:\w+ )?requests",
    rf"(?:requests?|calls?|queries)(?: \w+){{0,3}} ?(?:per|/) ?(?:\w+ ){{0,2}}{_PERIOD}",
    r"\brp[mdsh]\b",
    r"throttl\w+",
    r"slow down",
    r"concurren(?:t|cy)",
    r"resource exhausted",
    r"too (?:fast|frequent)",
)
BILLING = _any(
    r"insufficient \w*\s?(?:quota|balance|funds?|credits?)",
    r"credit balance|more credits|out of credits|no credits|credits? (?:exhausted|depleted)",
    r"billing (?:details|hard limit|not active|account|error)|payment|can only afford|(?:account|current) balance|balance (?:is )?too low",
    r"(?:current|your) quota",
    r"extra usage is required|spend(?:ing)? (?:limit|cap)|usage limits? (?:reached|exceeded)? ?for your plan",
)
TIMEOUT = _any(
    r"deadline exceeded",
    r"timed? ?-?out\b",
    r"timeout",
    r"connection (?:error|refused|reset|aborted|closed|dropped|lost)|connect error|server disconnected|remote protocol error",
    r"incomplete (?:chunked )?read|peer closed|(?:read|write) error$|network error|name resolution|broken pipe",
)
OVERLOADED = _any(
    r"over ?loaded",
    r"(?:service|server|model|temporarily) (?:is )?(?:currently |temporarily )?(?:unavailable|busy)",
    r"high demand|at capacity|no capacity|capacity exceeded|loading model|model is (?:still )?loading",
)
AUTH = _any(
    r"api ?key",
    r"unauthori[sz]ed|unauthenticated|authentication|permission ?(?:denied|error)|access denied|forbidden|not authori[sz]ed|credentials|invalid token|token (?:has )?expired",
)
BYTES = _any(
    r"\b[\d.]+ ?(?:[mkg]i?b|bytes)\b",
    r"\b(?:max|maximum|total|number of|many) bytes\b|bytes (?:to|in|of) (?:the )?(?:request|body)",
)
PAYLOAD = _any(
    r"(?:request|entity|payload|body|content)(?: entity| body| payload| size)? (?:is )?too large",
    r"request exceeds the maximum size",
    r"(?:request|payload|body) (?:body |payload |content )?(?:size|length) (?:\w+ ){0,3}(?:exceed\w*|too large|limit)",
)
SIZE_COMPLAINT = _any(_EXCEEDS, _TOO, r"max\w*", r"limit")
DEADLINE = _any(r"(?:context|request) deadline", r"deadline exceeded", r"context cancell?ed")
NO_ROOM_FOR_A_REPLY = _any(
    r"outparam must be (?:at least|greater than|>=?) ?[01]\b[^\n]*(?:got|but|given|was|:)[^\n]{0,20} ?-\d",
    r"available context[^\n]{0,40}less than",
)
SCHEMA = _any(
    r"max ?length:? ?\d", r"(?:string|array) too long", r"at most \d+ (?:characters?|items?)"
)
SCHEMA_PATH = re.compile(
    r"(?:messages?|inputs?|contents?|texts?|prompts?|parts)(?:[\[./ ]*\d+\]?)*"
    r"(?:[./ ]+(?:content|text|parts?|input)(?:[\[./ ]*\d+\]?)*)*\s*:"
)
INPUT_TOO_LONG = _any(
    rf"{_SUBJECT}\b(?:(?!{_ELSE}\b)[^\n.;]|\.(?=\S)){{0,70}}?\b{_TOO}",
    rf"{_SUBJECT}\b(?:(?!{_ELSE}\b)[^\n.;]|\.(?=\S)){{0,70}}?\b{_EXCEEDS}\b(?:(?!{_ELSE}\b)[^\n;]){{0,60}}?\b{_LIMIT}\b",
    r"too many (?:input |prompt |context |total )?tokens",
    r"request(?:ed)? (?:\([^)]*\) )?(?:has |have )?(?:exceed\w*|is (?:longer|larger) than)[^\n]{0,40}(?:token|context)",
    r"(?:input|prompt|context) (?:tokens? )?(?:limit|length|size|window) (?:has been |was |is )?(?:exceeded|reached)",
    r"tokens? limit (?:has been |was |is )?(?:exceeded|reached)",
    r"range of input length",
    r"inputs tokens \+ outparam",
    r"truncat\w+ (?:the )?(?:input|prompt)",
    r"(?:reduce|shorten|decrease)\b(?: \w+){0,4} (?:messages?|prompts?|inputs?|conversation|context)\b(?! size and)",
    r"prompt ?too ?long|tokens to keep from the initial prompt",
)
CONTEXT = _any(r"context (?:length|window|size|limit)s?", r"n ctx", r"max(?:imum)? model length")
CONTEXT_EXCEEDED = _any(
    rf"{CONTEXT.pattern}[^\n]{{0,80}}(?:{_EXCEEDS}|{_TOO}|requested|resulted|only|not enough|is full)",
    rf"(?:{_EXCEEDS}|{_TOO}|requested|overflows?|does not fit|exceed\w*)[^\n]{{0,80}}(?:{CONTEXT.pattern})",
    r"context(?: length| window| size)? (?:was |is |has been )?exceeded|exceed\w* context|context overflow|model context window",
)
OUTPUT = _any(
    rf"outparam[^\n]{{0,80}}?(?:{_TOO}|{_EXCEEDS}|>|≤|<=|at most|less than|must be|should be|range|support\w*|between|above|not valid|max\w*|cannot)",
    rf"(?:{_TOO}|{_EXCEEDS}|invalid|range|lower|reduce|support\w*|above)[^\n]{{0,60}}outparam",
    rf"(?:output|completion) tokens?[^\n]{{0,60}}(?:{_EXCEEDS}|{_TOO}|maximum|at most|limit)",
    r"(?:at most|maximum(?: allowed)?(?: number)?(?: of)?) (?:\d+ )?(?:output|completion) tokens",
)
_NOTHING_SAID = re.compile(r"^(?:\d{3}|no body|status|code|error|http|none|null|payload|[\W])*$")
_STATUS = re.compile(r"\b(?:code|status|error|http)\b\W{0,4}([45]\d\d)\b")
_BY_STATUS: dict[int, Kind] = {
    401: "auth",
    403: "auth",
    402: "billing",
    408: "timeout",
    504: "timeout",
    522: "timeout",
    524: "timeout",
    413: "payload_too_large",
    429: "rate_limit",
    502: "overloaded",
    503: "overloaded",
    520: "overloaded",
    521: "overloaded",
    523: "overloaded",
    529: "overloaded",
}


def kind_of(status: int | None, text: str, numbers: Quantities) -> Kind:
    """The kind of a refusal from its `text` (as `words` returns it) and its numbers."""
    if OWN_LIMIT.search(text):
        return "other"
    return _of_rate(status, text) or _of_size(status, text, numbers) or _of_state(status, text)


def counts_characters(text: str) -> bool:
    """True where a schema's length is exceeded: its numbers are characters or items, not tokens."""
    return bool(SCHEMA.search(text))


def _of_rate(status: int | None, text: str) -> Kind | None:
    if DEADLINE.search(text):
        return "timeout"
    if TOKEN_RATE.search(text):
        return "tokens_per_minute"
    if RATE.search(text):
        return "tokens_per_minute" if re.search(r"\btype: tokens\b", text) else "rate_limit"
    if status == 429 and re.search(r"quota", text) and not BILLING.search(text):
        return "rate_limit"
    return "billing" if BILLING.search(text) else None


def _of_size(status: int | None, text: str, numbers: Quantities) -> Kind | None:
    if NO_ROOM_FOR_A_REPLY.search(text):
        return "overflow"
    if SCHEMA.search(text):
        return "overflow" if SCHEMA_PATH.search(text) else "other"
    if _is_payload(text):
        return "payload_too_large"
    if INPUT_TOO_LONG.search(text):
        return "overflow"
    if OUTPUT.search(text):
        counted = numbers.prompt is not None and numbers.prompt != numbers.completion
        return "overflow" if CONTEXT.search(text) and counted else "output_too_large"
    if CONTEXT_EXCEEDED.search(text) or _is_more_than_allowed(text, numbers):
        return "overflow"
    is_413 = status == 413 or (status is None and re.search(r"\b413\b", text))
    return "overflow" if is_413 and _NOTHING_SAID.match(text) else None


def _is_payload(text: str) -> bool:
    if "token" in text or CONTEXT.search(text):
        return False
    return bool(PAYLOAD.search(text) or (BYTES.search(text) and SIZE_COMPLAINT.search(text)))


def _is_more_than_allowed(text: str, numbers: Quantities) -> bool:
    if numbers.limit is None or numbers.asked is None or "token" not in text:
        return False
    return numbers.asked > numbers.limit


def _of_state(status: int | None, text: str) -> Kind:
    if OVERLOADED.search(text):
        return "overloaded"
    if TIMEOUT.search(text):
        return "timeout"
    codes = [*(int(code) for code in _STATUS.findall(text)), status or 0]
    known = [_BY_STATUS[code] for code in codes if code in _BY_STATUS]
    telling = [found for found in known if found != "overloaded"]
    if telling:
        return telling[0]
    if AUTH.search(text):
        return "auth"
    return "overloaded" if known else "other"
