"""A call of an operation while a body is read: which rows of the table it has, what its arguments are, and what it gives.

The rules of the table compute with kinds, in which an unknown size is a symbol: stand-ins are turned into kinds and back.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gast

from tfrewrite.kinds import UNKNOWN as UNKNOWN_KIND
from tfrewrite.kinds import Dim, Kind, Sort, Symbol, number, sequence, tensor
from tfrewrite.ops import OPS, TENSORFLOW
from tfrewrite.ops.call import Call
from tfrewrite.ops.naming import aliases, canonical
from tfrewrite.ops.row import UNKNOWN_OP, Effect, Op
from tfrewrite.verify.agent.stand_in_values import UNKNOWN, Const, Demands, Group, Many, Method, Size, Tensor, kind_of_dtype
from tfrewrite.verify.agent.unknown_sizes import Sizes

Apply = Callable[[Any, Sequence[Any], Mapping[str, Any]], Any]

_APART = frozenset({"data", "layers", "ndarray", "random", "strings"})
"""Packages whose functions share only their names with others."""
_DTYPES = {"float": "float32", "int": "int32", "bool": "bool", "string": "string"}


class Missing(Exception):
    """A call that lacks an argument."""


@functools.cache
def rows_of(words: tuple[str, ...]) -> tuple[Op, Op]:
    """The row of an operation by the words that lead to it, and the row that says what it gives.

    They differ for NumPy's functions, which give what TensorFlow's of that name do and take other arguments. Where the whole
    name isn't known, as of a method or of a function of Keras, the last word has to do.
    """
    name = canonical(".".join(words).replace("._api.v2.", "."))
    own = OPS.get(name)
    if own is None and not _APART.intersection(words):
        own = _by_last_word().get(words[-1]) or _by_last_word().get(words[-1].lower())
    if own is None:
        return UNKNOWN_OP, UNKNOWN_OP
    if own.is_known or not own.name.startswith("numpy."):
        return own, own
    last = own.name.rpartition(".")[2]
    return own, OPS.get(f"tensorflow.{own.like}") or _tensorflows().get(last, own)


@functools.cache
def _tensorflows() -> Mapping[str, Op]:
    return {row.name.rpartition(".")[2]: row for row in reversed(TENSORFLOW) if not _APART.intersection(row.name.split("."))}


@functools.cache
def _by_last_word() -> Mapping[str, Op]:
    """TensorFlow's own names first, then NumPy's, then the other names that TensorFlow has for its operations."""
    found = dict(_tensorflows())
    for name, row in OPS.items():
        if name.startswith("numpy.") and not _APART.intersection(name.split(".")):
            found.setdefault(name.rpartition(".")[2], row)
    for other, name in aliases().items():
        if f"tensorflow.{name}" in OPS and not _APART.intersection(other.split(".")):
            found.setdefault(other.rpartition(".")[2], OPS[f"tensorflow.{name}"])
    # What Keras offers and NumPy doesn't: ops.logsumexp.
    for row in TENSORFLOW:
        if row.reduces:
            found.setdefault(row.name.rpartition(".")[2].removeprefix("reduce_"), row)
    return found


def keeps_shape_or_reduces(method: str) -> bool:
    """Is a method of this name one that arrays have, and lists and datasets don't?"""
    _, row = rows_of(("numpy", method))
    return row.is_elementwise or row.reduces or row.finds_place or row.mixes or row.transposes or method == "dot"


