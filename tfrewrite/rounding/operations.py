"""Which operations of code that is compiled may be rounded otherwise than eager code rounds them.

An operation alone keeps its bits or doesn't, as its row says. Together they are rewritten: a graph multiplies by the reciprocal of a
constant, adds constants up before it adds them to a tensor, sorts the parts of a sum by their shapes; XLA takes a product and a sum
in one rounding. So every operation is looked at with those that its operands come from, through names and calls.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import FUNCTIONS, Function, bound_arguments, walk_within
from tfrewrite.kinds import FLOATS, LARGEST_SUMMAND, Kind, Sort, same_shape
from tfrewrite.ops import op
from tfrewrite.ops.operators import of_operator
from tfrewrite.ops.row import SETTLED, Bits, Op
from tfrewrite.outcomes import Refusal

# Of Python's functions: which operation they are between tensors.
_BUILTINS = {
    "builtins.abs": "abs", "builtins.pow": "pow", "builtins.sum": "add_n", "builtins.max": "maximum", "builtins.min": "minimum",
}  # fmt: skip
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
    """An operation, and what it computes with."""

    node: gast.AST
    row: Op
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


def changed_by_numbers(
    statements: Sequence[gast.AST], facts: Facts, backend: Backend, numbers: Mapping[str, str]
) -> tuple[tuple[gast.AST, ...], Refusal | None]:
    """What two graphs round otherwise of which one knows these numbers, as constants, and the other is handed them as tensors.

    And the first operation that one of them makes something of that is further off than rounding.
    """
    nodes = _nodes([*statements, *_called_by(statements, facts)])
    known, handed = (_reader(statements, facts, backend, each, None, False, ()) for each in (None, numbers))
    known.constants = frozenset(numbers)
    concerned = [one for one in nodes if (known.may_change(one) or handed.may_change(one)) and known.depends(one, numbers)]
    for node in nodes:
        operation = known.operation(node)
        if operation is not None and known.depends(node, numbers):
            if refusal := known.simplified(operation) or handed.simplified(operation):
                return tuple(map(_value, concerned)), refusal
    return tuple(dict.fromkeys(map(_value, concerned))), None


def changed_beside(
    statements: Sequence[gast.AST],
    facts: Facts,
    backend: Backend,
    numbers: Mapping[str, str] | None,
    around: gast.AST,
    beside: Sequence[gast.AST] = (),
) -> tuple[tuple[gast.AST, ...], Refusal | None]:
    """What a graph makes of a loop's iterations together with each other and with the function around, and not of one iteration alone.

    Unrolled, `total + x[i]` and the `total + 1` behind the loop are one sum, whose parts are sorted. First what is rounded otherwise in
    the function around, then the first operation that is further off than rounding.
    """
    own = frozenset(_nodes([*statements, *beside]))
    whole = _reader(statements, facts, backend, numbers, around, False, beside)
    alone = _reader(statements, facts, backend, numbers, None, True, beside)
    rest = _reader([one for one in _nodes([around]) if one not in own], facts, backend, None, None, False, ())
    rest.inside -= own
    outside = [one for one in _nodes([around]) if one not in own]
    rounded = [
        _value(one)
        for one in outside
        if whole.may_change(one) and (whole.goes_on(one, own) or whole.folds(one) or not rest.may_change(one))
    ]
    for nodes, apart in ((_nodes(statements), alone), (outside, rest)):
        for operation in filter(None, map(whole.operation, nodes)):
            if (refusal := whole.taken_together(operation)) and not apart.taken_together(operation):
                return tuple(dict.fromkeys(rounded)), refusal
    return tuple(dict.fromkeys(rounded)), None


def _called_by(statements: Sequence[gast.AST], facts: Facts) -> list[gast.AST]:
    """The functions of the file that statements call, and those that these call."""
    found: list[gast.AST] = []
    waiting = list(statements)
    while waiting:
        for node in _nodes([waiting.pop()]):
            function = facts.function_called(node) if isinstance(node, gast.Call) else None
            if function is not None and function not in found:
                found.append(function)
                waiting.append(function)
    return found


def beyond_rounding(
    statements: Sequence[gast.AST],
    facts: Facts,
    backend: Backend,
    numbers: Mapping[str, str] | None = None,
    around: gast.AST | None = None,
    rolled: bool = False,
    beside: Sequence[gast.AST] = (),
) -> Refusal | None:
    """An operation that compilers make something of that is further off than rounding, and half a sentence why."""
    reader = _reader(statements, facts, backend, numbers, around, rolled, beside)
    for node in _nodes(statements):
        operation = reader.operation(node)
        if operation is not None and (refusal := reader.simplified(operation)):
            return refusal
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
    constants: frozenset[str] = frozenset()
    """Names that stand for numbers, whatever else is known of them."""
    """The statements that were asked about, less the functions that they call."""
    _seen: dict[gast.AST, list[Operation]] = field(default_factory=dict)
    _made: dict[gast.AST, bool] = field(default_factory=dict)

    def may_change(self, node: gast.AST) -> bool:
        operation = self.operation(node)
        if operation is None or not self.is_float(operation):
            return False
        if all(self._is_python(one) for one in operation.operands) and operation.operands:
            return self._becomes_tensor(operation)
        bits = operation.row.bits
        match self.backend:
            case Backend.NUMPY:
                return bits < Bits.EVERYWHERE
            case Backend.GRAPH:
                return bits < Bits.IN_GRAPHS or self._changes_in_graph(operation)
            case Backend.XLA:
                return bits < Bits.IN_XLA or self._changes_by_xla(operation)

    def folds(self, node: gast.AST) -> bool:
        """May a graph put constants in a row together, `x * 0.9 * 0.9`? Which of many it does depends on all that the graph holds."""
        operation = self.operation(node)
        known = operation is not None and self.is_float(operation) and not all(map(self._is_python, operation.operands))
        return self.backend is Backend.GRAPH and operation is not None and known and self._changes_in_graph(operation)

    def operation(self, node: gast.AST) -> Operation | None:
        match node:
            case gast.BinOp(left=left, op=gast.BitAnd() | gast.BitOr() | gast.BitXor() | gast.LShift() | gast.RShift()):
                return None
            case gast.BinOp(left=left, op=operator, right=right):
                return Operation(node, of_operator(operator), (left, right))
            case gast.AugAssign(op=gast.BitAnd() | gast.BitOr() | gast.BitXor() | gast.LShift() | gast.RShift()):
                return None
            case gast.AugAssign(target=target, op=operator, value=value):
                return Operation(node, of_operator(operator), (target, value))
            case gast.UnaryOp(op=gast.Invert() | gast.Not(), operand=operand):
                return Operation(node, op("tensorflow.logical_not"), (operand,))
            case gast.UnaryOp(op=operator, operand=operand):
                return Operation(node, of_operator(operator), (operand,))
            case gast.Call():
                return self._call(node)
        return None

    def _call(self, call: gast.Call) -> Operation | None:
        name = self.facts.called(call) or ""
        if name in _BUILTINS:
            return Operation(call, op(f"tensorflow.{_BUILTINS[name]}"), tuple(call.args))
        if not name.startswith("tensorflow."):
            match call.func:
                case gast.Attribute(value=owner, attr="assign_add" | "assign_sub" as method):
                    return Operation(call, op(f"tensorflow.{method}"), (owner, *call.args))
            return None
        values = [
            *call.args,
            *(one.value for one in call.keywords if one.arg not in ("axis", "name", "dtype", "keepdims", "perm", "shape")),
        ]
        members = [each for one in values for each in (one.elts if isinstance(one, gast.List | gast.Tuple) else [one])]
        return Operation(call, op(name), tuple(members))

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
        if isinstance(node, gast.Name) and node.id in self.constants:
            return True
        if kind.sort is Sort.ARRAY:
            return True
        if kind.sort is Sort.NUMBER:
            return not {one.id for one in gast.walk(node) if isinstance(one, gast.Name)} & self.numbers
        if node in self._made:
            return self._made[node]
        self._made[node] = False  # while it is found out: what is computed from itself is no constant
        self._made[node] = any(self._is_made(one) for one in self._sources(node))
        return self._made[node]

    def _is_made(self, node: gast.AST) -> bool:
        """Is a tensor made there of nothing but numbers that stand in the code, and of sizes, which the graph knows?"""
        if node not in self.inside:
            return False
        row = self.facts.op(node)
        if row.creates or row.error == SETTLED:
            return True
        operation = self.operation(node) if row.is_pure or row.is_operator else None
        # A dtype is no operand.
        operands = [] if operation is None else [one for one in operation.operands if self.facts.names(one) is None]
        return bool(operands) and all(map(self._constant, operands))

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
                if self.facts.op(node).bits is Bits.EVERYWHERE:
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
            found = [one for one in map(self.operation, self._sources(node)) if one is not None and one.row.bits is not Bits.EVERYWHERE]
            self._seen[node] = [one for one in found if self.is_float(one) and not all(map(self._is_python, one.operands))]
        return self._seen[node]

    def depends(self, node: gast.AST, names: Collection[str]) -> bool:
        """Is an operation computed from one of these names?"""
        waiting, seen = [node], set[gast.AST]()
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if isinstance(one, gast.Name) and one.id in names:
                return True
            operation = self.operation(one)
            waiting += operation.operands if operation is not None else ()
            waiting += [each for each in self._sources(one) if each is not one]
        return False

    # What is rewritten together

    def _changes_in_graph(self, operation: Operation) -> bool:
        row, operands = operation.row, operation.operands
        before = [each for one in operands for each in self.operations_before(one)]
        rows = [one.row for one in before]
        constants = [one for one in operands if self._constant(one)]
        rooted = any(one.takes_root for one in rows)
        if row.divides and len(operands) > 1:
            over, under = operands[:2]
            if under in constants and not _is_power_of_two(self._kind(under).value):
                return True  # a product with the reciprocal
            if over in constants and self._kind(over).value not in _OTHER_NUMERATORS:
                return True  # 1 / x has an operation of its own
            if rooted:
                return True
        if (row.adds and any(one.adds for one in rows)) or (_is_quotient(row) and any(map(_is_quotient, rows))):
            return True  # brackets move: towards constants, smaller shapes, equal parts
        if (row.takes_extreme or row.joins) and not all(one.is_position_free for one in rows):
            return True  # max(exp(x)) is exp(max(x)), of another place in its tensor
        if not row.is_position_free and any(self._comes_by(one, lambda other: other.splits) for one in operands):
            return True
        if row.name == "multiply" and (rooted or any(one.name in ("sigmoid", "tanh", "math.erf") for one in rows)):
            return True
        convolved = [one for one in rows if one.contracts and one.name != "matmul"]
        if row.contracts and row.name != "matmul" and constants and any(map(_is_quotient, rows)):
            return True  # the factor moves into the filter
        if _is_quotient(row) and constants and convolved:
            return True
        if row.name in ("matmul", "linalg.matvec") and (
            constants or any(self._comes_by(one, lambda other: other.transposes) for one in operands)
        ):
            return True
        if row.name in ("add", "multiply") and any(one.row.name == "matmul" and self._kind(one.node).rank != 2 for one in before):
            return True
        return row.is_activation and self._is_fused(before) or (row.name == "math.reciprocal" and rooted)

    def _is_fused(self, before: Iterable[Operation]) -> bool:
        """Is it a function of a product with a bias, which have one kernel together? (A bias is smaller than the product.)"""
        for one in before:
            products = [each for each in one.operands if self._from(each, lambda other: other.contracts)]
            shape = self._kind(_value(one.node)).shape
            whole = isinstance(shape, tuple) and all(same_shape(self._kind(each).shape, shape) for each in one.operands)
            if one.row.adds and products and not whole:
                return True
        return False

    def _changes_by_xla(self, operation: Operation) -> bool:
        row, operands = operation.row, operation.operands
        before = [each for one in operands for each in self.operations_before(one)]
        rows = [one.row for one in before]
        constants = [one for one in operands if self._constant(one)]
        if row.divides and len(operands) > 1:
            if operands[1] in constants and not _is_power_of_two(self._kind(operands[1]).value):
                return True
            if any(one.divides or one.takes_root or one.name == "exp" for one in rows):
                return True
        if (row.adds or row.name == "math.squared_difference") and any(map(_is_quotient, rows)):
            return True  # a product and a sum are rounded once
        if (row.adds and any(one.adds for one in rows)) or (_is_quotient(row) and any(map(_is_quotient, rows))):
            return bool(constants) or any(self._with_constant(one) for one in before)
        powers = any((one.takes_root or one.multiplies or one.name == "exp") and one.name != "multiply" for one in rows)
        return row.name in ("multiply", "sqrt", "square") and powers

    def goes_on(self, node: gast.AST, nodes: Collection[gast.AST]) -> bool:
        """Is it a sum one of whose parts is a sum of these, or a product of such a product?

        tf.add_n adds in another order where it may work in the memory of one of its parts.
        """
        operation = self.operation(node)
        if operation is None:
            return False
        if operation.row.name == "add_n":
            return any(one in nodes for each in operation.operands for one in self._sources(each))
        before = [one.row for each in operation.operands for one in self.operations_before(each) if one.node in nodes]
        return any((operation.row.adds and one.adds) or (_is_quotient(operation.row) and _is_quotient(one)) for one in before)

    # What is further off than rounding

    def simplified(self, operation: Operation) -> Refusal | None:
        row, operands = operation.row, operation.operands
        if all(self._is_python(one) for one in operands):
            return None
        if row.name == "logical_not":
            return self._negated(operation.node, operands[0])
        if row.is_along_axes and self._kind(operands[0]).rank in (0, None):
            return Refusal(
                operation.node,
                Code.RAISES,
                f"of a scalar tf.{row.name} raises another error in a graph, or one that eager code doesn't raise",
            )
        if not self.is_float(operation):
            return None
        halves = [one for one in (*operands, _value(operation.node)) if self._kind(one).dtype in ("float16", "bfloat16")]
        if halves and self.may_change(operation.node):
            return Refusal(
                operation.node, Code.PRECISION, f"{self._kind(halves[0]).dtype} has so few digits that another rounding is another number"
            )
        before = [each for one in operands for each in self.operations_before(one)]
        constants = [one for one in operands if self._constant(one)]
        return self._folded(operation.node, row, before, constants) or self.taken_together(operation)

    def taken_together(self, operation: Operation) -> Refusal | None:
        """Where compilers take an operation together with the one before it."""
        row, operands = operation.row, operation.operands
        if all(map(self._is_python, operands)) or not self.is_float(operation):
            return None
        before = [each for one in operands for each in self.operations_before(one)]
        constants = [one for one in operands if self._constant(one)]
        by_compiler = self._by_xla if self.backend is Backend.XLA else self._by_graph
        return self._undone(operation.node, row, before, constants) or by_compiler(operation.node, row, operands, before)

    def _negated(self, node: gast.AST, operand: gast.AST) -> Refusal | None:
        """A graph takes `not x > y` for `x <= y`."""
        for one in self._sources(operand):
            match one:
                case gast.Compare(left=left, ops=[gast.Lt() | gast.LtE() | gast.Gt() | gast.GtE()]):
                    pass
                case gast.Call(args=[left, *_]) if self.facts.op(one).compares:
                    pass
                case _:
                    continue
            if not self._kind(left).finite:
                return Refusal(node, Code.NOT_FINITE, "a graph takes `not x > y` for `x <= y`, which isn't so for NaN")
        return None

    def _folded(self, node: gast.AST, row: Op, before: Sequence[Operation], constants: Sequence[gast.AST]) -> Refusal | None:
        """Constants that meet each other before they meet a tensor."""
        if row.adds and constants:
            sums = [one for one in before if one.row.adds]
            parts = [*constants, *(each for one in sums for each in one.operands if self._constant(each))]
            if any(map(self._with_constant, sums)) and not all(map(self._is_moderate, parts)):
                return Refusal(
                    node, Code.PRECISION, "compilers add numbers up before they add them to a tensor: (x + 1e8) - 1e8 is x to them"
                )
        if _is_quotient(row) and constants:
            quotients = [one for one in before if _is_quotient(one.row)]
            parts = [*constants, *(each for one in quotients for each in one.operands if self._constant(each))]
            if any(map(self._with_constant, quotients)) and any(map(self._is_extreme, parts)):
                return Refusal(
                    node,
                    Code.NOT_FINITE,
                    "compilers multiply numbers before they multiply a tensor by them, and avoid an infinity in between",
                )
        if (row.multiplies or row.name in ("add", "subtract")) and any(self._kind(one).value == 0 for one in constants):
            return Refusal(node, Code.NOT_FINITE, "compilers leave out 0 * x and x + 0, and x may be NaN, infinite or -0.0")
        return None

    def _undone(self, node: gast.AST, row: Op, before: Sequence[Operation], constants: Sequence[gast.AST]) -> Refusal | None:
        """A function that is taken together with another one."""
        powers = any((one.row.is_exponential or one.row.takes_root) and one.row.name != "sigmoid" for one in before)
        if row.name in ("math.log", "math.log1p") and powers:
            return Refusal(
                node,
                Code.NOT_FINITE,
                "compilers cancel a logarithm and its inverse: log(exp(1000.0)) is 1000 to them, and infinite to eager code",
            )
        if row.name == "math.log" and any(one.row.adds and self._with_constant(one) for one in before):
            return Refusal(node, Code.PRECISION, "a graph takes log(1 + x) for log1p(x), which has other digits near zero")
        if row.adds and constants and any(one.row.name == "exp" for one in before):
            return Refusal(node, Code.PRECISION, "a graph takes exp(x) - 1 for expm1(x), which has other digits near zero")
        return None

    def _by_graph(self, node: gast.AST, row: Op, operands: Sequence[gast.AST], before: Sequence[Operation]) -> Refusal | None:
        if row.name in ("maximum", "minimum") and any(one.row.adds or one.row.multiplies for one in before) and self._share(operands):
            return Refusal(node, Code.PRECISION, "oneDNN takes maximum(x, 2 * x) for a leaky relu, which it isn't")
        if row.name in ("nn.relu", "nn.relu6") and self._is_fused(before) and not all(self._kind(one).finite for one in operands):
            return Refusal(node, Code.NOT_FINITE, "oneDNN takes a product, a bias and relu together, and gives 0 for NaN")
        if row.takes_extreme and any(one.row.is_partial for one in before):
            return Refusal(
                node, Code.NOT_FINITE, "a graph takes the largest number before its root or logarithm, and leaves the NaN of the others out"
            )
        return None

    def _by_xla(self, node: gast.AST, row: Op, operands: Sequence[gast.AST], before: Sequence[Operation]) -> Refusal | None:
        if row.name == "math.floordiv" and len(operands) > 1 and self._constant(operands[1]):
            return Refusal(
                node, Code.PRECISION, "XLA multiplies by the reciprocal before it rounds down, and may come to another whole number"
            )
        if row.name == "multiply" and len(operands) == 2 and all(self._from(one, _is_power) for one in operands):
            return Refusal(node, Code.NOT_FINITE, "XLA multiplies powers by adding up their exponents, and avoids an infinity in between")
        if row.divides and len(operands) > 1 and self._from(operands[1], lambda other: other.divides or other.name in ("exp", "pow")):
            return Refusal(node, Code.NOT_FINITE, "XLA divides by a quotient or a power by multiplying, and avoids an infinity in between")
        if row.divides and len(operands) > 1 and self._comes_by(operands[1], lambda other: other.signs_zero):
            return Refusal(node, Code.NOT_FINITE, "XLA gives a zero the other sign, and a quotient the other infinity")
        if row.name in ("sqrt", "math.rsqrt", "pow") and any(_is_power(one.row) or one.row.multiplies for one in before):
            return Refusal(node, Code.PRECISION, "XLA cancels roots and powers and their inverses")
        return None

    def _share(self, operands: Sequence[gast.AST]) -> bool:
        """Do two operands come from the same name?"""
        names = [{one.id for each in self._sources(side) for one in gast.walk(each) if isinstance(one, gast.Name)} for side in operands]
        return len(names) > 1 and bool(names[0] & names[1])

    def _from(self, operand: gast.AST, asked: Callable[[Op], bool]) -> bool:
        return any(asked(one.row) for one in self.operations_before(operand))

    def _is_moderate(self, node: gast.AST) -> bool:
        value = self._kind(node).value
        return isinstance(value, int | float) and abs(value) < LARGEST_SUMMAND

    def _is_extreme(self, node: gast.AST) -> bool:
        value = self._kind(node).value
        return isinstance(value, int | float) and not _SMALLEST_FACTOR < abs(value) < LARGEST_SUMMAND

    def _with_constant(self, operation: Operation) -> bool:
        return any(self._constant(one) for one in operation.operands)

    def _comes_by(self, node: gast.AST, asked: Callable[[Op], bool]) -> bool:
        """Does a value come through such a function, which only moves it?"""
        return any(asked(self.facts.op(one)) for one in self._sources(node) if isinstance(one, gast.Call))


def _is_quotient(row: Op) -> bool:
    return row.multiplies or row.divides


def _is_power(row: Op) -> bool:
    return row.is_exponential or row.takes_root


def _is_power_of_two(value: object) -> bool:
    """Dividing by such a number is multiplying by another one exactly."""
    if not isinstance(value, int | float) or not value or not math.isfinite(value):
        return False
    return math.frexp(abs(value))[0] == 0.5 and _LEAST_EXPONENT <= abs(value) <= _MOST_EXPONENT


def same_bits_eagerly(node: gast.AST, facts: Facts) -> bool:
    """Does nothing but the operations themselves decide about bits here: no graph that rewrites them, no gradient that is added up?"""
    return facts.mode(node) is Mode.EAGER and facts.only_eager(node) and not ever_taped(node, facts)
