"""How a run's folder is named.

The name says when and what: UTC time, then the first 12 hex digits of the query's MD5.
Making the folder is what claims the name, so two processes can never share one.
"""

from __future__ import annotations

import hashlib
from datetime import UTC
from itertools import count
from typing import TYPE_CHECKING

from tallybook.errors import ScratchpadError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


def new_folder(root: Path, query: str, now: datetime) -> Path:
    """Make the folder of a new run under `root`; raises OSError.

    Where the name is taken, "-2", "-3" and so on follow it.
    """
    digest = hashlib.md5(query.encode("utf-8", "surrogatepass"), usedforsecurity=False)
    name = f"{now.astimezone(UTC):%Y-%m-%d-%H%M%S}_{digest.hexdigest()[:12]}"
    root.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        folder = root / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder
    raise ScratchpadError(f"Every name for a run in {root} is taken.")
