"""What the body of a function says of its parameters, read without running it.

The body is walked with stand-ins for the values: tensors of which only the rank is known, whose sizes are unknowns that each
operation equates (`matmul(x, w)`: the last size of x is the first of w). Walked once with parameters of which nothing is
known, it shows of what kind they are; walked again with a kind and a rank for each, it shows whether these go together
(conflicts are counted) and which sizes are the same. What it doesn't know it lets pass: a wrong guess costs one try.
"""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType, MethodType, ModuleType
from typing import Any

Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
STEPS = 4000
"""Of one walk: calls are followed into their functions, which could go on forever."""


class Sizes:
    """The unknowns: which are the same, which are known, and what else is asked of them."""

    def __init__(self) -> None:
        self._parent: list[int] = []
        self.known: dict[int, int] = {}
        self.multiple: dict[int, int] = {}
        self.least: dict[int, int] = {}
        self.preferred: dict[int, int] = {}
        self.products: list[tuple[int, tuple[int, ...]]] = []
        self.sums: list[tuple[int, tuple[int, ...]]] = []
        """Each a whole and its factors, or its parts."""
        self.reshapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self.conflicts = 0

    def new(self, known: int | None = None) -> int:
        self._parent.append(len(self._parent))
        if known is not None:
            self.known[self._parent[-1]] = known
        return self._parent[-1]

    def find(self, size: int) -> int:
        while self._parent[size] != size:
            size = self._parent[size]
        return size

    def value(self, size: int) -> int | None:
        return self.known.get(self.find(size))

    def relations(self) -> list[tuple[int, tuple[int, ...]]]:
        """The products, among them those that reshaping asks for: what is left once equal sizes are left out on both sides."""
        found = list(self.products)
        for before, after in self.reshapes:
            one, other = Counter(map(self.find, before)), Counter(map(self.find, after))
            left, right = tuple((one - other).elements()), tuple((other - one).elements())
            if len(left) == 1 and right:
                found.append((left[0], right))
            elif len(right) == 1 and left:
                found.append((right[0], left))
        return found

    def same(self, one: int, other: int) -> None:
        one, other = self.find(one), self.find(other)
        if one == other:
            return
        values = {self.known[size] for size in (one, other) if size in self.known}
        if len(values) > 1:
            self.conflicts += 1
            return
        self._parent[other] = one
        for value in values:
            self.known[one] = value
        self.least[one] = max(self.least.get(one, 0), self.least.get(other, 0))
        self.multiple[one] = math.lcm(self.multiple.get(one, 1), self.multiple.get(other, 1))
        if other in self.preferred:
            self.preferred.setdefault(one, self.preferred[other])


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

_SAME_SHAPE = frozenset(
    "abs absolute acos asin atan cast ceil clip clip_by_norm clip_by_value cos cosh cumprod cumsum convert_to_tensor array asarray constant"
    " dropout elu erf exp expm1 flip floor gelu identity is_finite is_inf is_nan isnan l2_normalize leaky_relu log log1p log_sigmoid"
    " log_softmax logical_not negative numpy ones_like print recompute relu relu6 reverse rint round rsqrt sigmoid sign silu sin sinh"
    " selu softmax softplus softsign sort sqrt square stop_gradient swish tan tanh to_float zeros_like reciprocal conj real random_like"
    " ensure_tensor cumulative_logsumexp lgamma digamma float32 float64 read_value copy astype value invert".split()
)
_PAIRWISE = frozenset(
    "add subtract multiply divide maximum minimum pow power squared_difference equal not_equal greater greater_equal less less_equal"
    " logical_and logical_or logical_xor floordiv floormod truediv mod divide_no_nan multiply_no_nan atan2 xlogy polyval"
    " sigmoid_cross_entropy_with_logits".split()
)
_REDUCING = frozenset(
    "reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_any reduce_all reduce_logsumexp reduce_std reduce_variance"
    " reduce_euclidean_norm argmax argmin sum mean max min prod std var any all norm count_nonzero logsumexp amax amin".split()
)
_SQUARE = frozenset(
    "inv det logdet slogdet cholesky trace eigh eig eigvals eigvalsh expm sqrtm logm matrix_inverse matrix_determinant".split()
)
_COMPARING = frozenset(
    "equal not_equal greater greater_equal less less_equal logical_and logical_or logical_not is_nan is_finite is_inf".split()
)
_MODULES = ("tensorflow", "numpy", "keras")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


