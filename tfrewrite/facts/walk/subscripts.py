"""What attributes and subscripts give: shapes, entries, slices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import gast

from tfrewrite.facts.walk.constants_and_dtypes import NONE
from tfrewrite.facts.walk.environment import Env
from tfrewrite.facts.walk.kept_kinds import of_object
from tfrewrite.facts.walk.operator_kinds import Operators
from tfrewrite.kinds import UNKNOWN, Dim, Entries, Kind, Sort, Symbol, map_symbols, number, of_shape, sequence, size_at, taken_from, tensor
from tfrewrite.ops.made import Made, family

_GIVEN_BY_KERAS = {
    ("keras.Model", "optimizer"): "keras.optimizers.Optimizer",
    ("keras.callbacks.Callback", "model"): "keras.Model",
}  # fmt: skip
_MATH_CONSTANTS = frozenset({"math.pi", "math.e", "math.tau", "numpy.pi", "numpy.e"})


class Subscripts(Operators):
    def _attribute(self, node: gast.Attribute, base: Kind, attr: str) -> Kind:
        match attr:
            case "shape" if base.sort is Sort.SYMBOLIC and isinstance(base.shape, tuple):
                return sequence(Sort.TUPLE, tuple(number(dim, "int") if isinstance(dim, int) else UNKNOWN for dim in base.shape))
            case "shape" if base.shape is not None and base.sort is not Sort.NUMBER:
                if isinstance(base.shape, tuple) and self._within_layer:
                    # Keras traces it with sizes of None.
                    return sequence(Sort.TUPLE, tuple(number(dim, "int") if isinstance(dim, int) else UNKNOWN for dim in base.shape))
                if isinstance(base.shape, tuple):
                    return sequence(Sort.TUPLE, tuple(number(dim, "int") for dim in base.shape))
                return Kind(Sort.TUPLE, value=base.shape)
            case "T" if base.sort is Sort.ARRAY:
                return replace(base, shape=tuple(reversed(base.shape)) if isinstance(base.shape, tuple) else None)
            case "pi" | "e" | "tau" if self._names(node) in _MATH_CONSTANTS:
                return number(getattr(math, attr))
            case "rank" | "ndims" | "ndim" if base.sort is Sort.TUPLE or base.sort is Sort.ARRAY:
                return number(None, "int")
            case "size" if base.sort is Sort.ARRAY:
                return number(base.size, "int")
            case "nbytes" | "itemsize" if base.sort is Sort.ARRAY:
                return number(None, "int")
        if isinstance(base.instance, tuple) and base.items is not None and attr in base.instance:
            return base.items[base.instance.index(attr)]
        if isinstance(base.instance, gast.ClassDef):
            owner = base.instance
            return of_object(self._ask(lambda inference: inference.attribute_of(owner, attr)), base)
        if isinstance(base.instance, Made) and (given := _GIVEN_BY_KERAS.get((family(base.instance.name), attr))) is not None:
            # Before `compile` it is None, of which no method is called.
            asked = isinstance(self._scopes.parents[node], gast.Attribute) and not self._all._mutation.attribute_stores(attr)
            return Kind(Sort.OBJECT, instance=Made(given)) if asked else UNKNOWN
        if attr == "layers" and isinstance(base.instance, Made) and base.instance.name == "keras.Sequential":
            return self._layers(base.instance)
        if (holder := self._all.class_of_self(node.value)) is None:
            return UNKNOWN
        return self._ask(lambda inference: inference.attribute_of(holder, attr))

    def _layers(self, model: Made) -> Kind:
        """The layers of a Sequential model, among which its input doesn't count."""
        given = model["layers"]
        if given.sort not in (Sort.LIST, Sort.TUPLE) or given.items is None or self._all._mutation.attribute_stores("layers"):
            return UNKNOWN
        inner = tuple(one for one in given.items if one.sort is not Sort.SYMBOLIC)
        return sequence(Sort.LIST, inner) if all(isinstance(one.instance, Made) for one in inner) else UNKNOWN

    def _subscript(self, base: Kind, index: gast.AST, env: Env) -> Kind:
        self._expression(index, env)
        position = self._record.get(index, UNKNOWN).value
        if base.items is not None and isinstance(position, int) and -len(base.items) <= position < len(base.items):
            return base.items[position]
        if base.sort is Sort.TUPLE and isinstance(base.value, Symbol) and isinstance(position, int):
            return number(size_at(base.value, position))
        if base.is_tensor and base.dtype == "int32" and isinstance(base.value, Symbol) and base.rank == 1 and isinstance(position, int):
            symbol = size_at(base.value, position)
            return replace(tensor(base.dtype, ()), value=symbol)
        if base.instance == "shown":
            return base
        if isinstance(base.instance, Entries):
            return base.instance.of(index.value) if isinstance(index, gast.Constant) else UNKNOWN
        if base.sort in (Sort.LIST, Sort.TUPLE) and base.each is not None and not self._is_slice(index):
            return map_symbols(base.each, lambda symbol: None)
        if base.sort is Sort.ARRAY:
            from tfrewrite.facts import array_values

            return array_values.indexed(base, index, lambda size, part: _slice_size(size, part, self._record), self._index)
        if base.sort is Sort.SYMBOLIC:
            return _symbolic(self._sliced(tensor(base.dtype, base.shape), index))
        return self._sliced(base, index) if base.is_tensor else UNKNOWN

    def _is_slice(self, index: gast.AST) -> bool:
        """Does it take several members: `x[1:3]`, `x[slice(1, 3)]`, `x[part]` of `part = slice(1, 3)`?"""
        match index:
            case gast.Slice():
                return True
            case gast.Call(func=func):
                return self._names(func) == "builtins.slice"
            case gast.Subscript(value=value):
                return self._names(value) == "numpy.s_"
            case gast.Name(id=name):
                owner = self._scopes.names[index].lookup(name)
                given = [] if owner is None else [self._scopes.parents[one] for one in owner.bindings.get(name, ())]
                return any(
                    isinstance(one, gast.Assign) and not isinstance(one.value, gast.Name) and self._is_slice(one.value) for one in given
                )
        return False

    def _index(self, part: gast.AST) -> Kind:
        return NONE if self._is_new_axis(part) else self._record.get(part, UNKNOWN)

    def _sliced(self, base: Kind, index: gast.AST) -> Kind:
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        plain = tensor(base.dtype, finite=base.finite, fixed=base.fixed)
        if isinstance(base.shape, Symbol) and None not in (gone := [self._takes_one(part) for part in parts]):
            return of_shape(plain, taken_from(base.shape, tuple(map(bool, gone))))
        if not isinstance(base.shape, tuple):
            return plain
        taken = sum(1 for part in parts if not self._is_new_axis(part) and not is_ellipsis(part))
        if sum(map(is_ellipsis, parts)) > 1 or taken > len(base.shape):
            return UNKNOWN
        rest = list(base.shape)
        shape: list[Dim] = []
        for part in parts:
            if self._is_new_axis(part):
                shape.append(1)
            elif is_ellipsis(part):
                keep = len(rest) - sum(1 for one in parts[parts.index(part) + 1 :] if not self._is_new_axis(one))
                shape += rest[:keep]
                rest = rest[keep:]
            elif isinstance(part, gast.Slice):
                size = rest.pop(0)
                shape.append(_slice_size(size, part, self._record))
            elif (kind := self._record.get(part, UNKNOWN)).sort is Sort.NUMBER or (kind.sort is Sort.TENSOR and kind.shape == ()):
                rest.pop(0)
            else:
                return plain
        shape += rest
        kind = tensor(base.dtype, tuple(shape), finite=base.finite, fixed=base.fixed)
        return replace(kind, below=base.below)

    def _takes_one(self, part: gast.AST) -> bool | None:
        """Does an index take one element of an axis, or all of them? None where it does something else."""
        if isinstance(part, gast.Slice):
            return False if part.lower is part.upper is part.step is None else None
        kind = self._record.get(part, UNKNOWN)
        return True if kind.sort is Sort.NUMBER and kind.dtype == "int" and not self._is_new_axis(part) else None

    def _is_new_axis(self, part: gast.AST) -> bool:
        if isinstance(part, gast.Constant):
            return part.value is None
        return self._names(part) in ("tensorflow.newaxis", "numpy.newaxis")


