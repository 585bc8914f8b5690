from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pads import call_and_result, with_results

from tallybook.errors import RecallError
from tallybook.recall import recall, recall_spec
from tallybook.recall.page import page_at
from tallybook.recall.path import select
from tallybook.scratchpad import read
from tallybook.scratchpad.events import RECALL

FIGURES = json.dumps(
    {
        "revenue": [{"end": f"202{n}-06-28", "value": 1.0 + n} for n in range(6)],
        "gross margin": {"value": 0.4690},
        "big": 12345678901234567890123,
        "exponent": 1,
    }
).replace('"exponent": 1', '"exponent": 1e400')

lines = st.lists(
    st.text(st.sampled_from('ab,\u2028 {}"营业收🚀\ud800\r'), max_size=300)
    | st.sampled_from(["x" * 20_000, "", '{"a":' + "1," * 4_000]),
    max_size=8,
)


@pytest.mark.parametrize("limit", [300, 600, 1_500, 16_000])
@settings(max_examples=25, deadline=None)
@given(parts=lines)
def test_pages_end_to_end_give_the_text_again(limit: int, parts: list[str]) -> None:
    text = "\n".join(parts)
    pages, at = [], 0
    while True:
        page = page_at(text, at, limit)
        assert len(page.text) <= limit
        pages.append(page.text)
        at = page.end
        if page.is_last:
            break
    assert "".join(pages) == text


def test_recalling_page_by_page_as_the_header_says_gives_the_original(tmp_path: Path) -> None:
    original = "營業收入 94,930\r\n" * 300 + "y" * 5_000 + "\u2028end\ud800"
    pad = with_results(tmp_path, original)
    arguments, gathered = '{"seq": 4}', ""
    for _ in range(100):
        answer = recall(pad, arguments, limit=1_000)
        assert len(answer) <= 1_000
        header, _, page = answer.partition("\n")
        gathered += page
        more = re.search(r"recall\(4, char=(\d+)\)", header)
        if not more:
            break
        arguments = f'{{"seq": 4, "char": {more[1]}}}'
    assert gathered == original


def test_one_line_of_500_kb_is_paged_inside(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "0123456789," * 45_000)
    first = recall(pad, '{"seq": 4}', limit=2_000)
    assert 1_000 < len(first) <= 2_000
    middle = recall(pad, '{"seq": 4, "char": 250000}', limit=2_000)
    assert middle.partition("\n")[2].startswith("0123456789,"[250_000 % 11 :])


def test_a_line_can_be_asked_for(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "\n".join(f"row {n}" for n in range(1, 5_000)))
    assert "\nrow 3000\n" in recall(pad, '{"seq": "4", "line": "3000"}', limit=600)
    with pytest.raises(RecallError, match="lines 1 to 4,999"):
        recall(pad, '{"seq": 4, "line": 9999}', limit=600)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$.revenue[0:2].value", ["1.0", "2.0"]),
        ("$.revenue[-1].end", ['"2025-06-28"']),
        ("$.revenue[::-2].value", ["6.0", "4.0", "2.0"]),
        ("$['gross margin'].value", ["0.469"]),
        ("$..value", ["1.0", "2.0", "3.0", "4.0", "5.0", "6.0", "0.469"]),
        ("revenue[1].value", ["2.0"]),
        ("$.big", ["12345678901234567890123"]),
        ("$.exponent", ["1e400"]),
        ("$.revenue[*].end", [f'"202{n}-06-28"' for n in range(6)]),
    ],
)
def test_a_path_selects_values_to_the_digit(path: str, expected: list[str]) -> None:
    assert [found.json for found in select(FIGURES, path)] == expected


def test_a_path_works_on_json_lines_and_behind_a_heading() -> None:
    assert select('{"x":1}\n{"x":2.50}\n', "$[1].x")[0].json == "2.50"
    assert select('Result of the query:\n{"x":[1,2]}', "$.x[0]")[0].json == "1"


def test_a_path_that_leads_nowhere_names_the_keys_that_exist() -> None:
    with pytest.raises(RecallError, match=r"revenue: array of 6.*gross margin"):
        select(FIGURES, "$.revenues[0]")
    with pytest.raises(RecallError, match="is no JSON"):
        select("plain words", "$.x")
    with pytest.raises(RecallError, match=r"cannot be read from '\[oops'"):
        select(FIGURES, "$.revenue[oops")
    with pytest.raises(RecallError, match="step by 0"):
        select(FIGURES, "$.revenue[0:2:0]")


