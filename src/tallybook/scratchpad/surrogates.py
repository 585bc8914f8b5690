"""Lone surrogates: legal in a Python string and as a JSON escape, refused by msgspec.

They come from undecodable bytes (an argument of the command line) and from emoji that a
tool cut in two. Around msgspec they hide as characters of a private block that the line
does not use, and on disk they are the escapes that every JSON reader understands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from msgspec import Raw, Struct

if TYPE_CHECKING:
    from collections.abc import Callable

S = TypeVar("S", bound=Struct)

_FIRST = 0xD800
_SIZE = 0x800
_BLOCKS = range(0xF0000, 0x10F800, _SIZE)
_LONE = re.compile("[\ud800-\udfff]")
_ESCAPES = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|u([dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def escape(value: Struct, encode: Callable[[object], bytes]) -> bytes:
    """Encode `value`, its lone surrogates as escapes."""
    plain = encode(_mapped(value, lambda text: _LONE.sub("?", text), bytes))
    base = _unused_block(plain.decode(errors="replace"))

    def hidden(text: str) -> str:
        return _LONE.sub(lambda lone: chr(ord(lone[0]) - _FIRST + base), text)

    return _unhide(encode(_mapped(value, hidden, bytes)), base)


def decode_hidden(line: bytes, decode: Callable[[bytes], S]) -> S | None:
    """Decode a `line` that has escaped lone surrogates; None if it has none."""
    hidden, base = hide(line)
    return _reveal(decode(hidden), base) if base else None


def hide(line: bytes) -> tuple[bytes, int]:
    """`line` with every escaped lone surrogate hidden, and the block it hides in; 0 if none."""
    if not any(escape[1] for escape in _ESCAPES.finditer(line)):
        return line, 0
    base = _unused_block(line.decode(errors="replace"))

    def hidden(escape: re.Match[bytes]) -> bytes:
        return chr(int(escape[1], 16) - _FIRST + base).encode() if escape[1] else escape[0]

    return _ESCAPES.sub(hidden, line), base


def _reveal(value: S, base: int) -> S:
    """Undo `hide` in what was decoded."""
    block = _block(base)

    def text(value: str) -> str:
        return block.sub(lambda char: chr(ord(char[0]) - base + _FIRST), value)

    return _mapped(value, text, lambda raw: _unhide(raw, base))


def _unhide(data: bytes, base: int) -> bytes:
    text = data.decode()
    return _block(base).sub(lambda c: f"\\u{ord(c[0]) - base + _FIRST:04x}", text).encode()


def _block(base: int) -> re.Pattern[str]:
    return re.compile(f"[{chr(base)}-{chr(base + _SIZE - 1)}]")


def _unused_block(text: str) -> int:
    return next((base for base in _BLOCKS if not _block(base).search(text)), _BLOCKS[0])


def _mapped(value: S, text: Callable[[str], str], raw: Callable[[bytes], bytes]) -> S:
    def mapped(item: object) -> object:
        match item:
            case str():
                return text(item)
            case Raw():
                return Raw(raw(bytes(item)))
            case tuple():
                return tuple(mapped(part) for part in item)
            case Struct():
                return _mapped(item, text, raw)
            case _:
                return item

    return type(value)(**{name: mapped(getattr(value, name)) for name in value.__struct_fields__})
