"""`read_filings`: one item, note or exhibit of one filing, page by page, with its tables.

A 10-K has hundreds of pages, and a question needs some of them. So a filing is first its
contents with sizes, then a section by its name. What is read says where it stands.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from datetime import date
from urllib.parse import urlsplit

import msgspec

from tallybook.tools.failure import ToolFailure
from tallybook.tools.filings.blocks import read_blocks
from tallybook.tools.filings.choose import Wanted
from tallybook.tools.filings.sections import Document, Section
from tallybook.tools.filings.sgml import documents
from tallybook.tools.filings.source import Attachment, Filings
from tallybook.tools.filings.submissions import Filed, Submissions
from tallybook.tools.tool import Tool

NAME = "read_filings"

MOST_CHARACTERS = 60_000
FEWEST_CHARACTERS = 500

_KEPT = 4
_READABLE = (".htm", ".html", ".txt")


class ReadRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to read. `company` is a ticker, a name or a CIK number.

    Without `accession` it is the newest filing of `form`, or the newest whose period ends by
    `period`. `section` is an item ("Item 1A", "Part II Item 2", "Item 2.02"), a note ("Note 16",
    or its title), a statement, any heading, or an exhibit ("EX-99.1"); "all" is the document from
    its beginning, and left out it is the contents. `offset` and `limit` count characters.
    """

    company: str
    form: str = "10-K"
    accession: str = ""
    period: date | None = None
    section: str = ""
    offset: int = 0
    limit: int = 20_000


class Read(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was read: where it stands, and of how many characters it is which.

    `more` is how to go on; `contents` are the sections with their sizes in characters, and
    `exhibits` what can be read beside the document, where no section was asked for.
    """

    company: str
    form: str
    filed: date
    period: str
    accession: str
    url: str
    section: str = ""
    offset: int = 0
    characters: int = 0
    total: int = 0
    more: str = ""
    note: str = ""
    contents: dict[str, int] = {}
    exhibits: dict[str, str] = {}
    text: str = ""


def read_filings_tool(filings: Filings) -> Tool[ReadRequest]:
    """The tool over a source of filings; the newest documents stay read for the next page."""
    reader = Reader(filings)

    async def run(request: ReadRequest) -> str:
        read = await reader.read(request)
        head = msgspec.json.encode(msgspec.structs.replace(read, text="")).decode()
        return f"{head}\n\n{read.text}" if read.text else head

    return Tool(NAME, DESCRIPTION, ReadRequest, run)


class Reader:
    """Reads filings of a source, and keeps the documents read last."""

    def __init__(self, source: Filings) -> None:
        self._source = source
        self._kept: OrderedDict[str, Document] = OrderedDict()

    async def read(self, request: ReadRequest) -> Read:
        """Answer a request; ToolFailure where it is wrong or there is no such section."""
        _check(request)
        filer = await self._source.filer(request.company)
        wanted = Wanted(request.form, request.accession, request.period)
        found = await self._source.matching(filer, wanted.matches, enough=1)
        filed = wanted.chosen(found, filer)
        exhibit = request.section.strip().upper().replace("EXHIBIT ", "EX-")
        if exhibit.startswith("EX-"):
            attached = await self._exhibit(filer, filed, exhibit)
            document = await self._document(attached.url)
            return _page(_found(filer, filed, attached.url), document, document.whole, request)
        if filed.document:
            url = self._source.url(filer.cik, filed.accession, filed.document)
        else:
            url = self._source.submission(filer.cik, filed.accession)
        document = await self._document(url)
        read = _found(filer, filed, url)
        if request.section.strip().casefold() == "all":
            return _page(read, document, document.whole, request)
        if request.section.strip():
            return _page(read, document, document.find(request.section), request)
        sizes = {section.name: document.size(section) for section in document.contents}
        total = document.size(document.whole)
        return msgspec.structs.replace(
            read, total=total, contents=sizes, exhibits=await self._exhibits(filer, filed)
        )

    async def _exhibit(self, filer: Submissions, filed: Filed, kind: str) -> Attachment:
        rows = await self._source.attachments(filer.cik, filed.accession)
        found = next((row for row in rows if row.kind.upper() == kind), None)
        if found is None:
            have = ", ".join(dict.fromkeys(row.kind for row in rows if row.kind.startswith("EX-")))
            raise ToolFailure(
                f"The filing {filed.accession} has no {kind}; it has {have or 'no exhibits'}."
            )
        return found

    async def _exhibits(self, filer: Submissions, filed: Filed) -> dict[str, str]:
        """Exhibits that can be read, by type; none where the filing's index cannot be had."""
        try:
            rows = await self._source.attachments(filer.cik, filed.accession)
        except ToolFailure:
            return {}
        return {r.kind: r.description for r in rows if r.kind.startswith("EX-") and _readable(r)}

    async def _document(self, url: str) -> Document:
        document = self._kept.pop(url, None)
        if document is None:
            if not url.lower().endswith(_READABLE):
                raise ToolFailure(f"{url} is no text document. Read another part of the filing.")
            body = await self._source.document(url)
            document = await asyncio.to_thread(_parsed, body)
        self._kept[url] = document
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return document


DESCRIPTION = """\
Read one section of a company's 10-K, 10-Q, 8-K or other SEC filing, tables kept. Ask without
`section` for the contents of the filing with sizes, then by name: "Item 1A", "Item 7", in a 10-Q
"Part I Item 2", in an 8-K "Item 2.02" or the press release "EX-99.1", a note by number or title
("Note 16", "Segment Information"), a statement ("Income statement"), or any heading. Long
sections come in pages: `more` says how to go on. Figures in tables are in the scale that their
caption says. For figures over time get_financials is better.
"""


def _check(request: ReadRequest) -> None:
    if not request.company.strip():
        raise ToolFailure("Name a company by ticker, such as NVDA.")
    if request.offset < 0:
        raise ToolFailure(f"offset is {request.offset}; it begins with 0.")
    if not FEWEST_CHARACTERS <= request.limit <= MOST_CHARACTERS:
        raise ToolFailure(
            f"limit is {request.limit}; ask for {FEWEST_CHARACTERS} to {MOST_CHARACTERS:,}."
        )


def _parsed(body: bytes) -> Document:
    """A document, the first one of a whole submission."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        text = body.decode("cp1252", "replace")
    first = next(documents(text), None)
    return Document(read_blocks(first.text if first else text))


def _readable(row: Attachment) -> bool:
    return urlsplit(row.url).path.lower().endswith(_READABLE)


def _found(filer: Submissions, filed: Filed, url: str) -> Read:
    return Read(filer.name, filed.form, filed.filed, filed.period, filed.accession, url)


def _page(read: Read, document: Document, section: Section, request: ReadRequest) -> Read:
    page = document.page(section, request.offset, request.limit)
    if not page.text.strip():
        raise ToolFailure(
            f"{section.name} has {page.total:,} characters; offset {request.offset:,} is beyond "
            "its end. Ask for a smaller one."
        )
    on = page.following
    more = "" if on is None else f"{page.total - on:,} characters more: ask with offset={on}."
    elsewhere = "Item 8." in section.name and page.total < 2000
    note = _ELSEWHERE if elsewhere else ""
    shown = (page.total if on is None else on) - request.offset
    return msgspec.structs.replace(
        read,
        section=section.name,
        offset=request.offset,
        characters=shown,
        total=page.total,
        more=more,
        note=note,
        text=page.text,
    )


_ELSEWHERE = (
    "The statements and notes stand elsewhere in this filing: ask for them by title, or leave "
    "section out for the contents."
)
