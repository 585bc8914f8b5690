"""Tables as filers draw them, laid out one column a figure."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tallybook.tools.filings.grid import Cell, Grid, grid


def laid(*rows: str) -> Grid | None:
    """Rows written as "text*width|…"; a cell without a width has one column."""
    placed = []
    for row in rows:
        at, cells = 0, []
        for part in row.split("|"):
            text, _, width = part.partition("*")
            cells.append(Cell(at, at + int(width or 1), text.strip()))
            at += int(width or 1)
        placed.append(cells)
    return grid(placed)


def test_signs_and_units_join_their_figure_and_empty_columns_go() -> None:
    assert laid(
        "*3|Year Ended*6",
        "*3|2024*3|2023*3",
        "Sold*3|$|1,250||$|990|",
        "Lost*3|(45*2|)|(7*2|)",
        "Margin*3|12.5*2|%|—*2|",
    ) == Grid(
        ("", "Year Ended 2024", "Year Ended 2023"),
        (("Sold", "$1,250", "$990"), ("Lost", "(45)", "(7)"), ("Margin", "12.5%", "—")),
    )


def test_a_label_alone_after_the_titles_is_a_row() -> None:
    found = laid("|2024", "Nests:|", "Sold|5")
    assert found == Grid(("", "2024"), (("Nests:", ""), ("Sold", "5")))


def test_a_missing_figure_keeps_the_others_in_their_columns() -> None:
    found = laid("|2024|2023|2022", "Sold|5|6|7", "Lost|||8")
    assert found
    assert found.body[1] == ("Lost", "", "", "8")


def test_a_table_without_figures_is_none() -> None:
    assert laid("•|Nests break in storms", "•|Cats climb") is None
    assert laid("One|2024", "Two|2023") is None


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    assert Grid(("a|b", "c"), (("d", "1"),)).lines()[0] == r"| a\|b | c |"


@given(
    st.lists(
        st.lists(st.decimals("0.01", "9999", places=2), min_size=3, max_size=3),
        min_size=1,
        max_size=8,
    )
)
def test_every_figure_stands_in_its_own_row_and_column(rows: list[list[Decimal]]) -> None:
    drawn = ["*1|2024*3|2023*3|2022*3"] + [
        f"row {n}|" + "|".join(f"$|{value:,}|" for value in row) for n, row in enumerate(rows)
    ]
    found = laid(*drawn)
    assert found
    assert [list(row[1:]) for row in found.body] == [[f"${v:,}" for v in row] for row in rows]