class Reader:
    """One walk through a function."""

    def __init__(self, node_of: Callable[[Any], Node | None]) -> None:
        self.sizes = Sizes()
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
                self._turns(body, scope, lambda: self._assign(target, self.member(over), scope))
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
        """Two turns of a loop, as the second meets what the first has made; one in a loop within loops."""
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
                self.clash()
            case Method(Tensor() as tensor, "shape"):
                return self._shape_of(tensor, None if starred else count)
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
                return [self.member(value)] * count
            case _:
                pass
        return [UNKNOWN] * count

    def _shape_of(self, tensor: Tensor, count: int | None) -> list[Any]:
        if tensor.dims is None:
            return [Size(self.sizes.new()) for _ in range(count or 0)]
        if count is not None and count != len(tensor.dims):
            self.clash()
            return [Size(self.sizes.new()) for _ in range(count)]
        return [Size(dim) for dim in tensor.dims]

    def _truth(self, value: Any) -> None:
        if isinstance(value, Slot):
            value.vote("bool", 1)
        elif isinstance(value, Tensor) and value.dims and not value.weak:
            self.clash()

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
                    self.clash()
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
            self._assign(one.target, self.member(self.eval(one.iter, inner)), inner)
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
            case ModuleType() if value.__name__.split(".")[0] in _MODULES:
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
        if module.split(".")[0] in _MODULES and callable(value) and hasattr(value, "__name__"):
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
                return self._transposed(owner, None)
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
                return Rank(self.tensor(of)) if not isinstance(of, Slot) else Rank(Tensor(None, slot=of))
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
                        self.clash()
                return UNKNOWN
        items = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        match owner:
            case Slot():
                return self._slot_item(owner, items, index, scope)
            case Method(Slot() as slot, "shape"):
                position = self._literal(self.eval(index, scope)) if not isinstance(index, ast.Slice) else None
                slot.vote("array", 4)
                if position is not None:
                    slot.rank = max(slot.rank, position + 1 if position >= 0 else -position)
                return Size(self.sizes.new())
            case Method(Tensor() as tensor, "shape"):
                return self._shape_item(tensor, index, scope)
            case Group(members):
                if isinstance(index, ast.Slice):
                    return self._group_slice(owner, index, scope)
                position = self._literal(self.eval(index, scope))
                if position is None:
                    return members[0] if members else UNKNOWN
                if not -len(members) <= position < len(members):
                    self.clash()
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
        limits = [None if one is None else self._literal(self.eval(one, scope)) for one in (index.lower, index.upper, index.step)]
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
            sizes = Group(self._shape_of(tensor, None), "tuple")
            return self._group_slice(sizes, index, scope) if tensor.dims is not None else UNKNOWN
        position = self._literal(self.eval(index, scope))
        if tensor.dims is None or position is None:
            return Size(self.sizes.new())
        if not -len(tensor.dims) <= position < len(tensor.dims):
            self.clash()
            return Size(self.sizes.new())
        return Size(tensor.dims[position])

    def _tensor_item(self, owner: Tensor, dims: tuple[int, ...], items: Sequence[ast.expr], scope: _Scope) -> Tensor:
        consumed = sum(not (isinstance(item, ast.Constant) and item.value in (None, ...)) for item in items)
        if any(isinstance(item, ast.Attribute) and item.attr == "newaxis" for item in items):
            consumed -= sum(isinstance(item, ast.Attribute) and item.attr == "newaxis" for item in items)
        if consumed > len(dims):
            self.clash()
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
                        literal = None if part is None else self._literal(self.eval(part, scope))
                        if literal is not None and self.sizes.value(left[0]) is None:
                            root = self.sizes.find(left[0])
                            self.sizes.least[root] = max(self.sizes.least.get(root, 0), abs(literal) + 1)
                    left.pop(0)
                    made.append(self.sizes.new())
                case _:
                    self._point(owner, left.pop(0), self.eval(item, scope), made)
        return Tensor((*made, *left), owner.kind, bounds=owner.bounds)

    def _point(self, owner: Tensor, dim: int, index: Any, made: list[int]) -> None:
        literal = self._literal(index)
        if literal is not None:
            root = self.sizes.find(dim)
            if root in self.sizes.known:
                self.sizes.conflicts += not -self.sizes.known[root] <= literal < self.sizes.known[root]
            else:
                self.sizes.least[root] = max(self.sizes.least.get(root, 0), literal + 1 if literal >= 0 else -literal)
        elif isinstance(index, Size):
            pass
        elif isinstance(index, Tensor) and index.kind != "int" and index.kind != "bool" and not index.weak:
            self.clash()
        elif isinstance(index, Tensor) and index.dims:
            index.bounds.append(dim)
            made.append(self.sizes.new())

    def _literal(self, value: Any) -> int | None:
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
                made = self._stacked([self.tensor(member) for member in members])
            case Many(member):
                inner = self.tensor(member)
                made = Tensor(None if inner.dims is None else (self.sizes.new(), *inner.dims), inner.kind)
            case _:
                return Tensor(None)
        if made.dims is not None and len(made.dims) < least:
            self.clash()
        return made

    def _stacked(self, members: list[Tensor], axis: int = 0) -> Tensor:
        merged = self._alike(members)
        if merged.dims is None:
            return merged
        made = list(merged.dims)
        made.insert(axis if axis >= 0 else len(made) + 1 + axis, self.sizes.new(len(members)))
        return Tensor(tuple(made), merged.kind, weak=all(member.weak for member in members))

    def _alike(self, members: Sequence[Tensor], but: int | None = None) -> Tensor:
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
        return Tensor(first.dims, first.kind, weak=all(member.weak for member in members))

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
        kind = next(iter(sorted(kinds)), one.kind or other.kind)
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

    def _unary(self, operator: ast.unaryop, operand: Any) -> Any:
        literal = self._literal(operand)
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
                        made = self.broadcast(self._operand(one), self._operand(other))
                        return Tensor(made.dims, "bool")
        return Const(False)

    def _binary(self, operator: ast.operator, one: Any, other: Any) -> Any:
        if isinstance(operator, ast.MatMult):
            return self._matmul(self.tensor(one, least=2), self.tensor(other, least=2))
        match one, other:
            case Size(dim), Size(by):
                return self._arithmetic(operator, dim, by)
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
                return Many(self.member(one))
            case ((Group() | Many()), (Group() | Many())):
                return one
            case ((Tensor() | Group()), _):
                return self.broadcast(self.tensor(one), self._operand(other))
            case _, Tensor():
                return self.broadcast(self._operand(one), other)
            case _:
                return UNKNOWN

    def _operand(self, value: Any) -> Tensor:
        """A tensor or a number: which of them is not known of a parameter."""
        if isinstance(value, Slot):
            value.vote("numeric", 1)
            return Tensor(None)
        return self.tensor(value)

    def _arithmetic(self, operator: ast.operator, dim: int, by: int) -> Any:
        one, other = self.sizes.value(dim), self.sizes.value(by)
        if one is not None and other is not None:
            match operator:
                case ast.Add():
                    return Size(self.sizes.new(one + other))
                case ast.Sub():
                    return Size(self.sizes.new(one - other))
                case ast.Mult():
                    return Size(self.sizes.new(one * other))
                case ast.FloorDiv() if other:
                    return Size(self.sizes.new(one // other))
        factor = other if other is not None else self.sizes.preferred.get(self.sizes.find(by))
        if isinstance(operator, (ast.FloorDiv, ast.Mod)) and factor and one is None:
            root = self.sizes.find(dim)
            self.sizes.multiple[root] = math.lcm(self.sizes.multiple.get(root, 1), abs(factor))
        result = self.sizes.new()
        match operator:
            case ast.Div():
                return Tensor((), "float", weak=True)
            case ast.FloorDiv():
                self.sizes.products.append((dim, (by, result)))
            case ast.Mult():
                self.sizes.products.append((result, (dim, by)))
            case ast.Add():
                self.sizes.sums.append((result, (dim, by)))
            case ast.Sub():
                self.sizes.sums.append((dim, (by, result)))
        return Size(result)

    # Calls

    def _call(self, node: ast.Call, scope: _Scope) -> Any:
        callee = self.eval(node.func, scope)
        positional: list[Any] = []
        for argument in node.args:
            made = self.eval(argument, scope)
            if isinstance(argument, ast.Starred):
                positional.extend(made.members if isinstance(made, Group) else [self.member(made)])
            else:
                positional.append(made)
        named = {word.arg: self.eval(word.value, scope) for word in node.keywords if word.arg is not None}
        return self.apply(callee, positional, named)

    def apply(self, callee: Any, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
        match callee:
            case Local():
                return self.call(callee, positional, named)
            case Operation(words):
                return self._operation(words, list(positional), dict(named))
            case Slot():
                callee.vote("callable", 5)
                callee.arity = max(1, len(positional))
                return self.tensor(positional[0]) if positional else UNKNOWN
            case Method(of, name):
                return self._method(of, name, list(positional), dict(named))
            case Object(value):
                return self._object(value, positional, named)
            case Affine(units) if positional:
                given = self.tensor(positional[0], "float", 2)
                return Tensor((*given.dims[:-1], self.sizes.new(units)) if given.dims else None, "float")
            case _:
                return UNKNOWN

    def _object(self, value: Any, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
        kind = type(value)
        for name in ("call", "__call__"):
            method = inspect.getattr_static(kind, name, None)
            if isinstance(method, FunctionType) and method.__module__.split(".")[0] not in _MODULES:
                node = self._node_of(method)
                if node is not None:
                    return self.call(Local(node, {}, method.__globals__, Object(value)), positional, named)
        if not kind.__module__.startswith("keras") or not positional:
            return UNKNOWN
        return self._layer(value, kind.__name__, positional[0])

    def _layer(self, layer: Any, name: str, given: Any) -> Any:
        spec = getattr(layer, "input_spec", None)
        least = max(getattr(spec, "min_ndim", None) or 0, getattr(spec, "ndim", None) or 0)
        tensor = self.tensor(given, "" if name in ("Embedding", "StringLookup") else "float", least)
        if tensor.dims is not None and getattr(spec, "ndim", None) not in (None, len(tensor.dims)):
            self.clash()
        for axis, size in (getattr(spec, "axes", None) or {}).items():
            if tensor.dims and isinstance(size, int) and -len(tensor.dims) <= int(axis) < len(tensor.dims):
                self.sizes.same(tensor.dims[int(axis)], self.sizes.new(size))
        if name == "Embedding":
            self.tensor(given, "int")
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
                tensor = self.tensor(of) if isinstance(of, Tensor) else Tensor(None)
                return self.broadcast(tensor, self.tensor(positional[0]))
            case ((Tensor() | Slot()), "reshape"):
                shape = positional[0] if len(positional) == 1 else Group(positional)
                return self._operation(("numpy", "reshape"), [of, shape], named)
            case ((Tensor() | Slot()), _) if name in _SAME_SHAPE or name in _REDUCING or name in ("transpose", "dot"):
                return self._operation(("numpy", name), [of, *positional], named)
            case _, "gradient" | "watch":
                for value in positional[-1:] if name == "gradient" else positional:
                    for one in value.members if isinstance(value, Group) else [value]:
                        if isinstance(one, Slot):
                            one.vote("floats", 2)
                            one.vote("variable" if name == "gradient" else "floats", 1)
                return positional[-1] if positional else UNKNOWN
            case _:
                return UNKNOWN

    def _operation(self, words: tuple[str, ...], given: list[Any], named: dict[str, Any]) -> Any:
        name, self_made = words[-1], len(words) == 1
        if self_made:
            return self._builtin(name, given)
        if "strings" in words and given:
            tensor = self.tensor(given[0], "string")
            return (
                Tensor(tensor.dims, "")
                if name in ("lower", "upper", "length", "strip", "to_number", "to_hash_bucket_fast")
                else Tensor(None)
            )
        target = named.get("out")
        if isinstance(target, Slot):
            target.vote("ndarray", 12)
        seed = named.get("seed")
        if name.startswith("stateless") and isinstance(seed, Slot):
            seed.vote("seed", 12)
        if "random" in words or "data" in words or "layers" in words:
            return UNKNOWN
        handler = getattr(self, f"_op_{name.lower()}", None)
        if handler is not None:
            try:
                return handler(_Arguments(given, named))
            except IndexError:
                return UNKNOWN
        if name in _PAIRWISE and len(given) + len(named) >= 2:
            one, other = [*given, *named.values()][:2]
            made = self.broadcast(self.tensor(one), self.tensor(other))
            return Tensor(made.dims, "bool") if name in _COMPARING else made
        if name in _SAME_SHAPE and given:
            tensor = self.tensor(given[0], "float" if name in ("softmax", "sigmoid", "relu", "exp", "log", "sqrt", "log_softmax") else "")
            return Tensor(tensor.dims, self._kind_after(name, tensor, given, named), bounds=tensor.bounds, weak=tensor.weak)
        if name in _REDUCING and given:
            return self._reduce(name, _Arguments(given, named))
        if name in _SQUARE and given:
            tensor = self.tensor(given[0], "float", 2)
            if tensor.dims and len(tensor.dims) >= 2:
                self.sizes.same(tensor.dims[-1], tensor.dims[-2])
            return Tensor(None if name not in ("inv", "cholesky", "expm", "matrix_inverse") else tensor.dims, "float")
        return UNKNOWN

    def _kind_after(self, name: str, tensor: Tensor, given: Sequence[Any], named: Mapping[str, Any]) -> str:
        if name in _COMPARING:
            return "bool"
        if name in ("cast", "constant", "convert_to_tensor", "zeros_like", "ones_like", "astype", "asarray", "array"):
            wanted = named.get("dtype", given[1] if len(given) > 1 else None)
            if wanted is not None:
                return _kind_of_dtype(wanted)
        return tensor.kind

    def _builtin(self, name: str, given: Sequence[Any]) -> Any:
        match name, given:
            case "range", _:
                for one in given:
                    if isinstance(one, Slot):
                        one.vote("int", 6)
                    else:
                        self.integer(one)
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
                return Many(Group([Size(self.sizes.new()), self.member(one)], "tuple"))
            case "zip", _:
                return Many(Group([self.member(one) for one in given], "tuple"))
            case (("reversed" | "list" | "tuple" | "sorted" | "iter"), [one, *_]):
                return one if isinstance(one, (Slot, Many, Group)) else Many(self.member(one))
            case (("sum" | "max" | "min"), [one, *_]) if len(given) == 1 or name == "sum":
                return self.member(one)
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

    def _reduce(self, name: str, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0))
        kind = "int" if name.startswith("arg") else tensor.kind
        axis = given.get(1, "axis")
        kept = given.get(2, "keepdims")
        keep = isinstance(kept, Const) and kept.value is True
        if isinstance(axis, Slot):
            axis.vote("axis", 6)
            return Tensor(None, kind)
        axes = [self._literal(one) for one in axis.members] if isinstance(axis, Group) else [self._literal(axis)]
        if axis is None or (isinstance(axis, Const) and axis.value is None):
            if name.startswith("arg"):
                axes = [0]
            else:
                return Tensor(tuple(self.sizes.new(1) for _ in tensor.dims) if keep and tensor.dims else (), kind)
        for one in axes:
            if one is not None:
                tensor = self.tensor(tensor if tensor.slot is None else tensor.slot, least=one + 1 if one >= 0 else -one)
        if tensor.dims is None or any(one is None for one in axes):
            return Tensor(None, kind)
        positions = {one % max(len(tensor.dims), 1) for one in axes if one is not None}
        made = [self.sizes.new(1) if index in positions else dim for index, dim in enumerate(tensor.dims) if keep or index not in positions]
        return Tensor(tuple(made), kind)

    def _matmul(self, one: Tensor, other: Tensor) -> Tensor:
        for tensor in (one, other):
            if tensor.slot is not None:
                tensor.slot.vote("floats", 1)
        if one.dims is None or other.dims is None:
            return Tensor(None, "float")
        if not one.dims or not other.dims:
            return Tensor(None, "float")
        if len(other.dims) == 1 or len(one.dims) == 1:
            self.sizes.same(one.dims[-1], other.dims[-2] if len(other.dims) > 1 else other.dims[0])
            return Tensor((*one.dims[:-1], *other.dims[:-2], *other.dims[len(other.dims) - (len(other.dims) > 1) :]), "float")
        self.sizes.same(one.dims[-1], other.dims[-2])
        batch = self.broadcast(Tensor(one.dims[:-2]), Tensor(other.dims[:-2])).dims or ()
        return Tensor((*batch, one.dims[-2], other.dims[-1]), "float")

    def _transposed(self, tensor: Tensor, permutation: Any) -> Tensor:
        if tensor.dims is None:
            return Tensor(None, tensor.kind)
        if isinstance(permutation, Group):
            order = [self._literal(one) for one in permutation.members]
            if len(order) != len(tensor.dims):
                self.clash()
                return Tensor(None, tensor.kind)
            if all(one is not None and -len(order) <= one < len(order) for one in order):
                return Tensor(tuple(tensor.dims[one] for one in order if one is not None), tensor.kind)
        return Tensor(tuple(reversed(tensor.dims)), tensor.kind)

    def _fixed(self, value: Any, rank: int, kind: str = "") -> Tensor:
        """A tensor of exactly this rank."""
        if isinstance(value, Slot):
            value.vote(f"rank{rank}", 4)
        tensor = self.tensor(value, kind)
        if tensor.dims is not None and len(tensor.dims) != rank:
            self.clash()
            return Tensor(None, tensor.kind)
        return tensor

    # Operations, by the last word of their names

    def _op_matmul(self, given: _Arguments) -> Any:
        one, other = self.tensor(given.at(0, "a"), "float", 2), self.tensor(given.at(1, "b"), "float", 2)
        for index, tensor in enumerate((one, other)):
            flag = given.get(2 + index, ("transpose_a", "transpose_b")[index])
            if isinstance(flag, Const) and flag.value is True and tensor.dims and len(tensor.dims) >= 2:
                flipped = Tensor((*tensor.dims[:-2], tensor.dims[-1], tensor.dims[-2]), tensor.kind)
                one, other = (flipped, other) if index == 0 else (one, flipped)
        return self._matmul(one, other)

    def _op_dot(self, given: _Arguments) -> Any:
        return self._matmul(self.tensor(given.at(0), least=1), self.tensor(given.at(1), least=1))

    def _op_matvec(self, given: _Arguments) -> Any:
        matrix, vector = self.tensor(given.at(0), "float", 2), self.tensor(given.at(1), "float", 1)
        if matrix.dims and vector.dims:
            self.sizes.same(matrix.dims[-1], vector.dims[-1])
            return Tensor(matrix.dims[:-1], "float")
        return Tensor(None, "float")

    def _op_solve(self, given: _Arguments) -> Any:
        matrix, right = self.tensor(given.at(0), "float", 2), self.tensor(given.at(1), "float", 2)
        if matrix.dims and right.dims and min(len(matrix.dims), len(right.dims)) >= 2:
            self.sizes.same(matrix.dims[-1], matrix.dims[-2])
            self.sizes.same(matrix.dims[-1], right.dims[-2])
        return right

    def _op_triangular_solve(self, given: _Arguments) -> Any:
        return self._op_solve(given)

    _op_cholesky_solve = _op_triangular_solve

    def _op_tensordot(self, given: _Arguments) -> Any:
        one, other = self.tensor(given.at(0), "float"), self.tensor(given.at(1), "float")
        axes = given.get(2, "axes")
        if one.dims is None or other.dims is None:
            return Tensor(None, "float")
        count = self._literal(axes)
        match axes:
            case Size() if count is not None and count <= min(len(one.dims), len(other.dims)):
                left, right = list(range(len(one.dims) - count, len(one.dims))), list(range(count))
            case Group([Group(first), Group(second)]):
                left = [self._literal(axis) or 0 for axis in first]
                right = [self._literal(axis) or 0 for axis in second]
            case Group([Size() as first, Size() as second]):
                left, right = [self._literal(first) or 0], [self._literal(second) or 0]
            case _:
                return Tensor(None, "float")
        for axis, matching in zip(left, right, strict=False):
            if not (-len(one.dims) <= axis < len(one.dims) and -len(other.dims) <= matching < len(other.dims)):
                self.clash()
                return Tensor(None, "float")
            self.sizes.same(one.dims[axis], other.dims[matching])
        gone = {axis % len(one.dims) for axis in left}, {axis % len(other.dims) for axis in right}
        return Tensor(
            (
                *(dim for axis, dim in enumerate(one.dims) if axis not in gone[0]),
                *(dim for axis, dim in enumerate(other.dims) if axis not in gone[1]),
            ),
            "float",
        )

    def _op_einsum(self, given: _Arguments) -> Any:
        equation = given.at(0)
        if not isinstance(equation, Const) or not isinstance(equation.value, str):
            return Tensor(None, "float")
        inputs, _, result = equation.value.replace(" ", "").partition("->")
        sizes: dict[str, int] = {}
        for letters, value in zip(inputs.split(","), given.positional[1:], strict=False):
            if not set(letters) <= _LETTERS:
                self.tensor(value, "float", 1)
                continue
            tensor = self._fixed(value, len(letters), "float")
            for letter, dim in zip(letters, tensor.dims or (), strict=False):
                self.sizes.same(sizes.setdefault(letter, dim), dim)
        if not set(result) <= set(sizes):
            return Tensor(None, "float")
        return Tensor(tuple(sizes[letter] for letter in result), "float")

    def _op_transpose(self, given: _Arguments) -> Any:
        permutation = given.get(1, "perm")
        value = given.at(0)
        if isinstance(value, Slot) and isinstance(permutation, Group):
            value.vote(f"rank{len(permutation.members)}", 4)
        return self._transposed(self.tensor(value, least=1), permutation)

    def _op_matrix_transpose(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0), least=2)
        if tensor.dims is None or len(tensor.dims) < 2:
            return Tensor(None)
        return Tensor((*tensor.dims[:-2], tensor.dims[-1], tensor.dims[-2]), tensor.kind)

    def _op_reshape(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0))
        shape = given.get(1, "shape")
        if isinstance(shape, Slot):
            shape.vote("shape", 6)
        if not isinstance(shape, Group):
            return Tensor(None, tensor.kind)
        made = [dim if isinstance(dim, Size) and (self._literal(dim) or 0) >= 0 else Size(self.sizes.new()) for dim in shape.members]
        if tensor.dims is not None:
            self.sizes.reshapes.append((tensor.dims, tuple(size.dim for size in made)))
        return Tensor(tuple(size.dim for size in made), tensor.kind, bounds=tensor.bounds)

    def _op_expand_dims(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0))
        axis = self._literal(given.get(1, "axis"))
        if tensor.dims is None or axis is None:
            return Tensor(None, tensor.kind)
        made = list(tensor.dims)
        made.insert(axis if axis >= 0 else len(made) + 1 + axis, self.sizes.new(1))
        return Tensor(tuple(made), tensor.kind)

    def _op_squeeze(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0))
        axis = given.get(1, "axis")
        axis = axis.members[0] if isinstance(axis, Group) and len(axis.members) == 1 else axis
        position = self._literal(axis)
        if tensor.dims is None or position is None:
            return Tensor(None, tensor.kind)
        if not -len(tensor.dims) <= position < len(tensor.dims):
            self.clash()
            return Tensor(None, tensor.kind)
        self.sizes.same(tensor.dims[position], self.sizes.new(1))
        made = list(tensor.dims)
        del made[position]
        return Tensor(tuple(made), tensor.kind)

    def _members(self, value: Any) -> list[Tensor]:
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

    def _op_concat(self, given: _Arguments) -> Any:
        members = self._members(given.at(0, "values"))
        axis = self._literal(given.get(1, "axis")) or 0
        joined = self._alike(members, but=axis)
        if joined.dims is None:
            return joined
        if not -len(joined.dims) <= axis < len(joined.dims):
            self.clash()
            return Tensor(None, joined.kind)
        made = list(joined.dims)
        made[axis] = self.sizes.new()
        parts = [member.dims[axis] for member in members if member.dims is not None and len(member.dims) == len(made)]
        if len(parts) == len(members) > 1:
            self.sizes.sums.append((made[axis], tuple(parts)))
        return Tensor(tuple(made), joined.kind)

    _op_concatenate = _op_concat

    def _op_stack(self, given: _Arguments) -> Any:
        return self._stacked(self._members(given.at(0)), self._literal(given.get(1, "axis")) or 0)

    def _op_add_n(self, given: _Arguments) -> Any:
        return self._alike(self._members(given.at(0)))

    def _op_unstack(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0), least=1)
        axis = self._literal(given.get(2, "axis")) or 0
        if not tensor.dims:
            return Many(Tensor(None, tensor.kind))
        if not -len(tensor.dims) <= axis < len(tensor.dims):
            self.clash()
            return Many(Tensor(None, tensor.kind))
        made = list(tensor.dims)
        size = self.sizes.value(made.pop(axis))
        member = Tensor(tuple(made), tensor.kind)
        return Many(member) if size is None else Group([member] * size)

    def _op_split(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0), least=1)
        parts, axis = given.get(1, "num_or_size_splits"), self._literal(given.get(2, "axis")) or 0
        count = self._literal(parts)
        if not tensor.dims or not -len(tensor.dims) <= axis < len(tensor.dims):
            self.sizes.conflicts += bool(tensor.dims)
            return Group([Tensor(None, tensor.kind)] * count) if count else Many(Tensor(None, tensor.kind))
        divided = Size(tensor.dims[axis])
        share = (
            self._arithmetic(ast.FloorDiv(), divided.dim, self.integer(parts)) if not isinstance(parts, Group) else Size(self.sizes.new())
        )
        made = list(tensor.dims)
        made[axis] = share.dim
        count = count if count is not None else len(parts.members) if isinstance(parts, Group) else None
        return Group([Tensor(tuple(made), tensor.kind)] * count) if count else Many(Tensor(tuple(made), tensor.kind))

    def _op_gather(self, given: _Arguments) -> Any:
        table, indices = self.tensor(given.at(0, "params"), least=1), self.tensor(given.at(1, "indices"), "int")
        axis = self._literal(given.get(3, "axis")) or 0
        batch = self._literal(given.get(4, "batch_dims")) or 0
        axis = axis or batch
        if not table.dims or not -len(table.dims) <= axis < len(table.dims):
            return Tensor(None, table.kind)
        axis %= len(table.dims)
        indices.bounds.append(table.dims[axis])
        if indices.dims is None:
            return Tensor(None, table.kind)
        for one, other in zip(table.dims[:batch], indices.dims[:batch], strict=False):
            self.sizes.same(one, other)
        return Tensor((*table.dims[:axis], *indices.dims[batch:], *table.dims[axis + 1 :]), table.kind)

    _op_take = _op_gather

    def _op_embedding_lookup(self, given: _Arguments) -> Any:
        return self._op_gather(_Arguments([self._fixed(given.at(0, "params"), 2), given.at(1, "ids")], {}))

    def _op_one_hot(self, given: _Arguments) -> Any:
        indices = self.tensor(given.at(0, "indices"), "int")
        depth = self.integer(given.at(1, "depth"))
        indices.bounds.append(depth)
        return Tensor(None if indices.dims is None else (*indices.dims, depth), "float")

    def _op_tile(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0))
        times = given.get(1, "multiples")
        if isinstance(times, Group):
            for one in times.members:
                self.integer(one)
        if tensor.dims is None or not isinstance(times, Group):
            return Tensor(None, tensor.kind)
        if len(times.members) != len(tensor.dims):
            self.clash()
            return Tensor(None, tensor.kind)
        made = []
        for dim, one in zip(tensor.dims, times.members, strict=True):
            repeated = self._literal(one)
            if repeated == 1:
                made.append(dim)
            elif self.sizes.value(dim) == 1 and isinstance(one, Size):
                made.append(one.dim)
            else:
                made.append(self.sizes.new())
        return Tensor(tuple(made), tensor.kind)

    def _op_repeat(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0))
        times = given.get(1, "repeats")
        if isinstance(times, Slot):
            times.vote("number", 3)
        axis = self._literal(given.get(2, "axis"))
        if tensor.dims is None or axis is None or not tensor.dims:
            return Tensor(None, tensor.kind)
        made = list(tensor.dims)
        made[axis % len(made)] = self.sizes.new()
        return Tensor(tuple(made), tensor.kind)

    def _op_broadcast_to(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0))
        shape = given.get(1, "shape")
        if not isinstance(shape, Group):
            return Tensor(None, tensor.kind)
        return self.broadcast(Tensor(tuple(self.integer(one) for one in shape.members)), tensor)

    def _op_shape(self, given: _Arguments) -> Any:
        value = given.at(0)
        self.tensor(value)
        return Method(value, "shape")

    def _op_size(self, given: _Arguments) -> Any:
        self.tensor(given.at(0))
        return Size(self.sizes.new())

    def _op_rank(self, given: _Arguments) -> Any:
        return Rank(self.tensor(given.at(0)))

    def _op_range(self, given: _Arguments) -> Any:
        for one in given.positional:
            if isinstance(one, Slot):
                one.vote("int", 5)
        if len(given.positional) == 1 and isinstance(given.at(0), Size):
            return Tensor((given.at(0).dim,), "int")
        return Tensor((self.sizes.new(),), "int")

    _op_arange = _op_range

    def _op_zeros(self, given: _Arguments) -> Any:
        shape = given.get(0, "shape")
        kind = _kind_of_dtype(given.get(1, "dtype")) if given.get(1, "dtype") is not None else "float"
        match shape:
            case Group(members):
                return Tensor(tuple(self.integer(one) for one in members), kind)
            case Method((Tensor() | Slot()) as of, "shape"):
                return Tensor(self.tensor(of).dims, kind)
            case Slot():
                shape.vote("shape", 4)
                return Tensor(None, kind)
            case Size():
                return Tensor((shape.dim,), kind)
            case _:
                return Tensor(None, kind)

    _op_ones = _op_zeros

    def _op_fill(self, given: _Arguments) -> Any:
        return self._op_zeros(_Arguments(given.positional[:1], {}))

    def _op_eye(self, given: _Arguments) -> Any:
        side = self.integer(given.at(0))
        return Tensor((side, side), "float")

    def _op_linspace(self, given: _Arguments) -> Any:
        return Tensor((self.integer(given.at(2)),), "float")

    def _op_variable(self, given: _Arguments) -> Any:
        return self.tensor(given.at(0))

    def _op_cond(self, given: _Arguments) -> Any:
        test = given.at(0)
        if isinstance(test, Slot):
            test.vote("bool", 3)
        return [self.apply(branch, [], {}) for branch in given.positional[1:3]][-1] if len(given.positional) > 1 else UNKNOWN

    def _op_while_loop(self, given: _Arguments) -> Any:
        carried = given.get(2, "loop_vars")
        members = carried.members if isinstance(carried, Group) else []
        made = self.apply(given.at(1), members, {})
        return made if isinstance(made, Group) else carried

    def _op_where(self, given: _Arguments) -> Any:
        test = self.tensor(given.at(0), "bool")
        if len(given.positional) < 3:
            return Tensor((self.sizes.new(), self.sizes.new()), "int")
        return self.broadcast(Tensor(test.dims), self.broadcast(self.tensor(given.at(1)), self.tensor(given.at(2))))

    def _op_boolean_mask(self, given: _Arguments) -> Any:
        tensor, mask = self.tensor(given.at(0), least=1), self.tensor(given.at(1, "mask"), "bool", 1)
        if not tensor.dims or not mask.dims:
            return Tensor(None, tensor.kind)
        for one, other in zip(tensor.dims, mask.dims, strict=False):
            self.sizes.same(one, other)
        return Tensor((self.sizes.new(), *tensor.dims[len(mask.dims) :]), tensor.kind)

    def _op_sequence_mask(self, given: _Arguments) -> Any:
        lengths = self.tensor(given.at(0), "int")
        longest = given.get(1, "maxlen")
        size = longest.dim if isinstance(longest, Size) else self.sizes.new()
        lengths.bounds.append(size)
        return Tensor(None if lengths.dims is None else (*lengths.dims, size), "bool")

    def _op_segment_sum(self, given: _Arguments) -> Any:
        data, segments = self.tensor(given.at(0, "data"), least=1), self._fixed(given.at(1, "segment_ids"), 1, "int")
        if data.dims and segments.dims:
            self.sizes.same(data.dims[0], segments.dims[0])
            return Tensor((self.sizes.new(), *data.dims[1:]), data.kind)
        return Tensor(None, data.kind)

    _op_segment_mean = _op_segment_max = _op_segment_sum

    def _op_unsorted_segment_sum(self, given: _Arguments) -> Any:
        count = self.integer(given.at(2, "num_segments"))
        made = self._op_segment_sum(given)
        self.tensor(given.at(1, "segment_ids"), "int").bounds.append(count)
        return Tensor((count, *made.dims[1:]), made.kind) if made.dims else made

    _op_unsorted_segment_mean = _op_unsorted_segment_max = _op_unsorted_segment_sum

    def _op_top_k(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0), least=1)
        count = given.get(1, "k")
        if isinstance(count, Slot):
            count.vote("index", 4)
        size = self.sizes.new()
        dims = None if not tensor.dims else (*tensor.dims[:-1], size)
        return Group([Tensor(dims, tensor.kind), Tensor(dims, "int", bounds=list(tensor.dims[-1:]) if tensor.dims else [])], "tuple")

    def _op_sparse_softmax_cross_entropy_with_logits(self, given: _Arguments) -> Any:
        labels, logits = self.tensor(given.at(0, "labels"), "int"), self.tensor(given.at(1, "logits"), "float", 1)
        return self._labelled(labels, logits)

    def _op_sparse_categorical_crossentropy(self, given: _Arguments) -> Any:
        labels, logits = self.tensor(given.at(0, "y_true"), "int"), self.tensor(given.at(1, "y_pred"), "float", 1)
        return self._labelled(labels, logits)

    def _labelled(self, labels: Tensor, logits: Tensor) -> Tensor:
        if not logits.dims:
            return Tensor(None, "float")
        labels.bounds.append(logits.dims[-1])
        if labels.dims is not None and len(labels.dims) != len(logits.dims) - 1:
            self.clash()
        for one, other in zip(labels.dims or (), logits.dims, strict=False):
            self.sizes.same(one, other)
        return Tensor(logits.dims[:-1], "float")

    def _op_softmax_cross_entropy_with_logits(self, given: _Arguments) -> Any:
        labels, logits = self.tensor(given.at(0, "labels"), "float", 1), self.tensor(given.at(1, "logits"), "float", 1)
        made = self.broadcast(labels, logits)
        return Tensor(made.dims[:-1] if made.dims else None, "float")

    _op_categorical_crossentropy = _op_mean_squared_error = _op_mse = _op_binary_crossentropy = _op_softmax_cross_entropy_with_logits

    def _op_bias_add(self, given: _Arguments) -> Any:
        return self.broadcast(self.tensor(given.at(0), "float", 2), self._fixed(given.at(1, "bias"), 1, "float"))

    def _op_conv2d(self, given: _Arguments) -> Any:
        return self._convolution(given, 2)

    def _op_conv1d(self, given: _Arguments) -> Any:
        return self._convolution(given, 1)

    def _convolution(self, given: _Arguments, axes: int) -> Tensor:
        image, kernel = self._fixed(given.at(0, "input"), axes + 2, "float"), self._fixed(given.at(1, "filters"), axes + 2, "float")
        if image.dims is None or kernel.dims is None:
            return Tensor(None, "float")
        self.sizes.same(image.dims[-1], kernel.dims[-2])
        for dim in image.dims[1:-1]:
            self.sizes.least[self.sizes.find(dim)] = 8
        return Tensor((image.dims[0], *(self.sizes.new() for _ in range(axes)), kernel.dims[-1]), "float")

    def _op_max_pool2d(self, given: _Arguments) -> Any:
        image = self._fixed(given.at(0, "input"), 4, "float")
        for dim in (image.dims or ())[1:-1]:
            self.sizes.least[self.sizes.find(dim)] = 8
        return Tensor(None if image.dims is None else (image.dims[0], self.sizes.new(), self.sizes.new(), image.dims[3]), "float")

    _op_avg_pool2d = _op_max_pool = _op_avg_pool = _op_max_pool2d

    def _op_diag(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0), least=1)
        return Tensor(None if not tensor.dims else (*tensor.dims, tensor.dims[-1]), tensor.kind)

    _op_tensor_diag = _op_diag

    def _op_diag_part(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0), least=2)
        return Tensor(None if not tensor.dims else tensor.dims[:-1], tensor.kind)

    def _op_band_part(self, given: _Arguments) -> Any:
        return self.tensor(given.at(0), least=2)

    def _op_map_fn(self, given: _Arguments) -> Any:
        over = given.get(1, "elems")
        member = self._rows(over)
        made = self.apply(given.at(0, "fn"), [member], {})
        leading = self._leading(over)
        if isinstance(made, (Tensor, Slot)) and leading is not None:
            tensor = self.tensor(made)
            return Tensor(None if tensor.dims is None else (leading, *tensor.dims), tensor.kind)
        return UNKNOWN

    _op_vectorized_map = _op_map_fn

    def _rows(self, value: Any) -> Any:
        match value:
            case Group(members, kind):
                return Group([self._rows(member) for member in members], kind)
            case Slot():
                tensor = self.tensor(value, least=1)
                return Tensor(tensor.dims[1:] if tensor.dims else None, tensor.kind)
            case _:
                return self.member(value)

    def _leading(self, value: Any) -> int | None:
        match value:
            case Group([first, *more]):
                leading = self._leading(first)
                for other in more:
                    dim = self._leading(other)
                    if leading is not None and dim is not None:
                        self.sizes.same(leading, dim)
                return leading
            case Tensor(dims) if dims:
                return dims[0]
            case _:
                return None

    def _op_scan(self, given: _Arguments) -> Any:
        over, start = given.at(1, "elems"), given.get(2, "initializer")
        member = self._rows(over)
        made = self.apply(given.at(0, "fn"), [start if start is not None else member, member], {})
        if isinstance(made, Tensor) and isinstance(start, Tensor) and made.dims is not None and start.dims is not None:
            self._alike([made, start])
        leading = self._leading(over)
        if isinstance(made, Tensor) and made.dims is not None and leading is not None:
            return Tensor((leading, *made.dims), made.kind)
        return UNKNOWN

    def _op_foldl(self, given: _Arguments) -> Any:
        self._op_scan(given)
        return given.get(2, "initializer") or UNKNOWN

    _op_foldr = _op_foldl

    def _op_convolve(self, given: _Arguments) -> Any:
        self._fixed(given.at(0), 1)
        self._fixed(given.at(1), 1)
        return Tensor((self.sizes.new(),), "float")

    def _op_recompute_grad(self, given: _Arguments) -> Any:
        return given.at(0)

    _op_function = _op_recompute_grad

    def _op_normalize(self, given: _Arguments) -> Any:
        tensor = self.tensor(given.at(0), "float")
        return Group([tensor, Tensor(None)], "tuple")

    def _op_moments(self, given: _Arguments) -> Any:
        made = self._reduce("reduce_mean", _Arguments(given.positional[:2], given.named))
        return Group([made, made], "tuple")

    def _op_ensure_shape(self, given: _Arguments) -> Any:
        return self._held_to(given.at(0), given.get(1, "shape"))

    def _held_to(self, value: Any, shape: Any) -> Tensor:
        if not isinstance(shape, Group):
            return self.tensor(value)
        tensor = self._fixed(value, len(shape.members))
        for dim, one in zip(tensor.dims or (), shape.members, strict=False):
            if isinstance(one, Size):
                self.sizes.same(dim, one.dim)
        return tensor


