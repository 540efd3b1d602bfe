"""Variations that the texts of the versions suggest: the numbers and words that they name, sizes beyond their blocks, options
that no call turns on, other dtypes, state that has moved. None of them is tried where nothing in the texts makes it matter."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from tfrewrite.verify.agent.guessed_arguments import by_name
from tfrewrite.verify.agent.inputs import Inputs, Path, copied
from tfrewrite.verify.agent.specs import is_variable
from tfrewrite.verify.agent.variations import (
    MANY,
    Change,
    Leaf,
    changer,
    content,
    edge_of,
    leaves_of,
    putter,
    resizer,
    same_sizes,
    scaled,
    variations,
    varied,
)
from tfrewrite.verify.clues import Clues
from tfrewrite.verify.plan import Count, Edge
from tfrewrite.verify.portrait import Array, Composite, Plain, Portrait, Store

_MOST_TURNS = 65
_LARGE = (1 << 20) + 3
"""Its square is beyond int32."""
_MOST_GROWN, _MOST_ELEMENTS = 4, 1 << 24
_PER_OPTION = 4
_AWAY = 1024.0
"""How many times their own size values are shifted by: squares of them have few digits left for their differences."""
_MOST_SHIFTED = 3


def provoked(inputs: Inputs, names: Sequence[str], clues: Clues) -> Iterator[Inputs]:
    leaves = list(leaves_of(inputs, names))
    arrays = [leaf for leaf in leaves if leaf.shape]
    changes = [*_named(leaves, clues), *islice(_beyond(arrays, clues.blocks), _MOST_GROWN)]
    if clues.reduces:
        changes += islice(_shifted(arrays), _MOST_SHIFTED)
    if clues.exponentials:
        changes += islice(_thousands(arrays), _MOST_SHIFTED)
    if clues.dtypes:
        changes += _doubled(leaves)
    for change in changes:
        if (made := varied(inputs, change)) is not None:
            yield made


def options(inputs: Inputs, defaults: Mapping[str, object], clues: Clues) -> Iterator[Inputs]:
    """Other values of parameters that the call leaves out."""
    for name, default in defaults.items():
        if isinstance(default, bool | int | float | str):
            alone = Inputs((), {name: default})
            for one in (*provoked(alone, (), clues), *islice(variations(alone), _PER_OPTION)):
                args, kwargs = copied((inputs.args, dict(inputs.kwargs)))
                yield replace(one, args=args, kwargs={**kwargs, **one.kwargs})


# What the texts name


def _named(leaves: Sequence[Leaf], clues: Clues) -> Iterator[Change]:
    """The numbers and words that stand in the texts, and numbers beyond them: what happens there may be special."""
    beyond = [2 * number + 1 if 2 * number < _MOST_TURNS else number + 1 for number in clues.numbers]
    numbers = list(dict.fromkeys([*clues.numbers, *beyond]))
    for leaf in leaves:
        found: Sequence[object] = ()
        match leaf.kind:
            case "int":
                found = [*numbers, *([_LARGE] if leaf.name in clues.unbounded else [])]
            case "ints" if not leaf.shape and not is_variable(leaf.value):
                yield from (Change(0, f"{leaf.name}={one}", _scalar(leaf, one), "", count=_count(leaf.name, one)) for one in numbers)
            case "float":
                found = [value for one in clues.fractions for value in (one, 2 * one)]
            case "str":
                found = clues.words
        for one in found:
            if one != leaf.value:
                edge = edge_of(one) if isinstance(one, float) else Edge(0)
                yield Change(0, f"{leaf.name}={one!r}", putter(leaf.path, one), "", edge=edge, count=_count(leaf.name, one))


def _count(name: str, value: object) -> Count | None:
    return Count(name, value) if type(value) is int and value >= 0 else None


def _scalar(leaf: Leaf, number: int) -> Callable[[], Mapping[Path, Any]]:
    import numpy

    return changer(leaf, lambda flat: numpy.full_like(flat, number))


def _beyond(arrays: Sequence[Leaf], blocks: Sequence[int]) -> Iterator[Change]:
    """Sizes beyond those of blocks that one of the versions may work in, with a rest."""
    for block in blocks:
        new = 2 * block + 3
        for size, affected, axes in same_sizes(arrays):
            grown = [math.prod(leaf.shape) * (new / size) ** len(axes[leaf.path]) for leaf in affected]
            only_rows = all(found == (0,) for found in axes.values())
            if new <= size or (only_rows and new <= MANY) or new * max(grown) > _MOST_ELEMENTS:
                continue
            label = f"{', '.join(leaf.name for leaf in affected)} with {new} for each size of {size}"
            yield Change(0, label, resizer(affected, axes, new), "")


# Values and dtypes


def _shifted(arrays: Sequence[Leaf]) -> Iterator[Change]:
    """Far from zero, compared with how they differ: there squares cancel."""
    import numpy

    def shifted(flat: Any) -> Any:
        wide = flat.astype("float64")
        finite = wide[numpy.isfinite(wide)]
        if flat.dtype.itemsize < 4 or not len(finite) or finite.min() == finite.max():
            raise ValueError("they do not differ")
        return (wide + _AWAY * numpy.abs(finite).max()).astype(flat.dtype)

    for leaf in arrays:
        if leaf.kind == "floats" and not is_variable(leaf.value) and math.prod(leaf.shape) > 1:
            yield Change(0, f"{leaf.name} shifted far from zero", changer(leaf, shifted), "", strained=True, edge=Edge.AWAY)


def _thousands(arrays: Sequence[Leaf]) -> Iterator[Change]:
    """Large enough for exponentials to overflow, and small enough for the numbers themselves to be exact."""
    for leaf in arrays:
        if leaf.kind == "floats" and not is_variable(leaf.value) and 0 not in leaf.shape:
            make = changer(leaf, scaled(lambda _: 3e3))
            yield Change(0, f"{leaf.name} in the thousands", make, "", strained=True, edge=Edge.THOUSANDS)


def _doubled(leaves: Sequence[Leaf]) -> Iterator[Change]:
    """In float64, with digits that float32 doesn't have."""
    import numpy
    import tensorflow as tf

    def wide(value: Any) -> bool:
        return isinstance(value, tf.Tensor) and value.dtype == tf.float32

    affected = [leaf for leaf in leaves if leaf.kind == "floats" and wide(leaf.value)]

    def make() -> Mapping[Path, Any]:
        made = {}
        for leaf in affected:
            array = content(leaf.value).astype("float64")
            made[leaf.path] = tf.constant(array * (1 + 1e-10 * (numpy.arange(array.size) + 1).reshape(array.shape)))
        return made

    if affected:
        yield Change(0, f"{', '.join(leaf.name for leaf in affected)} in float64", make, "", strained=True, edge=Edge.DOUBLE)


