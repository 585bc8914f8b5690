"""Long results: one readable file each, written and synced before the line that names it.

A file that is missing or altered is said so and never served: the line holds its hash.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from msgspec.structs import replace

from tallybook.errors import ScratchpadError
from tallybook.scratchpad.events import Body

FOLDER = "results"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def write(run: Path, seq: int, tool: str, text: str, *, sync: bool) -> Body:
    """Write `text` to its file and return the body that names it."""
    name = f"{FOLDER}/{seq}-{_UNSAFE.sub('_', tool)[:60] or 'tool'}.txt"
    data = text.encode("utf-8", "surrogatepass")
    path = run / name
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        file.write(data)
        if sync:
            file.flush()
            os.fsync(file.fileno())
    if sync:
        sync_folder(path.parent)
    return Body(text, name, hashlib.sha256(data).hexdigest(), len(text))


def read(run: Path, body: Body) -> Body:
    """Fill in the text of a body that is a file, or say what is wrong with the file."""
    if body.file is None:
        return body
    try:
        data = _inside(run, body.file).read_bytes()
    except OSError:
        return replace(body, text=None, damage="missing")
    if hashlib.sha256(data).hexdigest() != body.sha256:
        return replace(body, text=None, damage="altered")
    return replace(body, text=data.decode("utf-8", "surrogatepass"), damage=None)


def on_disk(body: Body) -> Body:
    """The body as its line holds it: without the text that stands in the file."""
    return replace(body, text=None) if body.file else body


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power loss, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _inside(run: Path, name: str) -> Path:
    """The path of a body's file; a name that leads out of the run is no file of ours."""
    path = (run / name).resolve()
    if not path.is_relative_to(run.resolve()):
        raise ScratchpadError(f"{name} lies outside of the run {run.name}: the line was altered")
    return path
