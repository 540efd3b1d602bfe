"""What stands for the values of a program while a function's body is read, and what may be asked of it.

A `Slot` is a parameter of which nothing is known: what is done with it is counted. A `Tensor` has sizes, most of them unknown.
`Demands` turns one into the other where a program needs a tensor or a whole number, and equates the sizes that have to be equal.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tfrewrite.verify.agent.unknown_sizes import Sizes

Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(eq=False)
class Slot:
    """A parameter, or a part of one, of which nothing is known yet: what is done with it is counted."""

    name: str
    votes: Counter[str] = field(default_factory=Counter)
    rank: int = 0
    """The least that its subscripts and axes ask for."""
    keys: dict[str, Slot] = field(default_factory=dict)
    choices: list[Any] = field(default_factory=list)
    """The constants that it is compared with."""
    attributes: set[str] = field(default_factory=set)
    length: int = 0
    arity: int = 1
    member: Slot | None = None
    positions: dict[int, Slot] = field(default_factory=dict)
    """The members of a tuple, where it is taken apart."""

    def vote(self, kind: str, weight: int = 2) -> None:
        self.votes[kind] += weight

    def element(self) -> Slot:
        """Of a list: `xs` has members that are like an `x`."""
        if self.member is None:
            singular = self.name.removesuffix("_list").removesuffix("s")
            self.member = Slot(singular if singular != self.name else "")
        return self.member

    def position(self, index: int, name: str) -> Slot:
        return self.positions.setdefault(index, Slot(name))

    def key(self, key: str) -> Slot:
        return self.keys.setdefault(key, Slot(key))


@dataclass(eq=False)
class Tensor:
    dims: tuple[int, ...] | None = None
    kind: str = ""
    """float, int, bool or string; empty where it isn't known"""
    slot: Slot | None = None
    bounds: list[int] = field(default_factory=list)
    """The sizes of the axes that its values are indices of."""
    weak: bool = False
    """A number of Python's own, which takes the dtype of what it meets."""


@dataclass(eq=False)
class Size:
    dim: int


@dataclass(eq=False)
class Rank:
    of: Tensor


@dataclass(eq=False)
class Group:
    members: list[Any]
    kind: str = "list"


@dataclass(eq=False)
class Many:
    """A list or another iterable of as many members as there may be, all alike."""

    member: Any


@dataclass(eq=False)
class Dictionary:
    members: dict[str, Any]


@dataclass(eq=False)
class Const:
    value: Any


@dataclass(eq=False)
class Local:
    """A function of the program's own, with the names that it can see."""

    node: Node
    names: dict[str, Any]
    namespace: Mapping[str, Any]
    first: Any = None
    """The object that it is a method of."""


@dataclass(eq=False)
class Operation:
    """A function or module of TensorFlow or NumPy, by the words that lead to it."""

    words: tuple[str, ...]


@dataclass(eq=False)
class Method:
    of: Any
    name: str


@dataclass(eq=False)
class Object:
    value: Any


@dataclass(eq=False)
class Affine:
    """A layer that takes any last size and gives this one."""

    units: int


class Unknown:
    pass


UNKNOWN = Unknown()


