"""Let go of an eager intermediate when it has been read for the last time.

Before:  y = tf.square(x)
         z = y * 2
         w = z + 1
After:   y = tf.square(x)
         z = y * 2
         del y
         w = z + 1

Why:     A name keeps its tensor in memory until the function returns. With x of 4 MB three tensors are held at the end
         before, and two at any time after: 12.0 and 8.0 MB.
Safety:  Only names that the function's own block gives once, and that nothing reads later: no loop, closure, nonlocal,
         locals(), eval, debugger, or expression in a string (numexpr, DataFrame.query) can see them. In a graph names
         cost nothing and a tape keeps what it recorded (12.0 MB with and without del): some call of the function must
         be known to run eagerly and outside of a tape. A tensor that is given another name, put into something, or
         shared (tf.reshape, tf.identity, slices) frees nothing and is left alone. A del stands only where the function's
         peak, over all of its branches, is lower for it, by a tenth at least and, where the sizes are numbers, by
         256 kB: not before a return that computes nothing, and not where the peak lies in an earlier statement. Where
         sizes that can't be compared (what an unknown function returns) decide where the peak lies, nothing is done.
         Where the last statement that reads a name shares its line with another, the function is left alone.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.kinds import ITEM_BYTES, Dim, Kind, Sort, Symbol
from tfrewrite.facts.scopes import walk_within
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Rewrite, transform

_SEES_ALL = {"builtins.locals", "builtins.vars", "builtins.eval", "builtins.exec", "builtins.dir", "builtins.breakpoint"}
_SEES_CALLERS = {"eval", "query", "evaluate", "currentframe", "_getframe", "set_trace"}
_READERS = {"builtins.print", "builtins.float", "builtins.int", "builtins.len", "builtins.str", "builtins.repr", "builtins.bool"}
_KEEPERS = {"append", "appendleft", "insert", "extend", "add", "put", "assign", "assign_add", "assign_sub"}
_COMPUTING_BUILTINS = {
    "builtins." + name for name in ("sum", "map", "filter", "list", "tuple", "sorted", "abs", "pow", "divmod", "round", "next")
}
_CREATES = {"zeros", "ones", "fill", "eye", "range", "zeros_like", "ones_like", "constant"}
_VIEWS = {"identity", "reshape", "squeeze", "expand_dims", "convert_to_tensor", "stop_gradient", "ensure_shape", "guarantee_const", "cast"}
_JOINS = {"concat", "stack"}
_LEAST_BYTES = 2**18
_NEGLIGIBLE_BYTES = 2**10
_LEAST_SHARE = 0.1  # of the peak
_TOLERANCE = 0.05  # of the peak: how much of the gain is given away for fewer dels

Memory = Counter[object]
"""How many bytes or elements of each unit: a known number of bytes, or a size that is only known to be the same elsewhere."""


@dataclass(eq=False)
class _Buffer:
    """The memory of one tensor."""

    size: Memory


@dataclass(frozen=True)
class _Moment:
    """What is in memory while something is computed in a statement of the function's block."""

    statement: int
    held: tuple[_Buffer, ...]


@dataclass(frozen=True)
class _Life:
    """A name that alone holds a tensor, up to the last statement of the function's block that reads it."""

    name: str
    buffer: _Buffer
    last: int


@transform(gast.FunctionDef, fidelity=Fidelity.BITWISE, mentions=("tensorflow",))
def early_release(function: gast.FunctionDef, facts: Facts) -> Outcome:
    if len(function.body) < 3 or not _may_gain(function, facts):
        return None
    if facts.mode(function.body[0]) is not Mode.EAGER or facts.taped(function.body[0]):
        return None
    meter = _Meter(function, facts)
    helpful = _helpful(_lives(function, meter, facts), meter.moments)
    edits: list[Edit] = []
    for last in sorted({life.last for life in helpful}):
        ended = ", ".join(life.name for life in helpful if life.last == last)
        edit = facts.insert_after(function.body[last], f"del {ended}")
        if edit is None:
            return None
        edits.append(edit)
    if not edits:
        return None
    names = [life.name for life in helpful]
    shown = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    owns = "are not needed" if len(names) > 1 else "is not needed"
    return Rewrite(function, tuple(edits), f"{shown} {owns} while what comes after is computed", region=(function,))