class _Scope:
    def __init__(self, names: dict[str, Any], namespace: Mapping[str, Any]) -> None:
        self.names = names
        self.namespace = namespace


@dataclass(frozen=True)
class _Arguments:
    positional: list[Any]
    named: dict[str, Any]

    def get(self, position: int, name: str) -> Any:
        return self.named[name] if name in self.named else self.positional[position] if position < len(self.positional) else None

    def at(self, position: int, name: str = "") -> Any:
        if name in self.named:
            return self.named[name]
        if position >= len(self.positional) and self.named:
            return next(iter(self.named.values()))
        return self.positional[position]


def _excluded(test: ast.expr, scope: _Scope) -> bool:
    """Whether a branch is for other kinds of values: `if x is None`, with an x that is there."""
    match test:
        case ast.Compare(ast.Name(name), [ast.Is()], [ast.Constant(None)]):
            return isinstance(scope.names.get(name), (Slot, Tensor, Size, Many, Group, Dictionary))
        case _:
            return False


def _kind_of_dtype(wanted: Any) -> str:
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


def _shape_and_kind(value: Any) -> tuple[tuple[int, ...] | None, str]:
    """Of a tensor, variable or array that is there."""
    shape = getattr(value, "shape", None) if type(value).__module__.split(".")[0] in _MODULES else None
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
    if isinstance(found, property) and type(value).__module__.split(".")[0] in _MODULES:
        try:
            return getattr(value, name)
        except Exception:
            return None
    if isinstance(found, staticmethod):
        return None
    python = getattr(found, "python_function", None) if found is not None else None
    return python if isinstance(python, FunctionType) else found if not isinstance(found, property) else None


