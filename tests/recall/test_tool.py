from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pads import with_results
from tests.recall.sources import Run, all_pages, asked, result, run_of

from tallybook.errors import RecallError
from tallybook.recall import Part, fetch, recall, recall_spec
from tallybook.scratchpad.events import RECALL, AssistantMessage, RunStarted, UserMessage

HERE = Path("nowhere")
FILINGS = json.dumps({"rows": [{"n": n, "margin": 0.10 + n} for n in range(900)], "as of": "2025"})

texts = st.lists(
    st.text(st.sampled_from('ab,\u2028 {}"营业收🚀\ud83d\ude00\r]\x00'), max_size=200)
    | st.sampled_from(["x" * 5_000, "", '{"a":' + "1," * 2_000, FILINGS[:3_000]]),
    max_size=6,
).map("\n".join)


@settings(max_examples=60, deadline=None)
@given(texts, st.sampled_from([300, 600, 1_500, 16_000]))
def test_all_pages_of_a_text_are_the_text(text: str, limit: int) -> None:
    assert all_pages(run_of(HERE, text), limit, seq=4) == text


@settings(max_examples=30, deadline=None)
@given(texts, st.integers(300, 2_000))
def test_words_and_replies_come_back_as_they_were(text: str, limit: int) -> None:
    run = Run(HERE, RunStarted("Q"), UserMessage(text), AssistantMessage(text))
    assert all_pages(run, limit, seq=2) == text
    assert all_pages(run, limit, seq=3) == text


def test_a_file_of_the_scratchpad_comes_back_byte_for_byte(tmp_path: Path) -> None:
    text = "營業收入 94,930\r\n" * 300 + "y" * 5_000 + "\u2028end\ud800"
    with with_results(tmp_path, text, inline=1_000) as pad:
        assert all_pages(pad, 600, seq=4) == text


def test_the_first_line_says_what_it_is_and_how_to_go_on() -> None:
    run = Run(HERE, *result("row\n" * 1_000, "filing"), *result("short", "news", status="error"))
    header, page = asked(run, 600, seq=2)
    end = len(page)
    assert header == (
        f"[2 filing: characters 0 to {end} of 4,000, from line 1; go on with recall(2, char={end})]"
    )
    assert end > 400
    assert asked(run, 600, seq=2, char=3_996)[0] == (
        "[2 filing: characters 3,996 to 4,000 of 4,000, from line 1,000; the end]"
    )
    assert asked(run, 600, seq=4) == ("[4 news (error): whole, 5 characters]", "short")


def test_a_page_can_begin_at_a_line_or_a_character() -> None:
    run = run_of(HERE, "\n".join(f"row {n}" for n in range(1, 5_000)), "0123456789," * 45_000)
    assert asked(run, 600, seq="4", line="3000")[1].startswith("row 3000\nrow 3001\n")
    assert asked(run, 600, seq=4, line=-2)[1] == "row 4998\nrow 4999"
    assert asked(run, 600, seq=4, line=3000, char=4)[1].startswith("3000\n")
    assert asked(run, 600, seq=4, line=0, char=0)[1].startswith("row 1\n")
    assert asked(run, 600, seq=6, char=250_000)[1].startswith("0123456789,"[250_000 % 11 :])
    assert asked(run, 600, seq=6, char=-11)[1] == "0123456789,"


def test_what_a_path_selects_is_paged_and_outlined() -> None:
    run = run_of(HERE, FILINGS)
    assert asked(run, 900, seq=4, path="$.rows[2].margin")[1] == "2.1"
    rows = json.loads(all_pages(run, 900, seq=4, path="$.rows"))
    assert rows == json.loads(FILINGS)["rows"]
    header, _ = asked(run, 900, seq=4, path="$.rows")
    assert 'go on with recall(4, path="$.rows", char=' in header
    assert "narrow the path, it holds $.rows is an array of 900" in header
    assert "$.rows: an array of 900" in asked(run, 900, seq=4)[0]
    many = json.loads(all_pages(run, 5_000, seq=4, path="$.rows[*].margin"))
    assert many["$.rows[1].margin"] == 1.1


def test_words_are_found_within_one_text_with_their_place() -> None:
    text = "filler " * 3_000 + "\nThe gross margin was 46.9 percent.\n" + "filler " * 3_000
    run = run_of(HERE, text, FILINGS)
    header, found = asked(run, 800, seq=4, query="Gross Margin 46.9")
    place = text.index("The gross")
    assert found == f"line 2, char {place}: …The gross margin was 46.9 percent.…"
    assert ": 1 place with 'Gross Margin 46.9'" in header
    assert text[place:].startswith(asked(run, 800, seq=4, char=place)[1][:30])
    inside = asked(run, 800, seq=6, path="$.rows[7]", query="margin")[1]
    assert inside == 'line 1, char 0: {"n": 7, "margin": 7.1}'


