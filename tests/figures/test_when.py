from __future__ import annotations

import pytest

from tallybook.figures.when import Period, agree, mentions, read


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("FY2024", Period(2024, fiscal=True)),
        ("FY24", Period(2024, fiscal=True)),
        ("fiscal year 2024", Period(2024, fiscal=True)),
        ("F19", Period(2019, fiscal=True)),
        ("2019", Period(2019)),
        ("Q3 2025", Period(2025, "Q3")),
        ("3Q25", Period(2025, "Q3")),
        ("2025Q3", Period(2025, "Q3")),
        ("third quarter of fiscal 2025", Period(2025, "Q3", fiscal=True)),
        ("2025-06-28", Period(2025, "06-28")),
        ("June 28, 2025", Period(2025, "06-28")),
        ("31 March 2019", Period(2019, "03-31")),
        ("2024年第三季度", Period(2024, "Q3")),
        ("2024年上半年", Period(2024, "H1")),
        ("2019 €m", Period(2019)),
    ],
)
def test_a_period_is_read_however_it_is_written(text: str, period: Period) -> None:
    assert read(text) == period


@pytest.mark.parametrize("text", ["$2,019", "2019.5", "1,496.5", "Q3", "20%", "page 12"])
def test_other_numbers_are_no_periods(text: str) -> None:
    assert read(text) is None


def test_the_ends_of_a_stretch_are_seen_to_be_ends() -> None:
    first, last = mentions("the average from 2017 to 2019")
    assert (first.through, last.through) == (False, True)
    assert [one.period.year for one in mentions("2021-2022")] == [2021, 2022]
    assert not any(one.through for one in mentions("in 2018 and 2019"))


@pytest.mark.parametrize(
    ("one", "other", "agreement"),
    [
        ("2019", "FY2019", "same"),
        ("2019", "2019-09-30", "same"),
        ("2019", "2018", "different"),
        ("Q1 2019", "Q2 2019", "different"),
        ("FY2019", "Q2 2019", "different"),
        ("2019", "Q2 2019", "possible"),
        ("FY2026", "2025-01-26", "different"),
        ("FY2025", "2026-01-25", "possible"),
        ("FY2024", "2025-03-31", "possible"),
        ("Q3 2025", "2025-06-28", "possible"),
        ("Q3 2025", "2024-06-29", "different"),
        ("Q1 FY2026", "2025-04-27", "possible"),
        ("Q1 FY2026", "2025-12-27", "possible"),
        ("Q1 FY2026", "2026-04-26", "possible"),
        ("CY2025", "2026-01-25", "same"),
        ("CY2025", "2025-01-26", "different"),
        ("Q4 CY2025", "2026-01-25", "same"),
        ("Q3 CY2025", "2025-10-26", "same"),
        ("Q1 FY2026 (2025-12-27)", "2025-12-27", "same"),
        ("Q1 FY2026 (2025-12-27)", "2025-03-29", "different"),
        ("Q4 2024", "2025-01-26", "possible"),
        ("FY2026", "FY2025", "different"),
        ("2017", "2019-06-30", "different"),
    ],
)
def test_two_periods_agree_may_agree_or_cannot(one: str, other: str, agreement: str) -> None:
    mine, yours = read(one), read(other)
    assert mine
    assert yours
    assert agree(mine, yours) == agree(yours, mine) == agreement


@pytest.mark.parametrize(
    "text", ["FY2024", "Q3 2025", "2025-06-28", "2019", "Q3 FY2025", "H1 2024"]
)
def test_a_period_written_out_is_read_back(text: str) -> None:
    period = read(text)
    assert period is not None
    assert read(str(period)) == period
