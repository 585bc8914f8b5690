"""Select parts of a JSON text by path: `$.revenue[0:4]`, `$.items[*].value`, `$..date`.

What is selected is cut out of the text as it was written, so every digit stays: nothing
goes through a float, and 1.0, 1e3 and a number of fifty digits come back as they are.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from tallybook.errors import RecallError
from tallybook.recall.spans import Node, children, document, opened
from tallybook.recall.steps import Pick, Step, parse, shortened

_PLAIN = re.compile(r"[^\W\d][\w-]*")
_ON_ONE_LINE = 200
_LISTED = 30
_NAMED_IN_ERRORS = 500


class _Place(msgspec.Struct, frozen=True):
    """A node and how it was reached: by a key from a parent; the root has its own path."""

    node: Node
    key: str | int
    parent: _Place | None = None

    @property
    def at(self) -> str:
        """The path to it."""
        keys: list[str] = []
        place = self
        while place.parent:
            keys.append(_step(place.key))
            place = place.parent
        return "".join((str(place.key), *reversed(keys)))


def select(text: str, path: str) -> str:
    """What `path` names in a JSON text, in the text's own characters.

    One value is itself. Several out of one array are a JSON array; others are a JSON
    object, from each value's own path to the value. Raises RecallError for a text that is
    no JSON, for a path that is none, and for one that leads nowhere: then with what there is.
    """
    steps = parse(path)
    places = [_Place(document(text), "$")]
    for step in steps:
        before, places = places, [found for place in places for found in _follow(place, step)]
        if not places:
            raise RecallError(_nowhere(path, step, before[0]))
    if all(step.is_definite for step in steps):
        return places[0].node.text
    return _several(places)


def outline(text: str, path: str = "", *, most: int) -> str:
    """What a JSON text holds, one level deep, in `most` characters; empty for other texts.

    `path` is where the text was selected from, so that what is listed can be asked for.
    """
    try:
        place = _Place(document(text), path or "$")
    except RecallError:
        return ""
    if not all(step.is_definite for step in parse(path)):
        return _kind(place.node)
    below = _all(place)
    if place.node.kind == "[":
        first = (f"{one.at} is {_kind(one.node, keys=True)}" for one in islice(below, 1))
        return _listed([f"{place.at} is {_kind(place.node)}", *first], most)
    return _listed((f"{one.at}: {_kind(one.node)}" for one in islice(below, _LISTED)), most)


def _follow(place: _Place, step: Step) -> Iterator[_Place]:
    for pick in step.picks:
        yield from _picked(place, pick)
    if step.deep:
        for child in _all(place):
            if _may_hold(child.node, step.picks):
                yield from _follow(child, step)


def _picked(place: _Place, pick: Pick) -> Iterator[_Place]:
    if opened(place.node).kind == "[":
        yield from _elements(place, int(pick) if isinstance(pick, str) and _digits(pick) else pick)
        return
    match pick:
        case None:
            yield from _all(place)
        case str() | int():
            for key, node in children(opened(place.node)):
                if key == str(pick):
                    yield _Place(node, key, place)


def _elements(place: _Place, pick: Pick) -> Iterator[_Place]:
    every = list(children(opened(place.node)))
    match pick:
        case int() if -len(every) <= pick < len(every):
            chosen = [every[pick]]
        case slice():
            chosen = every[pick]
        case None:
            chosen = every
        case _:
            return
    yield from (_Place(node, key, place) for key, node in chosen)


def _all(place: _Place) -> Iterator[_Place]:
    return (_Place(node, key, place) for key, node in children(opened(place.node)))


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if _PLAIN.fullmatch(key) else f"[{json.dumps(key, ensure_ascii=False)}]"


def _may_hold(node: Node, picks: tuple[Pick, ...]) -> bool:
    """Whether it can be worth looking below a node: most hold no such key, and say so fast."""
    keys = [pick for pick in picks if isinstance(pick, str) and pick.isalnum() and pick.isascii()]
    written = memoryview(node.raw)
    return len(keys) < len(picks) or any(re.search(key.encode(), written) for key in keys)


def _several(places: list[_Place]) -> str:
    in_one_array = len({id(place.parent) for place in places}) == 1 and all(
        isinstance(place.key, int) for place in places
    )
    if in_one_array:
        values = [place.node.text for place in places]
    else:
        values = [
            f"{json.dumps(place.at, ensure_ascii=False)}: {place.node.text}" for place in places
        ]
    start, end = "[]" if in_one_array else "{}"
    if sum(map(len, values)) <= _ON_ONE_LINE:
        return f"{start}{', '.join(values)}{end}"
    return "\n".join((start, ",\n".join(values), end))


def _nowhere(path: str, step: Step, place: _Place) -> str:
    node = opened(place.node)
    what = f"path={shortened(path)} leads nowhere: {place.at[:200]} is {_kind(node)}"
    if node.kind != "{":
        return f"{what}."
    keys = [str(key) for key, _ in children(node)]
    wanted = next((pick for pick in step.picks if isinstance(pick, str)), "")
    near = [] if not wanted else difflib.get_close_matches(wanted, keys, n=8, cutoff=0.5)
    near += [key for key in keys if wanted and wanted.lower() in key.lower()]
    listed = (key if key.isprintable() else json.dumps(key) for key in dict.fromkeys(near + keys))
    return f"{what} with the keys {_listed(islice(listed, _LISTED), _NAMED_IN_ERRORS)}."


def _kind(node: Node, *, keys: bool = False) -> str:
    if node.kind == "{":
        names = [str(key) for key, _ in children(node)]
        listed = f" with {_listed(names[:_LISTED], 300)}" if keys else ""
        return f"an object of {len(names)}{listed}"
    if node.kind == "[":
        return f"an array of {sum(1 for _ in children(node))}"
    text = node.text
    return text if len(text) <= 40 else f"a string of {len(text) - 2} characters"


def _listed(names: Iterable[str], most: int) -> str:
    """Names behind each other as far as they fit, and a sign where more were left out."""
    listed = ""
    for name in names:
        longer = f"{listed}, {name}" if listed else name
        if len(longer) > most - 3:
            return f"{listed}, …" if listed else f"{name[: max(0, most - 1)]}…"
        listed = longer
    return listed


def _digits(text: str) -> bool:
    return re.fullmatch(r"-?\d+", text) is not None
