"""The words by which refusals of one kind are told, whoever writes them.

The patterns read text as `words` returns it: lower case, no quotes or underscores, other
languages turned into these words, and every name of the reply limit written `outparam`.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_PERIOD = r"(?:minute|min|second|sec|hour|day|month)"
_TOO = r"too (?:long|large|big|many|high)"
_MORE = r"(?:longer|larger|greater|more|bigger) than"
_EXCEEDS = rf"(?:exceed\w*|over(?:flow\w*| the| its)|surpass\w*|beyond|above|{_MORE})"
_LIMIT = r"(?:limit|max(?:imum)?|length|size|window|context|allowed|capacity|budget|tokens?)"
_TOKENS_SENT = r"(?<!output )(?<!completion )tokens?(?! per)"
_SUBJECT = (
    r"(?:prompts?|inputs?|messages?|conversation|chat history|context|text"
    rf"|requested tokens?|{_TOKENS_SENT})"
)
_ELSE = (
    r"(?:images?|pages?|pixels?|dimensions?|tools?|functions?|files?|documents?"
    r"|stop sequences?|audio|video|names?|ids?)"
)
_UP_TO = rf"(?:(?!{_ELSE}\b)[^\n.;]|\.(?=\S)){{0,70}}?"
_THEN = rf"(?:(?!{_ELSE}\b)[^\n;]){{0,60}}?"
_WAIT = r"(?:wait|throttl|try again|retry|slow)"
_CONTEXT = r"(?:context (?:length|window|size|limit)s?|n ctx|max(?:imum)? model length)"

CALLERS_OWN_LIMIT = _any(
    r"usage limit exceeded",
    r"exceed(?:ed)? the (?:\w+ ){0,3}limit of [\d,]+ \(",
    r"while generating a tool call",
    r"before any response was generated",
)
TOKEN_RATE = _any(
    rf"tokens?(?: \w+){{0,3}} ?(?:per|/|a) ?(?:\w+ ){{0,2}}{_PERIOD}\b",
    rf"(?:per|/) ?{_PERIOD}\b[^\n]{{0,24}}?tokens?\b",
    r"\btp[mdh]\b",
    r"tokens? (?:rate|usage|quota) limit",
    r"tokens? quota",
    r"(?:throttl\w*|wait before)[^\n]{0,60}too many tokens",
    rf"too many tokens[^\n]{{0,60}}{_WAIT}",
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
COUNTED_IN_TOKENS = _any(r"\btype: tokens\b")
BILLING = _any(
    r"insufficient \w*\s?(?:quota|balance|funds?|credits?)",
    r"credit balance|more credits|out of credits|no credits|credits? (?:exhausted|depleted)",
    r"billing (?:details|hard limit|not active|account|error)|payment|can only afford",
    r"(?:account|current) balance|balance (?:is )?too low",
    r"(?:current|your) quota",
    r"extra usage is required|spend(?:ing)? (?:limit|cap)",
)
TIMEOUT = _any(
    r"timed? ?-?out\b",
    r"timeout",
    r"connection (?:error|refused|reset|aborted|closed|dropped|lost)|connect error",
    r"server disconnected|remote protocol error|peer closed|broken pipe",
    r"incomplete (?:chunked )?read|\b(?:read|write) error\b|network error|name resolution",
)
DEADLINE = _any(r"(?:context|request) deadline", r"deadline exceeded", r"context cancell?ed")
OVERLOADED = _any(
    r"over ?loaded",
    r"(?:service|server|model|temporarily) (?:is )?(?:\w+ )?(?:unavailable|busy)",
    r"high demand|at capacity|no capacity|capacity exceeded",
    r"loading model|model is (?:still )?loading",
)
AUTH = _any(
    r"api ?key",
    r"unauthori[sz]ed|unauthenticated|authentication|not authori[sz]ed|credentials",
    r"permission ?(?:denied|error)|access denied|(?<!extra )forbidden",
    r"invalid token|token (?:has )?expired",
)
BYTES = _any(
    r"\b[\d.]+ ?(?:[mkg]i?b|bytes)\b",
    r"\b(?:max|maximum|total|number of|many) bytes\b|bytes (?:to|in|of) (?:the )?(?:request|body)",
)
PAYLOAD = _any(
    r"(?:request|entity|payload|body|content)(?: entity| body| payload| size)? (?:is )?too large",
    r"request exceeds the maximum size",
    r"(?:request|payload|body) (?:body |payload |content )?(?:size|length) (?:\w+ ){0,3}"
    r"(?:exceed\w*|too large|limit)",
)
COMPLAINT = _any(_EXCEEDS, _TOO, r"max\w*", r"limit")
NO_ROOM_FOR_A_REPLY = _any(
    r"outparam must be (?:at least|greater than|>=?) ?[01]\b[^\n]{0,60} ?-\d",
    r"available context[^\n]{0,40}less than",
)
SCHEMA = _any(
    r"max ?length:? ?\d", r"(?:string|array) too long", r"at most \d+ (?:characters?|items?)"
)
SCHEMA_OF_MESSAGES = _any(
    r"(?:messages?|inputs?|contents?|texts?|prompts?|parts)(?:[\[./ ]*\d+\]?)*"
    r"(?:[./ ]+(?:content|text|parts?|input)(?:[\[./ ]*\d+\]?)*)*\s*:"
)
INPUT_TOO_LONG = _any(
    rf"{_SUBJECT}\b{_UP_TO}\b{_TOO}",
    rf"{_SUBJECT}\b{_UP_TO}\b{_EXCEEDS}\b{_THEN}\b{_LIMIT}\b",
    r"too many (?:input |prompt |context |total )?tokens",
    rf"request(?:ed)? (?:\([^)]{{0,40}}\) )?(?:has |have |is )?{_EXCEEDS}"
    r"[^\n]{0,40}(?:token|context)",
    r"(?:input|prompt|context) (?:tokens? )?(?:limit|length|size|window) "
    r"(?:has been |was |is )?(?:exceeded|reached)",
    r"tokens? limit (?:has been |was |is )?(?:exceeded|reached)",
    r"range of input length",
    r"inputs tokens \+ outparam",
    r"truncat\w+ (?:the )?(?:input|prompt)",
    r"(?:reduce|shorten|decrease)\b(?: \w+){0,4} "
    r"(?:messages?|prompts?|inputs?|conversation|context)\b(?! size and)",
    r"prompt ?too ?long|tokens to keep from the initial prompt",
)
CONTEXT = _any(_CONTEXT)
CONTEXT_EXCEEDED = _any(
    rf"{_CONTEXT}[^\n]{{0,80}}(?:{_EXCEEDS}|{_TOO}|requested|resulted|only|not enough|is full)",
    rf"(?:{_EXCEEDS}|{_TOO}|requested|overflows?|does not fit)[^\n]{{0,80}}{_CONTEXT}",
    r"context(?: length| window| size)? (?:was |is |has been )?exceeded|exceed\w* context",
    r"context overflow|model context window",
)
REPLY_LIMIT = _any(
    rf"outparam[^\n]{{0,80}}?(?:{_TOO}|{_EXCEEDS}|>|≤|<=|at most|less than|must be|should be"
    r"|range|support\w*|between|not valid|max\w*|cannot)",
    rf"(?:{_TOO}|{_EXCEEDS}|invalid|range|lower|reduce|support\w*)[^\n]{{0,60}}outparam",
    rf"(?:output|completion) tokens?[^\n]{{0,60}}(?:{_EXCEEDS}|{_TOO}|maximum|at most|limit)",
    r"(?:at most|maximum(?: allowed)?(?: number)?(?: of)?) (?:\d+ )?(?:output|completion) tokens",
)
NOTHING = re.compile(
    r"(?:\d{3}|no body|status|code|error|http|none|null|body|model name:? [^\s,]+|[\W])*"
)
"""A status put into words by an SDK, and not a word of the provider's."""

INNER_STATUS = re.compile(r"\b(?:code|status|error|http)\b\W{0,4}([45]\d\d)\b")
