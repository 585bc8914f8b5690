from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runs import CHINESE, PROSE, TABLE, text

from tallybook.scratchpad.events import Media
from tallybook.view.measure import Measure, by_kind, exactly, of_media


def test_each_kind_of_text_is_counted_as_its_own() -> None:
    assert by_kind("Revenue rose.") == Measure(prose=12, json=1, chars=13)
    assert by_kind("营业收入").cjk == 4
    assert by_kind("{1:2}") == Measure(json=5, chars=5)


def test_a_long_unbroken_run_counts_as_base64_and_not_as_words() -> None:
    run = base64.b64encode(random.Random(1).randbytes(300)).decode()
    measure = by_kind(f"data:{run}")
    assert measure.base64 == len(run)
    assert measure.prose < 10


def test_blanks_beyond_the_first_of_a_run_cost_nothing() -> None:
    assert by_kind("a" + " " * 500 + "b").prose == by_kind("a b").prose


def test_an_emoji_counts_as_three_wide_characters() -> None:
    assert by_kind("🚀🚀").cjk == 6


@given(st.text())
def test_any_text_can_be_measured_and_keeps_its_length(any_text: str) -> None:
    measure = by_kind(any_text)
    assert measure.chars == len(any_text)
    assert min(measure.prose, measure.json, measure.cjk, measure.base64) >= 0


@pytest.mark.parametrize("kind", [PROSE, TABLE, CHINESE])
def test_a_very_long_text_is_sampled_within_6_percent(kind: str) -> None:
    whole = text(kind, 1_000_000)
    part = by_kind(whole[:4_000])
    sampled = by_kind(whole)
    for name in ("prose", "json", "cjk"):
        exact = 250 * getattr(part, name)
        assert getattr(sampled, name) == pytest.approx(exact, rel=0.06, abs=6_000)


def test_an_image_is_counted_by_its_pixels_or_flat_and_never_by_its_bytes() -> None:
    assert of_media(Media("image", bytes=4_000_000, width=900, height=600)).media == 720
    assert of_media(Media("image", bytes=4_000_000)).media == 1_600


def test_a_tokenizer_replaces_the_kinds() -> None:
    count = exactly(lambda words: len(words.split()))
    assert count("three words here") == Measure(exact=3, chars=16)


def test_measures_add_up_and_cancel() -> None:
    one, other = by_kind(PROSE), by_kind(TABLE)
    assert one + other - other == one
    assert one - one == Measure()
