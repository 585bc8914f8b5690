"""Mark the unsupported figures of an answer where they stand.

A mark stands behind exactly those figures: marking again changes nothing, and a mark behind a
figure that has since found support is taken off. Marks are bold, or plain where asterisks would
show or would end what is bold already. Figures quoted as code share a mark behind the code.
"""

from __future__ import annotations

import re
from typing import Final

from tallybook.figures.figure import Figure
from tallybook.figures.trace import Audit, Traced

MARK: Final = "[unsupported]"
_BOLD: Final = f" **{MARK}**"
_PLAIN: Final = f" {MARK}"
_MARKS: Final = re.compile(r" (?:\*\*\[unsupported\]\*\*|\[unsupported\])")
_FENCE: Final = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_TICKS: Final = re.compile(r"`+")
_CLOSERS: Final = re.compile(r"\*+|_+(?!\w)|~~")
_PARAGRAPH: Final = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+|#>]|```|\d+[.)])\s?)")


def marked(answer: str, audit: Audit) -> str:
    """The answer with a mark behind each figure that its audit calls unsupported.

    `audit` is of this text or of the text without its marks.
    """
    if not all(_stands(one, answer) for one in audit.traced):
        answer = unmarked(answer)
    unsupported: dict[int, bool] = {}
    for one in audit.traced:
        at = _behind(answer, one.figure.span[1])
        unsupported[at] = unsupported.get(at, False) or one.verdict == "unsupported"
    for at in sorted(unsupported, reverse=True):
        old = _MARKS.match(answer, at)
        rest = answer[old.end() if old else at :]
        answer = answer[:at] + (_mark(answer, at) if unsupported[at] else "") + rest
    return answer


def unmarked(answer: str) -> str:
    """The answer without any marks."""
    return _MARKS.sub("", answer)


def is_marked(answer: str, figure: Figure) -> bool:
    """Whether a mark stands behind a figure of the answer."""
    return bool(_MARKS.match(answer, _behind(answer, figure.span[1])))


def _stands(one: Traced, answer: str) -> bool:
    start, end = one.figure.span
    return answer[start:end] == one.figure.text


def _behind(answer: str, end: int) -> int:
    """Where a mark goes: behind the figure, its inline code, and the emphasis it ends."""
    if _is_fenced(answer, end):
        return end
    if closing := _end_of_code(answer, end):
        end = closing
    while closer := _CLOSERS.match(answer, end):
        if not _is_open(answer[_paragraph(answer, end) : end], closer[0]):
            break
        end = closer.end()
    return end


def _mark(answer: str, at: int) -> str:
    ahead = answer[_paragraph(answer, at) : at]
    if not _is_fenced(answer, at) and not _is_open(ahead, "**") and not _is_open(ahead, "__"):
        return _BOLD
    return _PLAIN


def _is_fenced(answer: str, at: int) -> bool:
    """Whether a place is inside a block of code."""
    return len(_FENCE.findall(answer, 0, at)) % 2 == 1


def _end_of_code(answer: str, at: int) -> int:
    """Where the inline code ends that a place is inside of; 0 where it is in none."""
    opened, start = "", _paragraph(answer, at)
    for ticks in _TICKS.finditer(answer, start):
        if ticks.start() >= at and not opened:
            return 0
        if not opened:
            opened = ticks[0]
        elif ticks[0] == opened:
            if ticks.start() >= at:
                return ticks.end()
            opened = ""
    return 0


def _is_open(ahead: str, closer: str) -> bool:
    """Whether emphasis is open behind a stretch of text."""
    return ahead.count(closer) % 2 == 1


def _paragraph(answer: str, at: int) -> int:
    """Where the paragraph, list item or row begins; emphasis does not reach beyond it."""
    start = 0
    for gap in _PARAGRAPH.finditer(answer, 0, at):
        start = gap.end()
    return start
