from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def examples(name: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / name).read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (examples("testing.md")[0], "3 messages so far"),
        (examples("testing.md")[1], "429 2\nIt is 180."),
        (examples("models.md")[0] + "print(failure.limit, failure.sentence)", "200000 The request"),
    ],
)
def test_an_example_in_the_documents_runs_as_printed(code: str, said: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert said in run.stdout, run.stderr
