import asyncio
from typing import Annotated

import msgspec
import pytest

from tallybook.tools.failure import ToolFailure
from tallybook.tools.tool import Tool


class Span(msgspec.Struct):
    first: int
    last: int


class Lines(msgspec.Struct):
    path: Annotated[str, msgspec.Meta(description="where to read")]
    spans: list[Span] = []


async def _told(request: Lines) -> str:
    return f"{request.path}: {sum(span.last - span.first for span in request.spans)}"


LINES = Tool("lines", "Read lines.", Lines, _told)


def test_the_schema_stands_by_itself_with_nested_types_defined_in_it() -> None:
    schema = LINES.schema()
    assert schema["required"] == ["path"]
    assert schema["$defs"] == {
        "Span": {
            "title": "Span",
            "type": "object",
            "properties": {"first": {"type": "integer"}, "last": {"type": "integer"}},
            "required": ["first", "last"],
        }
    }


def test_arguments_are_checked_and_numbers_in_quotes_accepted() -> None:
    arguments = {"path": "a.txt", "spans": [{"first": "2", "last": 5}]}
    assert asyncio.run(LINES.call(arguments)) == "a.txt: 3"


@pytest.mark.parametrize("wrong", [{}, {"path": 3}, {"path": "a", "spans": [{"first": 1}]}])
def test_wrong_arguments_fail_with_what_is_wrong(wrong: dict[str, object]) -> None:
    with pytest.raises(ToolFailure, match="The arguments of lines are wrong"):
        asyncio.run(LINES.call(wrong))
