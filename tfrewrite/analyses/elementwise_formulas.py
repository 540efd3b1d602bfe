"""Functions that compute one tensor, element by element, from tensors of its size, scalars and numbers.

Of these it is known what they hold in memory, however they run. XLA makes one loop over the elements of all of it, or a
few. A graph lets every operation write into the memory of the one before, as long as nothing else still needs that.
Measured on `[1000, 1000]` of float32, as MB held eagerly, in a graph, and compiled by XLA:

    y = square(x); z = y * 2; return z + 1                    12 ->  4 -> 4
    a = exp(x); b = exp(-x); return (a - b) / (a + b)         20 -> 16 -> 4
    (x - y) * (x + y) + x * y                                 12 -> 12 -> 4
    where(x > 0, x * 2, exp(x))                               13 ->  9 -> 4
    28 random formulas of 4 to 12 operations                  12 to 17 in a graph -> 4, three of them 8
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import gast

from tfrewrite.analyses.appended_lists import ever_taped
from tfrewrite.analyses.trace_effects import changing
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import Function
from tfrewrite.kinds import ITEM_BYTES, LARGEST_SUMMAND, Sort
from tfrewrite.ops import op
from tfrewrite.ops.operators import of_operator
from tfrewrite.ops.row import DECIDED, UNKNOWN_OP, Op
from tfrewrite.outcomes import Refusal

MOST_OPERATIONS = 12  # that XLA is known to make one or two loops of
LEAST_BYTES = 4_000_000
"""Of the result, from where on it pays: to call a graph takes 0.1 ms longer, and to compile one by XLA takes 2 to 8 MB once."""

_WATCHED = ("run_functions_eagerly", "enable_check_numerics", "enable_dump_debug_info")


@dataclass(frozen=True)
class Obstacle:
    """Where a function is something else, and half a sentence why. `differs`: as a graph it might not mean the same."""

    why: Refusal
    differs: bool = False


@dataclass(frozen=True)
class Formula:
    """What the function computes: a tensor of `size` bytes. `slow` is why XLA would take longer for it."""

    size: int
    operations: int
    forks: bool
    """Are two computed tensors needed at once, so that a graph holds more than the result?"""
    slow: str


@dataclass(eq=False)
class _Value:
    """A value on the way: computed here of the result's shape, or given. `by` is the operation that computed it."""

    node: gast.AST
    whole: bool
    by: Op = UNKNOWN_OP


