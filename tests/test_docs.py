"""The README, the docs and the examples do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tallybook

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]


@pytest.mark.parametrize("code", CODE)
def test_python_in_the_docs_runs_as_printed(code: str, tmp_path: Path) -> None:
    done = _python(["-c", code], tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_an_example_runs(example: Path, tmp_path: Path) -> None:
    done = _python([str(example)], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} points to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_test_that_a_page_names_is_there(page: Path) -> None:
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", page.read_text()))
    assert [name for name in named if f"def {name}(" not in tests] == []


def test_importing_tallybook_loads_no_more_than_it_must() -> None:
    code = "import sys, tallybook; print(len([m for m in sys.modules if 'msgspec' in m]))"
    done = _python(["-c", code], ROOT)
    assert done.stdout.strip() == "0"


def test_every_public_name_is_there() -> None:
    assert [name for name in tallybook.__all__ if not hasattr(tallybook, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tallybook.nothing  # noqa: B018


def _python(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