def owner_of(function: Any) -> Any:
    """The object that a method is bound to. A method that is a tf.function holds it weakly, and by a name of TensorFlow's own."""
    owner = getattr(unwrapped(function), "__self__", getattr(function, "__self__", None))
    target = getattr(owner, "weakrefself_target__", None)
    return target() if target is not None else owner


def described(function: Any) -> Any:
    """What says which arguments a call takes: of an object that can be called its method, of a class its constructor."""
    if inspect.isclass(function):
        return function.__init__ if isinstance(vars(function).get("__init__"), FunctionType) else function
    kind = type(function)
    if isinstance(function, (FunctionType, MethodType)) or kind.__module__.split(".")[0] == "tensorflow":
        return function
    for name in ("call", "__call__"):
        method = inspect.getattr_static(kind, name, None)
        if isinstance(method, FunctionType) and method.__module__.split(".")[0] not in _MODULES:
            return getattr(function, name)
    return function


def unwrapped(function: Any) -> Any:
    """The function of Python's that is beneath a tf.function, a partial or a decorator that says what it wraps."""
    for _ in range(20):
        inner = None
        for name in ("python_function", "__wrapped__"):
            inner = inner or getattr(function, name, None)
        if inner is None or inner is function:
            break
        bound = getattr(function, "__self__", None)
        if bound is not None and not isinstance(inner, MethodType) and isinstance(inner, FunctionType):
            inner = MethodType(inner, bound)
        function = inner
    return function


