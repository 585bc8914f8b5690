"""Find the tables in a JSON value: lists of objects, objects of objects, objects of lists.

Tables whose rows have much the same fields are one kind, however far apart they stand, so
that columns, and what repeats, are decided and written once for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from tallybook.figures.cells import Path
from tallybook.figures.columns import KEY
from tallybook.figures.exact import Json

Shape: TypeAlias = Literal["list", "keyed", "columns"]

_Row: TypeAlias = "tuple[dict[Path, Json], dict[str, Json]]"

_CONTAINERS: Final = (list, dict)
DEEPEST: Final = 48
"""Below this many levels JSON stays JSON: nobody reads it, and recursion has an end."""
_SHORT_LIST: Final = 12
_REMEMBERED: Final = 8


@dataclass(slots=True, eq=False)
class Kind:
    """Rows of tables alike: fields fit for a cell, and what has to stand below the row."""

    shape: Shape
    names: set[Path] = field(default_factory=set)
    rows: list[dict[Path, Json]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    below: list[dict[str, Json]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Table:
    """One table: rows start..stop of its kind."""

    kind: Kind
    start: int
    stop: int


@dataclass(slots=True)
class Tables:
    """All tables of a value by the identity of their node, and which lists hold objects."""

    by_node: dict[int, Table] = field(default_factory=dict)
    with_objects: set[int] = field(default_factory=set)
    kinds: list[Kind] = field(default_factory=list)
    exact: dict[tuple[Shape, frozenset[Path]], Kind] = field(default_factory=dict)


def gather(value: Json) -> Tables:
    """Find all tables; time grows with the size of the value alone."""
    tables = Tables()
    _visit(value, tables, 0)
    return tables


def _visit(value: Json, tables: Tables, depth: int) -> bool:
    """Register what is a table, look into what is not; say whether an object was seen."""
    if not value or depth > DEEPEST:
        return False
    match value:
        case list():
            rows: list[_Row] = [({}, row) for row in value if isinstance(row, dict) and row]
            if len(rows) == len(value) and _add(value, "list", rows, tables, depth):
                return True
            seen = [_visit(item, tables, depth + 1) for item in value]
            if any(seen):
                tables.with_objects.add(id(value))
            return any(seen)
        case dict():
            _visit_object(value, tables, depth)
            return True
        case _:
            return False


def _visit_object(value: dict[str, Json], tables: Tables, depth: int) -> None:
    if length := _columns_length(value):
        lists = [(name, items) for name, items in value.items() if isinstance(items, list)]
        rows: list[dict[str, Json]] = [
            {name: items[i] for name, items in lists} for i in range(length)
        ]
        _add(value, "columns", [({}, row) for row in rows], tables, depth)
        return
    if _is_keyed(value):
        keyed: list[_Row] = [
            ({KEY: key}, row) for key, row in value.items() if isinstance(row, dict)
        ]
        if _add(value, "keyed", keyed, tables, depth):
            return
    for item in value.values():
        _visit(item, tables, depth + 1)


def _columns_length(value: Mapping[str, Json]) -> int:
    """The common length of an object's lists of scalars; 0 if it is not made of such."""
    lengths = {len(items) if isinstance(items, list) else 0 for items in value.values()}
    if len(value) < 2 or len(lengths) != 1 or (length := lengths.pop()) < 3:
        return 0
    flat = all(isinstance(items, list) and _scalars(items) for items in value.values())
    return length if flat else 0


def _is_keyed(value: Mapping[str, Json]) -> bool:
    rows = [row for row in value.values() if isinstance(row, dict) and row]
    if len(rows) < 2 or len(rows) < len(value):
        return False
    names = {name for row in rows for name in row}
    return len(names) * len(rows) <= 1.6 * sum(map(len, rows))


def _scalars(items: list[Json]) -> bool:
    return not any(isinstance(item, list | dict) for item in items)


def _add(
    node: Json,
    shape: Shape,
    rows: list[_Row],
    tables: Tables,
    depth: int,
) -> bool:
    """Register a table; false, and nothing done, where no row has a field fit for a cell."""
    flats, rests = [], []
    for flat, row in rows:
        rest: dict[str, Json] = {}
        for name, item in row.items():
            if item and isinstance(item, _CONTAINERS):
                _flatten(name, item, flat, rest)
            else:
                flat[(name,)] = item
        flats.append(flat)
        rests.append(rest)
    names = {path for flat in flats for path in flat}
    if not names - {KEY}:
        return False
    kind = _kind(tables, shape, names)
    start = len(kind.rows)
    kind.rows.extend(flats)
    kind.below.extend(rests)
    kind.spans.append((start, len(kind.rows)))
    tables.by_node[id(node)] = Table(kind, start, len(kind.rows))
    for rest in rests:
        for item in rest.values():
            _visit(item, tables, depth + 1)
    return True


def _flatten(name: str, item: Json, flat: dict[Path, Json], rest: dict[str, Json]) -> None:
    """A small list or an object of scalars has cells of its own; anything else goes below."""
    match item:
        case list() if len(item) <= _SHORT_LIST and _scalars(item):
            flat[(name,)] = item
        case dict() if not any(isinstance(part, list | dict) for part in item.values()):
            flat.update({(name, key): part for key, part in item.items()})
        case _:
            rest[name] = item


def _kind(tables: Tables, shape: Shape, names: set[Path]) -> Kind:
    """The kind with these fields, or one of the newest that shares most of them."""
    frozen = (shape, frozenset(names))
    known = tables.exact.get(frozen)
    if known is None:
        near = (kind for kind in tables.kinds[-_REMEMBERED:] if _alike(kind, shape, names))
        known = next(near, None)
    if known is None:
        known = Kind(shape)
        tables.kinds.append(known)
    known.names |= names
    tables.exact[frozen] = known
    return known


def _alike(kind: Kind, shape: Shape, names: set[Path]) -> bool:
    """Lists by name have no rows to stand below, so theirs are one kind only if names agree."""
    if kind.shape != shape or shape == "columns":
        return False
    return len(kind.names & names) * 2 >= len(kind.names | names)
