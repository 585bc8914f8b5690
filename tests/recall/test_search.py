from __future__ import annotations

import json
import re
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pads import call_and_result, with_results
from tests.recall.sources import Run, asked, result, run_of

from tallybook.errors import RecallError
from tallybook.recall import recall, search
from tallybook.recall.index import FILE
from tallybook.scratchpad import read
from tallybook.scratchpad.events import RECALL, RunStarted, UserMessage

TEXTS = (
    "Revenue of the data centre segment was 94,930 million; net income 31,910 million.",
    "公司本季度毛利率为46.9%，净利润增长。营业收入创新高。",
    'It has quotes " and * stars, NEAR(x) but no revolution. Nestlé and AT&T. Q3营收2024年',
    '{"RevenueFromContractWithCustomer": 1e3, "gross_profit": 94930000000, "eps": 94.93}',
    "매출액은 증가했다. 売上高が増えた。",
)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return run_of(tmp_path, *TEXTS)


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("data centre revenue", [4]),
        ("94,930", [4, 10]),
        ("94930", [4, 10]),
        ("94.93", [10]),
        ("31,910", [4]),
        ("毛利率", [6]),
        ("毛利", [6]),
        ("净利", [6]),
        ("高", [6, 12]),
        ("营业收入", [6]),
        ("公司的营业收入是多少", [6]),
        ("营收", [8]),
        ("2024", [8]),
        ("売上", [12]),
        ("증가", [12]),
        ('quotes " and * stars', [8]),
        ("nestle", [8]),
        ("AT&T", [8]),
        ("NEAR(", [8]),
        ("volution", [8]),
        ("contract with customer", [10]),
        ("FromContract", [10]),
        ("gross profit", [10]),
        ("incomes", [4]),
        ("revenu", [4, 10]),
        ("what was the net income of it", [4]),
    ],
)
def test_a_query_finds_the_texts_that_have_it(run: Run, query: str, numbers: list[int]) -> None:
    found = [hit.seq for hit in search(run, query)]
    assert found[: len(numbers)] == numbers or sorted(found) == numbers


def test_all_words_in_a_row_come_first_then_all_then_some(tmp_path: Path) -> None:
    run = run_of(
        tmp_path,
        "margin " * 50,
        "gross " * 20 + "and much later the margin " * 20,
        "x " * 300 + "the gross margin of the segment" + " y" * 300,
    )
    assert [hit.seq for hit in search(run, "gross margin")][:3] == [8, 6, 4]


def test_the_words_of_the_call_count_for_all_that_it_brought(tmp_path: Path) -> None:
    page = "\n".join(["filler words"] * 400 + ["revenue was 5"])
    run = Run(
        tmp_path,
        RunStarted("Q"),
        *result(page, "facts", '{"ticker": "AAPL"}'),
        *result(page, "facts", '{"ticker": "NVDA"}'),
    )
    best = search(run, "NVDA revenue")[0]
    assert (best.seq, best.about, best.spot.line) == (5, '{"ticker": "NVDA"}', 401)