class Asked:
    """One call: its arguments by the names of the row, and what was asked of them."""

    def __init__(self, own: Op, row: Op, positional: Sequence[Any], named: Mapping[str, Any], demands: Demands, apply: Apply) -> None:
        self.own = own
        self.row = row
        self.demands = demands
        self.sizes = demands.sizes
        self.apply = apply
        signature = own if own.parameters else row
        self.given: dict[str, Any] = dict(zip(signature.parameters, positional, strict=False))
        self.given.update({signature.parameter(keyword): value for keyword, value in named.items()})
        # Keras calls otherwise what comes in the same order: ops.one_hot(x, num_classes=10).
        free = [name for name in signature.parameters if name not in self.given]
        theirs = [name for name in self.given if name not in (*signature.parameters, "axis", "dtype", "keepdims", "name")]
        self.given.update({name: self.given[other] for name, other in zip(free, theirs, strict=False)})
        self.operands: dict[str, Tensor] = {}
        self.joint: Tensor | None = None
        """What the operands of an elementwise operation make together."""

    def get(self, name: str) -> Any:
        return self.given.get(name)

    def need(self, name: str) -> Any:
        if name not in self.given:
            raise Missing
        return self.given[name]

    def tensor(self, name: str, kind: str = "", least: int = 0) -> Tensor:
        self.operands[name] = self.demands.tensor(self.need(name), kind, least)
        return self.operands[name]

    def fixed(self, name: str, rank: int, kind: str = "") -> Tensor:
        self.operands[name] = self.demands.fixed(self.need(name), rank, kind)
        return self.operands[name]

    def integer(self, name: str) -> int:
        size = self.demands.integer(self.need(name))
        self.given[name] = Size(size)
        return size

    def literal(self, name: str) -> int | None:
        return self.demands.literal(self.get(name))

    def is_true(self, *names: str) -> bool:
        return any(isinstance(flag := self.get(name), Const) and flag.value is True for name in names)

    def result(self) -> Any:
        """What the rule of the row says of the operands as they are known by now."""
        row, x = self.row, self.operands.get("x", self.operands.get("value"))
        if row.returns is None or not row.is_known:
            return UNKNOWN
        if self.own is not row and self.own.axis is None and row.axis is not None and "axis" not in self.given:
            # Of NumPy's these go along all axes where none is given.
            if row.finds_place:
                return Tensor((), "int")
            if row.mixes:
                return Tensor((self.sizes.new(),), "" if x is None else x.kind)
        nodes = {name: _node(one) for name, one in self.given.items()}
        dtypes = {id(nodes[name]): _DTYPES.get(kind_of_dtype(one)) for name, one in self.given.items()}
        kinds = {name: self._kind(name, one) for name, one in self.given.items()}
        made = _stand_in(row.returns(Call(kinds, nodes, lambda node: dtypes.get(id(node)))), self.sizes)
        if not isinstance(made, Tensor) or x is None:
            return made
        # What Keras and NumPy convert to a dtype TensorFlow refuses: its rules don't say.
        made.kind = kind_of_dtype(self.given.get("dtype")) or made.kind
        if row.wants_floats and made.kind in ("", "int"):
            made.kind = "float"
        if row.is_elementwise or row.mixes:
            whole = self.joint or x
            weak = self.own.name.startswith("numpy.") and all(one.weak for one in self.operands.values())
            made = Tensor(whole.dims, made.kind, weak=weak)
        if "y" not in self.given and (row.is_elementwise or row.mixes or row.error.effect is Effect.KEPT):
            made.bounds = x.bounds
        return made

    def _kind(self, name: str, value: Any) -> Kind:
        plain = isinstance(value, (Size, Const, Method)) or name not in self.operands
        return _kind(value if plain else self.operands[name], self.sizes)


def _node(value: Any) -> gast.expr:
    """What the rules see of how an argument is written: constants."""
    return gast.Constant(value.value, None) if isinstance(value, Const) else gast.Name("_", gast.Load(), None, None)


def _kind(value: Any, sizes: Sizes) -> Kind:
    """A stand-in as the rules of the table know it: an unknown size is a symbol."""
    match value:
        case Tensor((), kind, weak=True):
            return number(None, kind or None)
        case Tensor(dims, kind):
            return tensor(_DTYPES.get(kind), None if dims is None else tuple(_dim(dim, sizes) for dim in dims))
        case Size(dim):
            return number(_dim(dim, sizes))
        case Const(None):
            return Kind(Sort.NONE)
        case Const(bool() | float() as plain):
            return number(plain)
        case Const(str()):
            return Kind(Sort.TEXT)
        case Group(members, kind):
            return sequence(Sort.TUPLE if kind == "tuple" else Sort.LIST, tuple(_kind(member, sizes) for member in members))
        case Many(member):
            return Kind(Sort.LIST, each=_kind(member, sizes))
        case Method(Tensor(tuple() as dims), "shape"):
            return sequence(Sort.TUPLE, tuple(number(_dim(dim, sizes)) for dim in dims))
        case _:
            return UNKNOWN_KIND


def _dim(size: int, sizes: Sizes) -> int | Symbol:
    known = sizes.value(size)
    return Symbol(sizes.find(size), "") if known is None else known


def _stand_in(kind: Kind, sizes: Sizes) -> Any:
    match kind:
        case Kind(sort=Sort.NUMBER | Sort.TENSOR, value=int() | Symbol() as value) if not isinstance(value, bool):
            return Size(_size(value, sizes))
        case Kind(sort=Sort.TENSOR | Sort.VARIABLE | Sort.ARRAY, dtype=dtype, shape=tuple() as shape):
            return Tensor(tuple(_size(dim, sizes) for dim in shape), kind_of_dtype(Const(dtype)))
        case Kind(sort=Sort.TENSOR | Sort.VARIABLE | Sort.ARRAY, dtype=dtype):
            return Tensor(None, kind_of_dtype(Const(dtype)))
        case Kind(items=tuple() as items):
            return Group([_stand_in(item, sizes) for item in items], "list" if kind.sort is Sort.LIST else "tuple")
        case Kind(sort=Sort.LIST, each=Kind() as each):
            return Many(_stand_in(each, sizes))
        case _:
            return UNKNOWN


def _size(dim: Dim, sizes: Sizes) -> int:
    match dim:
        case Symbol(key=int() as size):
            return size
        case int() if dim >= 0:
            return sizes.new(dim)
        case _:
            return sizes.new()