def is_ellipsis(part: gast.AST) -> bool:
    return isinstance(part, gast.Constant) and part.value is Ellipsis


def _symbolic(kind: Kind) -> Kind:
    return Kind(Sort.SYMBOLIC, kind.dtype, kind.shape if isinstance(kind.shape, tuple) else None)


def _slice_size(size: Dim, part: gast.Slice, record: Mapping[gast.AST, Kind]) -> Dim:
    if part.lower is None and part.upper is None and part.step is None:
        return size
    if not isinstance(size, int):
        return None
    if (steady := _steady_size(size, part, record)) is not None:
        return steady
    ends = [None if one is None else record.get(one, UNKNOWN) for one in (part.lower, part.upper, part.step)]
    if any(one is not None and (one.sort is not Sort.NUMBER or type(one.value) is not int) for one in ends):
        return None
    lower, upper, step = (one.value if one is not None and isinstance(one.value, int) else None for one in ends)
    return None if step == 0 else len(range(size)[slice(lower, upper, step)])


def _steady_size(size: int, part: gast.Slice, record: Mapping[gast.AST, Kind]) -> int | None:
    """How many rows `x[i : i + k]` and `x[i * k : (i + 1) * k]` have for every i, where none of them reaches beyond the end."""
    match part:
        case gast.Slice(lower=gast.Name(id=name) as index, upper=gast.BinOp(left=left, op=gast.Add(), right=right), step=None):
            length = right if _is_name(left, name) else left if _is_name(right, name) else None
            times = 1
        case gast.Slice(
            lower=gast.BinOp(left=gast.Name(id=name) as index, op=gast.Mult(), right=length),
            upper=gast.BinOp(left=gast.BinOp(left=left, op=gast.Add(), right=gast.Constant(value=1)), op=gast.Mult(), right=other),
            step=None,
        ) if _is_name(left, name) and gast.dump(length) == gast.dump(other):
            times = 0
        case _:
            return None
    below = record.get(index, UNKNOWN).below
    rows = record.get(length, UNKNOWN).value if length is not None else None
    if type(below) is not int or type(rows) is not int or below < 1 or rows < 1:
        return None
    first = below - 1 if times else (below - 1) * rows
    return rows if first + rows <= size else None


def _is_name(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name
