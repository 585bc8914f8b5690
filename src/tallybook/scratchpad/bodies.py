"""A result too long for a line is a file of its own, and its line holds the hash.

The file is there, whole, before the line that names it. What is missing or altered is
said to be so and never served. Bytes are written and read as they are: no newline is
translated, and lone surrogates pass.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tallybook.scratchpad.disk import sync_folder, write_all
from tallybook.scratchpad.events import Body

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "results"
_SLICE = 1 << 20
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_OURS = re.compile(rf"{FOLDER}/[A-Za-z0-9_-][A-Za-z0-9_.-]*")


def store(folder: Path, name: str, text: str, *, sync: bool) -> Body:
    """Write `text` under the run's `folder`; raises OSError, leaving no file behind.

    In slices, so that 50 MB of text need no second 50 MB.
    """
    path = folder / name
    if not path.parent.is_dir():
        path.parent.mkdir()
        if sync:
            sync_folder(folder)
    digest = hashlib.sha256()
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        for start in range(0, len(text), _SLICE):
            data = text[start : start + _SLICE].encode("utf-8", "surrogatepass")
            digest.update(data)
            write_all(fd, data)
        if sync:
            os.fsync(fd)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    finally:
        os.close(fd)
    if sync:
        sync_folder(path.parent)
    return Body(file=name, sha256=digest.hexdigest(), chars=len(text))


def discard(folder: Path, body: Body) -> None:
    """Take back what `store` wrote, whose line could not be written."""
    if body.file is not None:
        (folder / body.file).unlink(missing_ok=True)


def load(folder: Path, body: Body) -> Body:
    """`body` with its text, or with the damage that kept it from being read."""
    if body.text is not None:
        return body
    if body.file is None or not _OURS.fullmatch(body.file):
        return replace(body, damage="missing")
    try:
        data = (folder / body.file).read_bytes()
    except OSError:
        return replace(body, damage="missing")
    if hashlib.sha256(data).hexdigest() != body.sha256:
        return replace(body, damage="altered")
    return replace(body, text=data.decode("utf-8", "surrogatepass"))


def name_of(seq: int, tool: str) -> str:
    """Where the text of result `seq` goes, relative to the run's folder."""
    safe = _UNSAFE.sub("_", tool)[:60] or "tool"
    return f"{FOLDER}/{seq}-{safe}.txt"
