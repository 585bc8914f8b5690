from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tallybook.research.spelling import is_slip, mend

words = st.text("abcdefgh", min_size=6, max_size=12)


@given(words, st.data())
def test_one_slip_behind_the_first_letter_is_recognised(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(word) - 1))
    left_out = word[:place] + word[place + 1 :]
    put_in = word[:place] + "z" + word[place:]
    changed = word[:place] + "z" + word[place + 1 :]
    assert all(is_slip(slip, word) for slip in (left_out, put_in, changed))
    if place > 1:
        swapped = word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :]
        assert swapped == word or is_slip(swapped, word)


@given(words)
def test_two_slips_are_too_many(word: str) -> None:
    assert not is_slip(f"{word}yz", word)
    assert not is_slip(f"{word[:-2]}yz", word)


def test_a_word_that_could_mean_two_is_left_alone() -> None:
    assert mend("caster", {"castor", "casten"}, ()) == ("caster", {})
    assert mend("Marvel", {"marvell"}, ()) == ("marvell", {"Marvel": "marvell"})
    assert mend("apply", {"apple"}, {"apply"}) == ("apply", {})
