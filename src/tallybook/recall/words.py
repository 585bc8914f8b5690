"""The words of a query, how the index asks for them, and where they stand in a text.

Languages that write no blanks are compared by pairs of characters: most of their words
have two, so triples would miss them. Figures are found as written, with and without
the commas between their thousands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import msgspec

_WIDE = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WIDE += "\U00020000-\U0003ffff"
_RUN = re.compile(f"[{_WIDE}]+")
_TERM = re.compile(
    rf"(?P<wide>[{_WIDE}]+)|(?P<number>\d+(?:[.,:/-]\d+)*)(?![^\W_]|-)"
    rf"|(?P<word>[^\W_{_WIDE}]+(?:['’&.-][^\W_{_WIDE}]+)*)"
)
_INNER = re.compile(r"[A-Za-z]{5,40}+|(?<![A-Za-z\d])[A-Za-z]{1,4}\d\d+")
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)")
_COMMON = re.compile(
    "a|an|and|are|as|at|be|by|did|do|does|for|from|had|has|have|how|in|is|it|its|of|on|or|that|the|"
    "their|there|this|to|was|were|what|when|where|which|who|with"
)
_MOST_TERMS = 24
_LONGEST = 1_000


class Term(msgspec.Struct, frozen=True):
    """One word, figure or run of wide characters, as the query has it."""

    text: str
    kind: str

    @property
    def exact(self) -> str:
        """The FTS5 expression for the term itself."""
        match self.kind:
            case "wide":
                return f"parts : {_wide(self.text)}"
            case "number":
                return f"({' OR '.join(map(_quoted, self._forms))})"
            case _:
                return _quoted(self.text)

    @property
    def loose(self) -> str:
        """The FTS5 expression for the term and what begins with it, or any pair of a wide run."""
        match self.kind:
            case "wide":
                return f"parts : ({' OR '.join(map(_wide, _pairs(self.text)[:_MOST_TERMS]))})"
            case "number":
                longer = "" if len(self.text) < 4 else " *"
                return f"({' OR '.join(f'{_quoted(form)}{longer}' for form in self._forms)})"
            case _ if len(self.text) < 3:
                return _quoted(self.text)
            case _:
                return f"{_quoted(_stem(self.text))} *"

    @property
    def pattern(self) -> str:
        """A regular expression that finds the term in folded text."""
        match self.kind:
            case "wide":
                return "|".join(map(re.escape, (self.text, *_pairs(self.text))))
            case "number":
                forms = map(re.escape, self._forms)
                return "|".join(rf"{form}(?<!\d{form})(?<!\d[.,]{form})" for form in forms)
            case _ if len(self.text) < 3:
                return rf"(?<![^\W_]){re.escape(self.text)}(?![^\W_])"
            case _:
                pieces = re.split(r"[\W_]+", _stem(self.text))
                return r"[\W_]{1,3}".join(map(re.escape, pieces))

    @property
    def _forms(self) -> tuple[str, ...]:
        """A figure as written, and without or with commas."""
        whole, point, rest = self.text.partition(".")
        bare = self.text.replace(",", "")
        grouped = f"{int(whole):,}{point}{rest}" if whole.isdecimal() else self.text
        return tuple(dict.fromkeys((self.text, bare, grouped)))


class Match(msgspec.Struct, frozen=True):
    """Where a term stands; `term` is its place in the query."""

    start: int
    end: int
    term: int


def terms(query: str) -> tuple[Term, ...]:
    """The terms of a query, in order, each once; words that say nothing go, if others stay."""
    found: dict[str, Term] = {}
    for term in _TERM.finditer(fold(unicodedata.normalize("NFC", query[:_LONGEST]))):
        found.setdefault(term[0], Term(term[0], term.lastgroup or "word"))
    telling = [term for text, term in found.items() if not _COMMON.fullmatch(text)]
    return tuple((telling or list(found.values()))[:_MOST_TERMS])


def phrase(query: tuple[Term, ...]) -> str:
    """The FTS5 expression for all terms in a row; empty where that says no more than one term."""
    if len(query) < 2 or any(term.kind == "wide" for term in query):
        return ""
    return _quoted(" ".join(term.text for term in query))


class Indexed(msgspec.Struct, frozen=True):
    """A text as the index takes it.

    `body` is the text without wide runs. `parts` is what it does not say: the pairs of the
    wide runs, and the words within joinedWords and FY2024. `long` are the words that may be
    asked for by a part of them.
    """

    body: str
    parts: str
    long: set[str]


def indexed(text: str) -> Indexed:
    """What the index is to know of a text."""
    inner = dict.fromkeys(_INNER.findall(text))
    mixed = [word for word in inner if not (word.isalpha() and word.islower())]
    joined = [_SEAM.sub(" ", word) for word in mixed if _SEAM.search(word)]
    long = inner.keys() - mixed | {word.lower() for word in mixed}
    body = storable(text)
    if text.isascii():
        return Indexed(body, " ".join(joined), long)
    # The last character alone ends a run, so that no pair is followed by the next run's.
    wide = [" ".join((*_pairs(run), run[-1])) for run in _RUN.findall(text)]
    return Indexed(_RUN.sub(" ", body), " ".join((*joined, *wide)), long)


def storable(text: str) -> str:
    """A text without what SQLite cannot hold, character for character."""
    clean = text.replace("\x00", " ")
    return clean if clean.isascii() else clean.encode("utf-8", "replace").decode("utf-8")


def fold(text: str) -> str:
    """Lower case without accents, character for character, so that places stay."""
    return text.lower() if text.isascii() else text.translate(_Folded())


def matches(folded: str, query: tuple[Term, ...], start: int = 0) -> Iterator[Match]:
    """Every place of every term in a folded text from `start` on, in order."""
    wanted = re.compile("|".join(f"({term.pattern})" for term in query))
    for found in wanted.finditer(folded, start):
        yield Match(found.start(), found.end(), (found.lastindex or 1) - 1)


class _Folded(dict[int, str]):
    """What each character folds to, worked out when it is first seen."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.category(char) == "Cs" or _RUN.match(char):
            folded = char
        else:
            folded = unicodedata.normalize("NFKD", char)[0].lower()[:1]
        self[code] = folded
        return folded


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _wide(run: str) -> str:
    """A wide run as the pairs it was indexed by; one character begins a pair or ends a run."""
    return f"{_quoted(run)} *" if len(run) == 1 else _quoted(" ".join(_pairs(run)))


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
