"""Which sizes are the same, though nobody knows how large: what a program has shown of them by going on.

`a @ b` goes on only if the last size of `a` is the next to last of `b`. `a + b` shows nothing of the kind: a size of 1 is repeated.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from tfrewrite.kinds import Dim, Kind, Shape, Symbol, larger, map_sizes, size_at, taken_from, times

Equality = tuple[Shape | int, Shape | int]
"""Two sizes, or two shapes, that are the same."""
_MOST_STEPS = 20  # from a size to what it is the same as


@dataclass(frozen=True)
class Equalities:
    """By their keys, symbols of a size or of a whole shape, each with what it is the same as."""

    known: Mapping[Hashable, tuple[Symbol, int | Symbol | tuple[Dim, ...]]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.known)

    def _same_as(self, key: Hashable) -> int | Symbol | tuple[Dim, ...] | None:
        found = self.known.get(key)
        return None if found is None else found[1]

    def dim(self, size: Dim) -> Dim:
        """The one among equal sizes that stands for all of them."""
        for _ in range(_MOST_STEPS):
            if not isinstance(size, Symbol) or (found := self._step(size)) == size:
                break
            size = found
        return size

    def _step(self, size: Symbol) -> Dim:
        if isinstance(found := self._same_as(size.key), int | Symbol):
            return found
        match size.key:
            case (whole, "at", int(axis)):
                shape = self._same_as(whole)
                if isinstance(shape, Symbol):
                    return size_at(shape, axis)
                if isinstance(shape, tuple) and -len(shape) <= axis < len(shape):
                    return shape[axis]
            case ("larger", frozenset() as members):
                return larger(*map(self.dim, members))
            case ("times", int(factor), Symbol() as one):
                found = self.dim(one)
                return found * factor if isinstance(found, int) else times(found, factor) if found is not None else size
        return size

    def shape(self, shape: Shape) -> Shape:
        for _ in range(_MOST_STEPS):
            if not isinstance(shape, Symbol) or isinstance(found := self._whole(shape), int | None):
                break
            shape = found
        return tuple(map(self.dim, shape)) if isinstance(shape, tuple) else shape

    def _whole(self, shape: Symbol) -> int | Symbol | tuple[Dim, ...] | None:
        match shape.key:
            case (whole, "taken", tuple() as taken, "shape"):
                known = self._same_as(whole)
                if isinstance(known, tuple) and len(known) >= len(taken):
                    return tuple(dim for axis, dim in enumerate(known) if not (axis < len(taken) and taken[axis]))
                if isinstance(known, Symbol):
                    return taken_from(known, taken)
        return self._same_as(shape.key)

    def settled(self, kind: Kind) -> Kind:
        """The kind with each size by the name that stands for all that are the same."""
        return map_sizes(kind, self.shape, self.dim) if self.known else kind

    def are_same(self, a: Dim, b: Dim) -> bool:
        return a is not None and self.dim(a) == self.dim(b)

    def with_(self, learned: Iterable[Equality]) -> Equalities:
        """These and those that were learned."""
        found = self
        for a, b in learned:
            found = found._with_sizes(a, b) if _is_size(a) and _is_size(b) else found._with_shapes(a, b)
        return found

    def _with_shapes(self, a: Shape | int, b: Shape | int) -> Equalities:
        if isinstance(a, int | None) or isinstance(b, int | None):
            return self
        x, y = self.shape(a), self.shape(b)
        if isinstance(x, tuple) and isinstance(y, tuple):
            found = self
            for one, other in zip(x, y, strict=True) if len(x) == len(y) else ():
                found = found._with_sizes(one, other)
            return found
        if x == y:
            return self
        if not isinstance(x, Symbol) or (isinstance(y, Symbol) and len(x.loops) < len(y.loops)):
            x, y = y, x
        if not isinstance(x, Symbol) or y is None:
            return self
        if isinstance(y, tuple):
            y = tuple(size_at(x, axis) if dim is None else dim for axis, dim in enumerate(y))
        return Equalities({**self.known, x.key: (x, y)})

    def _with_sizes(self, a: Shape | int, b: Shape | int) -> Equalities:
        if isinstance(a, tuple | None) or isinstance(b, tuple | None):
            return self
        x, y = self.dim(a), self.dim(b)
        if not isinstance(x, Symbol) or (isinstance(y, Symbol) and _precedes(x, y)):
            x, y = y, x
        if not isinstance(x, Symbol) or y is None or x == y:
            return self
        return Equalities({**self.known, x.key: (x, y)})

    def in_common(self, other: Equalities) -> Equalities:
        """What holds whichever way was taken."""
        if self.known is other.known:
            return self
        return Equalities({key: same for key, same in self.known.items() if other.known.get(key) == same})

    def after_iteration(self, loop: int) -> Equalities:
        """What the next iteration may believe: sizes that are of one iteration alone are forgotten."""
        kept = {key: same for key, same in self.known.items() if loop not in _loops(same[0]) | _loops(same[1])}
        return self if len(kept) == len(self.known) else Equalities(kept)


NONE_KNOWN = Equalities()


def _is_size(one: Shape | int) -> bool:
    """Is it one size, and not a whole shape? What stands for a whole shape says so in its key."""
    return isinstance(one, int) or (isinstance(one, Symbol) and not _is_whole(one.key))


def _is_whole(key: Hashable) -> bool:
    match key:
        case ("attribute", _, inner) | (inner, (_, "object")):
            return _is_whole(inner)
        case (*_, "shape"):
            return True
    return False


def _precedes(x: Symbol, y: Symbol) -> bool:
    """Is it the better name for a size: known for longer, and of one thing?"""
    return (len(x.loops), _is_compound(x)) < (len(y.loops), _is_compound(y))


def _is_compound(symbol: Symbol) -> bool:
    return isinstance(symbol.key, tuple) and symbol.key[0] in ("larger", "times")


def _loops(size: int | Symbol | tuple[Dim, ...]) -> frozenset[int]:
    members = size if isinstance(size, tuple) else (size,)
    return frozenset[int]().union(*(one.loops for one in members if isinstance(one, Symbol)))
