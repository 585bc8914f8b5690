"""Read and write JSON without ever turning a number into a float.

A figure is compared at the digits someone wrote: 1.0 is not 1, and 0.1 must not become
0.1000000000000000055. So a number is kept as its literal, and only text goes in and out.
"""

from __future__ import annotations

import re
from json import JSONDecoder
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Final, TypeAlias


class Num(str):
    """A JSON number exactly as written."""

    __slots__ = ()


Scalar: TypeAlias = "str | bool | None"
Json: TypeAlias = "str | bool | list[Json] | dict[str, Json] | None"

NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LONE: Final = re.compile("[\ud800-\udfff]")


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is not JSON")


DECODER: Final = JSONDecoder(parse_float=Num, parse_int=Num, parse_constant=_refuse)


def read(text: str) -> Json:
    """Parse JSON, numbers as `Num`; ValueError where it is none, RecursionError where too deep."""
    value: Json = DECODER.decode(text)
    return value


def quote(text: str) -> str:
    """Write a JSON string, readable where it can be, escaped where UTF-8 could not carry it."""
    return encode_basestring_ascii(text) if _LONE.search(text) else encode_basestring(text)


def write(value: Json) -> str:
    """Write JSON without spaces, numbers as they were read."""
    match value:
        case Num():
            return str(value)
        case str():
            return quote(value)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case list():
            return f"[{','.join(map(write, value))}]"
        case dict():
            return f"{{{','.join(f'{quote(k)}:{write(v)}' for k, v in value.items())}}}"
