"""A walk through the body of a function that isn't run: what each statement and expression does with stand-ins for its values.

The values are tensors of which only the rank is known, whose sizes are unknowns that each operation equates (`matmul(x, w)`:
the last size of x is the first of w). Walked once with parameters of which nothing is known, the body shows of what kind they
are; walked again with a kind and a rank for each, it shows whether these go together (conflicts are counted) and which sizes
are the same. What it doesn't know it lets pass: a wrong guess costs one try. What operations ask stands in `operand_rules.py`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, MethodType, ModuleType
from typing import Any

from tfrewrite.verify.agent.function_sources import LIBRARIES, unwrapped
from tfrewrite.verify.agent.operand_rules import applied
from tfrewrite.verify.agent.row_calls import keeps_shape_or_reduces
from tfrewrite.verify.agent.stand_in_values import (
    UNKNOWN,
    Affine,
    Const,
    Demands,
    Dictionary,
    Group,
    Local,
    Many,
    Method,
    Node,
    Object,
    Operation,
    Rank,
    Size,
    Slot,
    Tensor,
    Unknown,
)
from tfrewrite.verify.agent.values import root_of

STEPS = 4000
"""Of one walk: calls are followed into their functions, which could go on forever."""


class Reader:
    """One walk through a function."""

    def __init__(self, node_of: Callable[[Any], Node | None]) -> None:
        self.demands = Demands()
        self.sizes = self.demands.sizes
        self._node_of = node_of
        self._steps = STEPS
        self._depth = 0
        self._loops = 0
        self._returned: list[Any] = []

    @property
    def conflicts(self) -> int:
        return self.sizes.conflicts

    def clash(self) -> None:
        self.sizes.conflicts += 1

    # Statements

    def call(self, function: Local, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if self._depth > 4 or self._steps <= 0:
            return UNKNOWN
        names = dict(function.names)
        first = [function.first] if function.first is not None else []
        self._bind(function.node.args, [*first, *positional], named, names, function)
        self._depth += 1
        outer, self._returned = self._returned, []
        scope = _Scope(names, function.namespace)
        try:
            if isinstance(function.node, ast.Lambda):
                return self.eval(function.node.body, scope)
            self._block(function.node.body, scope)
            known = [value for value in self._returned if value is not UNKNOWN and not isinstance(value, Const)]
            return (known or self._returned or [Const(None)])[-1]
        finally:
            self._depth -= 1
            self._returned = outer

    def _bind(self, args: ast.arguments, positional: Sequence[Any], named: Mapping[str, Any], names: dict[str, Any], at: Local) -> None:
        parameters = [*args.posonlyargs, *args.args]
        scope = _Scope(dict(names), at.namespace)
        defaults: list[ast.expr | None] = [None] * (len(parameters) - len(args.defaults)) + list(args.defaults)
        for parameter, default in [*zip(parameters, defaults, strict=True), *zip(args.kwonlyargs, args.kw_defaults, strict=True)]:
            names[parameter.arg] = UNKNOWN if default is None else self.eval(default, scope)
        names.update({parameter.arg: value for parameter, value in zip(parameters, positional, strict=False)})
        names.update({name: value for name, value in named.items() if name in names})
        if args.vararg:
            names[args.vararg.arg] = Group(list(positional[len(parameters) :]), "tuple")
        if args.kwarg:
            names[args.kwarg.arg] = Dictionary({name: value for name, value in named.items() if name not in names})

    def _block(self, body: Sequence[ast.stmt], scope: _Scope) -> None:
        for statement in body:
            self._statement(statement, scope)

    def _statement(self, statement: ast.stmt, scope: _Scope) -> None:
        self._steps -= 1
        match statement:
            case ast.Return(value):
                self._returned.append(Const(None) if value is None else self.eval(value, scope))
            case ast.Assign(targets, value):
                made = self.eval(value, scope)
                for target in targets:
                    self._assign(target, made, scope)
            case ast.AnnAssign(target, _, ast.expr() as value):
                self._assign(target, self.eval(value, scope), scope)
            case ast.AugAssign(target, operator, value):
                before = self.eval(target, scope)
                self._assign(target, self._binary(operator, before, self.eval(value, scope)), scope)
            case ast.For(target, iterated, body, orelse) | ast.AsyncFor(target, iterated, body, orelse):
                over = self.eval(iterated, scope)
                self._turns(body, scope, lambda: self._assign(target, self.demands.member(over), scope))
                self._block(orelse, scope)
            case ast.While(test, body, orelse):
                self._turns(body, scope, lambda: self.eval(test, scope))
                self._block(orelse, scope)
            case ast.If(test, body, orelse):
                self._truth(self.eval(test, scope))
                if isinstance(body[-1], ast.Raise):
                    self._assume(test, scope, negated=True)
                elif not _excluded(test, scope):
                    self._block(body, scope)
                self._block(orelse, scope)
            case ast.Assert(test):
                self._assume(test, scope, negated=False)
            case ast.With(items, body) | ast.AsyncWith(items, body):
                for item in items:
                    entered = self.eval(item.context_expr, scope)
                    if item.optional_vars is not None:
                        self._assign(item.optional_vars, entered, scope)
                self._block(body, scope)
            case ast.Try(body, _, orelse, final):
                self._block([*body, *orelse, *final], scope)
            case ast.FunctionDef(name):
                scope.names[name] = Local(statement, scope.names, scope.namespace)
            case ast.Expr(value):
                self.eval(value, scope)
            case _:
                pass

    def _turns(self, body: Sequence[ast.stmt], scope: _Scope, begin: Callable[[], object]) -> None:
        """Two iterations of a loop, as the second meets what the first has made; one in a loop within loops."""
        self._loops += 1
        for _ in range(2 if self._loops < 3 else 1):
            begin()
            self._block(body, scope)
        self._loops -= 1

    def _assign(self, target: ast.expr, value: Any, scope: _Scope) -> None:
        match target:
            case ast.Name(name):
                scope.names[name] = value
            case ast.Tuple(elements) | ast.List(elements):
                names = [element.id if isinstance(element, ast.Name) else "" for element in elements]
                parts = self._unpacked(value, names, any(isinstance(element, ast.Starred) for element in elements))
                for element, part in zip(elements, parts, strict=False):
                    self._assign(element, part, scope)
            case ast.Starred(inner):
                self._assign(inner, UNKNOWN, scope)
            case ast.Subscript(whole, ast.Constant(str() as key)):
                holder = self.eval(whole, scope)
                if isinstance(holder, Dictionary):
                    holder.members[key] = value
                elif isinstance(holder, Slot):
                    holder.vote("dict")
            case ast.Subscript(whole):
                holder = self.eval(whole, scope)
                if isinstance(holder, Slot):
                    holder.vote("ndarray", 12)  # Tensors can't be assigned to in part.
            case ast.Attribute(owner):
                self.eval(owner, scope)
            case _:
                pass

    def _unpacked(self, value: Any, names: Sequence[str], starred: bool) -> list[Any]:
        count = len(names)
        match value:
            case Group(members) if starred or len(members) == count:
                return members
            case Group():
                self.demands.clash()
            case Method(Tensor() as tensor, "shape"):
                return self.demands.shape_of(tensor, None if starred else count)
            case Method(Slot() as slot, "shape"):
                slot.rank = max(slot.rank, count)
                slot.vote(f"rank{count}", 3)
                return [Size(self.sizes.new()) for _ in range(count)]
            case Slot():
                value.vote("sequence", 4)
                value.length = count
                return [value.position(index, name) for index, name in enumerate(names)]
            case Many():
                return [value.member] * count
            case Tensor(dims) if dims:
                self.sizes.same(dims[0], self.sizes.new(count))
                return [self.demands.member(value)] * count
            case _:
                pass
        return [UNKNOWN] * count

    def _truth(self, value: Any) -> None:
        if isinstance(value, Slot):
            value.vote("bool", 1)
        elif isinstance(value, Tensor) and value.dims and not value.weak:
            self.demands.clash()

    def _assume(self, test: ast.expr, scope: _Scope, *, negated: bool) -> None:
        match test:
            case ast.BoolOp(operator, values) if isinstance(operator, ast.Or) == negated:
                for value in values:
                    self._assume(value, scope, negated=negated)
            case ast.Compare(left, [operator], [right]):
                one, other = self.eval(left, scope), self.eval(right, scope)
                if isinstance(operator, ast.NotEq if negated else ast.Eq):
                    self._equal(one, other)
            case _:
                self.eval(test, scope)

    def _equal(self, one: Any, other: Any) -> None:
        match one, other:
            case (Rank(Tensor(dims, slot=slot)), Size(dim)) | (Size(dim), Rank(Tensor(dims, slot=slot))):
                wanted = self.sizes.value(dim)
                if dims is not None and wanted is not None and len(dims) != wanted:
                    self.demands.clash()
                if slot is not None and wanted is not None:
                    slot.vote(f"rank{wanted}", 3)
            case Size(dim), Size(same):
                self.sizes.same(dim, same)
            case _:
                pass

    # Expressions

    def eval(self, node: ast.expr, scope: _Scope) -> Any:
        self._steps -= 1
        if self._steps <= 0:
            return UNKNOWN
        match node:
            case ast.Constant(bool() | None | str() | float() as value):
                return Const(value)
            case ast.Constant(int() as value):
                return Size(self.sizes.new(value))
            case ast.Name(name):
                return self._name(name, scope)
            case ast.Attribute(owner, name):
                return self._attribute(self.eval(owner, scope), name)
            case ast.Subscript(owner, index):
                return self._subscript(self.eval(owner, scope), index, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.BinOp(left, operator, right):
                return self._binary(operator, self.eval(left, scope), self.eval(right, scope))
            case ast.UnaryOp(operator, operand):
                return self._unary(operator, self.eval(operand, scope))
            case ast.Compare(left, operators, others):
                return self._compare(left, operators, others, scope)
            case ast.BoolOp(_, values):
                made = [self.eval(value, scope) for value in values]
                for value in made:
                    self._truth(value)
                return made[-1]
            case ast.IfExp(test, body, orelse):
                self._truth(self.eval(test, scope))
                made = [self.eval(body, scope), self.eval(orelse, scope)]
                return next((value for value in made if not isinstance(value, (Const, Unknown))), made[0])
            case ast.List(elements) | ast.Tuple(elements):
                if any(isinstance(element, ast.Starred) for element in elements):
                    made = [self.eval(one.value if isinstance(one, ast.Starred) else one, scope) for one in elements]
                    return UNKNOWN
                return Group([self.eval(element, scope) for element in elements], "list" if isinstance(node, ast.List) else "tuple")
            case ast.Dict(keys, values):
                made = [self.eval(value, scope) for value in values]
                return Dictionary({str(key.value): one for key, one in zip(keys, made, strict=True) if isinstance(key, ast.Constant)})
            case ast.ListComp(element, generators) | ast.GeneratorExp(element, generators) | ast.SetComp(element, generators):
                inner = self._generators(generators, scope)
                return Many(self.eval(element, inner))
            case ast.DictComp(key, value, generators):
                inner = self._generators(generators, scope)
                self.eval(key, inner)
                return Many(self.eval(value, inner))
            case ast.Lambda():
                return Local(node, scope.names, scope.namespace)
            case ast.NamedExpr(target, value):
                made = self.eval(value, scope)
                self._assign(target, made, scope)
                return made
            case ast.JoinedStr() | ast.FormattedValue():
                return Const("")
            case ast.Starred(value) | ast.Await(value):
                return self.eval(value, scope)
            case _:
                return UNKNOWN

    def _generators(self, generators: Sequence[ast.comprehension], scope: _Scope) -> _Scope:
        inner = _Scope(dict(scope.names), scope.namespace)
        for one in generators:
            self._assign(one.target, self.demands.member(self.eval(one.iter, inner)), inner)
            for test in one.ifs:
                self.eval(test, inner)
        return inner

    def _name(self, name: str, scope: _Scope) -> Any:
        if name in scope.names:
            return scope.names[name]
        if name in scope.namespace:
            return self.concrete(scope.namespace[name])
        return Operation({"tf": ("tensorflow",), "np": ("numpy",)}.get(name, (name,)))

    def concrete(self, value: Any) -> Any:
        """The stand-in of a value that is there: of the module, or an attribute of the object."""
        match value:
            case None | bool() | str() | float():
                return Const(value)
            case int():
                return Size(self.sizes.new(value))
            case ModuleType() if value.__name__.split(".")[0] in LIBRARIES:
                return Operation(tuple(value.__name__.split(".")))
            case list() | tuple() if len(value) <= 50:
                return Group([self.concrete(member) for member in value], type(value).__name__)
            case dict() if len(value) <= 50 and all(isinstance(key, str) for key in value):
                return Dictionary({key: self.concrete(member) for key, member in value.items()})
            case _:
                pass
        shape, dtype = _shape_and_kind(value)
        if shape is not None:
            return Tensor(tuple(self.sizes.new(size) for size in shape), dtype)
        module = getattr(value, "__module__", None) or ""
        if module.split(".")[0] in LIBRARIES and callable(value) and hasattr(value, "__name__"):
            return Operation((module.split(".")[0], value.__name__))
        node = self._node_of(value)
        if node is not None:
            plain = unwrapped(value)
            first = Object(plain.__self__) if isinstance(plain, MethodType) else None
            return Local(node, {}, getattr(plain, "__globals__", {}), first)
        return Object(value)

    def _attribute(self, owner: Any, name: str) -> Any:
        match owner:
            case Operation(words):
                return Operation((*words, name))
            case Tensor() if name in ("T", "mT"):
                return self._applied(("tensorflow", "transpose" if name == "T" else "linalg.matrix_transpose"), owner)
            case Tensor() | Slot() if name == "dtype":
                return Object(None)
            case Tensor():
                return Method(owner, name)
            case Slot():
                owner.attributes.add(name)
                self._attribute_vote(owner, name)
                return Method(owner, name)
            case Dictionary(members) if name in members:
                return members[name]
            case Method(of, "shape") if name in ("rank", "ndims"):
                return Rank(self.demands.tensor(of)) if not isinstance(of, Slot) else Rank(Tensor(None, slot=of))
            case Object(value):
                found = _member_of(value, name)
                if isinstance(found, FunctionType):
                    node = self._node_of(found)
                    return Local(node, {}, found.__globals__, owner) if node is not None else Method(owner, name)
                return self.concrete(found) if found is not None else Method(owner, name)
            case _:
                return Method(owner, name)

    def _attribute_vote(self, slot: Slot, name: str) -> None:
        match name:
            case "assign" | "assign_add" | "assign_sub" | "read_value":
                slot.vote("variable", 25)
            case "shape" | "ndim" | "get_shape" | "numpy" | "T" | "set_shape":
                slot.vote("array", 4)
            case "astype" | "copy" | "reshape":
                slot.vote("ndarray", 10)  # Tensors have none of these.
            case "items" | "values" | "keys" | "get" | "update":
                slot.vote("dict", 4)
            case "append" | "extend" | "pop" | "insert":
                slot.vote("list", 6)
            case "lower" | "upper" | "split" | "startswith" | "format" | "strip":
                slot.vote("str", 4)
            case "apply_gradients" | "apply":
                slot.vote("optimizer", 8)
            case "trainable_variables" | "trainable_weights" | "weights" | "layers":
                slot.vote("model", 6)
            case "batch" | "map" | "shuffle" | "prefetch" | "take" | "repeat":
                slot.vote("dataset", 4)
            case "row_splits" | "values_" | "to_tensor" | "row_lengths" | "flat_values":
                slot.vote("ragged", 6)
            case "write" | "stack" | "size":
                slot.vote("tensorarray", 1)
            case _:
                slot.vote("object", 1)

    def _subscript(self, owner: Any, index: ast.expr, scope: _Scope) -> Any:
        match index:
            case ast.Constant(str() as key):
                match owner:
                    case Slot():
                        owner.vote("dict", 6)
                        return owner.key(key)
                    case Dictionary():
                        return owner.members.get(key, UNKNOWN)
                    case Tensor() if not owner.weak:
                        self.demands.clash()
                return UNKNOWN
        items = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        match owner:
            case Slot():
                return self._slot_item(owner, items, index, scope)
            case Method(Slot() as slot, "shape"):
                position = self.demands.literal(self.eval(index, scope)) if not isinstance(index, ast.Slice) else None
                slot.vote("array", 4)
                if position is not None:
                    slot.rank = max(slot.rank, position + 1 if position >= 0 else -position)
                return Size(self.sizes.new())
            case Method(Tensor() as tensor, "shape"):
                return self._shape_item(tensor, index, scope)
            case Group(members):
                if isinstance(index, ast.Slice):
                    return self._group_slice(owner, index, scope)
                position = self.demands.literal(self.eval(index, scope))
                if position is None:
                    return members[0] if members else UNKNOWN
                if not -len(members) <= position < len(members):
                    self.demands.clash()
                    return UNKNOWN
                return members[position]
            case Many(member):
                self._index_bound(index, scope)
                return owner if isinstance(index, ast.Slice) else member
            case Tensor(dims) if dims is not None:
                return self._tensor_item(owner, dims, items, scope)
            case Dictionary():
                self.eval(index, scope)
                return next(iter(owner.members.values()), UNKNOWN)
            case _:
                self._index_bound(index, scope)
                return Tensor() if isinstance(owner, Tensor) else UNKNOWN

    def _index_bound(self, index: ast.expr, scope: _Scope) -> None:
        if not isinstance(index, ast.Slice):
            value = self.eval(index, scope)
            if isinstance(value, Slot):
                value.vote("index")

    def _group_slice(self, group: Group, index: ast.Slice, scope: _Scope) -> Any:
        limits = [None if one is None else self.demands.literal(self.eval(one, scope)) for one in (index.lower, index.upper, index.step)]
        return Group(group.members[slice(*limits)], group.kind)

    def _slot_item(self, slot: Slot, items: Sequence[ast.expr], index: ast.expr, scope: _Scope) -> Any:
        count = sum(not (isinstance(item, ast.Constant) and item.value in (None, ...)) for item in items)
        new = any(isinstance(item, ast.Constant) and item.value in (None, ...) for item in items)
        for item in items:
            for part in (item.lower, item.upper, item.step) if isinstance(item, ast.Slice) else (item,):
                made = self.eval(part, scope) if part is not None else UNKNOWN
                if isinstance(made, Slot):
                    made.vote("index")
        if len(items) > 1 or new or isinstance(index, ast.Compare):
            slot.vote("array", 6)
            slot.rank = max(slot.rank, count)
            return Tensor(None)
        slot.vote("indexable")
        return slot if isinstance(index, ast.Slice) else slot.element()

    def _shape_item(self, tensor: Tensor, index: ast.expr, scope: _Scope) -> Any:
        if isinstance(index, ast.Slice):
            sizes = Group(self.demands.shape_of(tensor, None), "tuple")
            return self._group_slice(sizes, index, scope) if tensor.dims is not None else UNKNOWN
        position = self.demands.literal(self.eval(index, scope))
        if tensor.dims is None or position is None:
            return Size(self.sizes.new())
        if not -len(tensor.dims) <= position < len(tensor.dims):
            self.demands.clash()
            return Size(self.sizes.new())
        return Size(tensor.dims[position])

    def _tensor_item(self, owner: Tensor, dims: tuple[int, ...], items: Sequence[ast.expr], scope: _Scope) -> Tensor:
        consumed = sum(not (isinstance(item, ast.Constant) and item.value in (None, ...)) for item in items)
        if any(isinstance(item, ast.Attribute) and item.attr == "newaxis" for item in items):
            consumed -= sum(isinstance(item, ast.Attribute) and item.attr == "newaxis" for item in items)
        if consumed > len(dims):
            self.demands.clash()
            return Tensor(None, owner.kind)
        left, made = list(dims), []
        for position, item in enumerate(items):
            match item:
                case ast.Constant(None) | ast.Attribute(attr="newaxis"):
                    made.append(self.sizes.new(1))
                case ast.Constant(value) if value is ...:
                    later = sum(not (isinstance(one, ast.Constant) and one.value is None) for one in items[position + 1 :])
                    while len(left) > later:
                        made.append(left.pop(0))
                case ast.Slice(None, None, None):
                    made.append(left.pop(0))
                case ast.Slice():
                    for part in (item.lower, item.upper, item.step):
                        literal = None if part is None else self.demands.literal(self.eval(part, scope))
                        if literal is not None and self.sizes.value(left[0]) is None:
                            self.sizes.at_least(left[0], abs(literal) + 1)
                    left.pop(0)
                    made.append(self.sizes.new())
                case _:
                    self._point(owner, left.pop(0), self.eval(item, scope), made)
        return Tensor((*made, *left), owner.kind, bounds=owner.bounds)

    def _point(self, owner: Tensor, dim: int, index: Any, made: list[int]) -> None:
        literal = self.demands.literal(index)
        if literal is not None:
            size = self.sizes.value(dim)
            if size is None:
                self.sizes.at_least(dim, literal + 1 if literal >= 0 else -literal)
            elif not -size <= literal < size:
                self.demands.clash()
        elif isinstance(index, Size):
            pass
        elif isinstance(index, Tensor) and index.kind != "int" and index.kind != "bool" and not index.weak:
            self.demands.clash()
        elif isinstance(index, Tensor) and index.dims:
            index.bounds.append(dim)
            made.append(self.sizes.new())

    def _unary(self, operator: ast.unaryop, operand: Any) -> Any:
        literal = self.demands.literal(operand)
        if isinstance(operator, ast.USub) and literal is not None:
            return Size(self.sizes.new(-literal))
        if isinstance(operator, ast.Not):
            self._truth(operand)
            return Const(False)
        return operand

    def _compare(self, left: ast.expr, operators: Sequence[ast.cmpop], others: Sequence[ast.expr], scope: _Scope) -> Any:
        one = self.eval(left, scope)
        for operator, node in zip(operators, others, strict=True):
            other = self.eval(node, scope)
            match operator, one, other:
                case ((ast.Eq() | ast.NotEq()), Slot(), Const(str() as choice)):
                    one.vote("str", 4)
                    one.choices.append(choice)
                case ((ast.In() | ast.NotIn()), Slot(), Group(members)):
                    one.choices.extend(member.value for member in members if isinstance(member, Const))
                    one.vote("str" if one.choices else "int", 3)
                case ((ast.In() | ast.NotIn()), Const(str() as key), Slot()):
                    other.vote("dict", 2)
                    other.key(key)
                case ((ast.Is() | ast.IsNot()), Slot(), Const(None)):
                    one.vote("none", 1)
                case ((ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()), _, _):
                    pass
                case _:
                    if isinstance(one, Tensor) or isinstance(other, Tensor):
                        made = self.demands.broadcast(self.demands.operand(one), self.demands.operand(other))
                        return Tensor(made.dims, "bool")
        return Const(False)

    def _binary(self, operator: ast.operator, one: Any, other: Any) -> Any:
        if isinstance(operator, ast.MatMult):
            return self._applied(("tensorflow", "matmul"), one, other)
        match one, other:
            case Size(dim), Size(by):
                made = self.sizes.computed(operator, dim, by)
                return Tensor((), "float", weak=True) if made is None else Size(made)
            case Slot(), (Const() | Size()):
                return one
            case ((Const() | Size()), Slot()):
                return other
            case Slot(), Slot():
                return UNKNOWN
            case Size(), Const() | Unknown():
                return UNKNOWN
            case Const(), Const():
                return one
            case Group(members, kind), Group(more, _) if isinstance(operator, ast.Add):
                return Group([*members, *more], kind)
            case ((Group() | Many()), (Size() | Slot() | Unknown())) if isinstance(operator, ast.Mult):
                return Many(self.demands.member(one))
            case ((Group() | Many()), (Group() | Many())):
                return one
            case ((Tensor() | Group()), _):
                return self._numeric(operator, self.demands.tensor(one), self.demands.operand(other))
            case _, Tensor():
                return self._numeric(operator, self.demands.operand(one), other)
            case _:
                return UNKNOWN

    def _numeric(self, operator: ast.operator, one: Tensor, other: Tensor) -> Tensor:
        made = self.demands.broadcast(one, other)
        return Tensor(made.dims, "float", weak=made.weak) if isinstance(operator, ast.Div) and made.kind == "int" else made

    # Calls

    def _call(self, node: ast.Call, scope: _Scope) -> Any:
        callee = self.eval(node.func, scope)
        positional: list[Any] = []
        for argument in node.args:
            made = self.eval(argument, scope)
            if isinstance(argument, ast.Starred):
                positional.extend(made.members if isinstance(made, Group) else [self.demands.member(made)])
            else:
                positional.append(made)
        named = {word.arg: self.eval(word.value, scope) for word in node.keywords if word.arg is not None}
        return self.apply(callee, positional, named)

    def apply(self, callee: Any, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
        match callee:
            case Local():
                return self.call(callee, positional, named)
            case Operation(words):
                if len(words) == 1:
                    return self._builtin(words[0], positional)
                return applied(words, positional, named, self.demands, self.apply)
            case Slot():
                callee.vote("callable", 5)
                callee.arity = max(1, len(positional))
                return self.demands.tensor(positional[0]) if positional else UNKNOWN
            case Method(of, name):
                return self._method(of, name, list(positional), dict(named))
            case Object(value):
                return self._object(value, positional, named)
            case Affine(units) if positional:
                given = self.demands.tensor(positional[0], "float", 2)
                return Tensor((*given.dims[:-1], self.sizes.new(units)) if given.dims else None, "float")
            case _:
                return UNKNOWN

    def _object(self, value: Any, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
        kind = type(value)
        for name in ("call", "__call__"):
            method = inspect.getattr_static(kind, name, None)
            if isinstance(method, FunctionType) and method.__module__.split(".")[0] not in LIBRARIES:
                node = self._node_of(method)
                if node is not None:
                    return self.call(Local(node, {}, method.__globals__, Object(value)), positional, named)
        if not kind.__module__.startswith("keras") or not positional:
            return UNKNOWN
        return self._layer(value, kind.__name__, positional[0])

    def _layer(self, layer: Any, name: str, given: Any) -> Any:
        spec = getattr(layer, "input_spec", None)
        least = max(getattr(spec, "min_ndim", None) or 0, getattr(spec, "ndim", None) or 0)
        tensor = self.demands.tensor(given, "" if name in ("Embedding", "StringLookup") else "float", least)
        if tensor.dims is not None and getattr(spec, "ndim", None) not in (None, len(tensor.dims)):
            self.demands.clash()
        for axis, size in (getattr(spec, "axes", None) or {}).items():
            if tensor.dims and isinstance(size, int) and -len(tensor.dims) <= int(axis) < len(tensor.dims):
                self.sizes.same(tensor.dims[int(axis)], self.sizes.new(size))
        if name == "Embedding":
            self.demands.tensor(given, "int")
            tensor.bounds.append(self.sizes.new(layer.input_dim))
            return Tensor(None if tensor.dims is None else (*tensor.dims, self.sizes.new(layer.output_dim)), "float")
        if name == "Dense" and tensor.dims:
            return Tensor((*tensor.dims[:-1], self.sizes.new(layer.units)), "float")
        if name in ("Dropout", "Activation", "LayerNormalization", "BatchNormalization", "ReLU", "Softmax"):
            return tensor
        return Tensor(None, "float")

    def _method(self, of: Any, name: str, positional: list[Any], named: dict[str, Any]) -> Any:
        match of, name:
            case Slot(), "items":
                return Many(Group([Const(""), of.element()], "tuple"))
            case Slot(), "values":
                return Many(of.element())
            case ((Slot() | Dictionary()), "get") if positional and isinstance(positional[0], Const):
                key = str(positional[0].value)
                return of.key(key) if isinstance(of, Slot) else of.members.get(key, UNKNOWN)
            case Dictionary(members), "items":
                return Many(Group([Const(""), next(iter(members.values()), UNKNOWN)], "tuple"))
            case Dictionary(members), "values":
                return Group(list(members.values()))
            case Group(members), "append":
                members.extend(positional)
                return Const(None)
            case Many(), _:
                return UNKNOWN
            case ((Tensor() | Slot()), "get_shape" | "as_list"):
                return Method(of, "shape")
            case Method(_, "shape"), "as_list":
                return of
            case ((Tensor() | Slot()), "assign" | "assign_add" | "assign_sub") if positional:
                tensor = self.demands.tensor(of) if isinstance(of, Tensor) else Tensor(None)
                return self.demands.broadcast(tensor, self.demands.tensor(positional[0]))
            case ((Tensor() | Slot()), "reshape" | "transpose"):
                arguments = [Group(positional)] if len(positional) > 1 else positional
                return applied(("numpy", name), [of, *arguments], named, self.demands, self.apply)
            case ((Tensor() | Slot()), "numpy" | "read_value" | "value"):
                return self._applied(("tensorflow", "identity"), of)
            case ((Tensor() | Slot()), "astype") if positional:
                return self._applied(("tensorflow", "cast"), of, positional[0])
            case ((Tensor() | Slot()), _) if keeps_shape_or_reduces(name):
                return applied(("numpy", name), [of, *positional], named, self.demands, self.apply)
            case _, "gradient" | "watch":
                for value in positional[-1:] if name == "gradient" else positional:
                    for one in value.members if isinstance(value, Group) else [value]:
                        if isinstance(one, Slot):
                            one.vote("floats", 2)
                            one.vote("variable" if name == "gradient" else "floats", 1)
                return positional[-1] if positional else UNKNOWN
            case _:
                return UNKNOWN

    def _applied(self, words: tuple[str, ...], *operands: Any) -> Any:
        return applied(words, operands, {}, self.demands, self.apply)

    def _builtin(self, name: str, given: Sequence[Any]) -> Any:
        match name, given:
            case "range", _:
                for one in given:
                    if isinstance(one, Slot):
                        one.vote("int", 6)
                    else:
                        self.demands.integer(one)
                return Many(Size(self.sizes.new()))
            case "len", [Slot() as slot]:
                slot.vote("sized")
                return Size(self.sizes.new())
            case "len", [Method(Tensor() as tensor, "shape")]:
                return Rank(tensor)
            case "len", [Method(Slot() as slot, "shape")]:
                return Rank(Tensor(None, slot=slot))
            case "len", [Group(members)]:
                return Size(self.sizes.new(len(members)))
            case "len", [Tensor(dims)] if dims:
                return Size(dims[0])
            case "enumerate", [one, *_]:
                return Many(Group([Size(self.sizes.new()), self.demands.member(one)], "tuple"))
            case "zip", _:
                return Many(Group([self.demands.member(one) for one in given], "tuple"))
            case (("reversed" | "list" | "tuple" | "sorted" | "iter"), [one, *_]):
                return one if isinstance(one, (Slot, Many, Group)) else Many(self.demands.member(one))
            case (("sum" | "max" | "min"), [one, *_]) if len(given) == 1 or name == "sum":
                return self.demands.member(one)
            case "int", [one, *_]:
                if isinstance(one, Slot):
                    one.vote("int", 2)
                return one if isinstance(one, Size) else Size(self.sizes.new())
            case "float", [Slot() as slot]:
                slot.vote("float", 2)
                return Const(0.5)
            case "abs", [one]:
                return one
            case _:
                return UNKNOWN


class _Scope:
    def __init__(self, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        self.names = names
        self.namespace = namespace


def _excluded(test: ast.expr, scope: _Scope) -> bool:
    """Whether a branch is for other kinds of values: `if x is None`, with an x that is there."""
    match test:
        case ast.Compare(ast.Name(name), [ast.Is()], [ast.Constant(None)]):
            return isinstance(scope.names.get(name), (Slot, Tensor, Size, Many, Group, Dictionary))
        case _:
            return False


def _shape_and_kind(value: Any) -> tuple[tuple[int, ...] | None, str]:
    """Of a tensor, variable or array that is there."""
    shape = getattr(value, "shape", None) if root_of(type(value)) in LIBRARIES else None
    dtype = getattr(value, "dtype", None)
    if shape is None or dtype is None:
        return None, ""
    try:
        sizes = tuple(int(size) for size in shape)
    except (TypeError, ValueError):
        return None, ""
    name = getattr(dtype, "name", str(dtype))
    return sizes, "float" if "float" in name else "int" if "int" in name else name if name in ("bool", "string") else ""


def _member_of(value: Any, name: str) -> Any:
    """An attribute, without running a property of the user's."""
    own = getattr(value, "__dict__", {})
    if name in own:
        return own[name]
    found = inspect.getattr_static(type(value), name, None)
    if isinstance(found, property) and root_of(type(value)) in LIBRARIES:
        try:
            return getattr(value, name)
        except Exception:
            return None
    if isinstance(found, staticmethod):
        return None
    python = getattr(found, "python_function", None) if found is not None else None
    return python if isinstance(python, FunctionType) else found if not isinstance(found, property) else None