def test_what_a_path_selects_is_bounded_and_says_how_to_narrow(tmp_path: Path) -> None:
    pad = with_results(
        tmp_path, json.dumps({"rows": [{"n": n, "t": "x" * 50} for n in range(999)]})
    )
    answer = recall(pad, '{"seq": 4, "path": "$.rows"}', limit=1_200)
    assert len(answer) <= 1_200
    assert "narrow the path" in answer
    many = recall(pad, '{"seq": 4, "path": "$.rows[*].n"}', limit=1_200)
    assert "\n$.rows[0].n: 0\n" in many
    assert "more do not fit" in many


def test_words_are_found_within_one_result_with_their_place(tmp_path: Path) -> None:
    text = "filler " * 3_000 + "gross margin was 46.9 percent" + " filler" * 3_000
    pad = with_results(tmp_path, text)
    answer = recall(pad, '{"seq": 4, "query": "gross margin"}', limit=800)
    assert "gross margin was 46.9 percent" in answer
    place = int(re.findall(r"char (\d+)", answer)[0])
    assert "gross margin" in text[place : place + 400]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("data centre revenue", 4),
        ("94,930", 4),
        ("毛利率", 6),
        ("毛利", 6),
        ("净利", 6),
        ('quotes " and * stars', 8),
        ("volution", 8),
    ],
)
def test_a_search_finds_the_result_in_the_whole_run(
    tmp_path: Path, query: str, number: int
) -> None:
    pad = with_results(
        tmp_path,
        "Revenue of the data centre segment was 94,930 million.",
        "公司本季度毛利率为46.9%，净利润增长。",
        'It has quotes " and * stars, but no revolution.',
    )
    answer = recall(pad, json.dumps({"query": query}), limit=2_000)
    assert answer.splitlines()[1].startswith(f"#{number} ")


def test_the_place_of_a_hit_leads_to_the_words(tmp_path: Path) -> None:
    text = "nothing here. " * 2_000 + "The dividend was 0.26 per share. " + "more. " * 2_000
    pad = with_results(tmp_path, text)
    answer = recall(pad, '{"query": "dividend per share"}', limit=1_000)
    place = int(re.findall(r"char (\d+)", answer)[0])
    page = recall(pad, json.dumps({"seq": 4, "char": place}), limit=700)
    assert "The dividend was 0.26" in page


def test_the_index_follows_the_run_and_is_rebuilt_when_missing_or_broken(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "alpha one")
    assert "#4" in recall(pad, '{"query": "alpha"}', limit=900)
    for event in call_and_result("beta two", 7):
        pad.append(event)
    assert "#6" in recall(pad, '{"query": "beta"}', limit=900)
    index = pad.folder / "index.sqlite"
    for broken in (b"", b"garbage" * 1_000):
        index.write_bytes(broken)
        assert "#6" in recall(pad, '{"query": "beta"}', limit=900)
    index.unlink()
    assert "#4" in recall(read(pad.folder), '{"query": "alpha"}', limit=900)


def test_results_of_recall_itself_are_not_found_again(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "alpha one")
    for event in call_and_result("alpha alpha echo", 3, tool=RECALL):
        pad.append(event)
    assert "#6" not in recall(pad, '{"query": "alpha"}', limit=900)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("{}", "Say what to bring back"),
        ("", "Say what to bring back"),
        ("{broken", "cannot be read"),
        ('{"seq": "twelve"}', "cannot be read"),
        ('{"seq": 99}', "Numbers go from 1 to 4"),
        ('{"seq": 1}', "not a text"),
        ('{"query": "zebra"}', "Try other words"),
        ('{"seq": 4, "query": "zebra"}', "none of the words"),
        ('{"seq": 4, "char": 5000}', "outside of the text"),
    ],
)
def test_a_call_that_cannot_be_answered_says_what_to_do(
    tmp_path: Path, arguments: str, said: str
) -> None:
    pad = with_results(tmp_path, "alpha")
    with pytest.raises(RecallError, match=said):
        recall(pad, arguments, limit=900)


def test_an_altered_file_is_never_served(tmp_path: Path) -> None:
    pad = with_results(tmp_path, "z" * 5_000, inline=100)
    file = next((pad.folder / "results").iterdir())
    file.write_text("z" * 4_999 + "y")
    with pytest.raises(RecallError, match="altered"):
        recall(pad, '{"seq": 4}', limit=900)
    file.unlink()
    with pytest.raises(RecallError, match="missing"):
        recall(pad, '{"seq": 4}', limit=900)


def test_the_tool_is_described_for_models() -> None:
    spec = recall_spec()
    assert spec.name == RECALL
    assert spec.read_only
    assert set(json.loads(bytes(spec.parameters or b""))["properties"]) == {
        "seq",
        "path",
        "query",
        "line",
        "char",
    }
