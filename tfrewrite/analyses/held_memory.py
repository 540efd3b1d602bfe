"""What a function holds in memory while it runs, as far as the text tells."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.facts import Facts
from tfrewrite.kinds import ITEM_BYTES, Dim, Kind, Sort, Symbol

_KEEPERS = {"append", "appendleft", "insert", "extend", "add", "put", "assign", "assign_add", "assign_sub"}
_COMPUTING_BUILTINS = {
    "builtins." + name for name in ("sum", "map", "filter", "list", "tuple", "sorted", "abs", "pow", "divmod", "round", "next")
}
_NEGLIGIBLE_BYTES = 2**10

Memory = Counter[object]
"""How many bytes or elements of each unit: a known number of bytes, or a size that is only known to be the same elsewhere."""


@dataclass(eq=False)
class Buffer:
    """The memory of one tensor."""

    size: Memory


@dataclass(frozen=True)
class Moment:
    """What is in memory while something is computed in a statement of the function's block."""

    statement: int
    held: tuple[Buffer, ...]


@dataclass
class Meter:
    """Follows names and the values of expressions through a function, as Python evaluates them.

    A loop is run through twice and branches one after the other. Arguments belong to the caller and don't count.
    """

    function: gast.FunctionDef
    facts: Facts
    moments: list[Moment] = field(default_factory=list)
    names: dict[str, Buffer] = field(default_factory=dict)
    _kept: list[Buffer] = field(default_factory=list)
    _pending: list[Buffer] = field(default_factory=list)
    _statement: int = 0

    def __post_init__(self) -> None:
        for index, statement in enumerate(self.function.body):
            self._statement = index
            self._run(statement)

    def _block(self, statements: Iterable[gast.stmt]) -> None:
        for statement in statements:
            self._run(statement)

    def _run(self, statement: gast.stmt) -> None:
        match statement:
            case gast.Assign(targets=targets, value=value):
                self._assign(targets, self._value(value))
            case gast.AnnAssign(target=target, value=value) if value is not None:
                self._assign([target], self._value(value))
            case gast.AugAssign(target=target, value=value):
                self._value(value)
                self._assign([target], self._computed(target))
            case gast.If(test=test, body=body, orelse=orelse):
                self._value(test)
                self._pending.clear()
                self._branches([body, orelse])
            case gast.For() | gast.AsyncFor() | gast.While():
                self._loop(statement)
            case gast.Match(subject=subject, cases=cases):
                self._value(subject)
                self._pending.clear()
                self._branches([*(case.body for case in cases), []])
            case gast.With(items=items, body=body) | gast.AsyncWith(items=items, body=body):
                for item in items:
                    self._value(item.context_expr)
                    self._keep()
                self._block(body)
            case gast.Try() | gast.TryStar():
                self._block(statement.body)
                self._branches([statement.orelse, *(handler.body for handler in statement.handlers)])
                self._block(statement.finalbody)
            case gast.Delete(targets=targets):
                for target in targets:
                    self.names.pop(getattr(target, "id", ""), None)
            case gast.ClassDef() | gast.FunctionDef() | gast.AsyncFunctionDef():
                pass
            case _:
                for child in gast.iter_child_nodes(statement):
                    if isinstance(child, gast.expr):
                        self._value(child)
        self._pending.clear()

    def _loop(self, statement: gast.AST) -> None:
        whole = statement.test if isinstance(statement, gast.While) else statement.iter
        self._value(whole)
        self._keep()  # the iterator lives as long as the loop
        for _ in range(2):
            if not isinstance(statement, gast.While):
                self._assign([statement.target], self._computed(statement.target))
            self._block(statement.body)
        self._block(statement.orelse)

    def _branches(self, blocks: Sequence[Sequence[gast.stmt]]) -> None:
        before = dict(self.names)
        ends = []
        for block in blocks:
            self.names = dict(before)
            self._block(block)
            ends.append(self.names)
        merged = dict(ends[0])
        for end in ends[1:]:
            for name, buffer in end.items():
                other = merged.setdefault(name, buffer)
                if other is not buffer and other.size != buffer.size:
                    merged[name] = Buffer(Counter({("either", id(other), id(buffer)): 1}))
        self.names = merged

    def _assign(self, targets: Iterable[gast.AST], buffer: Buffer | None) -> None:
        for target in targets:
            if not isinstance(target, gast.Name):
                self._keep()
            elif buffer is None:
                self.names.pop(target.id, None)
                self._keep()
            else:
                self.names[target.id] = buffer

    def _keep(self) -> None:
        """What has just been computed goes where it can't be followed: it stays for good."""
        self._kept += self._pending
        self._pending.clear()

    def _value(self, node: gast.AST) -> Buffer | None:
        """Evaluate an expression; its value is pending until it is assigned or dropped."""
        match node:
            case gast.Name(id=name):
                return self.names.get(name)
            case gast.Constant() | gast.Lambda():
                return None
            case gast.NamedExpr(target=target, value=value):
                buffer = self._value(value)
                self._assign([target], buffer)
                return buffer
            case gast.List() | gast.Tuple() | gast.Set() | gast.Dict():
                for one in gast.iter_child_nodes(node):
                    if isinstance(one, gast.expr):
                        self._hold(self._value(one))
                return None
            case gast.Call(func=gast.Attribute(value=owner, attr=attr), args=args) if (
                attr in _KEEPERS and self.facts.kind(node).sort is Sort.UNKNOWN
            ):
                self._value(owner)
                for one in args:
                    self._hold(self._value(one))
                self._keep()
                return None
        depth = len(self._pending)
        operands = []
        for child in gast.iter_child_nodes(node):
            if isinstance(child, gast.expr | gast.keyword | gast.comprehension):
                operands.append(self._value(child.value if isinstance(child, gast.keyword) else child))
        shared = next((one for one in operands if one is not None), None)
        match _whose_memory(node, self.facts):
            case _Whose.OWN:
                result = self._computed(node)
            case _Whose.SHARED:
                result = shared  # nothing, where it is an argument's
            case _Whose.EITHER:
                result = self._computed(node, Counter({("either", id(node)): 1}))
        del self._pending[depth:]
        self._hold(result)
        return result

    def _hold(self, buffer: Buffer | None) -> None:
        if buffer is not None:
            self._pending.append(buffer)

    def _computed(self, node: gast.AST, size: Memory | None = None) -> Buffer | None:
        """Something new is computed, while its operands and all names are held."""
        name = self.facts.called(node) or ""
        plain = name.startswith("builtins.") and name not in _COMPUTING_BUILTINS
        if size is None:
            size = Counter() if plain else _size(self.facts.kind(node), node)
        result = Buffer(size) if size else None
        held = {id(one): one for one in (*self.names.values(), *self._kept, *self._pending, *([result] if result else []))}
        self.moments.append(Moment(self._statement, tuple(held.values())))
        return result