def _may_gain(function: gast.FunctionDef, facts: Facts) -> bool:
    """A quick look before anything costly: two names at least, and nothing that can see them from elsewhere."""
    for node in walk_within(function):
        match node:
            case gast.Yield() | gast.YieldFrom() | gast.Await() | gast.Global() | gast.Nonlocal():
                return False
            case gast.Call(func=func) if (
                facts.called(node) in _SEES_ALL or (getattr(func, "attr", None) or getattr(func, "id", "")) in _SEES_CALLERS
            ):
                return False
    return sum(isinstance(statement, gast.Assign) for statement in function.body) >= 2


# The meter: runs through the function once and notes what is in memory at each computation.


@dataclass
class _Meter:
    """Follows names and the values of expressions through a function, as Python evaluates them.

    A loop is run through twice and branches one after the other. Arguments belong to the caller and don't count.
    """

    function: gast.FunctionDef
    facts: Facts
    moments: list[_Moment] = field(default_factory=list)
    names: dict[str, _Buffer] = field(default_factory=dict)
    _kept: list[_Buffer] = field(default_factory=list)
    _pending: list[_Buffer] = field(default_factory=list)
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
                    merged[name] = _Buffer(Counter({("either", id(other), id(buffer)): 1}))
        self.names = merged

    def _assign(self, targets: Iterable[gast.AST], buffer: _Buffer | None) -> None:
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

    def _value(self, node: gast.AST) -> _Buffer | None:
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
        match _memory(node, self.facts):
            case _Whose.OWN:
                result = self._computed(node)
            case _Whose.SHARED:
                result = shared  # nothing, where it is an argument's
            case _Whose.EITHER:
                result = self._computed(node, Counter({("either", id(node)): 1}))
        del self._pending[depth:]
        self._hold(result)
        return result

    def _hold(self, buffer: _Buffer | None) -> None:
        if buffer is not None:
            self._pending.append(buffer)

    def _computed(self, node: gast.AST, size: Memory | None = None) -> _Buffer | None:
        """Something new is computed, while its operands and all names are held."""
        name = self.facts.called(node) or ""
        plain = name.startswith("builtins.") and name not in _COMPUTING_BUILTINS
        if size is None:
            size = Counter() if plain else _size(self.facts.kind(node), node)
        result = _Buffer(size) if size else None
        held = {id(one): one for one in (*self.names.values(), *self._kept, *self._pending, *([result] if result else []))}
        self.moments.append(_Moment(self._statement, tuple(held.values())))
        return result


class _Whose(enum.Enum):
    """Whose memory a value is in."""

    OWN = "its own"
    SHARED = "its operand's"
    EITHER = "not known"


def _memory(node: gast.AST, facts: Facts) -> _Whose:
    match node:
        case gast.Attribute() | gast.Starred() | gast.IfExp():
            return _Whose.SHARED
        case gast.Subscript():
            return _Whose.EITHER if facts.kind(node).sort in (Sort.TENSOR, Sort.ARRAY) else _Whose.SHARED
        case gast.Call() if (short := (facts.called(node) or "").removeprefix("tensorflow.")) in _VIEWS:
            before, after = _operand(node, facts), facts.kind(node)
            if short == "cast" and None in (before.dtype, after.dtype):
                return _Whose.EITHER
            own = before.sort is not Sort.TENSOR if short == "convert_to_tensor" else short == "cast" and before.dtype != after.dtype
            return _Whose.OWN if own else _Whose.SHARED
    return _Whose.OWN


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


# The names


def _lives(function: gast.FunctionDef, meter: _Meter, facts: Facts) -> list[_Life]:
    """The names that are given once, by a statement of the function's own block, to a tensor with memory of its own."""
    scope = facts.scopes.of[function]
    inner = {name for child in scope.below() for name in (*child.uses, *child.bindings)}
    found = []
    for statement in function.body:
        match statement:
            case (
                gast.Assign(targets=[gast.Name(id=name) as target], value=value)
                | gast.AnnAssign(target=gast.Name(id=name) as target, value=value)
            ):
                alone = scope.bindings[name] == [target] and name not in inner and name not in scope.shared
                if (
                    not alone
                    or value is None
                    or name not in meter.names
                    or facts.kind(target).sort is not Sort.TENSOR
                    or not _owns_memory(value, facts)
                ):
                    continue
                uses = scope.uses.get(name, [])
                if uses and all(_only_computes(use, facts) for use in uses):
                    found.append(_Life(name, meter.names[name], max(_index(function, use, facts) for use in uses)))
    return found


