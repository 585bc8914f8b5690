"""Which filing of a company is meant: by accession number, else the newest of its form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.submissions import Filed, Submissions, plain_accession


class Wanted(NamedTuple):
    """One filing: that of `accession`, else the newest of `form` for a period until `period`."""

    form: str
    accession: str = ""
    period: date | None = None

    def matches(self, filed: Filed) -> bool:
        """Whether a filing may be meant; an amendment is meant only by its own form or number."""
        if self.accession:
            return filed.accession == plain_accession(self.accession)
        until = self.period.isoformat() if self.period else ""
        in_time = not until or bool(filed.period and filed.period <= until)
        return filed.form.upper() == self.form.upper() and in_time

    def chosen(self, found: Sequence[Filed], filer: Submissions) -> Filed:
        """The one meant of those that match, or ToolFailure with what the filer files."""
        if found:
            return max(found, key=lambda filed: (filed.period, filed.filed, filed.accession))
        if self.accession:
            raise ToolFailure(
                f"{filer.name} has no filing {plain_accession(self.accession)} in EDGAR's index. "
                "Take the number from list_filings."
            )
        until = f" for a period that ends by {self.period}" if self.period else ""
        have = ", ".join(sorted({filed.form for filed in filer.filings})[:12])
        raise ToolFailure(
            f"{filer.name} has no {self.form}{until} in EDGAR's index. It files {have}: name one "
            "of these forms, or another period."
        )


def within(forms: Sequence[str], start: date | None, end: date | None) -> Callable[[Filed], bool]:
    """Whether a filing is of some forms, amendments included, and filed between two dates."""
    wanted = {form.upper().removesuffix("/A") for form in forms}
    first, last = start or date.min, end or date.max
    return lambda filed: (
        filed.form.upper().removesuffix("/A") in wanted and first <= filed.filed <= last
    )
