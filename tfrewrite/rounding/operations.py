"""Which operations of code that is compiled may be rounded otherwise than eager code rounds them.

An operation alone keeps its bits or doesn't (`bits.py`). Together they are rewritten: a graph multiplies by the reciprocal of a
constant, adds constants up before it adds them to a tensor, sorts the parts of a sum by their shapes; XLA takes a product and a sum
in one rounding. So every operation is looked at with those that its operands come from, through names and calls.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import gast

from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.collected import ever_taped
from tfrewrite.facts.kinds import FLOATS, Kind, Sort, same_shape
from tfrewrite.facts.scopes import FUNCTIONS, Function, bound_arguments, walk_within
from tfrewrite.rounding.bits import KEPT_BY_NUMPY, KEPT_BY_XLA, KEPT_IN_GRAPHS, POSITION_FREE, VIEWS
from tfrewrite.rounding.values import LARGEST_SUMMAND

OPERATORS: dict[type[gast.AST], str] = {
    gast.Add: "add", gast.Sub: "subtract", gast.Mult: "multiply", gast.Div: "divide", gast.FloorDiv: "floordiv", gast.Mod: "floormod",
    gast.Pow: "pow", gast.MatMult: "matmul", gast.USub: "negative", gast.UAdd: "identity",
}  # fmt: skip
_DIVISIONS = frozenset({"divide", "truediv", "divide_no_nan"})
_SUMS = frozenset({"add", "subtract", "add_n", "bias_add", "assign_add", "assign_sub"})
_PRODUCTS = frozenset({"multiply", "square", "multiply_no_nan", "squared_difference"})
_QUOTIENTS = _PRODUCTS | _DIVISIONS
_MATRIX_PRODUCTS = frozenset({"matmul", "conv1d", "conv2d", "conv3d"})
_EXPONENTIALS = frozenset({"exp", "softmax", "sigmoid", "pow"})
_ROOTS = frozenset(
    {"sqrt", "rsqrt", "reciprocal", "pow", "reduce_std", "norm", "reduce_euclidean_norm", "l2_normalize", "global_norm", "normalize"}
)
_EXTREMES = frozenset({"reduce_max", "reduce_min", "max_pool", "max_pool1d", "max_pool2d", "argmax", "argmin"})
_JOINS = frozenset({"concat", "stack"})
_PARTS = frozenset({"split", "unstack"})
_TRANSPOSED = frozenset({"transpose", "matrix_transpose", "adjoint"})
_ACTIVATIONS = frozenset({"tanh", "sigmoid", "elu", "relu", "relu6", "leaky_relu", "selu", "softplus", "gelu", "silu", "swish"})
_PARTIAL = frozenset({"sqrt", "rsqrt", "log", "log1p", "acos", "asin", "acosh", "atanh"})
# A zero of theirs may have another sign under XLA.
_ZEROS = frozenset({"sign", "relu", "relu6", "maximum", "minimum", "clip_by_value", "sort", "reduce_max", "reduce_min"})
_OF_AXES = frozenset({"reverse", "roll", "sort", "argsort"})
_COMPARISONS = frozenset({"less", "less_equal", "greater", "greater_equal"})
_MADE = frozenset({"constant", "ones", "zeros", "fill", "eye", "ones_like", "zeros_like", "range", "linspace"})
_OTHER_NUMERATORS = frozenset({2.0, 0.5, 3.0, 4.0, 0.1, 10.0, 100.0, 1000.0, -1.0})
_LEAST_EXPONENT, _MOST_EXPONENT = 2.0**-60, 2.0**60
_SMALLEST_FACTOR = 1e-4


class Backend(enum.Enum):
    """How code is compiled."""

    GRAPH = "a graph"
    XLA = "XLA"
    NUMPY = "NumPy"


@dataclass(frozen=True)
class Operation:
    """An operation by the last part of its name, and what it computes with."""

    node: gast.AST
    name: str
    operands: tuple[gast.AST, ...]


def changed(
    statements: Sequence[gast.AST],
    facts: Facts,
    backend: Backend,
    numbers: Mapping[str, str] | None = None,
    around: gast.AST | None = None,
    rolled: bool = False,
    beside: Sequence[gast.AST] = (),
    handed: Collection[gast.AST] = (),
) -> tuple[gast.AST, ...]:
    """The operations in statements that may be rounded otherwise.

    `numbers` are Python numbers that become tensors there. `around` is a function that is compiled with the statements that it holds;
    `rolled` statements are the body of a loop, each iteration of which is one call of a function; `beside` is what is compiled too.
    Numbers that are `handed` over as tensors are no constants.
    """
    reader = _reader(statements, facts, backend, numbers, around, rolled, beside)
    reader.handed = frozenset(handed)
    return tuple(dict.fromkeys(_value(one) for one in _nodes(statements) if reader.may_change(one)))


def beyond_rounding(
    statements: Sequence[gast.AST],
    facts: Facts,
    backend: Backend,
    numbers: Mapping[str, str] | None = None,
    around: gast.AST | None = None,
    rolled: bool = False,
    beside: Sequence[gast.AST] = (),
) -> tuple[gast.AST, str] | None:
    """An operation that compilers make something of that is further off than rounding, and half a sentence why."""
    reader = _reader(statements, facts, backend, numbers, around, rolled, beside)
    for node in _nodes(statements):
        operation = reader.operation(node)
        if operation is not None and (reason := reader.simplified(operation)):
            return node, reason
    return None


def _nodes(statements: Iterable[gast.AST]) -> list[gast.AST]:
    return [node for one in statements for node in (one, *walk_within(one))]


def _reader(
    statements: Sequence[gast.AST],
    facts: Facts,
    backend: Backend,
    numbers: Mapping[str, str] | None,
    around: gast.AST | None,
    rolled: bool,
    beside: Sequence[gast.AST],
) -> _Reader:
    own = frozenset(_nodes(statements))
    inside = {*own, *_nodes(beside), *(_nodes([around]) if around is not None else ())}
    return _Reader(facts, backend, frozenset(numbers or ()), inside, rolled, own)


def _value(node: gast.AST) -> gast.AST:
    """What holds the result."""
    return node.target if isinstance(node, gast.AugAssign) else node


@dataclass(eq=False)
class _Reader:
    facts: Facts
    backend: Backend
    numbers: frozenset[str]
    inside: set[gast.AST]
    """What is compiled together. What comes from elsewhere is handed over as it is."""
    rolled: bool = False
    """Is each iteration a call of one body, which takes what the last one left as it is?"""
    own: frozenset[gast.AST] = frozenset()
    handed: frozenset[gast.AST] = frozenset()
    """The statements that were asked about, less the functions that they call."""
    _seen: dict[gast.AST, list[Operation]] = field(default_factory=dict)

    def may_change(self, node: gast.AST) -> bool:
        operation = self.operation(node)
        if operation is None or not self.is_float(operation):
            return False
        if all(self._is_python(one) for one in operation.operands) and operation.operands:
            return self._becomes_tensor(operation)
        name = operation.name
        match self.backend:
            case Backend.NUMPY:
                return name not in KEPT_BY_NUMPY
            case Backend.GRAPH:
                return name not in KEPT_IN_GRAPHS or self._changes_in_graph(operation)
            case Backend.XLA:
                return name not in KEPT_BY_XLA or self._changes_by_xla(operation)

    def operation(self, node: gast.AST) -> Operation | None:
        match node:
            case gast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return Operation(node, OPERATORS[type(op)], (left, right))
            case gast.AugAssign(target=target, op=op, value=value) if type(op) in OPERATORS:
                return Operation(node, OPERATORS[type(op)], (target, value))
            case gast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                return Operation(node, OPERATORS[type(op)], (operand,))
            case gast.UnaryOp(op=gast.Invert() | gast.Not(), operand=operand):
                return Operation(node, "logical_not", (operand,))
            case gast.Call():
                return self._call(node)
        return None

    def _call(self, call: gast.Call) -> Operation | None:
        name = self.facts.called(call) or ""
        if name in ("builtins.abs", "builtins.sum", "builtins.max", "builtins.min", "builtins.pow"):
            return Operation(call, {"sum": "add_n", "max": "maximum", "min": "minimum"}.get(name[9:], name[9:]), tuple(call.args))
        if not name.startswith("tensorflow."):
            match call.func:
                case gast.Attribute(value=owner, attr="assign_add" | "assign_sub" as method):
                    return Operation(call, method, (owner, *call.args))
            return None
        values = [
            *call.args,
            *(one.value for one in call.keywords if one.arg not in ("axis", "name", "dtype", "keepdims", "perm", "shape")),
        ]
        members = [each for one in values for each in (one.elts if isinstance(one, gast.List | gast.Tuple) else [one])]
        return Operation(call, name.rpartition(".")[2], tuple(members))

    def is_float(self, operation: Operation) -> bool:
        dtypes = {self._kind(one).dtype for one in operation.operands if self._kind(one).sort is not Sort.NONE}
        dtypes.add(self._kind(_value(operation.node)).dtype)
        known = {one for one in dtypes if one is not None}
        return None in dtypes or bool(known & (FLOATS | {"float", "complex64", "complex128"})) or any("." in one for one in known)

    def _kind(self, node: gast.AST) -> Kind:
        return self.facts.kind(node)

    def _is_python(self, node: gast.AST) -> bool:
        return self._kind(node).sort in (Sort.NUMBER, Sort.NONE, Sort.TEXT)

    def _becomes_tensor(self, operation: Operation) -> bool:
        """Python computes with 53 bits, and the dtype of a tensor has fewer. Whole numbers are exact."""
        names = [one for one in gast.walk(operation.node) if isinstance(one, gast.Name)]
        unknown = any(one.id in self.numbers or self._kind(one).value is None for one in names if self._kind(one).sort is Sort.NUMBER)
        return self._kind(_value(operation.node)).dtype == "float" and unknown

    def _constant(self, node: gast.AST) -> bool:
        """Is it a number that stands in the graph?"""
        kind = self._kind(node)
        if node in self.handed:
            return False
        if kind.sort is Sort.ARRAY:
            return True
        if kind.sort is Sort.NUMBER:
            return not {one.id for one in gast.walk(node) if isinstance(one, gast.Name)} & self.numbers
        return any(self._is_made(one) for one in self._sources(node))

    def _is_made(self, node: gast.AST) -> bool:
        """Is a tensor made there of numbers that stand in the code?"""
        if not isinstance(node, gast.Call) or node not in self.inside:
            return False
        name = (self.facts.called(node) or "").rpartition(".")[2]
        if name in ("cast", "convert_to_tensor"):
            return bool(node.args) and self._kind(node.args[0]).sort is Sort.NUMBER and self._constant(node.args[0])
        return name in _MADE

    # Where operands come from

    @cached_property
    def _assigned(self) -> list[gast.AST]:
        """What any variable is given in the code: which of them a name stands for isn't asked."""
        calls = [one for one in self.inside if isinstance(one, gast.Call) and isinstance(one.func, gast.Attribute)]
        given = [one for one in calls if one.func.attr in ("assign", "assign_add", "assign_sub")]
        return [*given, *(value for one in given for value in one.args)]

    def _sources(self, node: gast.AST) -> list[gast.AST]:
        """The expressions that a value may come from, through names, views and calls of the file's functions."""
        waiting, found = [node], list[gast.AST]()
        while waiting:
            one = waiting.pop()
            if any(one is other for other in found):
                continue
            found.append(one)
            waiting += self._before(one)
        return found

    def _before(self, node: gast.AST) -> list[gast.AST]:
        match node:
            case gast.Name() | gast.Attribute() if self._kind(node).sort is Sort.VARIABLE:
                return self._assigned
            case gast.Name():
                return self._given(node)
            case gast.Call():
                if (self.facts.called(node) or "").rpartition(".")[2] in VIEWS:
                    values = [*node.args, *(one.value for one in node.keywords)]
                    return [each for one in values for each in (one.elts if isinstance(one, gast.List | gast.Tuple) else [one])]
                function = self.facts.function_called(node)
                if function is not None:
                    self.inside.update(_nodes([function]))
                    body = [function] if not isinstance(function, gast.Lambda) else []
                    returns = [
                        one.value for top in body for one in walk_within(top) if isinstance(one, gast.Return) and one.value is not None
                    ]
                    return returns or ([function.body] if isinstance(function, gast.Lambda) else [])
            case gast.Subscript(value=value) | gast.Starred(value=value) | gast.NamedExpr(value=value):
                return [value]
            case gast.UnaryOp(op=gast.USub() | gast.UAdd(), operand=operand):
                return [operand]
            case gast.IfExp(body=body, orelse=orelse):
                return [body, orelse]
            case gast.Tuple(elts=elts) | gast.List(elts=elts):
                return list(elts)
        return []

    def _given(self, name: gast.Name) -> list[gast.AST]:
        scope = self.facts.scopes.names[name]
        owner = scope.lookup(name.id)
        found: list[gast.AST] = []
        for binding in owner.bindings[name.id] if owner is not None else ():
            if isinstance(parameters := self.facts.parent(binding), gast.arguments):
                if isinstance(function := self.facts.parent(parameters), FUNCTIONS):
                    found += self._handed(function, name.id)
                continue
            if binding not in self.inside or (self.rolled and binding in self.own and not self._is_before(binding, name)):
                continue
            parent = self.facts.parent(binding)
            match parent:
                case gast.Assign(targets=[gast.Name()], value=value):
                    found.append(value)
                case gast.AugAssign():
                    found.append(parent)
                case gast.Tuple() | gast.List() | gast.Starred():
                    whole = next(
                        one for one in self.facts.scopes.ancestors(binding) if not isinstance(one, gast.Tuple | gast.List | gast.Starred)
                    )
                    found += [one for one in (getattr(whole, "value", None), getattr(whole, "iter", None)) if isinstance(one, gast.AST)]
                case gast.For(iter=rows) | gast.comprehension(iter=rows):
                    found.append(rows)
                case gast.AnnAssign(value=value) | gast.NamedExpr(value=value) if value is not None:
                    found.append(value)
        return found

    def _is_before(self, binding: gast.AST, use: gast.AST) -> bool:
        given, read = (self.facts.scopes.statement(one) for one in (binding, use))
        return bool((given.lineno, given.col_offset) < (read.lineno, read.col_offset))

    def _handed(self, function: Function, name: str) -> Iterator[gast.AST]:
        """What a parameter is given by the calls that the file shows, and by its default."""
        callers, defaults = self.facts.callers, [one for one in (*function.args.defaults, *function.args.kw_defaults) if one is not None]
        calls = [one.call for one in callers.references(function) if one.direct and one.call is not None]
        if callers.is_method(function):
            named = (one for one in self.facts.nodes((gast.Call,)) if isinstance(one, gast.Call) and isinstance(one.func, gast.Attribute))
            calls = [one for one in named if one.func.attr == getattr(function, "name", "")]
            if getattr(function, "name", "") == "__call__":
                calls = [one for one in self.facts.nodes((gast.Call,)) if isinstance(one, gast.Call) and self.facts.called(one) is None]
        for call in (one for one in calls if one in self.inside):  # others hand over what is computed elsewhere
            given = bound_arguments(function, call, callers.takes_self(function)) or {}
            if name in given:
                yield given[name]
            else:  # what goes where isn't written
                yield from (*call.args, *(one.value for one in call.keywords), *defaults)

    def operations_before(self, node: gast.AST) -> list[Operation]:
        """The operations on tensors that may have computed a value."""
        if node not in self._seen:
            found = [one for one in map(self.operation, self._sources(node)) if one is not None and one.name not in VIEWS]
            self._seen[node] = [one for one in found if self.is_float(one) and not all(map(self._is_python, one.operands))]
        return self._seen[node]

    # What is rewritten together

    def _changes_in_graph(self, operation: Operation) -> bool:
        name, operands = operation.name, operation.operands
        before = [each for one in operands for each in self.operations_before(one)]
        names = {one.name for one in before}
        constants = [one for one in operands if self._constant(one)]
        if name in _DIVISIONS and len(operands) > 1:
            over, under = operands[:2]
            if under in constants and not _is_power_of_two(self._kind(under).value):
                return True  # a product with the reciprocal
            if over in constants and self._kind(over).value not in _OTHER_NUMERATORS:
                return True  # 1 / x has an operation of its own
            if names & _ROOTS:
                return True
        if (name in _SUMS and names & _SUMS) or (name in _QUOTIENTS and names & _QUOTIENTS):
            return True  # brackets move: towards constants, smaller shapes, equal parts
        if name in _EXTREMES | _JOINS and names - POSITION_FREE:
            return True  # max(exp(x)) is exp(max(x)), of another place in its tensor
        if name not in POSITION_FREE and any(self._comes_by(one, _PARTS) for one in operands):
            return True
        if name == "multiply" and names & (_ROOTS | {"sigmoid", "tanh", "erf"}):
            return True
        if name == "matmul" and (constants or any(self._comes_by(one, _TRANSPOSED) for one in operands)):
            return True
        if name in {"add", "multiply"} and any(one.name == "matmul" and self._kind(one.node).rank != 2 for one in before):
            return True
        return name in _ACTIVATIONS and self._is_fused(before) or (name == "reciprocal" and bool(names & _ROOTS))

    def _is_fused(self, before: Iterable[Operation]) -> bool:
        """Is it a function of a product with a bias, which have one kernel together? (A bias is smaller than the product.)"""
        for one in before:
            products = [each for each in one.operands if self._from(each, _MATRIX_PRODUCTS)]
            shape = self._kind(_value(one.node)).shape
            whole = isinstance(shape, tuple) and all(same_shape(self._kind(each).shape, shape) for each in one.operands)
            if one.name in _SUMS | {"bias_add"} and products and not whole:
                return True
        return False

    def _changes_by_xla(self, operation: Operation) -> bool:
        name, operands = operation.name, operation.operands
        before = [each for one in operands for each in self.operations_before(one)]
        names = {one.name for one in before}
        constants = [one for one in operands if self._constant(one)]
        if name in _DIVISIONS and len(operands) > 1:
            if operands[1] in constants and not _is_power_of_two(self._kind(operands[1]).value):
                return True
            if names & (_DIVISIONS | _ROOTS | {"exp", "pow"}):
                return True
        if name in _SUMS | {"squared_difference"} and names & (_PRODUCTS | {"divide", "truediv"}):
            return True  # a product and a sum are rounded once
        if name in _SUMS and names & _SUMS or name in _QUOTIENTS and names & _QUOTIENTS:
            return bool(constants) or any(self._with_constant(one) for one in before)
        return name in ("multiply", "sqrt", "square") and bool(names & (_ROOTS | _PRODUCTS | {"exp", "pow"}) - {"multiply"})

    # What is further off than rounding

    def simplified(self, operation: Operation) -> str:
        name, operands = operation.name, operation.operands
        if all(self._is_python(one) for one in operands):
            return ""
        if name == "logical_not":
            return self._negated(operands[0])
        if name in _OF_AXES and self._kind(operands[0]).rank in (0, None):
            return f"of a scalar tf.{name} raises another error in a graph, or one that eager code doesn't raise"
        if not self.is_float(operation):
            return ""
        halves = [one for one in (*operands, _value(operation.node)) if self._kind(one).dtype in ("float16", "bfloat16")]
        if halves and self.may_change(operation.node):
            return f"{self._kind(halves[0]).dtype} has so few digits that another rounding is another number"
        before = [each for one in operands for each in self.operations_before(one)]
        constants = [one for one in operands if self._constant(one)]
        if reason := self._folded(name, before, constants) or self._undone(name, before, constants):
            return reason
        return self._by_xla(name, operands, before) if self.backend is Backend.XLA else self._by_graph(name, operands, before)

    def _negated(self, operand: gast.AST) -> str:
        """A graph takes `not x > y` for `x <= y`."""
        for one in self._sources(operand):
            match one:
                case gast.Compare(left=left, ops=[gast.Lt() | gast.LtE() | gast.Gt() | gast.GtE()]):
                    pass
                case gast.Call(args=[left, *_]) if (self.facts.called(one) or "").rpartition(".")[2] in _COMPARISONS:
                    pass
                case _:
                    continue
            if not self._kind(left).finite:
                return "a graph takes `not x > y` for `x <= y`, which isn't so for NaN"
        return ""

    def _folded(self, name: str, before: Sequence[Operation], constants: Sequence[gast.AST]) -> str:
        """Constants that meet each other before they meet a tensor."""
        if name in _SUMS and constants and any(one.name in _SUMS and self._with_constant(one) for one in before):
            parts = [*constants, *(each for one in before if one.name in _SUMS for each in one.operands if self._constant(each))]
            if not all(self._is_moderate(one) for one in parts):
                return "compilers add numbers up before they add them to a tensor: (x + 1e8) - 1e8 is x to them"
        if name in _QUOTIENTS and constants and any(one.name in _QUOTIENTS and self._with_constant(one) for one in before):
            parts = [*constants, *(each for one in before if one.name in _QUOTIENTS for each in one.operands if self._constant(each))]
            if any(self._is_extreme(one) for one in parts):
                return "compilers multiply numbers before they multiply a tensor by them, and avoid an infinity in between"
        if name in _PRODUCTS | {"add", "subtract"} and any(self._kind(one).value == 0 for one in constants):
            return "compilers leave out 0 * x and x + 0, and x may be NaN, infinite or -0.0"
        return ""

    def _undone(self, name: str, before: Sequence[Operation], constants: Sequence[gast.AST]) -> str:
        """A function that is taken together with another one."""
        names = {one.name for one in before}
        if name in ("log", "log1p") and names & (_EXPONENTIALS | _ROOTS) - {"sigmoid"}:
            return "compilers cancel a logarithm and its inverse: log(exp(1000.0)) is 1000 to them, and infinite to eager code"
        if name == "log" and any(one.name in _SUMS and self._with_constant(one) for one in before):
            return "a graph takes log(1 + x) for log1p(x), which has other digits near zero"
        if name in _SUMS and constants and "exp" in names:
            return "a graph takes exp(x) - 1 for expm1(x), which has other digits near zero"
        return ""

    def _by_graph(self, name: str, operands: Sequence[gast.AST], before: Sequence[Operation]) -> str:
        if name in ("maximum", "minimum") and any(one.name in _SUMS | _PRODUCTS for one in before) and self._share(operands):
            return "oneDNN takes maximum(x, 2 * x) for a leaky relu, which it isn't"
        if name in ("relu", "relu6") and self._is_fused(before) and not all(self._kind(one).finite for one in operands):
            return "oneDNN takes a product, a bias and relu together, and gives 0 for NaN"
        if name in _EXTREMES and any(one.name in _PARTIAL for one in before):
            return "a graph takes the largest number before its root or logarithm, and leaves the NaN of the others out"
        return ""

    def _by_xla(self, name: str, operands: Sequence[gast.AST], before: Sequence[Operation]) -> str:
        names = {one.name for one in before}
        if name == "floordiv" and len(operands) > 1 and self._constant(operands[1]):
            return "XLA multiplies by the reciprocal before it rounds down, and may come to another whole number"
        if name == "multiply" and len(operands) == 2 and all(self._from(one, _EXPONENTIALS | _ROOTS) for one in operands):
            return "XLA multiplies powers by adding up their exponents, and avoids an infinity in between"
        if name in _DIVISIONS and len(operands) > 1 and self._from(operands[1], {"exp", "pow"} | _DIVISIONS):
            return "XLA divides by a quotient or a power by multiplying, and avoids an infinity in between"
        if name in _DIVISIONS and len(operands) > 1 and self._comes_by(operands[1], _ZEROS):
            return "XLA gives a zero the other sign, and a quotient the other infinity"
        if name in ("sqrt", "rsqrt", "pow") and names & (_EXPONENTIALS | _ROOTS | _PRODUCTS):
            return "XLA cancels roots and powers and their inverses"
        return ""

    def _share(self, operands: Sequence[gast.AST]) -> bool:
        """Do two operands come from the same name?"""
        names = [{one.id for each in self._sources(side) for one in gast.walk(each) if isinstance(one, gast.Name)} for side in operands]
        return len(names) > 1 and bool(names[0] & names[1])

    def _from(self, operand: gast.AST, names: Collection[str]) -> bool:
        return any(one.name in names for one in self.operations_before(operand))

    def _is_moderate(self, node: gast.AST) -> bool:
        value = self._kind(node).value
        return isinstance(value, int | float) and abs(value) < LARGEST_SUMMAND

    def _is_extreme(self, node: gast.AST) -> bool:
        value = self._kind(node).value
        return isinstance(value, int | float) and not _SMALLEST_FACTOR < abs(value) < LARGEST_SUMMAND

    def _with_constant(self, operation: Operation) -> bool:
        return any(self._constant(one) for one in operation.operands)

    def _comes_by(self, node: gast.AST, names: Collection[str]) -> bool:
        """Does a value come through one of these functions, which only move it?"""
        calls = [one for one in self._sources(node) if isinstance(one, gast.Call)]
        return any((self.facts.called(one) or "").rpartition(".")[2] in names for one in calls)


def _is_power_of_two(value: object) -> bool:
    """Dividing by such a number is multiplying by another one exactly."""
    if not isinstance(value, int | float) or not value or not math.isfinite(value):
        return False
    return math.frexp(abs(value))[0] == 0.5 and _LEAST_EXPONENT <= abs(value) <= _MOST_EXPONENT


def same_bits_eagerly(node: gast.AST, facts: Facts) -> bool:
    """Does nothing but the operations themselves decide about bits here: no graph that rewrites them, no gradient that is added up?"""
    return facts.mode(node) is Mode.EAGER and facts.only_eager(node) and not ever_taped(node, facts)