def _index(function: gast.FunctionDef, node: gast.AST, facts: Facts) -> int:
    """The statement of the function's block that a node stands in."""
    path = [node, *facts.scopes.ancestors(node)]
    statement = path[path.index(function) - 1]
    return next(index for index, one in enumerate(function.body) if one is statement)


def _owns_memory(value: gast.AST, facts: Facts) -> bool:
    match value:
        case gast.BinOp() | gast.UnaryOp(op=gast.USub()) | gast.Compare():
            return True
        case gast.Call():
            return not _may_share(value, facts)
    return False


def _may_share(call: gast.Call, facts: Facts) -> bool:
    """May a call return memory that its argument, or somebody else, holds?"""
    name = facts.called(call) or ""
    short = name.removeprefix("tensorflow.")
    if not name.startswith("tensorflow."):
        return True
    if facts.allocates(call) or short in _CREATES or _joins(call, facts):
        return False
    arguments = facts.arguments(call) or {}
    if "x" not in arguments:
        return True
    before, after = facts.kind(arguments["x"]), facts.kind(call)
    resized = before.size is not None and after.size is not None and before.size != after.size
    retyped = short == "cast" and before.dtype is not None and after.dtype is not None and before.dtype != after.dtype
    return not (resized or retyped)


def _joins(call: gast.AST | None, facts: Facts) -> bool:
    """Does it copy the members of a list into one tensor? (A single member is returned as it is.)"""
    match call:
        case gast.Call(args=[gast.List(elts=[_, _, *_]) | gast.Tuple(elts=[_, _, *_]), *_]):
            assert call is not None
            return (facts.called(call) or "").removeprefix("tensorflow.") in _JOINS
    return False


def _only_computes(use: gast.AST, facts: Facts) -> bool:
    """Is the tensor only read here: not given another name, put into something, or handed to what may keep it?"""
    parent = facts.parent(use)
    match parent:
        case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.AugAssign() | gast.FormattedValue():
            return True
        case gast.Attribute(attr="shape" | "dtype"):
            return True
        case gast.Attribute(attr="numpy"):
            return isinstance(facts.parent(parent), gast.Call)
        case gast.Subscript(value=value) if value is use:
            return _only_computes(parent, facts)
        case gast.keyword():
            return _only_computes(parent, facts)
        case gast.List() | gast.Tuple():
            return _joins(facts.parent(parent), facts)
        case gast.Call() if facts.called(parent) in _READERS:
            return True
        case gast.Call() if (facts.called(parent) or "").startswith("tensorflow."):
            return not _may_share(parent, facts) or _only_computes(parent, facts)
    return False


# The choice


def _helpful(lives: list[_Life], moments: list[_Moment]) -> list[_Life]:
    """The names whose release lowers the peak, as few as bring most of it."""
    before, lowest = _bound([], moments), _bound(lives, moments)
    if not lives or not _is_reached(before, moments) or not _worth(before, lowest):
        return []
    most = sum(lowest.values()) + _TOLERANCE * sum(before.values())
    chosen = list(lives)
    for life in reversed(lives):
        without = [one for one in chosen if one is not life]
        if sum(_bound(without, moments).values()) <= most:
            chosen = without
    return sorted(chosen, key=lambda life: life.last) if _worth(before, _bound(chosen, moments)) else []


def _worth(before: Memory, after: Memory) -> bool:
    gain = sum(before.values()) - sum(after.values())
    numbers = set(before) <= {("bytes",), ("elements",)}
    return gain >= _LEAST_SHARE * sum(before.values()) and (not numbers or gain >= _LEAST_BYTES)


def _bound(released: list[_Life], moments: list[_Moment]) -> Memory:
    """What is never exceeded: the most of each unit that is held at any moment."""
    gone = {life.buffer: life.last for life in released}
    most: Memory = Counter()
    for moment in moments:
        most |= _sum(one for one in moment.held if moment.statement <= gone.get(one, moment.statement))
    return most


def _is_reached(bound: Memory, moments: list[_Moment]) -> bool:
    """Is there a moment that holds all of that? Else sizes that can't be compared decide where the peak is."""
    return any(_sum(moment.held) == bound for moment in moments)


def _sum(buffers: Iterable[_Buffer]) -> Memory:
    total: Memory = Counter()
    for buffer in buffers:
        total.update(buffer.size)
    return total
