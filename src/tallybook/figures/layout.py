"""Lay figures out as tables, entity by line item by period, and read them back.

Figures of one result, one entity and one unit are a table: `recall(12)|NVDA|USD×1e6`, so
its head is at once the way back; `×1e6 exact` says that they were given to the last dollar.
Where most items have most periods, the periods are columns; elsewhere each item lists its
own. Whichever is shorter is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, TypeAlias

from tallybook.figures.amounts import (
    Usual,
    amount,
    amount_of,
    identifier,
    identifier_of,
    places_of,
    usual_of,
)
from tallybook.figures.cells import split, text_cell, text_of
from tallybook.figures.exact import DECODER, quote
from tallybook.figures.figure import Figure

Place: TypeAlias = tuple[str, str]
"""The period, and the numbers in a label's brackets: "0.3" for rows[0].values[3]."""
Rows: TypeAlias = dict[str, dict[Place, list[str]]]

_IDENTIFIERS: Final = "identifiers"
_PART: Final = r'"(?:[^"\\]|\\.)*"|[^"|×]*'
_HEAD: Final = re.compile(
    rf"recall\(([0-9]+)\)\|({_PART})\|({_PART})(?:×1e(-?[0-9]+)( exact)?)?(?:\|(.+))?\Z"
)
_BARE_PART: Final = re.compile(r"[^\s\"|×]+(?: [^\s\"|×]+)*\Z")
_INDEX: Final = re.compile(r"\[([0-9]+)\]")
_OPEN: Final = "[#]"


@dataclass(frozen=True, slots=True)
class Subject:
    """What one table is about."""

    seq: int
    entity: str
    unit: str
    kind: Literal["figure", "identifier"]


def layout(figures: Iterable[Figure]) -> list[str]:
    """Write figures as lines; tables and rows come in the order of their first figure."""
    groups: dict[Subject, list[Figure]] = {}
    for figure in figures:
        about = Subject(figure.seq, figure.entity, figure.unit, figure.kind)
        groups.setdefault(about, []).append(figure)
    return [line for about, group in groups.items() for line in _table(about, group)]


def is_head(line: str) -> bool:
    """Whether a line begins a table of figures."""
    return bool(_HEAD.match(line))


def figures_of(lines: Sequence[str]) -> Iterator[Figure]:
    """Read one table back, its head first; ValueError where a line does not fit it."""
    found = _HEAD.match(lines[0])
    if not found:
        raise ValueError(f"{lines[0]!r} is no head of a table")
    unit = text_of(found[3])
    kind: Literal["figure", "identifier"] = "figure"
    if found[3] == _IDENTIFIERS:
        unit, kind = "", "identifier"
    usual = Usual(int(found[4] or 0), exact=bool(found[5]))
    about = Subject(int(found[1]), text_of(found[2]), unit, kind)
    places = [_place_of(cell) for cell in split(found[6])[0]] if found[6] else None
    for line in lines[1:]:
        label, cells = _wide(line, places) if places else _long(line)
        for (period, numbers), cell in cells:
            yield _figure(about, cell, usual, (_filled(label, numbers), period))


def _table(about: Subject, figures: Sequence[Figure]) -> Iterator[str]:
    usual, rows = _rows(about, figures)
    unit = _IDENTIFIERS if about.kind == "identifier" else _part(about.unit)
    scale = f"×1e{usual.places}{' exact' if usual.exact else ''}" if usual.places else ""
    head = f"recall({about.seq})|{_part(about.entity)}|{unit}{scale}"
    long = [head, *(_long_line(label, cells) for label, cells in rows.items())]
    places = sorted({place for cells in rows.values() for place in cells}, key=_in_time)
    sparse = len(places) * len(rows) > 2 * sum(map(len, rows.values()))
    if sparse or about.kind == "identifier":
        return iter(long)
    wide = _wide_lines(head, rows, places)
    return iter(min(wide, long, key=lambda lines: sum(map(len, lines))))


