from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallybook.figures.marks import marked, unmarked
from tallybook.figures.trace import Sources, trace

SOURCES = Sources({1: "Apple's net sales were $391,035 million in 2024."})


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("Debt was $5.0 B in 2024.", "Debt was $5.0 B **[unsupported]** in 2024."),
        ("| Debt | 5,012 |", "| Debt | 5,012 **[unsupported]** |"),
        ("Debt was **$5.0 B** in 2024.", "Debt was **$5.0 B** **[unsupported]** in 2024."),
        ("**Debt was $5.0 B in 2024**", "**Debt was $5.0 B [unsupported] in 2024**"),
        ("Debt was `$5.0 B` in 2024.", "Debt was `$5.0 B` **[unsupported]** in 2024."),
        ("Run `debt = 5,012 now` first.", "Run `debt = 5,012 now` **[unsupported]** first."),
        (
            "```\ndebt: 5,012\n```\nDebt was $6.1 B.",
            "```\ndebt: 5,012 [unsupported]\n```\nDebt was $6.1 B **[unsupported]**.",
        ),
        ("Debt was $5.0 B[3].", "Debt was $5.0 B **[unsupported]**[3]."),
    ],
)
def test_a_mark_stands_behind_the_figure_and_breaks_no_markdown(answer: str, shown: str) -> None:
    audit = trace(answer, SOURCES)
    assert marked(answer, audit) == shown
    assert marked(shown, audit) == shown
    assert marked(shown, trace(shown, SOURCES)) == shown
    assert unmarked(shown) == answer


def test_a_mark_is_taken_off_when_its_figure_has_found_support() -> None:
    answer = "Apple's net sales were $391,035 million in 2024."
    without = marked(answer, trace(answer, {1: "Nothing."}))
    assert "[unsupported]" in without
    assert marked(without, trace(without, SOURCES)) == answer


@given(
    st.lists(
        st.sampled_from(
            ["$5.0 B", "**$7.1 B**", "`9,125`", "net sales", "| ", "\n", "**", "_3,300_", "- ", "`"]
        ),
        max_size=12,
    )
)
def test_marking_twice_is_marking_once_and_unmarking_gives_the_answer_back(
    pieces: list[str],
) -> None:
    answer = " ".join(pieces)
    audit = trace(answer, SOURCES)
    shown = marked(answer, audit)
    assert marked(shown, audit) == shown
    assert unmarked(shown) == answer
    marks, count = shown.count("[unsupported]"), len(audit.unsupported)
    assert min(count, 1) <= marks <= count
