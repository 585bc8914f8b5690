"""Write JSON as tables that a model reads at a glance and that give everything back.

JSON repeats every name in every row. Here a name is written once, a row is a line, what
many rows share is said once, and `decode` restores the value: every number to the digit,
every text, null and missing field. Only spaces, the order of an object's names and an
earlier one of two equal names are not kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Final

import msgspec

from tallybook.figures.cells import MISSING, Path, cell, column_cells, line_cell, path_text
from tallybook.figures.columns import KEY, Days, Frame, Lookup
from tallybook.figures.exact import Json, read
from tallybook.figures.gather import DEEPEST, Kind, Shape, Table, Tables, gather
from tallybook.figures.plan import Plan, header, plan
from tallybook.figures.restore import LEGEND
from tallybook.figures.rows import joined, table_lines

MARKS: Final[dict[Shape, tuple[str, str]]] = {
    "list": ("[", "]"),
    "keyed": ("{", "}"),
    "columns": ("(", ")"),
}
LEGEND_TABLES: Final = "[3 A]: 3 rows with the columns of A|; {3 A}: by key; (3 A): as columns."
LEGEND_TAIL: Final = "Each ; starts another row, alike before it."
LEGEND_LOOKUP: Final = "@B: line of B."
LEGEND_DAYS: Final = "days(a..b): both counted."
LEGEND_FRAME: Final = "*: nearest calendar period, CY2024Q1 (I: at its end)."
_HARDLY_SHORTER: Final = 0.5
_LINE_COST: Final = 12
"""About what a field costs on a line below its row, in cells that could be left empty."""


def encode(text: str) -> str | None:
    """Write a JSON text as a ledger; None where it is no JSON or would not get shorter.

    Where tables do not help (one nested object, long prose), JSON without spaces is given.
    """
    try:
        ledger = ledger_of(read(text))
        if len(ledger) > _HARDLY_SHORTER * len(text):
            ledger = min(ledger, msgspec.json.format(text, indent=-1), key=len)
    except (ValueError, RecursionError):
        return None
    return ledger if len(ledger) < len(text) else None


def ledger_of(value: Json) -> str:
    """Write any JSON value as a ledger, even where that is longer."""
    return _Writer(gather(value)).whole(value)


def names() -> Iterator[str]:
    """Names for tables: A to Z, then A1 to Z1 and so on."""
    for round_ in count():
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
            yield f"{letter}{round_ or ''}"


@dataclass(slots=True)
class _Kept:
    """A kind of table with its plan and the fields that stand below the rows."""

    plan: Plan
    below: list[dict[str, Json]]
    nested: bool


@dataclass(slots=True)
class _Writer:
    tables: Tables
    names: Iterator[str] = field(default_factory=names)
    kept: dict[int, _Kept] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def whole(self, value: Json) -> str:
        if isinstance(value, dict) and value and id(value) not in self.tables.by_node:
            for name, item in value.items():
                self.entry(path_text((name,)), item, 0)
        else:
            self.entry("$", value, 0)
        heads = [line for kept in self.kept.values() for line in _heads(kept.plan)]
        return "\n".join([_legend(kept.plan for kept in self.kept.values()), *heads, *self.lines])

    def entry(self, label: str, value: Json, indent: int) -> None:
        pad = " " * indent
        table = self.tables.by_node.get(id(value)) if isinstance(value, list | dict) else None
        match value:
            case _ if not isinstance(value, list | dict) or not value or indent > DEEPEST:
                self.lines.append(f"{pad}{label}: {line_cell(value)}")
            case _ if table and len(table.kind.rows) > 1:
                self.table(label, table, indent)
            case dict():
                self.object(label, value, indent)
            case list() if id(value) in self.tables.with_objects or table:
                self.lines.append(f"{pad}{label}:")
                for item in value:
                    self.entry("-", item, indent + 1)
            case list() if not any(isinstance(item, list | dict) for item in value):
                self.lines.append(f"{pad}{label}[]: {','.join(map(cell, value))}")
            case _:
                self.lines.append(f"{pad}{label}: {line_cell(value)}")

    def object(self, label: str, value: dict[str, Json], indent: int) -> None:
        if len(value) == 1 and label not in ("$", "-"):
            name, item = next(iter(value.items()))
            self.entry(f"{label}.{path_text((name,))}", item, indent)
            return
        self.lines.append(f"{' ' * indent}{label}:")
        for name, item in value.items():
            self.entry(path_text((name,)), item, indent + 1)

    def table(self, label: str, table: Table, indent: int) -> None:
        kept = self.kept.get(id(table.kind))
        if kept is None:
            kept = self.kept[id(table.kind)] = _keep(table.kind, self.names)
        settings, lines = table_lines(kept.plan, table.start, table.stop)
        said = f" {','.join(settings)}" if settings else ""
        opening, closing = MARKS[table.kind.shape]
        tag = f"{opening}{table.stop - table.start} {kept.plan.name}{closing}"
        self.lines.append(f"{' ' * indent}{label}: {tag}{said}")
        if not kept.nested:
            self.lines.extend(lines)
            return
        pad = " " * (indent + 1)
        for line, below in zip(lines, kept.below[table.start : table.stop], strict=True):
            self.lines.append(pad + line)
            for name, item in below.items():
                self.entry(name, item, indent + 2)


def _keep(kind: Kind, names: Iterator[str]) -> _Kept:
    """Decide which fields are columns: those that cost less in cells than in lines below."""
    rows = kind.rows
    seen = Counter(chain.from_iterable(rows))
    columns = {path: n for path, n in seen.items() if path == KEY or n * _LINE_COST >= len(rows)}
    fields = {path: _cells(rows, path, n == len(rows)) for path, n in columns.items()}
    below = [{path_text((name,)): item for name, item in rest.items()} for rest in kind.below]
    if len(columns) < len(seen):
        for row, rest in zip(rows, below, strict=True):
            rest.update({path_text(path): row[path] for path in row if path not in columns})
    nested = any(below)
    return _Kept(plan(names, fields, kind.spans, groupable=not nested), below, nested)


def _cells(rows: Sequence[Mapping[Path, Json]], path: Path, full: bool) -> list[str]:
    if full:
        return column_cells([row[path] for row in rows])
    written = iter(column_cells([row[path] for row in rows if path in row]))
    return [next(written) if path in row else MISSING for row in rows]


def _heads(plan: Plan) -> Iterator[str]:
    """Name a table's columns, and write out the tables that it points into."""
    yield header(plan.name, plan.head, plan.tail)
    for lookup in plan.lookups:
        yield header(lookup.name, lookup.columns)
        for number, cells in enumerate(joined(lookup.columns), start=1):
            yield f" {number},{cells}"


def _legend(plans: Iterable[Plan]) -> str:
    """Say in a line how to read what is there, and nothing of what is not."""
    plans = list(plans)
    specs = [column.spec for plan in plans for column in (*plan.head, *plan.tail)]
    words = [
        (bool(plans), LEGEND_TABLES),
        (any(plan.tail for plan in plans), LEGEND_TAIL),
        (any(isinstance(spec, Lookup) for spec in specs), LEGEND_LOOKUP),
        (any(isinstance(spec, Days) for spec in specs), LEGEND_DAYS),
        (any(isinstance(spec, Frame) for spec in specs), LEGEND_FRAME),
    ]
    return " ".join([LEGEND, *(said for there, said in words if there)])
