"""Between which numbers the elements of a value lie, from the literals that it is made of.

NumPy warns of what overflows and of what is no number, where TensorFlow is silent: only of computations whose every step
stays within what its dtype holds is it known that the two look the same from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import DEFINITIONS, LOOPS, parameters
from tfrewrite.kinds import Kind, Sort
from tfrewrite.ops.intervals import Range, negative, power, square
from tfrewrite.ops.operators import of_operator
from tfrewrite.outcomes import Refusal

# Far from what the dtype holds: what is computed on the way, and rounding, stays below it.
_LARGEST = {"float32": 1e36, "float64": 1e290}
_LARGEST_INT = 2.0**31
_NORMAL_WITHIN = 6.0  # standard deviations: TensorFlow makes normal numbers of uniform ones that are at least 1e-7
_ROUNDING = 1e-6  # more than one operation of float32 is off by
_VANISHING = 1e-30
_DEEPEST = 30


@dataclass(frozen=True)
class Ranges:
    """What the values of one program may be. Of names that a loop gives, the definitions in it are left out."""

    facts: Facts
    loop: gast.AST

    def of(self, node: gast.AST, known: Mapping[str, Range], deep: int = 0) -> Range | Refusal:
        """The range of an expression, where the names that change are in these ranges."""
        kind = self.facts.kind(node)
        if deep > _DEEPEST or kind.sort not in (Sort.TENSOR, Sort.NUMBER, Sort.LIST, Sort.TUPLE):
            return Refusal(node, Code.UNKNOWN_VALUE, "is not known to lie in any bounds")
        match node:
            case gast.Name(id=name) if name in known:
                return known[name]
            case gast.Name():
                origin = self.origin(node)
                given = None if origin is None else self.of(origin, {}, deep + 1)
                return given if isinstance(given, tuple) else Refusal(node, Code.UNKNOWN_VALUE, "may be anything")
            case gast.Constant(value=bool()):
                return Refusal(node, Code.UNKNOWN_VALUE, "is no number")
            case gast.Constant(value=int() | float() as value):
                return self._within((float(value), float(value)), node, kind)
            case gast.List(elts=[_, *_] as members) | gast.Tuple(elts=[_, *_] as members):
                return self._joined(members, node, known, deep)
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self._computed(negative, [operand], node, known, deep)
            case gast.BinOp(left=left, op=gast.Pow(), right=gast.Constant(value=2 | 3 as exponent)):
                return self._computed(lambda x: power(x, int(exponent)), [left], node, known, deep)
            case gast.BinOp(left=left, op=gast.Mult(), right=right) if self.facts.same_object(left, right):
                return self._computed(square, [left], node, known, deep)
            case gast.BinOp(left=left, op=op, right=right) if (interval := of_operator(op).interval) is not None:
                return self._computed(interval, [left, right], node, known, deep)
            case gast.Call():
                return self._call(node, known, deep)
        return Refusal(node, Code.UNKNOWN_VALUE, "is not known to lie in any bounds")

    def changed(self, target: gast.Name, op: gast.operator, value: gast.expr, known: Mapping[str, Range]) -> Range | Refusal:
        """The range of a name after `name += value`."""
        before, other = known.get(target.id), self.of(value, known)
        if isinstance(other, Refusal):
            return other
        interval = of_operator(op).interval
        found = interval(before, other) if before is not None and interval is not None else None
        return (
            Refusal(value, Code.OVERFLOW, "may leave its bounds") if found is None else self._within(found, target, self.facts.kind(target))
        )

    def _call(self, call: gast.Call, known: Mapping[str, Range], deep: int) -> Range | Refusal:
        row = self.facts.op(call)
        arguments = self.facts.arguments(call) or {}
        match row.name:
            case "zeros" | "zeros_like":
                return 0.0, 0.0
            case "ones" | "ones_like":
                return 1.0, 1.0
            case "eye":
                return 0.0, 1.0
            case "fill" | "constant" | "convert_to_tensor" if "value" in arguments:
                return self.of(arguments["value"], known, deep + 1)
            case "random.normal" | "random.truncated_normal" | "random.uniform":
                return self._random(call, row.name, arguments)
            case "reduce_sum" if "x" in arguments:
                whole, part = self.facts.kind(arguments["x"]).size, self.facts.kind(call).size
                if whole and part:
                    times = whole // part
                    return self._computed(lambda x: (x[0] * times, x[1] * times), [arguments["x"]], call, known, deep)
            case _ if row.interval is not None:
                operands = [arguments[one] for one in ("x", "y") if one in row.parameters and one in arguments]
                if len(operands) == len({"x", "y"}.intersection(row.parameters)):
                    return self._computed(row.interval, operands, call, known, deep)
        return Refusal(call, Code.UNKNOWN_VALUE, "is not known to lie in any bounds")

    def _random(self, call: gast.Call, name: str, arguments: Mapping[str, gast.expr]) -> Range | Refusal:
        names = ("minval", "maxval") if name == "random.uniform" else ("mean", "stddev")
        first, second = (self.facts.kind(arguments[one]).value if one in arguments else float(place) for place, one in enumerate(names))
        if not isinstance(first, int | float) or not isinstance(second, int | float):
            return Refusal(call, Code.UNKNOWN_VALUE, "is not known to lie in any bounds")
        found = (first, second) if name == "random.uniform" else (first - _NORMAL_WITHIN * second, first + _NORMAL_WITHIN * second)
        return self._within((min(found), max(found)), call, self.facts.kind(call))

    def _joined(self, members: list[gast.expr], node: gast.AST, known: Mapping[str, Range], deep: int) -> Range | Refusal:
        found = [self.of(one, known, deep + 1) for one in members]
        if doubt := next((one for one in found if isinstance(one, Refusal)), None):
            return doubt
        ranges = [one for one in found if not isinstance(one, Refusal)]
        return min(low for low, _ in ranges), max(high for _, high in ranges)

    def _computed(
        self, function: Callable[..., Range | None], operands: list[gast.expr], node: gast.AST, known: Mapping[str, Range], deep: int
    ) -> Range | Refusal:
        ranges = []
        for operand in operands:
            found = self.of(operand, known, deep + 1)
            if isinstance(found, Refusal):
                return found
            ranges.append(found)
        result = function(*ranges)
        return Refusal(node, Code.NOT_FINITE, "may be undefined") if result is None else self._within(result, node, self.facts.kind(node))

    def _within(self, found: Range, node: gast.AST, kind: Kind) -> Range | Refusal:
        """The range with room for rounding, if the dtype holds all of it."""
        low, high = found[0] - abs(found[0]) * _ROUNDING, found[1] + abs(found[1]) * _ROUNDING
        whole = kind.sort is Sort.NUMBER and kind.dtype == "int"
        largest = _LARGEST_INT if whole else _LARGEST.get(kind.dtype or "", _LARGEST["float32"])
        if not -largest <= low <= high <= largest:
            return Refusal(
                node,
                Code.OVERFLOW,
                f"may be more than {kind.dtype if kind.sort is Sort.TENSOR else '32 bits' if whole else 'a float'} holds",
            )
        if 0 < low < _VANISHING or -_VANISHING < high < 0 or 0 < max(abs(low), abs(high)) < _VANISHING:
            return Refusal(node, Code.OVERFLOW, "may be so small that TensorFlow takes it for 0, and NumPy doesn't")
        return low, high

    def origin(self, use: gast.Name) -> gast.expr | None:
        """The expression that a name got its value from, before the loop: by one assignment, or as the argument of the only call."""
        scope = self.facts.scopes.names[use]
        owner = scope.lookup(use.id)
        if owner is None or use.id in owner.shared:
            return None
        definitions = self.facts.flow.definitions(use) if owner is scope else list(owner.bindings[use.id])
        before = [one for one in definitions or () if not any(around is self.loop for around in self.facts.scopes.ancestors(one))]
        if len(before) != 1:
            return None
        match self.facts.parent(before[0]):
            case gast.Assign(targets=[gast.Name() as target], value=value) if target is before[0]:
                repeated = any(isinstance(one, LOOPS) for one in self.facts.scopes.ancestors(before[0]))
                given: gast.expr = value
                return None if repeated or not self._given_before(target, owner is scope) else given
        return self._argument(before[0])

    def _given_before(self, target: gast.Name, own: bool) -> bool:
        """Is a global name, read by a function, certainly given once?"""
        return own or isinstance(self.facts.parent(self.facts.scopes.statement(target)), gast.Module)

    def _argument(self, parameter: gast.AST) -> gast.expr | None:
        holder = self.facts.parent(parameter)
        function = self.facts.parent(holder) if isinstance(holder, gast.arguments) else holder
        if not isinstance(function, DEFINITIONS) or not any(parameter is one for one in parameters(function)):
            return None
        calls = self.facts.callers.calls(function, self.facts.world.callers_believed)
        arguments = function.args
        if len(calls) != 1 or arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
            return None
        call = calls[0]
        if any(isinstance(one, gast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
            return None
        names = [one.id for one in arguments.args]
        defaults = dict(zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True))
        given = defaults | dict(zip(names, call.args, strict=False)) | {str(one.arg): one.value for one in call.keywords}
        found: gast.expr | None = given.get(getattr(parameter, "id", ""))
        return found
