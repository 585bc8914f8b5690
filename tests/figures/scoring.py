"""Score the finder against labels made by hand.

A figure found is right if it stands where a label does and has its value; unit, scale, period
and label are scored apart, of the figures that are right.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import msgspec

from tallybook.figures.figure import Figure
from tallybook.figures.find import find, find_in_rows

_ASPECTS = ("unit", "scale", "period", "label")
CORPUS = Path(__file__).parent / "corpus"


class Label(msgspec.Struct, array_like=True, frozen=True):
    """One mention: its place in the passage, as written, and what it means.

    `value` is "id" for an identifier; `period` and `keyword` are "" where none is stated, and
    `scale` is 0 where it is not asked for.
    """

    start: int
    end: int
    text: str
    value: str
    unit: str
    scale: Decimal
    period: str
    keyword: str


class Passage(msgspec.Struct, frozen=True):
    """A stretch of a file under the shared data, all of whose figures are labelled.

    `reach` leads to a text within a JSON file (in a `.jsonl` it begins with the line's number);
    `rows` says that a table as a list of rows is found there. `sha` guards against another text.
    """

    file: str
    reach: list[str | int]
    rows: bool
    start: int
    end: int
    sha: str
    held_out: bool
    labels: list[Label]


class Written(msgspec.Struct, frozen=True):
    """A text of our own with all its figures, as `text`, value, unit, period and keyword."""

    text: str
    figures: list[tuple[str, str, str, str, str]]
    held_out: bool = False


@dataclass
class Score:
    """Counts over passages, and what went wrong in words."""

    labels: int = 0
    found: int = 0
    right: int = 0
    asked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_ASPECTS, 0))
    agreed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_ASPECTS, 0))
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Of what was found, the share that is right."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Of what was labelled, the share that was found right."""
        return self.right / self.labels if self.labels else 1.0

    def accuracy(self, aspect: str) -> float:
        """Of right figures whose aspect is labelled, the share that has it as labelled."""
        return self.agreed[aspect] / self.asked[aspect] if self.asked[aspect] else 1.0

    def line(self, name: str) -> str:
        """One line for people."""
        parts = "  ".join(f"{aspect} {self.accuracy(aspect):.3f}" for aspect in _ASPECTS)
        return (
            f"{name:<10} {self.labels:4} labels  precision {self.precision:.3f}  "
            f"recall {self.recall:.3f}  {parts}"
        )


class Mention(NamedTuple):
    """A label with its place in the text that the finder read."""

    start: int
    end: int
    label: Label


def score(figures: Iterable[Figure], mentions: Iterable[Mention], into: Score, where: str) -> None:
    """Compare what was found in a passage with its labels."""
    left = list(mentions)
    into.labels += len(left)
    for figure in figures:
        into.found += 1
        near = [m for m in left if m.start < figure.span[1] and figure.span[0] < m.end]
        right = next((m for m in near if _is_right(figure, m.label)), None)
        if right is None:
            said = near[0].label.value if near else "nothing"
            into.wrong.append(
                f"{where}: {figure.text!r} {figure.value:f} is {said} [{figure.label[-60:]}]"
            )
            continue
        left.remove(right)
        into.right += 1
        _compare(figure, right.label, into, where)
    into.wrong += [f"{where}: missed {m.label.text!r} [{m.label.keyword}]" for m in left]


def _is_right(figure: Figure, label: Label) -> bool:
    if label.value == "id":
        return figure.kind == "identifier"
    return figure.kind == "figure" and figure.value == Decimal(label.value)


def _compare(figure: Figure, label: Label, into: Score, where: str) -> None:
    if label.value == "id":
        return
    told = {
        "unit": figure.unit == label.unit,
        "scale": figure.scale == label.scale if label.scale else None,
        "period": figure.period == label.period if label.period else None,
        "label": label.keyword.lower() in figure.label.lower() if label.keyword else None,
    }
    for aspect, agrees in told.items():
        if agrees is None:
            continue
        into.asked[aspect] += 1
        into.agreed[aspect] += agrees
        if not agrees:
            shown = {
                "unit": figure.unit,
                "scale": figure.scale,
                "period": figure.period,
                "label": figure.label[-70:],
            }
            wanted = {
                "unit": label.unit,
                "scale": label.scale,
                "period": label.period,
                "label": label.keyword,
            }
            into.wrong.append(
                f"{where}: {label.text!r} {aspect} {shown[aspect]!r} is {wanted[aspect]!r}"
            )


def passages() -> list[Passage]:
    """The labelled passages of the shared data."""
    return msgspec.json.decode(
        (CORPUS / "shared.json").read_bytes(), type=list[Passage], strict=False
    )


def written() -> list[Written]:
    """The labelled texts of our own."""
    return msgspec.json.decode((CORPUS / "written.json").read_bytes(), type=list[Written])


def score_passages(root: Path, chosen: Iterable[Passage]) -> Score:
    """Run the finder over the files of some passages and score what it finds in them."""
    total = Score()
    read: dict[tuple[str, str], tuple[str, list[Figure]]] = {}
    for passage in chosen:
        key = (passage.file, json.dumps(passage.reach))
        if key not in read:
            read[key] = _found(root, passage)
        text, figures = read[key]
        piece = text[passage.start : passage.end]
        if hashlib.sha256(piece.encode()).hexdigest()[:12] != passage.sha:
            raise ValueError(f"{passage.file} {passage.reach} is not the text that was labelled")
        inside = [f for f in figures if passage.start <= f.span[0] < passage.end]
        base = passage.start
        mentions = [
            Mention(label.start + base, label.end + base, label) for label in passage.labels
        ]
        score(inside, mentions, total, f"{passage.file.rsplit('/')[-1][:18]}{passage.reach}")
    return total


def score_written(chosen: Iterable[Written]) -> Score:
    """Score the finder on texts of our own."""
    total = Score()
    for each in chosen:
        at, mentions = 0, []
        for text, value, unit, period, keyword in each.figures:
            at = each.text.index(text, at)
            label = Label(at, at + len(text), text, value, unit, Decimal(0), period, keyword)
            mentions.append(Mention(at, at + len(text), label))
            at += len(text)
        score(find(each.text), mentions, total, each.text[:40])
    return total


def _found(root: Path, passage: Passage) -> tuple[str, list[Figure]]:
    value = _reached(root / passage.file, passage.reach)
    if isinstance(value, str):
        return value, find(value)
    rows = msgspec.convert(value, list[list[str]])
    beside = _reached(root / passage.file, passage.reach[:1])
    texts = beside["paragraphs"] if isinstance(beside, Mapping) else []
    caption = "\n".join(str(each["text"]) for each in texts)
    return "\n".join("\t".join(row) for row in rows), find_in_rows(rows, caption)


def _reached(path: Path, reach: list[str | int]) -> object:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    if not reach:
        return text
    steps = list(reach)
    if ".jsonl" in path.name and isinstance(line := steps.pop(0), int):
        value = msgspec.json.decode(text.splitlines()[line])
    else:
        steps = list(reach)
        value = msgspec.json.decode(text)
    for step in steps:
        if isinstance(value, list) and isinstance(step, str):
            value = value[0]
        value = value[step]
    return value
