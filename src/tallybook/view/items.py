"""The items of a view: an immutable sequence whose copy with one item more is cheap.

Views share one list. Each looks at its first `len` items only, so that the newest may grow
the list in place; whoever branches off an older one gets a list of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from tallybook.view.view import Item

_SEQ = attrgetter("seq")


class Items(Sequence["Item"]):
    """Items in the order of their numbers."""

    __slots__ = ("_length", "_shared")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._shared = list(items)
        self._length = len(self._shared)

    def with_item(self, item: Item) -> Items:
        """These items and one more, in constant time for the newest view."""
        shared = self._shared if len(self._shared) == self._length else list(self)
        shared.append(item)
        longer = Items.__new__(Items)
        longer._shared = shared
        longer._length = self._length + 1
        return longer

    def position(self, seq: int) -> int:
        """The place of item `seq`, or where it would stand."""
        return bisect_left(self._shared, seq, 0, self._length, key=_SEQ)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Item]:
        return islice(self._shared, self._length)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Item]: ...
    def __getitem__(self, place: int | slice) -> Item | Sequence[Item]:
        if isinstance(place, slice):
            start, stop, step = place.indices(self._length)
            return self._shared[start:stop:step]
        if not -self._length <= place < self._length:
            raise IndexError(f"place {place} of {self._length} items")
        return self._shared[place if place >= 0 else self._length + place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Items) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self._length)

    def __repr__(self) -> str:
        return f"Items({list(self)!r})"
