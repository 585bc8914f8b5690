from __future__ import annotations

from datetime import date

import pytest
from tests.tools.finance.filed import fact

from tallybook.tools.finance.facts import Fact
from tallybook.tools.finance.fiscal import label, learn_calendar

Years = list[tuple[str, str, int]]

NVIDIA: Years = [("2024-01-29", "2025-01-26", 2025), ("2025-01-27", "2026-01-25", 2026)]
APPLE: Years = [("2022-09-25", "2023-09-30", 2023), ("2023-10-01", "2024-09-28", 2024)]
HOME_DEPOT: Years = [("2024-01-29", "2025-02-02", 2024), ("2025-02-03", "2026-02-01", 2025)]
JOHNSON: Years = [("2018-12-31", "2019-12-29", 2019), ("2019-12-30", "2021-01-03", 2020)]
COSTCO: Years = [("2022-08-29", "2023-09-03", 2023), ("2023-09-04", "2024-09-01", 2024)]


def reports(years: Years) -> list[Fact]:
    return [fact(1, start, end, form="10-K", fy=fy) for start, end, fy in years]


@pytest.mark.parametrize(
    ("years", "end", "name"),
    [
        (NVIDIA, "2026-01-25", "Q4 FY2026"),
        (NVIDIA, "2026-04-26", "Q1 FY2027"),
        (NVIDIA, "2024-10-27", "Q3 FY2025"),
        (APPLE, "2022-12-31", "Q1 FY2023"),
        (APPLE, "2023-09-30", "Q4 FY2023"),
        (APPLE, "2025-06-28", "Q3 FY2025"),
        (HOME_DEPOT, "2025-02-02", "Q4 FY2024"),
        (HOME_DEPOT, "2025-05-04", "Q1 FY2025"),
        (JOHNSON, "2021-01-03", "Q4 FY2020"),
        (JOHNSON, "2021-04-04", "Q1 FY2021"),
        (COSTCO, "2023-11-26", "Q1 FY2024"),
        (COSTCO, "2024-05-12", "Q3 FY2024"),
        (COSTCO, "2024-09-01", "Q4 FY2024"),
    ],
)
def test_a_quarter_is_named_as_the_company_names_it(years: Years, end: str, name: str) -> None:
    place = learn_calendar(reports(years)).place(date.fromisoformat(end))
    assert place is not None
    assert label(place) == name


def test_a_wrong_fy_in_one_report_does_not_move_the_years() -> None:
    years = [("2023-01-01", "2023-12-31", 2023), ("2024-01-01", "2024-12-31", 2024)]
    calendar = learn_calendar(reports([*years, ("2025-01-01", "2025-12-31", 2024)]))
    assert [year.number for year in calendar.years[:3]] == [2023, 2024, 2025]


def test_twelve_months_that_end_elsewhere_in_the_year_are_no_fiscal_year() -> None:
    odd = fact(1, "2023-07-01", "2024-06-30", filed="2025-01-30", form="10-K", fy=2024)
    own = fact(1, "2024-01-01", "2024-12-31", filed="2025-01-30", form="10-K", fy=2024)
    assert [year.end for year in learn_calendar([odd, own]).years[:1]] == [date(2024, 12, 31)]


def test_a_date_in_the_middle_of_a_quarter_has_no_place() -> None:
    assert learn_calendar(reports(NVIDIA)).place(date(2025, 3, 10)) is None


def test_without_annual_reports_there_is_no_calendar() -> None:
    assert learn_calendar([fact(1, "2024-01-01", "2024-03-31")]).years == ()


@pytest.mark.parametrize("start", ["2024-01-01", "2023-11-01", "2024-02-15"])
def test_a_span_that_is_not_a_whole_number_of_quarters_is_left_out(start: str) -> None:
    calendar = learn_calendar(reports([("2024-01-01", "2024-12-31", 2024)]))
    span = calendar.span(fact(1, start, "2024-03-31"))
    assert (span is not None) == (start == "2024-01-01")