class Demands:
    """Of one walk: which sizes are equal, and how much is asked that can't be."""

    def __init__(self) -> None:
        self.sizes = Sizes()

    def clash(self) -> None:
        self.sizes.conflicts += 1

    def literal(self, value: Any) -> int | None:
        return self.sizes.value(value.dim) if isinstance(value, Size) else None

    def member(self, value: Any) -> Any:
        """What a loop over it meets."""
        match value:
            case Slot():
                value.vote("iterable", 3)
                return value.element()
            case Many(member):
                return member
            case Group(members):
                return members[0] if members else UNKNOWN
            case Tensor(None):
                return Tensor(None, value.kind)
            case Tensor(tuple() as dims):
                if not dims:
                    self.clash()
                return Tensor(dims[1:], value.kind, bounds=value.bounds)
            case Dictionary():
                return Const(next(iter(value.members), ""))
            case _:
                return UNKNOWN

    def tensor(self, value: Any, kind: str = "", least: int = 0) -> Tensor:
        """The value where a tensor is asked for, of at least such a rank."""
        match value:
            case Slot():
                # Floats are asked for where any array is meant; what has to be another kind has to be it.
                votes = {"": ("array", 3), "float": ("floats", 3), "int": ("ints", 8), "bool": ("bools", 8), "string": ("strings", 8)}
                value.vote(*votes[kind])
                value.rank = max(value.rank, least)
                return Tensor(None, kind, value)
            case Tensor():
                if kind and value.kind and value.kind != kind and not value.weak:
                    self.clash()
                if value.dims is not None and len(value.dims) < least:
                    self.clash()
                return value
            case Size():
                made = Tensor((), "int", weak=True)
            case Const(number):
                made = Tensor((), "bool" if isinstance(number, bool) else "string" if isinstance(number, str) else "float", weak=True)
            case Group(members):
                made = self.stacked([self.tensor(member) for member in members])
            case Many(member):
                inner = self.tensor(member)
                made = Tensor(None if inner.dims is None else (self.sizes.new(), *inner.dims), inner.kind)
            case _:
                return Tensor(None)
        if made.dims is not None and len(made.dims) < least:
            self.clash()
        return made

    def stacked(self, members: list[Tensor], axis: int = 0) -> Tensor:
        merged = self.alike(members)
        if merged.dims is None:
            return merged
        made = list(merged.dims)
        made.insert(axis if axis >= 0 else len(made) + 1 + axis, self.sizes.new(len(members)))
        return Tensor(tuple(made), merged.kind, weak=all(member.weak for member in members))

    def alike(self, members: Sequence[Tensor], but: int | None = None) -> Tensor:
        """The members are of one shape, but for one axis."""
        known = [member for member in members if member.dims is not None]
        if not known:
            return Tensor(None)
        first = known[0]
        assert first.dims is not None
        rank = len(first.dims)
        for other in known[1:]:
            assert other.dims is not None
            if len(other.dims) != rank:
                self.clash()
                continue
            for axis, (one, two) in enumerate(zip(first.dims, other.dims, strict=True)):
                if but is None or axis != but % max(rank, 1):
                    self.sizes.same(one, two)
        weak = all(member.weak for member in members)
        return Tensor(first.dims, "float" if weak and any(one.kind == "float" for one in known) else first.kind, weak=weak)

    def integer(self, value: Any) -> int:
        """The unknown that stands for a whole number."""
        match value:
            case Size(dim):
                return dim
            case Slot():
                value.vote("number", 3)
            case Tensor(dims) if dims:
                self.clash()
            case _:
                pass
        return self.sizes.new()

    def broadcast(self, one: Tensor, other: Tensor) -> Tensor:
        kinds = {tensor.kind for tensor in (one, other) if tensor.kind and not tensor.weak}
        if len(kinds) > 1:
            self.clash()
        kind = next(iter(sorted(kinds)), "") or _of_numbers(one, other)
        if one.dims is None or other.dims is None:
            return Tensor(None, kind)
        longer, shorter = (one.dims, other.dims) if len(one.dims) >= len(other.dims) else (other.dims, one.dims)
        offset = len(longer) - len(shorter)
        made = list(longer)
        for axis, small in enumerate(shorter):
            big = longer[axis + offset]
            if self.sizes.value(small) == 1:
                continue
            if self.sizes.value(big) == 1:
                made[axis + offset] = small
            else:
                self.sizes.same(big, small)
        return Tensor(tuple(made), kind, weak=one.weak and other.weak)

    def operand(self, value: Any) -> Tensor:
        """A tensor or a number: which of them is not known of a parameter."""
        if isinstance(value, Slot):
            value.vote("numeric", 1)
            return Tensor(None)
        return self.tensor(value)

    def fixed(self, value: Any, rank: int, kind: str = "") -> Tensor:
        """A tensor of exactly this rank."""
        if isinstance(value, Slot):
            value.vote(f"rank{rank}", 4)
        tensor = self.tensor(value, kind)
        if tensor.dims is not None and len(tensor.dims) != rank:
            self.clash()
            return Tensor(None, tensor.kind)
        return tensor

    def members_of(self, value: Any) -> list[Tensor]:
        match value:
            case Slot():
                value.vote("list", 4)
                return [self.tensor(value.element())]
            case Group(members):
                return [self.tensor(member) for member in members]
            case Many(member):
                return [self.tensor(member)]
            case Tensor(dims) if dims:
                return [self.tensor(self.member(value))]
            case _:
                return [Tensor(None)]

    def shape_of(self, tensor: Tensor, count: int | None) -> list[Any]:
        if tensor.dims is None:
            return [Size(self.sizes.new()) for _ in range(count or 0)]
        if count is not None and count != len(tensor.dims):
            self.clash()
            return [Size(self.sizes.new()) for _ in range(count)]
        return [Size(dim) for dim in tensor.dims]


def _of_numbers(one: Tensor, other: Tensor) -> str:
    """Of what kind the result is where only Python's numbers say: an int takes the dtype of any tensor that it meets."""
    kinds = {one.kind, other.kind}
    return "float" if "float" in kinds else one.kind or other.kind if one.weak and other.weak else ""


def kind_of_dtype(wanted: Any) -> str:
    """float, int, bool or string: which of them a dtype is."""
    match wanted:
        case Operation(words):
            name = words[-1]
        case Const(str() as name):
            pass
        case _:
            return ""
    if name.startswith(("float", "bfloat", "half", "double")):
        return "float"
    return "int" if name.startswith(("int", "uint")) else name if name in ("bool", "string") else ""