@dataclass
class _Reader:
    function: Function
    facts: Facts
    names: dict[str, _Value] = field(default_factory=dict)
    uses: Counter[_Value] = field(default_factory=Counter)
    """Of each computed value: how many operations read it."""
    operations: int = 0
    meets: bool = False
    slow: str = ""
    wrong: Obstacle | None = None
    shape: tuple[object, ...] | None = None
    dtype: str | None = None

    def fail(self, why: Refusal, differs: bool = False) -> _Value:
        if self.wrong is None:
            self.wrong = Obstacle(why, differs)
        return _Value(why.node, False)

    def short(self, node: gast.AST, otherwise: str = "it") -> str:
        return self.facts.edit.short(node, otherwise)

    def value(self, node: gast.AST) -> _Value:
        match node:
            case gast.Name(id=name):
                return self.names[name] if name in self.names else self._given(node)
            case gast.Constant() | gast.UnaryOp(operand=gast.Constant()) if self.facts.kind(node).sort is Sort.NUMBER:
                return _Value(node, False)
            case gast.BinOp(left=left, op=op, right=right):
                return self._operation(of_operator(op), node, [left, right])
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self._operation(self.facts.op(node), node, [operand])
            case gast.Compare(left=left, ops=[op], comparators=[right]):
                return self._operation(of_operator(op), node, [left, right])
            case gast.Call():
                return self._call(node)
        return self.fail(Refusal(node, Code.FORM, "it is more than an operation on all elements"))

    def _given(self, name: gast.Name) -> _Value:
        """A parameter, or something from outside that is the same in every call."""
        owner = self.facts.scopes.names[name].lookup(name.id)
        own = self.facts.scopes.of[self.function]
        if owner is None or owner is not own and (reason := changing(name.id, owner, self.facts)):
            if owner is None:
                return self.fail(Refusal(name, Code.UNKNOWN_VALUE, f"where {name.id} comes from is not known"), True)
            return self.fail(Refusal(name, Code.MAY_CHANGE, f"it reads {name.id}, and {reason}"), True)
        kind = self.facts.kind(name)
        if owner is not own and kind.sort is not Sort.TENSOR and not (kind.sort is Sort.NUMBER and kind.value is not None):
            return self.fail(Refusal(name, Code.UNKNOWN_VALUE, f"it reads {name.id}, which is not known to be a tensor"), True)
        return _Value(name, False)

    def _call(self, call: gast.Call) -> _Value:
        name = self.facts.called(call)
        if name == "builtins.abs" and len(call.args) == 1 and not call.keywords:
            return self._operation(op("tensorflow.abs"), call, call.args)
        arguments = self.facts.arguments(call) if name is not None and name.startswith("tensorflow.") else None
        if name is None or arguments is None:
            return self.fail(
                Refusal(call, Code.UNKNOWN_CALL, f"what {self.short(call.func, 'a function')} does with tensors is not known"), True
            )
        operands = [one for key, one in arguments.items() if key not in ("dtype", "name")]
        return self._operation(op(name), call, operands)

    def _operation(self, row: Op, node: gast.AST, operands: Sequence[gast.expr]) -> _Value:
        values = [self.value(one) for one in operands]
        if self.wrong is not None:
            return _Value(node, False)
        if why := self._differs(node, row, values):
            return self.fail(why, differs=True)
        if row.slow_in_xla:
            self.slow = self.slow or f"XLA takes longer for tf.{row.name} than TensorFlow does: {row.slow_in_xla} for a million numbers"
        elif not row.is_fused and not (row.name == "pow" and _is_square(operands)):
            return self.fail(Refusal(node, Code.UNKNOWN_CALL, "it is not known to work element by element"))
        if why := self._misfit(node, values):
            return self.fail(why)
        computed = {one for one in values if one.whole}
        self.meets = self.meets or len(computed) > 1
        self.uses.update(computed)
        self.operations += 1
        return _Value(node, True, row)

    def _misfit(self, node: gast.AST, values: Sequence[_Value]) -> Refusal | None:
        """Every tensor has the shape of the result, or is a scalar, and all are of one dtype (but for what is compared)."""
        kind = self.facts.kind(node)
        kinds = [(one, self.facts.kind(one.node)) for one in values]
        if kind.sort is not Sort.TENSOR or kind.size is None or kind.dtype is None:
            return Refusal(
                node, Code.UNKNOWN_SHAPE, f"{self.short(node, 'an intermediate')} is not known to be a tensor of one dtype and size"
            )
        if self.shape is None:
            self.shape = kind.shape if isinstance(kind.shape, tuple) else None
        for value, operand in ((None, kind), *kinds):
            if operand.sort is Sort.NUMBER and operand.value is not None:
                continue
            shown = self.short(value.node if value is not None else node, "an operand")
            if operand.sort is not Sort.TENSOR or operand.dtype is None:
                return Refusal(node, Code.UNKNOWN_DTYPE, f"{shown} is not known to be a tensor of one dtype")
            if operand.shape != self.shape and not (operand.shape == () and value is not None):
                return Refusal(node, Code.OTHER_SHAPE, f"{shown} has not the shape of the result, or isn't known to have")
            if operand.dtype not in ("float32", "float64", "bool"):
                return Refusal(node, Code.OTHER_DTYPE, f"{shown} is of {operand.dtype}: that was not measured")
            if operand.dtype != "bool":
                self.dtype = self.dtype or operand.dtype
                if operand.dtype != self.dtype:
                    return Refusal(node, Code.OTHER_DTYPE, f"{shown} is of {operand.dtype}, and others are of {self.dtype}")
        return None

    def _differs(self, node: gast.AST, row: Op, values: Sequence[_Value]) -> Refusal | None:
        """Where compilers compute something that is further off than rounding."""
        # A rounding error before them becomes a whole number after: floor(1 / x) is 1 eagerly for x = 1, and 0 in a graph.
        if row.is_fused and row.error == DECIDED and any(one.whole for one in values):
            return Refusal(
                node,
                Code.PRECISION,
                f"tf.{row.name} turns a rounding error into another integer, and what compilers compute before it is rounded differently",
            )
        text = self.facts.source.text_of
        if row.name not in ("multiply", "add") and len(values) == 2 and text(values[0].node) == text(values[1].node):
            return Refusal(
                node, Code.NOT_FINITE, "compilers know the result whatever the number is, and take it for NaN and infinities too"
            )
        inner = values[-1] if row.divides else values[0]
        if row.undoes and inner.by.is_undone:
            return Refusal(
                node,
                Code.NOT_FINITE,
                f"compilers cancel tf.{row.name} and its inverse: log(exp(1000.0)) is 1000 to them, and infinite to eager code",
            )
        if row.adds:
            for one in values:
                number = self.facts.kind(one.node)
                if number.sort is Sort.NUMBER and not (isinstance(number.value, int | float) and 0 < abs(number.value) <= LARGEST_SUMMAND):
                    return Refusal(
                        node,
                        Code.PRECISION,
                        "a graph adds numbers up before it adds them to a tensor: (x + 1e8) - 1e8 is x, and 0.0 is left out",
                    )
        return None


