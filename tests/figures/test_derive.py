from __future__ import annotations

from random import Random

import pytest
from tests.figures.made import made

from tallybook.figures.derive import derive
from tallybook.figures.figure import Figure

KNOWN = [
    made("$1,496.5 million", "Total sales", "2019"),
    made("$1,202.9 million", "Total sales", "2018"),
    made("$1,107.7 million", "Total sales", "2017"),
    made("$1,452.4 million", "Fixed price", "2019"),
    made("$1,146.2 million", "Fixed price", "2018"),
    made("$44.1 million", "Other", "2019"),
    made("$56.7 million", "Other", "2018"),
]


@pytest.mark.parametrize(
    ("claim", "said", "formula"),
    [
        ("(12.6) million", "The change in Other in 2019 from 2018", "{5} − {6}"),
        ("$12.6 million", "Other decreased from 2018 to 2019 by", "{5} − {6}"),
        ("24.4%", "Total sales grew in 2019 from 2018 by", "({0} − {1}) ÷ {1}"),
        ("97.1%", "Fixed price as a percentage of total sales in 2019", "{3} ÷ {0}"),
        ("$1,349.7 million", "The average total sales of 2018 and 2019", "({1} + {0}) ÷ 2"),
        (
            "$1,269.03 million",
            "The average total sales from 2017 to 2019",
            "({2} + {1} + {0}) ÷ 3",
        ),
        ("$2,699.4 million", "Total sales of 2018 and 2019 together", "{1} + {0}"),
        ("16.2%", "Total sales grew at a CAGR from 2017 to 2019 of", "({0} ÷ {2})^(1/2) − 1"),
        ("$1,408.3 million", "Fixed price less Other in 2019, a difference of", "{3} − {5}"),
    ],
)
def test_a_formula_is_named_with_its_operands(claim: str, said: str, formula: str) -> None:
    found = derive(made(claim), KNOWN, said)
    assert found is not None
    assert found.formula == formula.format(*(figure.text for figure in KNOWN))


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("(12.7) million", "The change in Other in 2019 from 2018"),
        ("$12.6 million", "The change in Other in 2019 from 2018"),
        ("$12.6 million", "Other increased from 2018 to 2019 by"),
        ("28.6%", "The percentage change in Other in 2019 from 2018"),
        ("24.5%", "Total sales grew in 2019 from 2018 by"),
        ("$1,155.3 million", "The average total sales of 2018 and 2019"),
        ("(12.6) billion", "The change in Other in 2019 from 2018"),
    ],
)
def test_another_digit_sign_order_year_or_scale_is_not_derived(claim: str, said: str) -> None:
    assert derive(made(claim), KNOWN, said) is None


def test_points_between_percentages_are_a_difference_in_percent_or_basis_points() -> None:
    known = [
        made("18.3%", "Effective tax rate", "2018"),
        made("13.0%", "Effective tax rate", "2019"),
    ]
    said = "The effective tax rate fell from 2018 to 2019 by"
    for claim in ("5.3%", "530 bps"):
        found = derive(made(claim), known, said)
        assert found is not None
        assert found.name == "difference"


def test_a_margin_is_implied_by_its_name() -> None:
    known = [made("$315,652", "Gross profit", "2019"), made("$788,948", "Sales", "2019")]
    found = derive(made("40.0%", "Gross margin", "2019"), known)
    assert found is not None
    assert found.name == "ratio"


def test_a_claim_of_one_digit_is_called_weak() -> None:
    known = [made(f"{rate}%", "State tax rate", f"{year}") for year, rate in
             ((2017, "1.6"), (2018, "3.7"), (2019, "3.7"))]  # fmt: skip
    found = derive(made("3%"), known, "The average state tax rate between 2017-2019")
    assert found is not None
    assert found.weak
    assert derive(made("3%"), known) is None


def _many(random: Random) -> list[Figure]:
    names = ["Rent", "Wages", "Fuel", "Freight", "Energy", "Legal", "Travel", "Paper", "Water"]
    return [
        made(f"{random.randint(1000, 99999):,}", f"{name} {kind}", str(year))
        for name in names
        for kind in ("cost", "income", "reserve", "claim", "tax", "asset")
        for year in range(2010, 2020)
    ]


def test_invented_numbers_among_many_figures_are_hardly_ever_derivable() -> None:
    random = Random(7)
    known = _many(random)
    said = ("Wages cost in 2017 was", "", "Fuel tax and legal reserve in 2015 were")
    tries = [made(f"{random.randint(100, 99999):,}") for _ in range(150)]
    found = [derive(claim, known, said[at % 3]) for at, claim in enumerate(tries)]
    assert sum(one is not None for one in found) <= 0.06 * len(tries)