@pytest.mark.parametrize("separator", ["\n", " ", "，"])
def test_recalling_from_a_hit_shows_it(tmp_path: Path, separator: str) -> None:
    text = separator.join(["nothing here"] * 3_000 + ["The dividend was 0.26"] + ["more"] * 3_000)
    run = run_of(tmp_path, text)
    header, found = asked(run, 900, query="dividend 0.26")
    assert header == "[1 passage with 'dividend 0.26', best first; recall(seq, char=…) reads on]"
    place = int(re.findall(r"char (\d+)", found)[0])
    line = int(re.findall(r"line (\d+)", found)[0])
    assert text.count("\n", 0, place) + 1 == line
    assert "The dividend was 0.26" in found
    assert "The dividend was 0.26" in asked(run, 400, seq=4, char=place)[1][:200]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(st.characters(exclude_categories=[]), max_size=60), min_size=1, max_size=4),
    st.text(st.characters(exclude_categories=[]), max_size=20),
    st.integers(300, 900),
)
def test_any_query_over_any_text_is_answered_or_refused(
    texts: list[str], query: str, limit: int
) -> None:
    run = run_of(Path("nowhere"), *texts)
    for arguments in ({"query": query}, {"query": query, "seq": 4}):
        with suppress(RecallError):
            assert len(recall(run, arguments, limit=limit)) <= limit


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from([*"营业收入毛利率 ", " margin ", " 94,930 ", " FY2024\n"]), max_size=60
    ),
    st.data(),
)
def test_every_word_of_a_text_is_found(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    words = re.findall(r"[a-z]{3,}|[一-鿿]+|\d+,\d+|2024", text)
    if words:
        query = data.draw(st.sampled_from(words))
        (hit,) = search(run_of(Path("nowhere"), text), query, most=1)
        assert query in " ".join(text[hit.spot.char :].split())


def test_a_phrase_across_two_pieces_is_found(tmp_path: Path) -> None:
    for shift in range(0, 160, 20):
        text = "x" * (1_900 + shift) + " gross margin " + "y" * 3_000
        assert search(run_of(tmp_path / str(shift), text), "gross margin")[0].spot.words == 2


def test_one_text_does_not_crowd_out_the_others(tmp_path: Path) -> None:
    run = run_of(tmp_path, "revenue\n" * 5_000, "revenue and costs, a longer text about both")
    assert {hit.seq for hit in search(run, "revenue", most=6)} == {4, 6}


def test_results_of_recall_itself_are_not_found_again(tmp_path: Path) -> None:
    run = run_of(tmp_path, "alpha one")
    run.add(*result("alpha alpha echo", RECALL))
    assert [hit.seq for hit in search(run, "alpha")] == [4]


def test_what_cannot_be_served_is_left_out(tmp_path: Path) -> None:
    run = run_of(tmp_path, "alpha one", "alpha two")
    run.lost.add(4)
    assert [hit.seq for hit in search(run, "alpha")] == [6]


def test_the_index_follows_the_run(tmp_path: Path) -> None:
    with with_results(tmp_path, "alpha one") as pad:
        assert [hit.seq for hit in search(pad, "alpha")] == [4]
        for event in call_and_result("alpha beta two", 7):
            pad.append(event)
        assert [hit.seq for hit in search(pad, "beta")] == [6]
        assert {hit.seq for hit in search(read(pad.folder), "alpha")} == {4, 6}


def test_a_call_and_its_result_belong_together_across_two_searches(tmp_path: Path) -> None:
    call, answer = result("alpha", "facts", '{"ticker": "NVDA\ud800"}')
    run = Run(tmp_path, RunStarted("Q"), UserMessage("alpha"), call)
    search(run, "alpha")
    run.add(answer)
    assert search(run, "NVDA")[0].about == '{"ticker": "NVDA?"}'


@pytest.mark.parametrize("broken", [b"", b"garbage" * 1_000, None])
def test_a_missing_or_damaged_index_is_built_again(run: Run, broken: bytes | None) -> None:
    before = search(run, "revenue")
    file = run.folder / FILE
    whole = file.read_bytes()
    if broken is None:
        file.unlink()
    else:
        file.write_bytes(broken)
    assert search(run, "revenue") == before
    assert file.read_bytes()[:16] == whole[:16]


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
def test_an_index_torn_anywhere_is_built_again(run: Run, share: float) -> None:
    before = search(run, "revenue")
    file = run.folder / FILE
    whole = file.read_bytes()
    place = int(len(whole) * share)
    file.write_bytes(whole[:place] + b"\xff" * (len(whole) - place))
    assert search(run, "revenue") == before


def test_an_index_of_another_run_version_or_make_is_built_again(tmp_path: Path) -> None:
    one, other = run_of(tmp_path / "a", "alpha"), run_of(tmp_path / "b", "beta")
    for run in (one, other):
        run.folder.mkdir()
        search(run, "alpha")
    (other.folder / FILE).write_bytes((one.folder / FILE).read_bytes())
    assert [hit.seq for hit in search(other, "beta")] == [4]
    with closing(sqlite3.connect(other.folder / FILE)) as index, index:
        index.execute("UPDATE mark SET json = replace(json, '\"version\":2', '\"version\":1')")
        index.execute("DELETE FROM piece")
    assert [hit.seq for hit in search(other, "beta")] == [4]
    (other.folder / FILE).unlink()
    with closing(sqlite3.connect(other.folder / FILE)) as index, index:
        index.execute("CREATE TABLE mark (other TEXT)")
        index.execute("CREATE TABLE piece (different INTEGER)")
    assert [hit.seq for hit in search(other, "beta")] == [4]


def test_an_index_of_a_later_state_of_the_run_is_built_again(tmp_path: Path) -> None:
    later = run_of(tmp_path, "alpha", "beta")
    search(later, "alpha")
    assert search(run_of(tmp_path, "alpha"), "beta") == []


def test_where_no_index_can_be_written_the_search_is_done_in_memory(tmp_path: Path) -> None:
    nowhere = run_of(tmp_path / "missing", *TEXTS)
    assert search(nowhere, "revenue")
    assert not nowhere.folder.exists()
    taken = run_of(tmp_path, *TEXTS)
    (tmp_path / FILE).mkdir()
    assert search(taken, "revenue") == search(nowhere, "revenue")


def test_a_writer_at_work_does_not_keep_others_from_searching(run: Run) -> None:
    before = search(run, "revenue")
    with closing(sqlite3.connect(run.folder / FILE)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert search(run, "revenue") == before
        run.add(*result("fresh revenue"))
        other.execute("UPDATE mark SET json = 'half written'")
        assert 14 in [hit.seq for hit in search(run, "revenue")]
    assert 14 in [hit.seq for hit in search(run, "revenue")]


def test_many_can_build_the_index_at_the_same_time(tmp_path: Path) -> None:
    run = run_of(tmp_path, *(f"revenue of year {n}" for n in range(300)))
    ready = threading.Barrier(4)

    def one(number: int) -> list[int]:
        ready.wait()
        return [hit.seq for hit in search(run, f"revenue of year {number}", most=1)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(4))) == [[4], [6], [8], [10]]
    with closing(sqlite3.connect(run.folder / FILE)) as index:
        assert index.execute("SELECT count(*) FROM piece").fetchone() == (301,)


def test_a_query_of_any_length_is_answered(run: Run) -> None:
    for query in ("营业收入" * 2_000, "revenue " * 2_000, "x" * 20_000, "1," * 3_000, '"' * 999):
        assert len(search(run, query, most=3)) <= 3


def test_a_query_without_words_finds_nothing(run: Run) -> None:
    assert search(run, ' "*" ) (') == []
    with pytest.raises(RecallError, match="Try other words"):
        recall(run, json.dumps({"query": "zebra"}), limit=600)
