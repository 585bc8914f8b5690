"""Real data beside the repository; tests that need it are skipped where it is missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared(*parts: str) -> Path:
    """Give the path of a file under `shared/`, or skip the test that asks for it."""
    root = Path(os.environ.get("TALLYBOOK_SHARED") or Path(__file__).parents[2] / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path} is missing: set TALLYBOOK_SHARED to the shared folder")
    return path