def formula(function: gast.FunctionDef, facts: Facts) -> Formula | Obstacle:
    """What the function computes if it is nothing but a formula; else the first thing that is something else."""
    reader = _Reader(function, facts)
    statements = [one for one in function.body if not _is_docstring(one)]
    for statement in statements[:-1]:
        match statement:
            case (
                gast.Assign(targets=[gast.Name(id=name)], value=value)
                | gast.AnnAssign(target=gast.Name(id=name), value=gast.AST() as value)
            ):
                reader.names[name] = reader.value(value)
            case _:
                reader.fail(Refusal(statement, Code.FORM, f"{reader.short(statement, 'a statement')} is no assignment to a name"), True)
    last = statements[-1] if statements else function
    if not isinstance(last, gast.Return) or last.value is None:
        reader.fail(Refusal(last, Code.FORM, "it doesn't end by returning one tensor"), True)
        assert reader.wrong is not None
        return reader.wrong
    result = reader.value(last.value)
    if reader.wrong is None and not result.whole:
        reader.fail(Refusal(last, Code.OTHER_NAMES, "it returns its argument, which would be another object"), True)
    if reader.wrong is not None:
        return reader.wrong
    kind = facts.kind(result.node)
    assert kind.size is not None and kind.dtype is not None
    forks = reader.meets or any(count > 1 for count in reader.uses.values()) or reader.uses[result] > 0
    return Formula(kind.size * ITEM_BYTES[kind.dtype], reader.operations, forks, reader.slow)


def why_not_alone(function: gast.FunctionDef, facts: Facts) -> Refusal | None:
    """Why a function may be called otherwise than the file shows: elsewhere, in another graph, under a tape. None where it can't be."""
    callers, name = facts.callers, function.name
    if callers.is_held(function):
        if facts.mode(function.body[0]) is not Mode.EAGER:
            return Refusal(function, Code.IN_GRAPH, f"{name} is part of a graph already, which is compiled as it was asked for")
        return (
            Refusal(function, Code.UNDER_TAPE, "a tape records it, and keeps all of its steps for the gradient, compiled or not")
            if facts.taped(function.body[0])
            else None
        )
    calls = callers.calls(function, facts.world.callers_believed)
    if not callers.calls(function, True):
        return Refusal(
            function, Code.CALLERS_UNKNOWN, f"{name} is passed to something, or nothing calls it: what it is called with is not known"
        )
    if not calls or not (callers.is_script or facts.world.callers_believed):
        return Refusal(function, Code.CALLERS_UNKNOWN, f"others may call {name}, with tensors of other sizes or under a tape")
    mapped = any(one.call is not None and callers.maps_rows(one.call, function) for one in callers.references(function))
    if mapped or any(facts.mode(call) is not Mode.EAGER or not facts.only_eager(call) for call in calls):
        return Refusal(function, Code.IN_GRAPH, f"{name} may be part of another graph, where it is compiled with what is around it")
    if any(ever_taped(call, facts) for call in calls):
        return Refusal(function, Code.UNDER_TAPE, f"a tape may record {name}, and keeps all of its steps for the gradient, compiled or not")
    if watched := next((one for one in _WATCHED if one in facts.source.text), None):
        return Refusal(function, Code.SETTINGS, f"{watched} looks at single operations, which don't exist once they are compiled together")
    return None


def _is_docstring(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)


def _is_square(operands: Sequence[gast.expr]) -> bool:
    """`x ** 2`, which is x * x to everybody; x ** 0.5 of minus infinity depends on who computes it."""
    return len(operands) == 2 and isinstance(operands[1], gast.Constant) and operands[1].value in (2, 2.0)