class _Whose(enum.Enum):
    """Whose memory a value is in."""

    OWN = "its own"
    SHARED = "its operand's"
    EITHER = "not known"


def _whose_memory(node: gast.AST, facts: Facts) -> _Whose:
    match node:
        case gast.Attribute() | gast.Starred() | gast.IfExp():
            return _Whose.SHARED
        case gast.Subscript():
            return _Whose.EITHER if facts.kind(node).sort in (Sort.TENSOR, Sort.ARRAY) else _Whose.SHARED
        case gast.Call():
            return _of_call(node, facts)
    return _Whose.OWN


def _of_call(call: gast.Call, facts: Facts) -> _Whose:
    row = facts.op(call)
    if row.is_part or (row.itself_unless and not facts.allocates(call)):
        return _Whose.EITHER
    if not row.is_view and not row.hands_on:
        return _Whose.OWN
    before, after = _operand(call, facts), facts.kind(call)
    match row.name:
        case "cast" if None in (before.dtype, after.dtype):
            return _Whose.EITHER
        case "cast":
            return _Whose.SHARED if before.dtype == after.dtype else _Whose.OWN
        case "convert_to_tensor" if before.sort is not Sort.TENSOR:
            return _Whose.OWN
    return _Whose.SHARED


def _operand(call: gast.Call, facts: Facts) -> Kind:
    arguments = facts.arguments(call) or {}
    first = arguments.get("x", arguments.get("value"))
    return Kind() if first is None else facts.kind(first)


def _size(kind: Kind, node: gast.AST) -> Memory:
    """The memory of a value of that kind, in units that can be compared; nothing for what isn't worth counting."""
    match kind.sort:
        case Sort.NUMBER | Sort.TEXT | Sort.NONE | Sort.TAPE | Sort.VARIABLE | Sort.DATASET:
            return Counter()
        case Sort.TENSOR | Sort.ARRAY:
            bytes_each = ITEM_BYTES.get(kind.dtype or "")
            known, symbols = _dimensions(kind, node)
            unit = (("bytes" if bytes_each else "elements"), *symbols)
            size = known * (bytes_each or 1)
            return Counter() if not symbols and size < _NEGLIGIBLE_BYTES else Counter({unit: size})
    if isinstance(
        node,
        gast.Attribute
        | gast.Compare
        | gast.BoolOp
        | gast.JoinedStr
        | gast.FormattedValue
        | gast.Subscript
        | gast.Slice
        | gast.comprehension,
    ):
        return Counter()
    each = kind.each.sort if kind.each is not None else None
    return Counter() if each in (Sort.NUMBER, Sort.TEXT, Sort.NONE) else Counter({("unknown", id(node)): 1})


def _dimensions(kind: Kind, node: gast.AST) -> tuple[int, list[object]]:
    """The product of the sizes that are numbers, and the others in an order of their own."""
    if not isinstance(kind.shape, tuple):
        return 1, [kind.shape if isinstance(kind.shape, Symbol) else id(node)]
    known = 1
    symbols: list[Dim | int] = []
    for dim in kind.shape:
        if isinstance(dim, int):
            known *= dim
        else:
            symbols.append(id(node) if dim is None else dim)
    return known, sorted(symbols, key=hash)


def may_share(call: gast.Call, facts: Facts) -> bool:
    """May a call return memory that its argument, or somebody else, holds?"""
    row = facts.op(call)
    if not (facts.called(call) or "").startswith("tensorflow."):
        return True
    if facts.allocates(call) or row.creates or joins(call, facts):
        return False
    arguments = facts.arguments(call) or {}
    if "x" not in arguments or row.is_part:
        return True
    before, after = facts.kind(arguments["x"]), facts.kind(call)
    resized = before.size is not None and after.size is not None and before.size != after.size
    retyped = row.name == "cast" and before.dtype is not None and after.dtype is not None and before.dtype != after.dtype
    return not (resized or retyped)


def joins(call: gast.AST | None, facts: Facts) -> bool:
    """Does it copy the members of a list into one tensor? (A single member is returned as it is.)"""
    match call:
        case gast.Call(args=[gast.List(elts=[_, _, *_]) | gast.Tuple(elts=[_, _, *_]), *_]):
            assert call is not None
            return facts.op(call).joins
    return False


def total(buffers: Iterable[Buffer]) -> Memory:
    whole = Memory()
    for buffer in buffers:
        whole.update(buffer.size)
    return whole
