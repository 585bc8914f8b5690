"""Select parts of a JSON result by path: `$.revenue[0:4]`, `$.items[*].value`, `$..date`.

Values are cut out of the JSON as they were written, so every digit stays: nothing goes
through a float.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec import Raw

from tallybook.errors import RecallError

_STEP = re.compile(
    r"""\.\.(?P<deep>[^.\[\]'"\s]+)            # ..name, at any depth
      | \.(?P<name>[^.\[\]'"\s]+)              # .name or .*
      | \[\s*(?P<quote>['"])(?P<key>.*?)(?P=quote)\s*\]
      | \[\s*(?P<slice>-?\d*\s*:\s*-?\d*(?:\s*:\s*-?\d*)?)\s*\]
      | \[\s*(?P<index>-?\d+|\*)\s*\]""",
    re.VERBOSE,
)
_LISTED = 12


class Found(msgspec.Struct, frozen=True):
    """A value's path and its JSON as written."""

    path: str
    json: str


def select(text: str, path: str) -> list[Found]:
    """The values under `path`, in document order.

    Raises RecallError for a text that is no JSON, a path that is none, and a path that leads
    nowhere: then with the keys there are at the place where it failed.
    """
    found = [("$", _document(text))]
    for step in _steps(path):
        before, found = found, [after for place in found for after in _follow(*place, step)]
        if not found:
            raise RecallError(_nowhere(path, before))
    return [Found(at, _text(raw)) for at, raw in found]


def outline(json: str) -> str:
    """What a value holds, one level deep: the keys with kinds and sizes."""
    match _level(Raw(json.encode("utf-8", "surrogatepass"))):
        case dict() as members:
            return "object with " + _listed(f"{key}: {_kind(raw)}" for key, raw in members.items())
        case list() as elements:
            return (
                f"array of {len(elements)}, the first: {_kind(elements[0])}" if elements else "[]"
            )
    return json[:80]


def _steps(path: str) -> Iterator[re.Match[str]]:
    rest = path.strip().removeprefix("$")
    if rest and rest[0] not in ".[":
        rest = f".{rest}"
    place = 0
    while place < len(rest):
        step = _STEP.match(rest, place)
        if step is None:
            raise RecallError(
                f"path={path!r} cannot be read from {rest[place:][:20]!r} on. Write for example "
                "$.revenue[0:4], $.companies[*].name or $['a key']."
            )
        yield step
        place = step.end()


def _follow(at: str, raw: Raw, step: re.Match[str]) -> Iterator[tuple[str, Raw]]:
    if deep := step["deep"]:
        yield from _descend(at, raw, deep)
        return
    match _level(raw):
        case dict() as members:
            name = step["name"] if step["name"] is not None else step["key"]
            if name == "*" or step["index"] == "*":
                yield from ((_member(at, key), value) for key, value in members.items())
            elif name is not None and name in members:
                yield _member(at, name), members[name]
        case list() as elements:
            yield from ((f"{at}[{i}]", elements[i]) for i in _indices(step, len(elements)))


def _indices(step: re.Match[str], length: int) -> range:
    if step["index"] == "*" or step["name"] == "*":
        return range(length)
    if step["slice"] is not None:
        parts = [int(part) if part.strip() else None for part in step["slice"].split(":")]
        if len(parts) == 3 and parts[2] == 0:
            raise RecallError("a slice cannot step by 0: write [start:end] or [start:end:step].")
        return range(*slice(*parts).indices(length))
    if step["index"] is None:
        return range(0)
    index = int(step["index"])
    index += length if index < 0 else 0
    return range(index, index + 1) if 0 <= index < length else range(0)


def _descend(at: str, raw: Raw, name: str) -> Iterator[tuple[str, Raw]]:
    match _level(raw):
        case dict() as members:
            for key, value in members.items():
                if name in (key, "*"):
                    yield _member(at, key), value
                yield from _descend(_member(at, key), value, name)
        case list() as elements:
            for place, value in enumerate(elements):
                yield from _descend(f"{at}[{place}]", value, name)


def _level(raw: Raw) -> dict[str, Raw] | list[Raw] | None:
    """One level of a JSON text; None for a plain value."""
    match bytes(raw).lstrip()[:1]:
        case b"{":
            return msgspec.json.decode(raw, type=dict[str, Raw])
        case b"[":
            return msgspec.json.decode(raw, type=list[Raw])
        case _:
            return None


def _document(text: str) -> Raw:
    """The JSON of a result: all of it, what follows a heading, or its lines as an array."""
    body = text.strip()
    lines = [line for line in body.splitlines() if line.strip()]
    for candidate in (body, _from_bracket(body), f"[{','.join(lines)}]"):
        raw = Raw(candidate.encode("utf-8", "surrogatepass"))
        try:
            msgspec.json.decode(raw, type=Raw)
        except msgspec.DecodeError:
            continue
        if candidate[:1] in ("{", "["):
            return raw
    raise RecallError("this result is no JSON, so it has no path: use line=, char= or query=.")


def _from_bracket(text: str) -> str:
    places = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    return text[min(places) :] if places else text


def _nowhere(path: str, before: list[tuple[str, Raw]]) -> str:
    at, raw = before[0]
    return f"path={path!r} leads nowhere after {at}, which is: {outline(_text(raw))}."


def _member(at: str, key: str) -> str:
    return f"{at}.{key}" if re.fullmatch(r"[\w-]+", key) else f"{at}[{key!r}]"


def _kind(raw: Raw) -> str:
    match _level(raw):
        case dict() as members:
            return f"object of {len(members)}"
        case list() as elements:
            return f"array of {len(elements)}"
    return _text(raw)[:40]


def _listed(names: Iterator[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _LISTED} more" if len(every) > _LISTED else ""
    return ", ".join(every[:_LISTED]) + more


def _text(raw: Raw) -> str:
    return bytes(raw).strip().decode("utf-8", "surrogatepass")
