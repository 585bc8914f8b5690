from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tallybook.recall.page import cut, line_start, lines_of

texts = st.lists(
    st.text(st.sampled_from('ab,\u2028 {}"营业收🚀👩‍é\u0301\ud83d\ude00🇫🇷👍🏽\r'), max_size=80)
    | st.sampled_from(["x" * 500, "", "1," * 300, "94,930 " * 40, "e" + "\u0301" * 200]),
    max_size=8,
).map("\n".join)


@given(texts, st.integers(1, 400))
@example("\ud83d\ude00" * 5, 3)
@example("\ud83d\ude00" * 5, 1)
@example("\r\n" * 9, 1)
def test_pages_end_to_end_give_the_text_again(text: str, most: int) -> None:
    start, pages = 0, []
    while start < len(text):
        end = cut(text, start, most)
        assert start < end <= start + most
        pages.append(text[start:end])
        start = end
    assert "".join(pages) == text


@given(texts, st.integers(2, 400))
def test_no_surrogate_pair_is_parted(text: str, most: int) -> None:
    start = 0
    while start < len(text):
        start = cut(text, start, most)
        parted = text[start - 1 : start + 1]
        assert not (len(parted) == 2 and "\ud800" <= parted[0] < "\udc00" <= parted[1] < "\ue000")


@pytest.mark.parametrize(
    ("text", "most", "page"),
    [
        ("one\ntwo\nthree four", 10, "one\ntwo\n"),
        ("one\nlonger than the page", 16, "one\nlonger than "),
        ('{"a":94,930,"b":1}', 10, '{"a":94,'),
        ("value 94,930 and", 12, "value 94,930"),
        ("[1,2,3,4,5,6,7]", 8, "[1,2,3,"),
        ("一二三四五六。七八九十", 9, "一二三四五六。"),
        ("abcdé\u0301fgh", 6, "abcdé\u0301"),
        ("abcde\u0301fgh", 5, "abcd"),
        ("ab👩\u200d🔬cd", 4, "ab"),
        ("abc👍🏽d", 4, "abc"),
        ("ab🇫🇷🇩🇪", 5, "ab🇫🇷"),
        ("aaaa\r\nb", 5, "aaaa"),
        ("no\u2028line end here", 9, "no\u2028line "),
    ],
)
def test_a_page_ends_where_a_reader_would_stop(text: str, most: int, page: str) -> None:
    assert text[: cut(text, 0, most)] == page


def test_five_lines_of_20_000_characters_are_paged_inside() -> None:
    text = "\n".join(str(n) * 20_000 for n in range(5))
    assert cut(text, 0, 2_000) == 2_000
    assert text[20_001 : cut(text, 20_001, 30_000)] == "1" * 20_000 + "\n"


@given(texts)
def test_a_line_begins_behind_a_line_feed_counted_from_either_end(text: str) -> None:
    lines = text.split("\n")
    if len(lines) > 1 and lines[-1] == "":
        lines.pop()
    assert lines_of(text) == len(lines)
    for number, line in enumerate(lines, start=1):
        start = line_start(text, number)
        assert start is not None
        assert text[start : start + len(line)] == line
        assert line_start(text, number - len(lines) - 1) == start
    assert line_start(text, len(lines) + 2) is None
