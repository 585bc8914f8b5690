"""Which filing of a company is meant: by accession number, else the newest of its form."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.submissions import Filed, plain_accession


def of_forms(filings: Sequence[Filed], forms: Sequence[str]) -> list[Filed]:
    """The filings of some forms, amendments such as 10-K/A included."""
    wanted = {form.upper().removesuffix("/A") for form in forms}
    return [filed for filed in filings if filed.form.upper().removesuffix("/A") in wanted]


def by_accession(filings: Sequence[Filed], accession: str, name: str) -> Filed:
    """The filing of that number."""
    number = plain_accession(accession)
    found = next((filed for filed in filings if filed.accession == number), None)
    if found is None:
        raise ToolFailure(
            f"{name} has no filing {number} in EDGAR's index. Take the number from list_filings."
        )
    return found


def newest(filings: Sequence[Filed], form: str, period: date | None, name: str) -> Filed:
    """The newest filing of a form, no amendment, for the period that ends on or before a date."""
    of_form = [filed for filed in filings if filed.form.upper() == form.upper()]
    found = [f for f in of_form if not period or (f.period and f.period <= period.isoformat())]
    if not found:
        until = f" for a period that ends by {period}" if period else ""
        have = ", ".join(sorted({filed.form for filed in filings})[:12])
        raise ToolFailure(
            f"{name} has no {form}{until} in EDGAR's index. It files {have}: name one of these "
            "forms, or another period."
        )
    return max(found, key=lambda filed: (filed.period, filed.filed, filed.accession))
