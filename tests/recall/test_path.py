from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallybook.errors import RecallError
from tallybook.recall.path import outline, select

FIGURES = """{
  "revenue": [ {"end":"2024-06-28","value":1.0}, {"end":"2025-06-28","value":1e3},
               {"end":"2026-06-28","value":12345678901234567890123} ],
  "gross margin": {"value": 0.4690, "us-gaap": {"NaN": NaN}},
  "companies": [ {"name":"NVDA","items":{"revenue":[1.10, 2.20]}},
                 {"name":"AAPL","items":{"revenue":[3.30]}} ],
  "2024": "a year", "dots.in.it": "x", "it's": "y", "empty": []
}"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$.revenue[0].value", "1.0"),
        ("$.revenue[1].value", "1e3"),
        ("$.revenue[-1].value", "12345678901234567890123"),
        ("$.revenue[0]", '{"end":"2024-06-28","value":1.0}'),
        ("$.revenue[0:2]", '[{"end":"2024-06-28","value":1.0}, {"end":"2025-06-28","value":1e3}]'),
        ("$.companies[0].items.revenue[::-1]", "[2.20, 1.10]"),
        ("$.companies[0].items.revenue[*]", "[1.10, 2.20]"),
        ("$.companies[0].items.revenue[0,1]", "[1.10, 2.20]"),
        (
            "$.companies[*].items.revenue[0]",
            '{"$.companies[0].items.revenue[0]": 1.10, "$.companies[1].items.revenue[0]": 3.30}',
        ),
        ("$..name", '{"$.companies[0].name": "NVDA", "$.companies[1].name": "AAPL"}'),
        ("$['gross margin'].value", "0.4690"),
        ('$["gross margin"]["us-gaap"].NaN', "NaN"),
        ("$.gross margin.us-gaap.NaN", "NaN"),
        ("['dots.in.it']", '"x"'),
        (r"$['it\'s']", '"y"'),
        ("revenue[0].value", "1.0"),
        (".revenue[0].value", "1.0"),
        ("$.revenue.0.value", "1.0"),
        ("$[revenue][0][value]", "1.0"),
        ("$.2024", '"a year"'),
        ("$[2024]", '"a year"'),
        ("$.companies[].name", '{"$.companies[0].name": "NVDA", "$.companies[1].name": "AAPL"}'),
        ("$.companies.*.name", '{"$.companies[0].name": "NVDA", "$.companies[1].name": "AAPL"}'),
        ("$", FIGURES),
    ],
)
def test_a_path_selects_what_was_written_to_the_digit(path: str, expected: str) -> None:
    assert select(FIGURES, path) == expected


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=[]), max_size=8),
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=[]), max_size=5), below, max_size=4
        )
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), values, min_size=1), st.booleans())
def test_every_node_can_be_selected_as_it_was_written(
    tree: dict[str, object], ascii_only: bool
) -> None:
    def check(value: object, path: str) -> None:
        written = select(text, path)
        assert json.loads(written) == value
        assert written in text
        match value:
            case dict():
                for key, below in value.items():
                    check(below, f"{path}[{json.dumps(key, ensure_ascii=False)}]")
            case list():
                for index, below in enumerate(value):
                    check(below, f"{path}[{index}]")

    text = json.dumps(tree, ensure_ascii=ascii_only)
    check(tree, "$")


def test_json_is_found_behind_prose_in_lines_and_inside_strings() -> None:
    assert select('Result [1] of the query:\n{"x":[1.50,2]}\nDone.', "$.x[0]") == "1.50"
    assert select('```json\n{"x": 2.0}\n```', "$.x") == "2.0"
    assert select('The answer is {"x": 3.0}.', "$.x") == "3.0"
    assert select('{"x":1}\n{"x":2.50}\n', "$[1].x") == "2.50"
    assert select('Rows:\n{"x":1}\n\n{"x":2.50}\n', "$[*].x") == '{"$[0].x": 1, "$[1].x": 2.50}'
    nested = json.dumps([{"type": "text", "text": '{"revenue": [1.0, 2.0]}'}])
    assert select(nested, "$[0].text.revenue[1]") == "2.0"
    assert select(nested, "$..revenue") == '{"$[0].text.revenue": [1.0, 2.0]}'
    assert select(json.dumps('{"a": 1.0}'), "$.a") == "1.0"
    assert select('{"a": 1, "a": 2}', "$.a") == "2"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("$.revenues[0]", r"\$ is an object of 7 with the keys revenue, gross margin"),
        ("$.companies[0].item", r"\$.companies\[0\] is an object of 2 with the keys items, name"),
        ("$.revenue[7]", r"\$.revenue is an array of 3"),
        ("$.revenue[0].value.x", r"\$.revenue\[0\].value is 1.0"),
        ("$.empty[*]", r"\$.empty is an array of 0"),
        ("$.revenue[oops", "cannot be read"),
        ("$.revenue[?(@.value>1)]", "Conditions are not known"),
        ("$.revenue[0:2:0]", "step by 0"),
    ],
)
def test_a_path_that_leads_nowhere_says_what_is_there(path: str, said: str) -> None:
    with pytest.raises(RecallError, match=said):
        select(FIGURES, path)


@pytest.mark.parametrize("text", ["plain words", "", "12", '"a string"', "[1, 2", "{'a': 1}"])
def test_what_is_no_json_has_no_paths(text: str) -> None:
    with pytest.raises(RecallError, match="not JSON"):
        select(text, "$.x")
    assert outline(text, most=200) == ""


def test_json_nested_too_deep_is_refused_in_words() -> None:
    with pytest.raises(RecallError, match="nested too deep"):
        select("[" * 100_000 + "]" * 100_000, "$[0]")


def test_an_outline_lists_what_can_be_asked_for() -> None:
    assert outline(FIGURES, most=80) == (
        '$.revenue: an array of 3, $["gross margin"]: an object of 2, …'
    )
    rows = select(FIGURES, "$.revenue")
    assert outline(rows, "$.revenue", most=200) == (
        "$.revenue is an array of 3, $.revenue[0] is an object of 2 with end, value"
    )
    assert len(outline(json.dumps({"k" * 300: 1}), most=50)) <= 50
