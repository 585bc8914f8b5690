"""How many gold answers of TAT-QA are traced to their context, and how many altered ones are not.

Each numeric answer is put behind its question, as a short answer to it would read, and traced
to the table and paragraphs it was asked about. Then it is altered: by one digit, by one step of
scale, or by the value of another year; and replaced by a random number of its form, which is
explained by luck if it is explained. Answers that the data set itself contradicts are told one by
one and counted apart. Run: python -m benchmarks.figures_tatqa [--misses]
"""

from __future__ import annotations

import gzip
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec

from tallybook.figures.trace import Sources, trace

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(os.environ.get("TALLYBOOK_SHARED", Path(__file__).parents[2] / "shared")) / "data"
FILE = DATA / "qa" / "tatqa_dev_first60.json.gz"
HELD_OUT_EVERY = 4
RANDOM_EACH = 4
WRONG = {
    (8, "average difference"): "the derivation takes the two differences in opposite orders",
    (41, "legal reserve amount in 2019"): "the table says thousands, the answer states no scale",
    (44, "from 2021-2022 to 2022-2023"): "the derivation uses 2023-2024, which was not asked for",
    (49, "License and subscription revenue"): "the table says that these are costs of revenue",
}
"""Gold answers that their own context contradicts, by context and words of the question."""
_NUMBER = re.compile(r"[-(]?[$€£]?\s?-?\d[\d,]*(?:\.\d+)?\)?\s?%?(?:\s(?:thousand|[mb]illion))?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SCALED = {"thousand": 1000, "million": 10**6, "billion": 10**9}


class Table(msgspec.Struct):
    table: list[list[str]]


class Paragraph(msgspec.Struct):
    order: int
    text: str


class Question(msgspec.Struct):
    question: str
    answer: str | float | int | list[str]
    derivation: str
    answer_type: str
    scale: str


class Context(msgspec.Struct):
    table: Table
    paragraphs: list[Paragraph]
    questions: list[Question]


@dataclass(frozen=True)
class Case:
    """An answer in words and its context.

    It is of one kind: "gold", "digit", "scale", "year", "random", or "wrong" for gold that is none.
    """

    context: int
    kind: str
    how: str
    text: str
    derivation: str = ""

    @property
    def held_out(self) -> bool:
        return self.context % HELD_OUT_EVERY == HELD_OUT_EVERY - 1


def main() -> None:
    """Print the counts of each kind, apart for the contexts that nothing was tuned on."""
    tally: Counter[tuple[str, str, bool]] = Counter()
    for case, right, told in measured():
        held = "held out" if case.held_out else "tuned"
        for where in (held, "all"):
            tally[where, case.kind, right] += 1
        tally[held, f"{case.kind} {case.how}", right] += 1
        if case.kind == "wrong" or (not right and "--misses" in sys.argv):
            said = (case.text, case.derivation.strip(), *told)
            print(f"{held}, context {case.context}, {case.kind}:", *said, sep="\n    ")
    print(f"{'contexts':9} {'answers':18} {'right':>5}    {'all':>4}  {'share':>6}")
    for held in ("tuned", "held out", "all"):
        for kind in sorted({kind for where, kind, _ in tally if where == held}):
            hits, misses = tally[held, kind, True], tally[held, kind, False]
            count = hits + misses
            print(f"{held:9} {kind:18} {hits:5} of {count:4}  {hits / count:6.1%}")


def measured() -> Iterator[tuple[Case, bool, list[str]]]:
    """Each case, whether it came out right, and what was said of its figures.

    A gold answer is right if nothing in it is flagged, an altered one if something is: a figure
    is flagged if it is unsupported or its source is ambiguous.
    """
    contexts = msgspec.json.decode(gzip.decompress(FILE.read_bytes()), type=list[Context])
    for at, context in enumerate(contexts):
        sources = Sources({1: _text(context)})
        for case in _cases(at, context):
            traced = trace(case.text, sources).traced
            flagged = any(one.verdict == "unsupported" or one.ambiguous for one in traced)
            told = [f"{one.figure.text}: {one.verdict}, {one.why}" for one in traced]
            yield case, flagged == (case.kind not in {"gold", "wrong"}), told


def _text(context: Context) -> str:
    rows = ["| " + " | ".join(row) + " |" for row in context.table.table]
    ordered = sorted(context.paragraphs, key=lambda paragraph: paragraph.order)
    return "\n\n".join([paragraph.text for paragraph in ordered] + ["\n".join(rows)])


def _cases(at: int, context: Context) -> Iterator[Case]:
    for question in context.questions:
        how = question.answer_type
        answers = question.answer if isinstance(question.answer, list) else [question.answer]
        shown = [_shown(str(answer), question.scale) for answer in answers]
        if how == "count" or not all(_is_number(text) for text in shown):
            continue
        asked, derivation = question.question.strip(), question.derivation
        wrong = next((why for (of, words), why in WRONG.items() if of == at and words in asked), "")
        text = f"{asked} {' and '.join(shown)}"
        yield Case(at, "wrong" if wrong else "gold", how, text, wrong or derivation)
        for kind, altered in () if wrong else _altered(shown, question, context):
            yield Case(at, kind, how, f"{asked} {' and '.join(altered)}", derivation)


def _shown(answer: str, scale: str) -> str:
    if scale == "percent":
        return answer if "%" in answer else f"{answer}%"
    return f"{answer} {scale}" if scale else answer


def _is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text.strip())) and not _YEAR.fullmatch(text)


