"""A whole submission as EDGAR keeps it: one text with all documents of a filing.

Before 2001 a filing is kept in no other way, and the index names no document of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_DOCUMENT = re.compile(r"<DOCUMENT>(.*?)<TEXT>(.*?)</TEXT>", re.DOTALL)
_FIELD = re.compile(r"<(\w+)>([^\n]*)")
_WRAPPED = re.compile(r"\s*<(XBRL|XML|PDF)>\n?(.*?)\n?</\1>\s*", re.DOTALL)


class Submitted(NamedTuple):
    """One document: its type such as "10-K", its file name, and what it says."""

    kind: str
    name: str
    text: str


def documents(submission: str) -> Iterator[Submitted]:
    """The documents in their order; none where the text is no submission."""
    if not submission.lstrip().startswith(("<SEC-DOCUMENT>", "<SUBMISSION>", "-----BEGIN PRIVACY")):
        return
    for found in _DOCUMENT.finditer(submission):
        head = {name.upper(): value.strip() for name, value in _FIELD.findall(found[1])}
        inner = _WRAPPED.fullmatch(found[2])
        text = inner[2] if inner else found[2]
        yield Submitted(head.get("TYPE", ""), head.get("FILENAME", ""), text.strip("\n"))
