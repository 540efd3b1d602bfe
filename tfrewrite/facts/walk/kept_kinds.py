"""What stays known of a kind elsewhere: after a name, a function or a graph is left, and under which names its sizes are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tfrewrite.kinds import UNKNOWN, Kind, Sort, Symbol, join_all, map_symbols, of_shape, rekeyed


def without_lists(kind: Kind) -> Kind:
    """The kind without the members of lists: whoever else holds a list can change it."""
    if kind.sort in (Sort.LIST, Sort.DICT):
        return Kind(kind.sort)
    if kind.items is None and kind.each is None:
        return kind
    return replace(kind, items=kind.items and tuple(map(without_lists, kind.items)), each=kind.each and without_lists(kind.each))


def holds_lists(kind: Kind) -> bool:
    members = (*(kind.items or ()), *((kind.each,) if kind.each is not None else ()))
    return any(member.sort in (Sort.LIST, Sort.DICT) or holds_lists(member) for member in members)


def of_object(kind: Kind, owner: Kind) -> Kind:
    """An attribute of one particular object: another one of its class may have other sizes."""
    whose = owner.value
    if not isinstance(whose, Symbol):
        return map_symbols(kind, lambda symbol: None)
    return map_symbols(kind, lambda symbol: rekeyed(symbol, lambda key: (key, whose.key), whose.loops))


def out_of_graph(kind: Kind) -> Kind:
    """What a graph hands out: tensors stay tensors, and what else becomes one is not looked into."""
    match kind.sort:
        case Sort.TENSOR | Sort.NONE:
            return kind
        case Sort.TUPLE | Sort.LIST:
            each = None if kind.each is None else out_of_graph(kind.each)
            return replace(kind, value=None, items=kind.items and tuple(map(out_of_graph, kind.items)), each=each)
    return UNKNOWN


def in_all_calls(kinds: Sequence[Kind], function: int, name: str) -> Kind:
    """What a parameter is whoever calls. Sizes that are the same in each of the calls stay the same, though each call has its own."""
    kind = map_symbols(join_all(tuple(kinds)), lambda symbol: None)
    if kind.sort is Sort.NUMBER and kind.value is None and kind.dtype == "int":
        return replace(kind, value=_in_each([one.value for one in kinds], function, name))
    if kind.items is not None:
        members = [[one.items[place] for one in kinds if one.items is not None] for place in range(len(kind.items))]
        return replace(kind, items=tuple(in_all_calls(one, function, f"{name}[{place}]") for place, one in enumerate(members)))
    shapes = [one.shape for one in kinds if isinstance(one.shape, tuple)]
    if not isinstance(kind.shape, tuple) or len(shapes) != len(kinds):
        return kind
    sizes = (
        known if known is not None else _in_each([one[axis] for one in shapes], function, f"{name}.shape[{axis}]")
        for axis, known in enumerate(kind.shape)
    )
    return of_shape(kind, tuple(sizes))


def _in_each(sizes: Sequence[object], function: int, name: str) -> Symbol | None:
    """One of a function's sizes by what it is in each call."""
    known = tuple(one for one in sizes if isinstance(one, int | Symbol) and not isinstance(one, bool))
    return Symbol((function, "calls", known), name) if len(known) == len(sizes) else None


def named(kind: Kind, key: object, name: str, loops: frozenset[int]) -> Kind:
    """The kind with symbols in place of the sizes that aren't known."""
    match kind.shape:
        case None:
            return of_shape(kind, Symbol((key, "shape"), name, loops))
        case tuple() if None in kind.shape:
            dims = (Symbol((key, axis), f"{name}.shape[{axis}]", loops) if dim is None else dim for axis, dim in enumerate(kind.shape))
            return of_shape(kind, tuple(dims))
    return kind


def made_in(symbol: Symbol, nodes: set[int]) -> bool:
    """Does a size belong to something that is made inside of these nodes?"""
    return _mentions(symbol.key, nodes)


def _mentions(key: object, nodes: set[int]) -> bool:
    match key:
        case int():
            return key in nodes
        case Symbol():
            return _mentions(key.key, nodes)
        case tuple() | frozenset():
            return any(_mentions(one, nodes) for one in key)
    return False