def _altered(
    shown: list[str], question: Question, context: Context
) -> Iterator[tuple[str, list[str]]]:
    first, *rest = shown
    digits = [at for at, letter in enumerate(first) if letter.isdigit()]
    for place in {digits[0], digits[len(digits) // 2], digits[-1]}:
        other = (
            str((int(first[place]) + 1) % 10)
            if place != digits[0]
            else str(int(first[place]) % 9 + 1)
        )
        yield "digit", [first[:place] + other + first[place + 1 :], *rest]
    for scaled in _rescaled(first, question.scale) if float(_bare(first)) else ():
        yield "scale", [scaled, *rest]
    for swapped in _swapped(shown, question, context):
        yield "year", swapped
    random = Random(first)
    for _ in range(RANDOM_EACH):
        yield "random", [_random(random, first), *rest]


def _random(random: Random, shown: str) -> str:
    """The same text with all its digits thrown anew, the first not to be zero."""
    places = [at for at, letter in enumerate(shown) if letter.isdigit()]
    letters = list(shown)
    for at in places:
        letters[at] = str(random.randint(0 if at != places[0] else 1, 9))
    return "".join(letters)


def _rescaled(first: str, scale: str) -> Iterator[str]:
    names = list(_SCALED)
    if scale in names:
        at = names.index(scale)
        for other in names[max(0, at - 1) : at] + names[at + 1 : at + 2]:
            yield first.replace(scale, other)
    number = re.search(r"\d[\d,]*(?:\.\d+)?", first)
    assert number
    value = float(number[0].replace(",", ""))
    decimals = len(number[0].partition(".")[2])
    yield first.replace(number[0], f"{value * 1000:,.{max(0, decimals - 3)}f}")
    yield first.replace(number[0], f"{value / 1000:,.{decimals + 3}f}")


def _swapped(shown: list[str], question: Question, context: Context) -> Iterator[list[str]]:
    """The value of another year: from the same row, or the operands of the derivation swapped."""
    if len(shown) > 1:
        if shown[0] != shown[1]:
            yield [shown[1], shown[0], *shown[2:]]
        return
    if question.answer_type == "span":
        yield from (
            [_shown(cell, question.scale)] for cell in _other_years(shown[0], question, context)
        )
        return
    asked, formula = question.question, question.derivation.replace(" ", "")
    growth = re.fullmatch(r"\(([^()]+)-([^()]+)\)/([^()]+)", formula)
    if growth:
        new, old = (re.sub(r"[$,%]", "", part) for part in growth.groups()[:2])
        if _is_plain(new) and _is_plain(old):
            rate = 100 * (float(old) - float(new)) / float(new)
            yield [_shown(f"{rate:.2f}", "percent")]
    elif re.search(r"from|change", asked) and re.fullmatch(r"[$€£\d,.]+-[$€£\d,.]+", formula):
        yield [shown[0][1:] if shown[0].startswith("-") else f"-{shown[0]}"]


def _bare(text: str) -> str:
    return re.sub(r"[^\d.]", "", text)


def _is_plain(number: str) -> bool:
    return bool(re.fullmatch(r"\d+(?:\.\d+)?", number))


def _other_years(shown: str, question: Question, context: Context) -> Iterator[str]:
    """What the answer's row says in the column of a year that the question does not name."""
    rows = context.table.table
    years = [_YEAR.findall(" ".join(row[at] for row in rows[:3])) for at in range(len(rows[0]))]
    asked = _YEAR.findall(question.question)
    bare = _bare(shown)
    for row in rows:
        plain = [_bare(cell) for cell in row]
        if bare in plain[1:] and asked:
            for cell, digits, year in list(zip(row, plain, years, strict=True))[1:]:
                fits = ("%" in cell) == ("%" in shown) and digits not in ("", bare)
                if year and year[-1] not in asked and fits:
                    yield cell.strip()
                    return


if __name__ == "__main__":
    main()
