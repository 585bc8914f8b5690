"""Compare what figures are called: by normalised words, with synonyms folded.

The longest phrase folds first, so that "net sales" and "营业收入" are both `revenue`
while "cost of sales" is not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from tallybook.figures.synonyms import IMPLIED, PLACES, rows

_REMEMBERED: Final = 4096
_STOP: Final = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at be been being between both by did do does during each ended ending
    for from had has have how in into is it its itself much many amount value number of on or our
    per respective respectively that the their there these this those to under was we were
    what when where which while who whose with year fiscal quarter month week fy q1 q2 q3 q4
    company million billion thousand trillion usd percent percentage s
    value val fact unit result item row us gaap ifrs dei json xbrl no after before unsupported
    point pp pt bp basis cy calendar q h
    up down""",
    )
)
_FRAMES: Final = frozenset(
    re.findall(
        r"\S+",
        """$ value val values amount items item data result results rows row records entries
    companies company facts us-gaap ifrs-full units usd shares usd/shares pure quotes series
    list""",
    )
)
_TELLING: Final = 2
_CITED = re.compile(r"\s*(?:\[\d+\]|\b\d{1,5})?\s*†?\s*\Z")
_WORD = re.compile(r"[A-Za-z]+|[\u4e00-\u9fff]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARTS = re.compile(r" \| |: | [>›·–—] ")
_STEPS = re.compile(r"[.\[\]]+")
_DOUBLED = re.compile(r"(.)\1")
_CJK = re.compile(r"[\u4e00-\u9fff]")


@lru_cache(maxsize=_REMEMBERED)
def words(text: str) -> frozenset[str]:
    """The set of normalised words of a label or a sentence, with synonyms folded."""
    plain = _tokens(text)
    folded: set[str] = set()
    at = 0
    while at < len(plain):
        if _CJK.match(plain[at]):
            folded.update(_chinese(plain[at]))
            at += 1
            continue
        concept, taken = _longest(plain, at) if plain[at] in _DEEPEST else ("", 1)
        if concept:
            folded.add(concept)
        elif plain[at] not in _STOP:
            folded.add(plain[at])
        at += taken
    return frozenset(folded)


def parts(label: str) -> tuple[frozenset[str], ...]:
    """The words of each part of a label: its section, row and column, or its path in JSON."""
    marks = _STEPS if label.startswith("$") else _PARTS
    return tuple(part for text in marks.split(label) if (part := words(text)))


def short(label: str) -> str:
    """A label without what only says where it stood: of a path in JSON, its last telling names."""
    if not label.startswith("$"):
        return _CITED.sub("", label)
    names = [name for name in _STEPS.split(label)[1:] if name and not name.isdigit()]
    telling = [name for name in names if name.strip("\"'").lower() not in _FRAMES]
    shown = ".".join(name.strip("\"'") for name in (telling or names)[-_TELLING:])
    return shown.replace("_", " ")


def spaced(label: str) -> str:
    """A label with its CamelCase taken apart."""
    return _CAMEL.sub(" ", label)


def concepts(label: Collection[str]) -> frozenset[str]:
    """Those of the words that the table knows as a measure."""
    return frozenset(word for word in label if word in _CONCEPTS)


def spoken(concept: str) -> str:
    """A measure as people write it."""
    return _SPOKEN.get(concept, concept)


def with_implied(label: Collection[str]) -> frozenset[str]:
    """The words, and those of what a measure among them is made of (a margin: revenue)."""
    return frozenset(label).union(*(IMPLIED.get(word, ()) for word in label))


def is_composed(label: Collection[str]) -> bool:
    """Whether the words name a measure that is made of others, such as a margin."""
    return any(word in IMPLIED for word in label)


def parts_of(label: Collection[str]) -> frozenset[str]:
    """What the measures named among the words are made of."""
    return frozenset().union(*(IMPLIED.get(word, ()) for word in label))


def contradict(one: Collection[str], other: Collection[str]) -> bool:
    """Whether both name a known measure and none in common: revenue is not net income."""
    mine, yours = concepts(one), concepts(other)
    return bool(mine and yours) and not mine & yours


def same_name(one: str, other: str) -> bool:
    """Whether two names can be one company: shared words, or a ticker drawn from the name."""
    mine, yours = _name(one), _name(other)
    if not mine or not yours or mine & yours:
        return True
    pairs = [(a, b) for a in mine for b in yours]
    return any(_ticker_of(a, b) or _ticker_of(b, a) for a, b in pairs)


def names(entity: str, spoken: Collection[str]) -> bool:
    """Whether one of the capitalised words of a text can mean this entity."""
    mine = _name(entity)
    return any(
        mine & _name(word)
        or any(_ticker_of(a, b) or _ticker_of(b, a) for a in mine for b in _name(word))
        for word in spoken
    )


@lru_cache(maxsize=_REMEMBERED)
def _name(text: str) -> frozenset[str]:
    legal = {"inc", "corp", "corporation", "ltd", "plc", "llc", "co", "technology", "group", "the"}
    return words(text) - legal


def _ticker_of(ticker: str, name: str) -> bool:
    if not 2 <= len(ticker) <= 5 or ticker[0] != name[0]:
        return False
    rest = iter(_DOUBLED.sub(r"\1", name))
    return all(letter in rest for letter in _DOUBLED.sub(r"\1", ticker))


def _tokens(text: str) -> list[str]:
    plain = spaced(text.replace("’", "'").replace("'s", ""))
    return [_stem(word.lower()) for word in _WORD.findall(plain)]


@lru_cache(maxsize=_REMEMBERED)
def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _longest(plain: list[str], at: int) -> tuple[str, int]:
    for length in range(min(_DEEPEST[plain[at]], len(plain) - at), 0, -1):
        if concept := _FOLD.get(tuple(plain[at : at + length])):
            return concept, length
    return "", 1


def _chinese(run: str) -> set[str]:
    found: set[str] = set()
    rest = run
    for phrase, concept in _CHINESE:
        if phrase in rest:
            found.add(concept)
            rest = rest.replace(phrase, " ")
    for piece in rest.split():
        found.update(piece[at : at + 2] for at in range(len(piece) - 1))
    return found


def _fold() -> Mapping[tuple[str, ...], str]:
    table: dict[tuple[str, ...], str] = {(head,): head for head, _ in rows()}
    for head, phrases in rows():
        for phrase in phrases:
            if not _CJK.match(phrase):
                table[tuple(_tokens(phrase))] = head
    return MappingProxyType(table)


def _deepest(fold: Mapping[tuple[str, ...], str]) -> Mapping[str, int]:
    lengths: dict[str, int] = {}
    for phrase in fold:
        lengths[phrase[0]] = max(lengths.get(phrase[0], 0), len(phrase))
    return MappingProxyType(lengths)


_FOLD = _fold()
_DEEPEST = _deepest(_FOLD)
_CHINESE = tuple(
    sorted(
        ((p, head) for head, phrases in rows() for p in phrases if _CJK.match(p)),
        key=lambda pair: -len(pair[0]),
    )
)
_CONCEPTS: Final = frozenset(head for head, _ in rows()) - PLACES
_SPOKEN: Final = MappingProxyType(
    {head: phrases[0] if " " in phrases[0] else head for head, phrases in rows() if phrases}
)
