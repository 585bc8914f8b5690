"""Find the real data that tests read, or skip with the reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("TALLYBOOK_SHARED", Path(__file__).parents[1].parent / "shared"))


def shared(*parts: str) -> Path:
    """A file or folder under the shared data; skips the test where it is missing."""
    path = ROOT.joinpath("data", *parts)
    if not path.exists():
        pytest.skip(f"real data not found: {path} (set TALLYBOOK_SHARED to the folder that has it)")
    return path
