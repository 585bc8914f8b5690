from __future__ import annotations

import pytest

from tallybook.figures.wording import contradict, names, same_name, words


@pytest.mark.parametrize(
    "text",
    [
        "Net sales",
        "revenues",
        "$.revenue[0].value",
        "RevenueFromContractWithCustomerExcludingAssessedTax",
        "营业收入",
        "营收",
    ],
)
def test_what_is_called_differently_folds_to_one_word(text: str) -> None:
    assert words(text) == {"revenue"}


def test_the_longest_name_wins() -> None:
    assert words("Cost of sales") == {"costofrevenue"}
    assert words("Gross profit margin") == {"grossmargin"}
    assert words("Basic earnings per share") == {"eps"}


def test_plural_footnotes_and_small_words_do_not_matter() -> None:
    assert words("The company's order intake1") == words("Order intakes")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("Net income", "Revenue", True),
        ("Net income", "净利润", False),
        ("Data center revenue", "Total net sales", False),
        ("Order intake", "Revenue", False),
        ("Gross margin", "Gross profit", True),
    ],
)
def test_known_measures_contradict_each_other(one: str, other: str, apart: bool) -> None:
    assert contradict(words(one), words(other)) is apart


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("NVDA", "NVIDIA Corporation", True),
        ("Apple Inc.", "AAPL", True),
        ("Marvell Technology, Inc.", "MRVL", True),
        ("GOOGL", "Alphabet Inc.", True),
        ("英伟达", "NVDA", True),
        ("NVDA", "Apple", False),
        ("Microsoft", "Apple", False),
    ],
)
def test_a_company_is_known_by_name_and_ticker(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same


def test_an_entity_is_heard_in_capitalised_words() -> None:
    assert names("NVDA", ["NVIDIA", "Revenue"])
    assert not names("NVDA", ["Apple", "Revenue"])