# Options that are None


def fillings(
    inputs: Inputs, names: Sequence[str], defaults: Mapping[str, object], words: Sequence[str]
) -> Iterator[tuple[str, list[Inputs]]]:
    """For each parameter that is None, values that it might take, the likeliest first."""
    places: list[tuple[Path, str]] = [((0, at), names[at]) for at, value in enumerate(inputs.args) if value is None and at < len(names)]
    places += [((1, name), name) for name, value in {**defaults, **inputs.kwargs}.items() if value is None]
    arrays = [leaf for leaf in leaves_of(inputs, names) if leaf.shape and leaf.kind in ("floats", "ints")]
    for path, name in places:
        given = inputs if path[0] == 0 else replace(inputs, kwargs={**inputs.kwargs, name: None})
        made = [
            varied(given, Change(0, f"{name}={said}", putter(path, value), "", strained=True, count=_count(name, value)))
            for said, value in _possible(name, arrays, words)
        ]
        yield name, [one for one in made if one is not None]


def _possible(name: str, arrays: Sequence[Leaf], words: Sequence[str]) -> Iterator[tuple[str, Any]]:
    import tensorflow as tf

    kind, _ = by_name(name)
    plain: dict[str, tuple[Any, ...]] = {
        "int": (2, 3),
        "index": (1,),
        "axis": (-1, 0),
        "float": (0.5,),
        "bool": (True,),
        "str": tuple(words),
    }
    if kind in plain:
        yield from ((repr(value), value) for value in plain[kind])
        return
    if kind == "callable":
        yield "tf.nn.relu", tf.nn.relu
        return
    if kind not in ("", "floats", "bools", "ints"):
        return
    dtypes = {"bools": ("bool", "float32"), "ints": ("int32",)}.get(kind, ("float32",))
    for shape in dict.fromkeys(_shapes(arrays)):
        for dtype in dtypes:
            yield f"{dtype}{list(shape)}", _pattern(shape, dtype)
    if not kind:
        yield "True", True


def _shapes(arrays: Sequence[Leaf]) -> Iterator[tuple[int, ...]]:
    """Like the tensors beside it, or like some of their axes."""
    for leaf in arrays[:2]:
        yield leaf.shape
        yield leaf.shape[:-1]
        yield leaf.shape[-1:]
        if len(leaf.shape) > 1:
            yield (leaf.shape[-2],) * 2


def _pattern(shape: Sequence[int], dtype: str) -> Any:
    import numpy
    import tensorflow as tf

    counted = numpy.arange(math.prod(shape)).reshape(shape)
    match dtype:
        case "bool":
            return tf.constant(counted % 3 != 1)
        case "int32":
            return tf.constant(counted % 2, tf.int32)
        case _:
            return tf.constant((counted % 5 + 1) / 4, tf.float32)


# State


def state_moved(portrait: Portrait, store: Store, names: Collection[str], *, shared: bool = False) -> Portrait:
    """The same values, but for variables and for what the program assigns later on: as a program leaves them, they are zeros and
    ones only too often, and hide what is done with them. `shared`: these are no arguments but what functions share."""
    return _Mover(store, names).moved(portrait, "", 0 if not shared else 1)


class _Mover:
    def __init__(self, store: Store, names: Collection[str]) -> None:
        self._store = store
        self._names = names

    def moved(self, portrait: Portrait, name: str, depth: int) -> Portrait:
        match portrait:
            case Composite(kind="object" | "sequence" | "mapping", members=members):
                parts = tuple((label, self.moved(part, label.strip("[]'\"").rpartition(".")[2], depth + 1)) for label, part in members)
                return portrait if parts == members else replace(portrait, members=parts)
            case Array(kind="variable" | "tensor" | "ndarray" as kind) if depth > 1 and (kind == "variable" or name in self._names):
                return self._moved_array(portrait)
            case Plain(type="float", value=float() as value) if depth > 1 and name in self._names:
                return replace(portrait, value=value * (1 + 1 / 64) if value else 1 / 64)
        return portrait

    def _moved_array(self, portrait: Array) -> Portrait:
        import numpy

        if not portrait.blob or not portrait.dtype.startswith(("float", "bfloat")):
            return portrait
        values = self._store.array(portrait)
        steps = ((numpy.arange(values.size) % 7 + 1) / 64).reshape(values.shape)
        moved = numpy.where(values == 0, steps, values.astype("float64") * (1 + steps)).astype(values.dtype)
        return replace(portrait, blob=self._store.put(moved.tobytes()))