def _rows(about: Subject, figures: Sequence[Figure]) -> tuple[Usual, Rows]:
    """Sort figures into rows; also the scale most of them have, as a power of ten."""
    places = {scale: places_of(scale) for scale in {figure.scale for figure in figures}}
    usual = usual_of(figures, places) if about.kind == "figure" else Usual()
    rows: Rows = {}
    for figure in figures:
        label, numbers = _opened(figure.label)
        cell = (
            identifier(figure)
            if about.kind == "identifier"
            else amount(figure, places[figure.scale], usual)
        )
        cells = rows.setdefault(label, {}).setdefault((figure.period, numbers), [])
        if cell not in cells:
            cells.append(cell)
    return usual, rows


def _long_line(label: str, cells: dict[Place, list[str]]) -> str:
    tails = [
        f"{cell},{_text(period)},{numbers}".rstrip(",")
        for (period, numbers), several in cells.items()
        for cell in several
    ]
    return ";".join([label, *tails])


def _wide_lines(head: str, rows: Rows, places: Sequence[Place]) -> list[str]:
    lines = [f"{head}|{','.join(map(_place, places))}"]
    for label, cells in rows.items():
        row = ",".join("/".join(cells.get(place, ())) for place in places)
        lines.append(f"{label},{row}".rstrip(","))
    return lines


def _in_time(place: Place) -> tuple[list[int], str, str]:
    """By the numbers in brackets, then by year, then as written."""
    period, numbers = place
    year = re.search(r"(?:19|20)[0-9]{2}", period)
    return [int(n) for n in numbers.split(".") if n], year[0] if year else "", period


def _place(place: Place) -> str:
    period, numbers = place
    said = quote(period) if "#" in period or not (period or numbers) else _text(period)
    return f"{said}#{numbers}" if numbers else said


def _place_of(cell: str) -> Place:
    if cell.startswith('"'):
        period, end = DECODER.raw_decode(cell)
        return period, cell[end:].removeprefix("#")
    period, _, numbers = cell.partition("#")
    return period, numbers


def _wide(line: str, places: Sequence[Place]) -> tuple[str, list[tuple[Place, str]]]:
    [[label, *cells]] = split(line)
    if len(cells) > len(places):
        raise ValueError(f"{line!r} has more cells than its head")
    pairs = zip(places, cells, strict=False)
    return label, [(place, one) for place, cell in pairs if cell for one in cell.split("/")]


def _long(line: str) -> tuple[str, list[tuple[Place, str]]]:
    (label,), *tails = split(line)
    cells = [(*tail, "", "")[:3] for tail in tails]
    return label, [((text_of(period), numbers), cell) for cell, period, numbers in cells]


def _figure(about: Subject, cell: str, usual: Usual, named: tuple[str, str]) -> Figure:
    label, period = named
    if about.kind == "identifier":
        (value, text), precision, scale = identifier_of(cell), Decimal(1), Decimal(1)
    else:
        (value, precision, scale), text = amount_of(cell, usual), ""
    return Figure(
        value=value,
        precision=precision,
        seq=about.seq,
        span=(0, 0),
        unit=about.unit,
        scale=scale,
        label=label,
        period=period,
        entity=about.entity,
        kind=about.kind,
        text=text,
    )


def _opened(label: str) -> tuple[str, str]:
    """Take the numbers out of a label's brackets, so that alike items share a row."""
    opened = _INDEX.sub(_OPEN, label)
    if _OPEN in label:
        return quote(label), ""
    cell = text_cell(opened)
    if cell.startswith('"'):
        return text_cell(label), ""
    return cell, ".".join(_INDEX.findall(label))


def _filled(label: str, numbers: str) -> str:
    if label.startswith('"'):
        return text_of(label)
    parts = label.split(_OPEN)
    given = numbers.split(".") if numbers else []
    if len(given) != len(parts) - 1:
        raise ValueError(f"{label!r} does not take {numbers!r}")
    return "".join(
        part + (f"[{given[i]}]" if i < len(given) else "") for i, part in enumerate(parts)
    )


def _text(text: str) -> str:
    return text_cell(text) if text else ""


def _part(text: str) -> str:
    return text if not text or (_BARE_PART.match(text) and text != _IDENTIFIERS) else quote(text)
