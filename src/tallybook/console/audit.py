"""`tallybook audit`: where each figure of an answer comes from."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from tallybook.errors import ConfigError
from tallybook.figures.trace import Audit, Traced, trace
from tallybook.research.audit import audit_run

_WIDE = 100


class Row(msgspec.Struct, frozen=True):
    """One figure as `--json` prints it: `result` is a number of the run, or a file's name.

    `place` are its first and last character there, `words` what stands around it.
    """

    figure: str
    verdict: str
    why: str
    result: int | str | None = None
    place: tuple[int, int] | None = None
    words: str = ""
    ambiguous: bool = False


class Report(msgspec.Struct, frozen=True):
    """What `--json` prints: the line, and a row for every figure in reading order."""

    line: str
    figures: tuple[Row, ...]


def run_audit(folder: Path, *, json: bool) -> int:
    """Print the audit of a run's last answer; the exit code: 1 if a figure is unsupported."""
    audited = audit_run(folder)
    return _show(audited.audit, {}, json=json)


def audit_files(answer: str, sources: Sequence[str], *, json: bool) -> int:
    """Print the audit of an answer in a file against sources in files; the exit code."""
    texts = {number: _read(name) for number, name in enumerate(sources, start=1)}
    names = dict(enumerate(sources, start=1))
    return _show(trace(_read(answer), texts), names, json=json)


def _read(name: str) -> str:
    """The text of a file, or of the standard input for "-"."""
    if name == "-":
        return sys.stdin.read()
    try:
        return Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise ConfigError(f"{name} cannot be read: {why}.") from error


def _show(audit: Audit, names: Mapping[int, str], *, json: bool) -> int:
    rows = tuple(_row(one, names) for one in audit.traced)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(Report(audit.line, rows)) + b"\n")
    else:
        for row in rows:
            sys.stdout.write(f"{_line(row)}\n")
        sys.stdout.write(f"{audit.line}\n")
    return 1 if audit.unsupported else 0


def _row(one: Traced, names: Mapping[int, str]) -> Row:
    figure = one.figure.text
    if one.source is None or one.verdict == "unsupported":
        return Row(figure, one.verdict, one.why, ambiguous=one.ambiguous)
    seq = one.source.seq
    result = names.get(seq, seq or None)
    return Row(figure, one.verdict, one.why, result, one.source.span, one.words, one.ambiguous)


def _line(row: Row) -> str:
    """A figure, what became of it, and where it stands or why it does not."""
    where = f"[{row.result}] " if row.result is not None else ""
    told = f"{where}{row.words or row.why}"
    doubt = " (ambiguous)" if row.ambiguous else ""
    said = " ".join(f"{told}{doubt}".split())
    shown = said if len(said) <= _WIDE else f"{said[: _WIDE - 1]}…"
    return f"{row.figure:<22} {row.verdict:<12} {shown}"
