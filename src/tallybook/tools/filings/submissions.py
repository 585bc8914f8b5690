"""A filer's index of filings: EDGAR's columns turned into one record a filing, newest first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import msgspec

from tallybook.tools.failure import ToolFailure


class Filed(msgspec.Struct, frozen=True):
    """One filing. `period` is the date reported on, "" where a form has none."""

    form: str
    filed: date
    period: str
    accession: str
    document: str
    items: str = ""
    about: str = ""


class Older(msgspec.Struct, frozen=True):
    """A page of the index with filings before the newest thousand."""

    name: str
    first: date = msgspec.field(name="filingFrom")
    last: date = msgspec.field(name="filingTo")


class Submissions(msgspec.Struct, frozen=True):
    """Who files, the newest filings, and where the older ones are listed."""

    cik: int
    name: str
    filings: tuple[Filed, ...]
    older: tuple[Older, ...]


class _Columns(msgspec.Struct, frozen=True, rename="camel"):
    accession_number: list[str]
    filing_date: list[date]
    report_date: list[str]
    form: list[str]
    primary_document: list[str]
    primary_doc_description: list[str]
    items: list[str]


class _Filings(msgspec.Struct, frozen=True):
    recent: _Columns
    files: tuple[Older, ...] = ()


class _Page(msgspec.Struct, frozen=True):
    cik: str | int
    name: str
    filings: _Filings


def read_submissions(body: bytes) -> Submissions:
    """Read `CIK##########.json`."""
    try:
        page = msgspec.json.decode(body, type=_Page)
    except msgspec.MsgspecError as error:
        raise _other_form(error) from error
    recent = tuple(_filings(page.filings.recent))
    return Submissions(int(page.cik), page.name, recent, page.filings.files)


def read_older(body: bytes) -> tuple[Filed, ...]:
    """Read `CIK##########-submissions-###.json`."""
    try:
        return tuple(_filings(msgspec.json.decode(body, type=_Columns)))
    except msgspec.MsgspecError as error:
        raise _other_form(error) from error


def plain_accession(text: str) -> str:
    """An accession number with its dashes, from any way to write it."""
    digits = re.sub(r"\D", "", text)
    if len(digits) != 18:
        raise ToolFailure(
            f"{text!r} is no accession number: it has 18 digits, as in 0001045810-25-000023. "
            "Take it from list_filings."
        )
    return f"{digits[:10]}-{digits[10:12]}-{digits[12:]}"


def _filings(columns: _Columns) -> Iterator[Filed]:
    return (
        Filed(*row)
        for row in zip(
            columns.form,
            columns.filing_date,
            columns.report_date,
            columns.accession_number,
            columns.primary_document,
            columns.items,
            columns.primary_doc_description,
            strict=True,
        )
    )


def _other_form(error: Exception) -> ToolFailure:
    return ToolFailure(
        f"The index of filings has another form than EDGAR's ({error}). Check the base URL."
    )