def test_places_within_a_giant_text_fit_and_the_best_are_chosen() -> None:
    text = "margin " * 20_000 + "gross margin" + " margin" * 20_000
    found = asked(run_of(HERE, text), 600, seq=4, query="gross margin")[1]
    assert "gross margin" in found
    assert asked(run_of(HERE, text), 600, seq=4, query="gross", char=9)[1].count("gross") == 1


@pytest.mark.parametrize("path", ["", "$.rows", "$..n", '$["rows"][3:20]'])
def test_no_answer_is_longer_than_its_limit(path: str) -> None:
    run = run_of(HERE, json.dumps({"rows": [{"n": n, "margin": 0.1} for n in range(90)]}))
    for limit in range(260, 1_200, 19):
        assert json.loads(all_pages(run, limit, seq=4, path=path))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("{}", "Say what to bring back"),
        ("", "Say what to bring back"),
        ('{"seq": null, "query": ""}', "Say what to bring back"),
        ("{broken", "cannot be read"),
        ('{"seq": "\ud800"}', "cannot be read"),
        ('{"seq": "twelve"}', "seq cannot be read"),
        ('{"seq": [4, 6]}', "seq cannot be read"),
        ('{"seq": true}', "seq cannot be read"),
        ('{"seq": 4, "query": ["a"]}', "query cannot be read"),
        ('{"seq": 4, "offset": 9}', "does not know 'offset'"),
        ('{"seq": 99}', "Numbers go from 1 to 4; results are 4"),
        ('{"seq": 0}', "Numbers go from 1 to 4; results are 4"),
        ('{"seq": -3}', "Numbers go from 1 to 4; results are 4"),
        ('{"seq": 1}', "Numbers go from 1 to 4; results are 4"),
        ('{"seq": 4, "query": "zebra"}', r"None of the words of 'zebra' is in recall\(4\)"),
        ('{"seq": 4, "char": 5000}', r"recall\(4\), which has 5 characters \(0 to 4\)"),
        ('{"seq": 4, "line": 9}', "has lines 1 to 1"),
        ('{"seq": 4, "path": "$.a"}', "not JSON"),
    ],
)
def test_a_call_that_cannot_be_answered_says_what_to_do(arguments: str, said: str) -> None:
    with pytest.raises(RecallError, match=said) as refusal:
        recall(run_of(HERE, "alpha"), arguments, limit=900)
    assert len(str(refusal.value)) < 900


def test_a_wrong_number_names_the_nearest_results() -> None:
    run = run_of(HERE, *map(str, range(40)))
    with pytest.raises(
        RecallError, match=r"from 1 to 82; the results nearest to 851 are 68, .*, 82\."
    ):
        recall(run, '{"seq": 851}', limit=600)


@pytest.mark.parametrize("seq", [4, "4", " #4", "4.0", 4.0, "[result 4]"])
def test_a_number_may_be_written_in_many_ways(seq: object) -> None:
    run = run_of(HERE, "alpha")
    assert recall(run, {"seq": seq, "path": None, "query": ""}, limit=300).endswith("\nalpha")


def test_a_path_too_long_for_the_room_is_refused() -> None:
    with pytest.raises(RecallError, match="no room for a path this long"):
        recall(run_of(HERE, json.dumps({"k" * 500: 1})), {"seq": 4, "path": "k" * 500}, limit=600)


def test_an_altered_or_missing_file_is_never_served(tmp_path: Path) -> None:
    with with_results(tmp_path, "z" * 5_000, "alpha", inline=100) as pad:
        file = next((pad.folder / "results").iterdir())
        file.write_text("z" * 4_999 + "y")
        with pytest.raises(RecallError, match=r"altered.*results are 6\."):
            recall(pad, '{"seq": 4}', limit=900)
        file.unlink()
        with pytest.raises(RecallError, match="missing"):
            recall(pad, '{"seq": 4}', limit=900)


def test_programs_page_with_parts() -> None:
    run = run_of(HERE, "line\n" * 500)
    first = fetch(run, 4, limit=100)
    assert (first.start, first.end, first.total, first.line) == (0, 100, 2_500, 1)
    assert first.next == Part(char=100)
    assert first.more == "recall(4, char=100)"
    assert fetch(run, 4, Part(line=-1), limit=100).more is None


def test_the_tool_is_described_for_models() -> None:
    spec = recall_spec()
    assert spec.name == RECALL
    assert spec.read_only
    schema = json.loads(bytes(spec.parameters or b""))
    assert set(schema["properties"]) == {"seq", "path", "query", "line", "char"}
    assert "required" not in schema