class Sources:
    """Finds the definitions of functions, in the text of the program or where they are installed."""

    def __init__(self, text: str | None = None) -> None:
        self._tree = _parsed(text) if text else None
        self._known: dict[Any, Node | None] = {}

    def node(self, function: Any) -> Node | None:
        plain = unwrapped(function)
        plain = getattr(plain, "__func__", plain)
        code = getattr(plain, "__code__", None)
        if code is None or (plain.__module__ or "").split(".")[0] in _MODULES:
            return None
        if code not in self._known:
            self._known[code] = self._in_text(code) or _in_file(plain)
        return self._known[code]

    def _in_text(self, code: Any) -> Node | None:
        for node in _functions(self._tree) if self._tree is not None else ():
            lines = [node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))]
            if min(lines) == code.co_firstlineno and getattr(node, "name", "<lambda>") == code.co_name:
                return node
        return None


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _functions(tree: ast.AST) -> Iterator[Node]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield node


def _in_file(function: Any) -> Node | None:
    try:
        text = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError, IndentationError):
        return None
    tree = _parsed(text) or _parsed(f"({text.strip()})")
    name = function.__name__
    wanted = [node for node in _functions(tree) if getattr(node, "name", "<lambda>") == name] if tree is not None else []
    return wanted[0] if wanted else None
