"""Strategies for JSON texts: any JSON, and JSON that is mostly tables."""

from __future__ import annotations

from typing import Final, TypeAlias

from hypothesis import strategies as st

from tallybook.figures.exact import Json, Num, write

LITERALS: Final = (
    *("0", "-0", "1", "1.0", "-1", "0.1", "1e400", "-1.50E-7", "1E+3", "-0.0", "0e0"),
    *("123456789012345678901234567890", "12000000", "3000", "2500000", "-4000000", "2019"),
)
WORDS: Final = [
    "",
    " ",
    " a ",
    "a,b",
    "x: y",
    "line\nbreak",
    "tab\t",
    "\ud800",
    "\u2028",
    'say "so"',
    "[1 A]",
    "{2 B}",
    "(3 C)",
    "# JSON",
    *("null", "true", "007", "1e5", "-", "~", "*", "$", "a;b", "A|b", "营业收入", "é", "=x"),
    *("@A", "key:", "a.b", "a×1e3", "…", '£"«'),
    *["2024-12-31", "2024-01-01", "2023-02-30", "CY2024", "CY2024Q4", "CY2024Q4I"],
    *["0000320193-24-000001", "0000320193-24-000002"],
]

numbers = (
    st.sampled_from(LITERALS)
    | st.integers().map(str)
    | st.from_regex(
        r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?", fullmatch=True
    ).filter(str.isascii)
)
texts = st.sampled_from(WORDS) | st.text(max_size=12)
scalars = numbers.map(Num) | texts | st.none() | st.booleans()
names = st.sampled_from(("a", "b", "end", "start", "val", "frame", "accn", *WORDS)) | st.text(
    max_size=4
)

Strategy: TypeAlias = st.SearchStrategy[Json]


def _containers(inner: Strategy) -> Strategy:
    return st.lists(inner, max_size=5) | st.dictionaries(names, inner, max_size=5)


anything: Strategy = st.recursive(scalars, _containers, max_leaves=30)


@st.composite
def _columns(draw: st.DrawFn) -> dict[str, Strategy]:
    kinds: list[Strategy] = [
        st.sampled_from(("2024-12-31", "2024-09-28", "2023-12-31")),
        st.sampled_from(("2024-01-01", "2024-06-30", "2023-10-01")),
        st.sampled_from(("CY2024", "CY2023Q4", "CY2024Q4I", "CY2024Q3")),
        st.sampled_from(("0000320193-24-000001", "0000320193-24-000002", "0001193125-09-000003")),
        st.sampled_from((-7, 1, 12, 345)).map(lambda n: Num(f"{n}000000")),
        st.integers().map(lambda n: Num(str(n))),
        numbers.map(Num),
        texts,
        scalars,
        st.just("USD"),
        st.dictionaries(names, scalars, max_size=3),
        anything,
    ]
    return draw(st.dictionaries(names, st.sampled_from(kinds), min_size=1, max_size=7))


@st.composite
def tables(draw: st.DrawFn) -> Json:
    """Rows with the same columns, some fields missing, as a list, by key or as columns."""
    columns = draw(_columns())
    rows: list[dict[str, Json]] = draw(
        st.lists(st.fixed_dictionaries({}, optional=columns), max_size=12)
        | st.lists(st.fixed_dictionaries(columns), max_size=40)
    )
    match draw(st.sampled_from(("list", "twice", "keyed", "columns"))):
        case "twice":
            doubled: list[Json] = [row for row in rows for _ in range(2)]
            return doubled
        case "keyed":
            keys = draw(st.lists(names, min_size=len(rows), max_size=len(rows), unique=True))
            return dict(zip(keys, rows, strict=True))
        case "columns":
            return {name: [row.get(name) for row in rows] for name in columns}
        case _:
            plain: list[Json] = list(rows)
            return plain


@st.composite
def with_tables(draw: st.DrawFn) -> Json:
    """Tables at several places of one value."""
    parts = st.recursive(tables(), _containers, max_leaves=4)
    return draw(st.dictionaries(names, parts | anything, max_size=4) | parts)


json_texts: st.SearchStrategy[str] = (anything | with_tables()).map(write)
