"""Where a value goes whose last bits change: what decides by it, where its error grows, where it leaves the file.

A rewrite whose results are "equal to rounding" promises that nobody can tell the difference. That isn't so where a rounded value
decides: tf.floor(x / 41.0) is 2 or 3 for x = 123. So every value that is computed otherwise is followed through names,
attributes, containers, calls and returns to its end. The end is harmless where it is printed, returned to nobody, or a global of a
script. What isn't known to be harmless is taken for a decision.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import gast

from tfrewrite.analyses.array_memory import is_fresh
from tfrewrite.codes import Code
from tfrewrite.facts import Facts
from tfrewrite.facts.scopes import COMPREHENSIONS, FUNCTIONS, Function, Scope, parameters, walk_within
from tfrewrite.kinds import FLOATS, LARGEST_SUMMAND, Sort
from tfrewrite.ops import op
from tfrewrite.ops.operators import of_operator
from tfrewrite.ops.row import DECIDED, EXPONENT, MOVED, NOT_KNOWN, ROOTED, Bits, Effect, Op, Step
from tfrewrite.outcomes import Refusal
from tfrewrite.rounding.signs import is_never_negative
from tfrewrite.rounding.texts import braces_lose, percent_loses
from tfrewrite.rounding.training import only_trains, takes_gradient

_ABOUT_VALUES = ("shape", "dtype", "ndim", "size", "device", "name", "nbytes", "itemsize")
_OF_VALUES = ("T", "real", "values", "flat")
_SAME_METHODS = frozenset({
    "numpy", "item", "tolist", "copy", "reshape", "ravel", "flatten", "squeeze", "transpose", "get_shape", "set_shape", "read_value", "value",
    "swapaxes", "repeat",
})  # fmt: skip
_KEEPING = frozenset({"append", "extend", "insert", "appendleft"})
_ASSIGNING = frozenset({"assign", "assign_add", "assign_sub"})
_GIVING = frozenset({"pop", "popleft", "get", "items", "values", "keys", "stack", "concat", "read", "copy", "popitem"})
_LOGGING = ("logging.", "absl.logging.")
_BY_TEXT = frozenset({
    "getattr", "methodcaller", "attrgetter", "itemgetter", "vars", "__dict__", "__getattribute__", "__getattr__", "asdict", "astuple", "eval",
    "exec", "globals", "locals",
})  # fmt: skip
_ARITHMETIC = frozenset(
    {"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "divmod", "neg", "abs", "rray__", "array_ufunc"}
)
_READING_BACK = frozenset(
    {
        "Handler",
        "StreamHandler",
        "addHandler",
        "emit",
        "MemoryHandler",
        "redirect_stdout",
        "redirect_stderr",
        "StringIO",
        "capsys",
        "capfd",
        "stdout",
        "stderr",
        "tee",
        "dup",
        "dup2",
        "setLogRecordFactory",
    }
)
_SETTINGS_OF_RESULTS = frozenset({"axis", "keepdims", "dtype", "name", "perm", "transpose_a", "transpose_b"})
_LIBRARIES = ("tensorflow.", "numpy.", "math.", "builtins.", "statistics.")
_LARGEST_FACTOR, _LARGEST_OF_CANCELLED, _LARGEST_IN_EXPONENTS = 1000.0, 16.0, 1.0
_LARGEST_WHOLE, _LARGEST_POWER = 1_000_000, 10
_MOST_POWERS = 100.0
_MOST_VALUES = 5000
_PLAIN_NORMS = (None, 1, 2, "euclidean", "fro")


def reached(sources: Sequence[gast.AST], facts: Facts, zeros: bool = False) -> Refusal | None:
    """What makes another answer of these values, whose last bits change; None where nothing does.

    `zeros`: only the sign of a zero among them changes. Nothing but a division, an angle or an odd power shows that.
    """
    return _Follower(facts, zeros).follow(sources)


@dataclass
class _Value:
    """A value on its way. `cancelled`: its error may be large beside it."""

    node: gast.AST
    cancelled: bool
    source: gast.AST
    scale: float = 1.0
    """By what known numbers it was multiplied since it was rounded."""
    powers: float = 1.0
    """How often it is multiplied with itself: so often its relative error counts."""
    difference: bool = False
    """Is it made of a difference? Then it may be so small beside its error that a factor of any size shows it."""


_Arrival = tuple[gast.AST, Step]


@dataclass(eq=False)
class _Follower:
    facts: Facts
    zeros: bool = False
    known: dict[gast.AST, _Value] = field(default_factory=dict)
    waiting: list[gast.AST] = field(default_factory=list)
    links: dict[gast.AST, dict[gast.AST, bool]] = field(default_factory=dict)
    """From each value to those that are computed from it, and whether its error may grow on the way."""
    effects: dict[tuple[gast.AST, gast.AST], Effect] = field(default_factory=dict)
    """What happens to it between the two."""
    found: Refusal | None = None
    sources: frozenset[gast.AST] = frozenset()

    def follow(self, sources: Sequence[gast.AST]) -> Refusal | None:
        self.sources = frozenset(sources)
        for one in sources:
            if isinstance(one, gast.Call) and takes_gradient(one, self.facts) and only_trains(one, self.facts):
                continue
            # A sum that is computed otherwise may cancel by itself; one operation has an error of its own size.
            self._arrive(one, self._may_cancel(one), one)
        while self.waiting and self.found is None:
            node = self.waiting.pop()
            if len(self.known) > _MOST_VALUES:
                self.stop(node, Code.ROUNDING_UNKNOWN, "its values go further than is followed")
                break
            for target, step in self._steps(node):
                self._hand(node, target, step)
        if self.found is not None or self.zeros:
            return self.found
        groups = _groups(self.links)
        return self._cancelling() or self._growing(groups) or self._magnified_sum(groups)

    def stop(self, node: gast.AST, code: Code, reason: str) -> None:
        # Few digits show the sign of a zero no better than many.
        if self.found is None and not (self.zeros and code is Code.ROUNDING_DECIDES):
            self.found = Refusal(node, Code.ROUNDING_ZERO if self.zeros else code, reason)

    def _leaves(self, node: gast.AST, reason: str) -> bool:
        """Is a value let out of what the file shows? A zero of either sign may go, and what the file does with it is followed."""
        if not self.zeros:
            self.stop(node, Code.ROUNDING_LEAVES, reason)
        return not self.zeros

    def short(self, node: gast.AST, otherwise: str = "it") -> str:
        if not hasattr(node, "lineno") or self.facts.edit.short(node, "") == "":
            return otherwise
        return f"`{self.facts.edit.short(node, otherwise)}`"

    def _arrive(
        self, node: gast.AST, cancelled: bool, source: gast.AST, scale: float = 1.0, powers: float = 1.0, difference: bool = False
    ) -> None:
        before = self.known.get(node)
        if before is None:
            self.known[node] = _Value(node, cancelled, source, scale, powers, difference)
            self.waiting.append(node)
            return
        cancelled, difference = cancelled or before.cancelled, difference or before.difference
        found = _Value(node, cancelled, before.source, max(scale, before.scale), max(powers, before.powers), difference)
        if found == before:
            return
        self.known[node] = found
        self.waiting.append(node)

    def _hand(self, node: gast.AST, target: gast.AST, step: Step) -> None:
        """The error of one value arrives in another."""
        value = self.known[node]
        shown = self.short(target, "an operation")
        if self.zeros:
            return self._hand_zero(value, target, step, shown)
        cancelled, scale, powers, difference = value.cancelled, value.scale, value.powers, value.difference
        powers *= self._repeats(node, target)
        if powers > _MOST_POWERS:
            return self.stop(target, Code.ROUNDING_CANCELS, f"{shown} multiplies so many that their rounding errors add up")
        if difference and self._unknown_factor(node, target):
            return self.stop(target, Code.ROUNDING_CANCELS, f"{shown} may magnify a rounding error")
        match step.effect:
            case Effect.NONE:
                return
            case Effect.UNKNOWN:
                return self.stop(target, Code.ROUNDING_UNKNOWN, f"the effect of {shown} on a rounding error is not known")
            case Effect.DECISION:
                return self.stop(target, Code.ROUNDING_DECIDES, f"{shown} depends on a value that is rounded differently")
            case Effect.EDGE:
                return self.stop(target, Code.ROUNDING_CANCELS, f"{shown} is not a number just beyond the end of its domain")
            case Effect.ROOT | Effect.ROOT_OF_SUM if value.cancelled or step.effect is Effect.ROOT_OF_SUM:
                return self.stop(target, Code.ROUNDING_CANCELS, f"{shown} turns a rounding error near zero into another number")
            case Effect.SUM:
                # A square is never negative, whatever has cancelled in it.
                subtracts = self._subtracts(target)
                difference = difference or subtracts
                many = self._totalled(node, target) if difference else 1.0
                scale *= many
                if many > 1 and scale > _LARGEST_OF_CANCELLED:
                    return self.stop(target, Code.ROUNDING_CANCELS, f"{shown} magnifies a rounding error")
                cancelled = cancelled or subtracts or not is_never_negative(target, self.facts)
                if reason := self._rounds_off(target):
                    return self.stop(target, Code.ROUNDING_DECIDES, reason)
            case Effect.EXPONENTIAL if scale > _LARGEST_IN_EXPONENTS:
                return self.stop(target, Code.ROUNDING_CANCELS, f"{shown} magnifies a rounding error")
            case Effect.EXPONENTIAL:
                cancelled = difference = False
            case Effect.ROOT:
                cancelled = not is_never_negative(target, self.facts)
                difference = cancelled and self._row(target).takes_logarithm if isinstance(target, gast.Call) else difference
            case Effect.PRODUCT:
                scale *= self._factor(target)
                if scale > (_LARGEST_OF_CANCELLED if cancelled else _LARGEST_FACTOR):
                    return self.stop(target, Code.ROUNDING_CANCELS, f"{shown} magnifies a rounding error")
            case Effect.KEPT | Effect.BOUNDED:
                pass
        links = self.links.setdefault(node, {})
        links[target] = links.get(target, False) or step.grows
        self.effects[node, target] = step.effect
        self._arrive(target, cancelled, value.source, scale, powers, difference)

    def _hand_zero(self, value: _Value, target: gast.AST, step: Step, shown: str) -> None:
        """A zero of another sign arrives in another value."""
        kind, row = self.facts.kind(target), self._row(target)
        if row.shows_sign:
            return self.stop(target, Code.ROUNDING_ZERO, f"{shown} makes another number of it")
        match step.effect:
            case Effect.NONE | Effect.ROOT_OF_SUM:
                return
            case Effect.DECISION if isinstance(target, gast.Compare) or kind.dtype not in (None, *FLOATS):
                return  # floor(-0.0) is -0.0, and int(-0.0) has no sign
            case Effect.UNKNOWN if not (row.is_known or row.is_operator):
                return self.stop(target, Code.ROUNDING_ZERO, f"the effect of {shown} on it is not known")
            case Effect.ROOT if not self._keeps_zero(target):
                return self.stop(target, Code.ROUNDING_ZERO, f"{shown} makes another number of it")
        self._arrive(target, False, value.source)

    def _keeps_zero(self, node: gast.AST) -> bool:
        """Is it a root or a logarithm of real numbers, which is the same for both zeros? Of -1 + 0j and -1 - 0j it isn't."""
        row = self.facts.op(node)
        real = self.facts.kind(node).dtype in FLOATS
        return real and row.is_partial and not row.divides and row.name.rpartition(".")[2] not in ("rsqrt", "reciprocal")

    def _repeats(self, node: gast.AST, target: gast.AST) -> float:
        """How many of what is multiplied there are the value itself."""
        match target:
            case gast.BinOp(left=left, op=gast.Mult(), right=right):
                return 2.0 if _is_same(left, right) else 1.0
            case gast.BinOp(left=left, op=gast.Pow(), right=power) if left is node:
                return self._exponent(power)
            case gast.Call():
                row, operands = self._row(target), self._operands(target)
                if row.squares or (row.multiplies and len(operands) == 2 and _is_same(*operands)):
                    return 2.0
                if row.takes_power and len(operands) == 2 and operands[0] is node:
                    return self._exponent(operands[1])
                if row.takes_product:
                    return float(self.facts.kind(node).size or _MOST_POWERS + 1)
        return 1.0

    def _exponent(self, power: gast.AST) -> float:
        value = self.facts.kind(power).value
        return max(1.0, abs(value)) if isinstance(value, int | float) else _MOST_POWERS + 1

    def _operands(self, call: gast.Call) -> list[gast.expr]:
        """The two operands of a function of two, by place or by keyword."""
        arguments = self.facts.arguments(call) or {}
        if {"x", "y"} <= set(arguments):
            return [arguments["x"], arguments["y"]]
        return [*call.args, *(one.value for one in call.keywords if one.arg not in _SETTINGS_OF_RESULTS)]

    def _unknown_factor(self, node: gast.AST, target: gast.AST) -> bool:
        """Is it multiplied by something, or divided by it, of which the size isn't known? (By itself, it becomes smaller.)"""
        match target, self.facts.parent(target):
            case gast.BinOp(left=left, op=gast.Mult(), right=right), _ if _is_same(left, right):
                return False
            case gast.BinOp(left=left, op=gast.Mult() | gast.Div() | gast.MatMult(), right=right), _:
                others = [right if left is node else left]
            case gast.Name(), gast.AugAssign(target=place, op=gast.Mult() | gast.Div() | gast.MatMult(), value=value) if place is target:
                others = [value]
            case gast.Call(), _ if self._row(target).scales:
                operands = self._operands(target)
                others = [] if len(operands) == 2 and _is_same(*operands) else [one for one in operands if one is not node]
            case _:
                return False
        return any(not isinstance(self.facts.kind(one).value, int | float) for one in others)

    def _may_cancel(self, node: gast.AST) -> bool:
        """Is it a sum of numbers that may have both signs, or of such?"""
        match node:
            case gast.BinOp(op=gast.Mult() | gast.Div() | gast.Pow()):
                return False
            case gast.Name() | gast.Attribute() if not isinstance(self.facts.parent(node), gast.AugAssign):
                return False
            case gast.Call() if self._step(node).effect not in (Effect.SUM, Effect.UNKNOWN, Effect.ROOT_OF_SUM):
                return False
        return not is_never_negative(node, self.facts)

    def _rounds_off(self, node: gast.AST) -> str:
        """A number so large that what is added to it loses its digits, and gets others."""
        operands = (
            [node.target, node.value] if isinstance(node, gast.AugAssign) else [getattr(node, "left", None), getattr(node, "right", None)]
        )
        if isinstance(node, gast.Call):
            operands = [*node.args, *(one.value for one in node.keywords)]
        if isinstance(node, gast.Name) and isinstance(parent := self.facts.parent(node), gast.AugAssign):
            operands = [parent.value]
        for one in operands:
            value = self.facts.kind(one).value if isinstance(one, gast.AST) else None
            if isinstance(value, int | float) and abs(value) >= LARGEST_SUMMAND:
                return f"{self.short(node, 'a sum')} rounds off what is beside {value:g}"
        if _large_number(self.facts) is not None and any(
            isinstance(one, gast.AST) and not self._is_moderate(one) for one in operands if one not in self.known
        ):
            return f"{self.short(node, 'a sum')} may round off what is beside {_large_number(self.facts):g}"
        return ""

    def _is_moderate(self, node: gast.AST) -> bool:
        value = self.facts.kind(node).value
        return isinstance(value, int | float) and abs(value) < LARGEST_SUMMAND

    def _cancelling(self) -> Refusal | None:
        """A difference of two values that are both rounded otherwise: where they should be equal, nothing is left but rounding."""
        sides: dict[gast.AST, int] = {}
        for targets in self.links.values():
            for target in targets:
                sides[target] = sides.get(target, 0) + 1
        for target, count in sides.items():
            if count > 1 and (self._subtracts(target) or (self._adds(target) and not is_never_negative(target, self.facts))):
                return Refusal(
                    target, Code.ROUNDING_CANCELS, f"{self.short(target, 'a difference')} may cancel, and leave only a rounding error"
                )
        return None

    def _subtracts(self, node: gast.AST) -> bool:
        match node:
            case gast.BinOp(op=gast.Sub()):
                return True
            case gast.Name() if isinstance(parent := self.facts.parent(node), gast.AugAssign) and parent.target is node:
                return isinstance(parent.op, gast.Sub)
            case gast.Call():
                return self._row(node).subtracts
        return False

    def _factor(self, node: gast.AST) -> float:
        """The number that something is multiplied by; 1 where that isn't a number, or not known."""
        parent = self.facts.parent(node) if isinstance(node, gast.Name) else node
        match parent:
            case gast.BinOp(left=left, op=gast.Mult(), right=right):
                return _size(self.facts.kind(left).value) * _size(self.facts.kind(right).value)
            case gast.BinOp(op=gast.Div(), right=right) | gast.AugAssign(op=gast.Div(), value=right):
                return 1 / _size(self.facts.kind(right).value)
            case gast.AugAssign(op=gast.Mult(), value=right):
                return _size(self.facts.kind(right).value)
            case gast.Call(args=args):
                name = (self.facts.called(parent) or "").rpartition(".")[2]
                sizes = [_size(self.facts.kind(one).value) for one in args]
                return (1 / sizes[-1] if name in ("divide", "truediv") else max(sizes)) if len(sizes) > 1 else 1.0
        return 1.0

    def _totalled(self, node: gast.AST, target: gast.AST) -> float:
        """How many elements become one total: where all of them are off by the same, it is off by so many times as much."""
        row = self._row(target)
        if not row.totals:
            return 1.0
        before, after = self.facts.kind(node).size, 1 if row.mixes else self.facts.kind(target).size
        return math.inf if before is None or after is None else before / max(after, 1)

    def _row(self, node: gast.AST) -> Op:
        """What is known of what is called, be it a function or a method of NumPy's arrays."""
        match node:
            case gast.Call(func=gast.Attribute(attr=attr)) if self.facts.called(node) is None and _method(attr).is_method:
                return _method(attr)
            case gast.Name() if isinstance(parent := self.facts.parent(node), gast.AugAssign) and parent.target is node:
                return self.facts.op(parent)
        return self.facts.op(node)

    # Recurrences

    def _magnified_sum(self, group: Mapping[gast.AST, int]) -> Refusal | None:
        """A sum that grows from iteration to iteration becomes an exponent: as large as it is, so many times larger is its error."""
        within = {pair: effect for pair, effect in self.effects.items() if pair[0] in group and group.get(pair[0]) == group.get(pair[1])}
        bounded = {group[node] for (node, _), effect in within.items() if effect in (Effect.BOUNDED, Effect.EXPONENTIAL)}
        adding = {group[node] for (node, _), effect in within.items() if effect is Effect.SUM} - bounded
        waiting = [node for node, number in group.items() if number in adding]
        seen = set(waiting)
        while waiting:
            node = waiting.pop()
            for target in self.links.get(node, ()):
                if self.effects.get((node, target)) is Effect.EXPONENTIAL:
                    shown = self.short(target, "an operation")
                    return Refusal(target, Code.ROUNDING_CANCELS, f"{shown} magnifies the rounding errors of a sum of many")
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return None

    def _growing(self, group: Mapping[gast.AST, int]) -> Refusal | None:
        """A value that is computed from itself, in a loop or from call to call, by what may make its error larger."""
        for node, targets in self.links.items():
            for target, grows in targets.items():
                if target not in group or group.get(node) != group[target]:
                    continue
                twice = sum(target in self.links.get(other, ()) and group.get(other) == group[target] for other in self.links) > 1
                if grows or (twice and self._adds(target)):
                    shown = self.short(target, "a value")
                    return Refusal(
                        target, Code.ROUNDING_GROWS, f"a rounding error may grow each time that {shown} is computed from what it was"
                    )
        return None

    def _adds(self, node: gast.AST) -> bool:
        if isinstance(node, gast.Name | gast.Attribute | gast.Subscript):
            parent = self.facts.parent(node)
            return isinstance(parent, gast.AugAssign) and parent.target is node and isinstance(parent.op, gast.Add | gast.Sub)
        return isinstance(node, gast.BinOp | gast.Call) and self._step_at(node).effect is Effect.SUM

    def _step_at(self, node: gast.AST) -> Step:
        match node:
            case gast.BinOp(op=op) | gast.AugAssign(op=op):
                return of_operator(op).error
            case gast.Call():
                return self._step(node)
        return MOVED

    # From a value to what reads it

    def _steps(self, node: gast.AST) -> Iterator[_Arrival]:
        kept = MOVED
        parent = self.facts.parent(node)
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            yield from ((use, self._at_use(use)) for use in self._readers(node))
            return
        match parent:
            case None | gast.Expr() | gast.Delete():
                return
            case gast.Assign(value=value) | gast.AnnAssign(value=value) if value is not node:
                return  # a place that is given something else
            case gast.Assign(targets=targets, value=value) if value is node:
                for target in targets:
                    yield from self._stored(target, value)
            case gast.AnnAssign(target=target, value=value) if value is node:
                yield from self._stored(target, value)
            case gast.AugAssign(target=target, op=op, value=value):
                known = (Sort.NUMBER, Sort.TENSOR, Sort.TEXT)
                if node is value and isinstance(target, gast.Name) and self.facts.kind(target).sort not in known:
                    return self.stop(
                        parent, Code.ROUNDING_UNKNOWN, f"what else refers to {self.short(target)}, which is changed in place, is not known"
                    )
                step = self._operator(parent, op, value if node is target else target, node is value)
                for place, _ in self._stored(target, None):
                    yield place, step
            case gast.NamedExpr(target=target):
                yield target, kept
                yield parent, kept
            case gast.Return():
                yield from self._returned(parent)
            case gast.Lambda() if parent.body is node:
                yield from self._results(parent)
            case gast.BinOp(left=gast.Constant(value=str() as template), op=gast.Mod(), right=right) if right is node:
                self._written(parent, template, percent_loses, self.known[node].cancelled)
            case gast.BinOp(left=left, op=op, right=right):
                yield parent, self._operator(parent, op, right if node is left else left, node is right)
            case gast.UnaryOp(op=gast.USub() | gast.UAdd()):
                yield parent, kept
            case gast.Compare(ops=ops):
                if not all(isinstance(one, gast.Is | gast.IsNot) for one in ops):
                    yield parent, DECIDED
            case gast.IfExp(test=test):
                yield parent, DECIDED if node is test else kept
            case gast.BoolOp() | gast.UnaryOp() | gast.If() | gast.While() | gast.Assert() | gast.Match() | gast.Set() | gast.Slice():
                yield parent, DECIDED
            case gast.Tuple() if (
                isinstance(text := self.facts.parent(parent), gast.BinOp) and isinstance(text.op, gast.Mod) and text.right is parent
            ):
                self._written(text, getattr(text.left, "value", None), percent_loses, self.known[node].cancelled)
            case gast.Tuple() | gast.List() | gast.Starred() | gast.Dict():
                yield from self._collected(parent, node)
            case gast.Subscript(value=value):
                yield parent, kept if node is value else DECIDED
            case gast.Attribute(attr=attr):
                yield from self._attribute(parent, attr)
            case gast.keyword() if isinstance(call := self.facts.parent(parent), gast.Call):
                yield from self._argument(call, node, parent.arg)
            case gast.Call():
                yield from self._argument(parent, node, None)
            case gast.FormattedValue() | gast.JoinedStr():
                self._shown(parent, self.known[node].cancelled)
            case gast.For(target=target, iter=rows) | gast.comprehension(target=target, iter=rows) if rows is node:
                yield from self._stored(target, None)
            case gast.DictComp(key=key) if key is node:
                yield parent, DECIDED
            case gast.ListComp() | gast.GeneratorExp() | gast.DictComp():
                yield parent, kept
            case gast.comprehension() | gast.SetComp():
                yield parent, DECIDED
            case gast.arguments():
                function = self.facts.parent(parent)
                given = dict(zip(parent.defaults[::-1], [*parent.posonlyargs, *parent.args][::-1], strict=False))
                if node in given:
                    yield given[node], kept
                elif function is not None:
                    self.stop(node, Code.ROUNDING_UNKNOWN, f"{self.short(node)} is a default of a function")
            case _:
                self.stop(node, Code.ROUNDING_UNKNOWN, f"where {self.short(node, 'a value')} goes is not known")

    def _at_use(self, use: gast.AST) -> Step:
        """A name that is read keeps its value, but where the statement computes with it in place."""
        parent = self.facts.parent(use)
        if isinstance(parent, gast.AugAssign) and use is parent.target:
            return self._operator(parent, parent.op, parent.value, False)
        return MOVED

    @cached_property
    def _overloads(self) -> bool:
        """Does the file say what operators do?"""
        functions = (one for one in self.facts.nodes((gast.FunctionDef,)) if isinstance(one, gast.FunctionDef))
        return any(one.name.startswith("__") and one.name.strip("_").lstrip("ir") in _ARITHMETIC for one in functions)

    def _operator(self, node: gast.AST, op: gast.AST, other: gast.AST, is_right: bool) -> Step:
        if self._overloads and self.facts.kind(other).sort not in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY, Sort.NUMBER):
            return NOT_KNOWN
        number = self.facts.kind(other).value
        moderate = isinstance(number, int | float)
        match op:
            case gast.Div():
                if is_right:
                    return ROOTED
                return Step(Effect.PRODUCT, not (moderate and isinstance(number, int | float) and abs(number) >= 1))
            case gast.Mult():
                return Step(Effect.PRODUCT, not (isinstance(number, int | float) and abs(number) <= 1))
            case gast.Pow() if not is_right and self.facts.kind(other).dtype == "int" and moderate:
                return Step(Effect.PRODUCT if isinstance(number, int | float) and number > 0 else Effect.ROOT, True)
            case gast.Pow() if is_right:
                return EXPONENT
            case gast.MatMult() if self._is_inverse(other):
                return NOT_KNOWN
            case gast.Add() | gast.Mult() if self.facts.kind(other).sort in (Sort.LIST, Sort.TUPLE):
                return MOVED
        return of_operator(op).error

    def _is_inverse(self, node: gast.AST) -> bool:
        """Is it the inverse of a matrix, which magnifies an error as far as the matrix is singular?"""
        if isinstance(node, gast.Name):
            given = [self.facts.parent(one) for one in self.facts.flow.definitions(node) or ()]
            return any(
                isinstance(one, gast.Assign) and not isinstance(one.value, gast.Name) and self._is_inverse(one.value) for one in given
            )
        row = self.facts.op(node)
        if isinstance(node, gast.Call) and node.args and (row.hands_on or row.creates or row.bits is Bits.EVERYWHERE):
            return self._is_inverse(node.args[0])
        return row.inverts

    def _stored(self, target: gast.AST, value: gast.AST | None) -> Iterator[_Arrival]:
        kept = MOVED
        match target:
            case gast.Name():
                yield target, kept
            case gast.Tuple(elts=elts) | gast.List(elts=elts):
                for one in elts:
                    yield from self._stored(one, None)
            case gast.Starred(value=inner):
                yield from self._stored(inner, None)
            case gast.Attribute(value=owner, attr=attr):
                if self.facts.mutation.attribute_is_hidden(attr):
                    return self.stop(target, Code.ROUNDING_UNKNOWN, f"what the class makes of {self.short(target)} is not known")
                yield from ((one, kept) for one in self._attribute_reads(target, attr))
            case gast.Subscript(value=owner):
                yield from self._into(owner, target)
            case _:
                self.stop(target, Code.ROUNDING_UNKNOWN, f"where {self.short(target, 'a value')} goes is not known")

    def _into(self, owner: gast.AST, node: gast.AST) -> Iterator[_Arrival]:
        """A value becomes a part of something that has a name."""
        kept = MOVED
        match owner:
            case gast.Name(id=name):
                scope = self.facts.scopes.names[owner].lookup(name)
                for binding in scope.bindings[name] if scope is not None else [owner]:
                    if not isinstance(binding, gast.Name) or not self._is_fresh(binding):
                        if self._leaves(node, f"{self.short(owner)} may have another name too"):
                            return
                    yield binding, kept
            case gast.Attribute(attr=attr):
                if not all(map(self._is_fresh, self.facts.mutation.attribute_stores(attr))) or self.facts.mutation.attribute_is_hidden(
                    attr
                ):
                    if self._leaves(node, f"{self.short(owner)} may have another name too"):
                        return
                yield from ((one, kept) for one in self._attribute_reads(owner, attr))
            case _:
                self.stop(node, Code.ROUNDING_UNKNOWN, f"where {self.short(node, 'a value')} is kept is not known")

    def _is_fresh(self, binding: gast.AST) -> bool:
        """Is a name or attribute given something that is made there, and that nobody else can hold?"""
        parent = self.facts.parent(binding)
        if isinstance(parent, gast.AugAssign):
            return True
        value = getattr(parent, "value", None) if isinstance(parent, gast.Assign | gast.AnnAssign) else None
        if isinstance(parent, gast.Tuple) and isinstance(statement := self.facts.parent(parent), gast.Assign):
            values = statement.value
            if not isinstance(values, gast.Tuple) or len(values.elts) != len(parent.elts):
                return False
            value = values.elts[next(i for i, one in enumerate(parent.elts) if one is binding)]
        match value:
            case gast.List(elts=elts) | gast.Tuple(elts=elts):
                return all(self.facts.kind(one).sort in (Sort.NUMBER, Sort.TENSOR, Sort.TEXT, Sort.NONE) for one in elts)
            case gast.Dict(values=values):
                return all(self._is_plain(one) for one in values)
            case gast.Call():
                name = self.facts.called(value) or ""
                if name in ("builtins.list", "builtins.dict", "collections.deque"):
                    return not value.args
                made = op(name).creates or name == "tensorflow.Variable" or is_fresh(value, self.facts)
                return made and self.facts.kind(value).dtype in ("float32", "float64")
        return False

    def _is_plain(self, node: gast.AST) -> bool:
        empty = isinstance(node, gast.List | gast.Dict) and not getattr(node, "elts", getattr(node, "keys", None))
        return empty or self.facts.kind(node).sort in (Sort.NUMBER, Sort.TENSOR, Sort.TEXT, Sort.NONE)

    def _collected(self, parent: gast.AST, node: gast.AST) -> Iterator[_Arrival]:
        """A member of a tuple or list. Where the tuple is taken apart at once, it is one of the names."""
        statement = self.facts.parent(parent)
        match parent, statement:
            case gast.Tuple(elts=values), gast.Assign(targets=[gast.Tuple(elts=targets)]) if len(values) == len(targets):
                if not any(isinstance(one, gast.Starred) for one in (*values, *targets)):
                    place = next(i for i, one in enumerate(values) if one is node)
                    yield from self._stored(targets[place], None)
                    return
            case gast.Dict(keys=keys), _ if any(one is node for one in keys):
                yield parent, DECIDED
                return
        yield parent, MOVED

    def _attribute(self, node: gast.Attribute, attr: str) -> Iterator[_Arrival]:
        call = self.facts.parent(node)
        if isinstance(call, gast.Call) and call.func is node:
            yield from self._method(call, node, attr)
        elif attr in _OF_VALUES or self._is_member(node):
            yield node, MOVED
        elif attr not in _ABOUT_VALUES:
            self.stop(node, Code.ROUNDING_UNKNOWN, f"what {self.short(node)} is is not known")

    def _is_member(self, node: gast.Attribute) -> bool:
        """Is it a value in a named tuple or an object of the file's own?"""
        return self.facts.kind(node.value).instance is not None

    def _method(self, call: gast.Call, method: gast.Attribute, attr: str) -> Iterator[_Arrival]:
        """A method of a value that is followed."""
        if self.facts.function_called(call) is not None:  # it reads its own object, whose attributes are followed by themselves
            return
        if attr in _SAME_METHODS or (attr in _GIVING and not self.facts.kind(method.value).is_tensor):
            plain = not call.keywords and all(self.facts.kind(one).sort is not Sort.ARRAY for one in call.args)
            yield call, MOVED if plain else NOT_KNOWN
        elif attr == "astype":
            yield call, self._cast(call.args[0] if call.args else None)
        elif _method(attr).is_method:
            plain = not any(one.arg in ("out", "dtype") for one in call.keywords) and len(call.args) <= (2 if attr == "clip" else 1)
            yield call, _method(attr).error if plain else NOT_KNOWN
        elif not (attr in _KEEPING and self.facts.kind(method.value).sort is Sort.LIST):
            yield call, NOT_KNOWN

    def _attribute_reads(self, node: gast.Attribute, attr: str) -> list[gast.AST]:
        """Every place that reads an attribute of that name, of whatever object."""
        reads: list[gast.AST] = []
        if self.facts.mutation.set_by_text("*") or not self._is_closed_file():
            if self._leaves(node, f"other files may read {self.short(node)}"):
                return reads
        if (text := self._found_by_text()) is not None:
            self.stop(text, Code.ROUNDING_UNKNOWN, f"{self.short(node)} may be read by its name as text")
            return reads
        for one in self.facts.nodes((gast.Attribute,)):
            if isinstance(one, gast.Attribute) and one.attr == attr:
                if isinstance(one.ctx, gast.Load) or isinstance(self.facts.parent(one), gast.AugAssign):
                    reads.append(one)
        owner = self.facts.kind(node.value)
        if owner.instance is None and not (isinstance(node.value, gast.Name) and node.value.id == "self"):
            self.stop(node, Code.ROUNDING_UNKNOWN, f"whose attribute {self.short(node)} is is not known")
        for one in self.facts.nodes((gast.Constant,)):
            if isinstance(one, gast.Constant) and isinstance(one.value, str) and attr in re.findall(r"\w+", one.value):
                self.stop(one, Code.ROUNDING_UNKNOWN, f"{self.short(node)} may be read by its name as text")
        return reads

    def _found_by_text(self) -> gast.AST | None:
        """Something in the file that reads attributes or calls methods without their dots."""
        for one in self.facts.nodes((gast.Name, gast.Attribute, gast.MatchClass)):
            if isinstance(one, gast.MatchClass) or getattr(one, "id", getattr(one, "attr", "")) in _BY_TEXT:
                return one
        return None

    # Names

    def _readers(self, binding: gast.Name) -> list[gast.AST]:
        """Everything that may read what a name is given here."""
        scope = self.facts.scopes.names[binding]
        owner = scope.lookup(binding.id)
        if owner is None or isinstance(owner.node, gast.ClassDef):
            self.stop(binding, Code.ROUNDING_UNKNOWN, f"what reads {self.short(binding)} is not known")
            return []
        below = [owner, *owner.below()]
        if any(one.is_read_as_a_whole for one in below) or self.facts.mutation.module_is_open:
            self.stop(binding, Code.ROUNDING_UNKNOWN, f"{self.short(binding)} may be read by its name as text")
            return []
        if isinstance(owner.node, gast.Module) and not self._is_own(binding):
            if self._leaves(binding, f"other files may read {self.short(binding)}"):
                return []
        users = None
        straight = not any(isinstance(one, gast.Try | gast.TryStar | gast.With) for one in walk_within(owner.node))
        if owner is scope and binding.id not in owner.shared and isinstance(owner.node, (gast.Module, *FUNCTIONS)) and straight:
            users = self.facts.flow.users(binding)
        here = [] if users is None else [one for one in users if not isinstance(getattr(one, "ctx", None), gast.Del)]
        others = [one for each in below for one in each.uses.get(binding.id, ()) if each.lookup(binding.id) is owner]
        changed = [one for one in owner.bindings[binding.id] if isinstance(self.facts.parent(one), gast.AugAssign)]
        if users is None:
            return [*others, *changed]
        # Flow doesn't follow a name into the functions that read it from outside.
        return [*here, *(one for one in others if not self._in_scope(one, owner) and one not in here)]

    def _in_scope(self, use: gast.Name, owner: Scope) -> bool:
        scope: Scope | None = self.facts.scopes.names[use]
        while scope is not None and isinstance(scope.node, COMPREHENSIONS) and not isinstance(scope.node, gast.GeneratorExp):
            scope = scope.parent
        return scope is owner

    def _is_own(self, binding: gast.AST) -> bool:
        """Is a global name one that nobody else can import: in a script, or under its `if __name__ == "__main__":`?"""
        around = [one for one in self.facts.scopes.ancestors(binding) if isinstance(one, gast.If)]
        return self._is_closed_file() or any(self.facts.callers.is_main_guard(one) for one in around)

    def _is_closed_file(self) -> bool:
        return (self.facts.callers.is_only_run and not self.facts.source.is_named_beside) or self.facts.world.callers_believed

    # Functions

    def _returned(self, statement: gast.AST) -> Iterator[_Arrival]:
        function = self.facts.scopes.function_of(statement)
        if function is None:
            return
        yield from self._results(function)

    def _results(self, function: Function) -> Iterator[_Arrival]:
        """What a function returns arrives where it is called."""
        kept = MOVED
        callers, name = self.facts.callers, getattr(function, "name", "the lambda")
        if callers.is_live and self._leaves(function, f"callers of `{name}` may depend on its exact result"):
            return
        if callers.is_method(function):
            yield from self._results_of_method(function, name)
            return
        if not callers.plainly_decorated(function) or isinstance(function, gast.AsyncFunctionDef):
            return self.stop(function, Code.ROUNDING_UNKNOWN, f"what the decorator of `{name}` makes of its result is not known")
        inner = self.facts.scopes.function_of(function) is not None or isinstance(function, gast.Lambda)
        if not (inner or self._is_closed_file()):
            if self._leaves(function, f"other files may call `{name}`, and depend on its exact result"):
                return
        references = callers.references(function)
        if not self._are_all(function, [one.node for one in references]):
            return self.stop(function, Code.ROUNDING_UNKNOWN, f"the callers of `{name}` are not known")
        for reference in references:
            call = reference.call
            if call is not None and reference.direct:
                yield call, kept
            elif call is None or self.facts.called(call) != "tensorflow.function" or not self._gets_a_name(call):
                node = reference.node if call is None else call
                return self.stop(
                    node, Code.ROUNDING_UNKNOWN, f"what {self.short(node, 'a call')} does with the result of `{name}` is not known"
                )

    def _gets_a_name(self, call: gast.Call) -> bool:
        """Is it `g = tf.function(f)`, where g is nothing else?"""
        parent = self.facts.parent(call)
        if not isinstance(parent, gast.Assign) or len(parent.targets) != 1 or not isinstance(target := parent.targets[0], gast.Name):
            return False
        owner = self.facts.scopes.names[target].lookup(target.id)
        if owner is None or len(owner.bindings[target.id]) != 1 or owner.is_read_as_a_whole:
            return False
        uses = [use for each in (owner, *owner.below()) for use in each.uses.get(target.id, ()) if each.lookup(target.id) is owner]
        return all(isinstance(parent := self.facts.parent(use), gast.Call) and parent.func is use for use in uses)

    def _are_all(self, function: Function, references: Sequence[gast.AST]) -> bool:
        """Are these all the places that may name a function?"""
        if isinstance(function, gast.Lambda):
            parent = self.facts.parent(function)
            if not isinstance(parent, gast.Assign) or not all(isinstance(one, gast.Name) for one in parent.targets):
                return False
            names: list[gast.AST] = [one for one in parent.targets if isinstance(one, gast.Name)]
        else:
            names = [function]
        known = set(references)
        for one in names:
            name = getattr(one, "id", getattr(one, "name", ""))
            scope = self.facts.scopes.of[function].parent
            owner = None if scope is None else scope.function().lookup(name)
            if owner is None or len(owner.bindings[name]) != 1 or owner.is_read_as_a_whole:
                return False
            uses = [use for each in (owner, *owner.below()) for use in each.uses.get(name, ()) if each.lookup(name) is owner]
            if not known.issuperset(uses):
                return False
        return True

    def _results_of_method(self, function: Function, name: str) -> Iterator[_Arrival]:
        kept = MOVED
        owner = self.facts.scopes.class_of(function)
        plain = owner is not None and all(self._is_plain_base(one) for one in owner.bases)
        if not self._is_closed_file() or not plain or not self.facts.callers.plainly_decorated(function):
            if self._leaves(function, f"others may call `{name}`, and depend on its exact result"):
                return
        if (text := self._found_by_text()) is not None:
            return self.stop(text, Code.ROUNDING_UNKNOWN, f"`{name}` may be called by its name as text")
        if name.startswith("__") and name != "__call__":
            return self.stop(function, Code.ROUNDING_UNKNOWN, f"Python itself calls `{name}`")
        for call in self.facts.nodes((gast.Call,)):
            if not isinstance(call, gast.Call):
                continue
            given = (*call.args, *(one.value for one in call.keywords))
            if name == "__call__" and any(self.facts.kind(one).instance is owner for one in given):
                return self.stop(
                    call, Code.ROUNDING_UNKNOWN, f"what calls the function that {self.short(call, 'a call')} gets is not known"
                )
            called = isinstance(call.func, gast.Attribute) and call.func.attr == name
            if called or (name == "__call__" and self._may_run(call, function)):
                yield call, kept
        bound = [one for one in self.facts.nodes((gast.Attribute,)) if isinstance(one, gast.Attribute) and one.attr == name]
        for one in bound:
            parent = self.facts.parent(one)
            if not (isinstance(parent, gast.Call) and parent.func is one):
                self.stop(one, Code.ROUNDING_UNKNOWN, f"what calls {self.short(one)} is not known")

    def _is_plain_base(self, base: gast.AST) -> bool:
        return self.facts.names(base) in ("builtins.object", "tensorflow.Module") or self.facts.callers.class_named(base) is not None

    def _may_run(self, call: gast.Call, function: Function) -> bool:
        found = self.facts.function_called(call)
        if found is not None:
            return found is function
        return self.facts.called(call) is None and self.facts.callers.class_named(call.func) is None

    def _argument(self, call: gast.Call, node: gast.AST, keyword: str | None) -> Iterator[_Arrival]:
        kept = MOVED
        name = self.facts.called(call)
        if name is not None:
            row = op(name)
            if row.prints and keyword is None and all(one.arg in ("sep", "end", "flush", "summarize") for one in call.keywords):
                return self._printed(call)
            if row.writes_text:
                spec = getattr(call.args[1], "value", None) if len(call.args) > 1 else ""
                return self._written(call, f"{{:{spec}}}" if isinstance(spec, str) else None, braces_lose, self.known[node].cancelled)
            if name.startswith(_LOGGING):
                template = getattr(call.args[0], "value", None) if call.args and call.args[0] is not node else ""
                self._template(call, template, percent_loses, self.known[node].cancelled)
                return self._printed(call)
            if name in ("builtins.max", "builtins.min") and not self._are_numbers(call):
                yield call, DECIDED
                return
            if name == "tensorflow.while_loop":
                yield from self._while_loop(call)
                return
            if keyword in _SETTINGS_OF_RESULTS:
                yield call, NOT_KNOWN
                return
            known = name.startswith(_LIBRARIES) and self._is_understood(call, name)
            yield call, self._step(call, node) if known else NOT_KNOWN
            return
        function = self.facts.function_called(call)
        if function is not None:
            if not self.facts.callers.plainly_decorated(function):
                return self.stop(
                    call, Code.ROUNDING_UNKNOWN, f"what the decorator of {self.short(call.func, 'a function')} does is not known"
                )
            yield from self._parameter(call, function, node, keyword)
            return
        made = self.facts.callers.class_named(call.func)
        if made is not None:
            start = next((one for one in made.body if isinstance(one, gast.FunctionDef) and one.name == "__init__"), None)
            if start is not None and self.facts.callers.plainly_decorated(start):
                yield from self._parameter(call, start, node, keyword)
                return
        match call.func:
            case gast.Attribute(value=owner, attr=attr) if attr in _KEEPING and self._is_list(owner):
                yield from self._into(owner, call)
            case gast.Attribute(value=owner, attr=attr) if attr in _ASSIGNING:
                yield from self._into(owner, call)
                yield call, kept
            case gast.Attribute() if takes_gradient(call, self.facts) and call in self.sources:
                return  # which is followed by itself: a derivative doesn't depend on the last bits of what it is taken of
            case gast.Attribute(value=gast.Constant(value=str() as template), attr="format"):
                self._written(call, template, braces_lose, self.known[node].cancelled)
            case _:
                shown = self.short(call.func, "a function")
                self.stop(call, Code.ROUNDING_UNKNOWN, f"what {shown} does with {self.short(node, 'a value')} is not known")

    def _is_list(self, owner: gast.AST) -> bool:
        """Is it certainly a list of Python's, and no object with a method of that name?"""
        if self.facts.kind(owner).sort is Sort.LIST:
            return True
        if isinstance(owner, gast.Attribute):
            stores = self.facts.mutation.attribute_stores(owner.attr)
            return bool(stores) and all(map(self._is_fresh, stores))
        return isinstance(owner, gast.Name) and not self.facts.kind(owner).is_tensor and self._root_is_fresh(owner)

    def _root_is_fresh(self, owner: gast.AST) -> bool:
        while isinstance(owner, gast.Subscript):
            owner = owner.value
        if not isinstance(owner, gast.Name):
            return False
        scope = self.facts.scopes.names[owner].lookup(owner.id)
        return scope is not None and all(isinstance(one, gast.Name) and self._is_fresh(one) for one in scope.bindings[owner.id])

    def _are_numbers(self, call: gast.Call) -> bool:
        """Does max() or min() compare numbers, and give the number itself?"""
        kinds = [self.facts.kind(one).sort for one in call.args]
        return len(kinds) > 1 and not call.keywords and all(one in (Sort.NUMBER, Sort.TENSOR) for one in kinds)

    def _is_understood(self, call: gast.Call, name: str) -> bool:
        """Is nothing handed over that makes something else of the values: a dtype, an array for the results, what can't be told apart?"""
        if any(isinstance(one, gast.Starred) for one in call.args) or any(
            one.arg in ("out", "where", "key", None) for one in call.keywords
        ):
            return False
        row = op(name)
        for one in call.keywords:
            if one.arg == "dtype" and self._cast(one.value).effect is not Effect.KEPT:
                return False
        if row.dtype_follows:
            return all(self._cast(one).effect is Effect.KEPT for one in call.args[1:])
        if name.startswith("numpy."):
            arrays = [one for one in call.args if self.facts.kind(one).sort not in (Sort.NUMBER, Sort.NONE, Sort.TUPLE, Sort.TEXT)]
            if row.takes_two:
                return len(call.args) <= 2
            return len(arrays) <= (3 if row.name == "numpy.where" else 1)
        return True

    def _parameter(self, call: gast.Call, function: Function, node: gast.AST, keyword: str | None) -> Iterator[_Arrival]:
        of_object = self.facts.callers.takes_self(function)
        names = [*function.args.posonlyargs, *function.args.args][of_object:]
        place: gast.AST | None = None
        if keyword is not None:
            place = next((one for one in parameters(function) if one.id == keyword), None)
        elif not any(isinstance(one, gast.Starred) for one in call.args):
            index = next((i for i, one in enumerate(call.args) if one is node), None)
            place = names[index] if index is not None and index < len(names) else None
        if place is None:
            return self.stop(
                call, Code.ROUNDING_UNKNOWN, f"which argument of {self.short(call.func, 'a function')} a value is is not known"
            )
        yield place, MOVED

    def _while_loop(self, call: gast.Call) -> Iterator[_Arrival]:
        """Its variables are handed to its functions again and again: that is a recurrence, whatever they do."""
        yield call, NOT_KNOWN

    def _step(self, call: gast.Call, node: gast.AST | None = None) -> Step:
        name = self.facts.called(call) or ""
        last = name.rpartition(".")[2]
        if last in ("cast", "saturate_cast"):
            return self._cast((self.facts.arguments(call) or {}).get("dtype", call.args[1] if len(call.args) > 1 else None))
        if last in ("divide", "truediv", "true_divide") and len(call.args) == 2:
            return self._operator(call, gast.Div(), call.args[0 if node is call.args[1] else 1], node is call.args[1])
        if last in ("matmul", "matvec", "tensordot", "dot") and any(self._is_inverse(one) for one in call.args):
            return NOT_KNOWN
        if last == "multiply" and len(call.args) == 2:
            return self._operator(call, gast.Mult(), call.args[0 if node is call.args[1] else 1], False)
        if last in ("pow", "power") and len(call.args) == 2:
            return self._operator(call, gast.Pow(), call.args[0 if node is call.args[1] else 1], node is call.args[1])
        condition = call.args[0] if call.args else next((one.value for one in call.keywords if one.arg == "condition"), None)
        if last == "where" and (len(call.args) + len(call.keywords) == 1 or node is condition):
            return DECIDED
        given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "ord")]
        if last == "norm" and not all(getattr(one, "value", 0) in _PLAIN_NORMS for one in given):
            return NOT_KNOWN
        if last == "average" and (len(call.args) > 2 or any(one.arg == "weights" for one in call.keywords)):
            return NOT_KNOWN  # it divides by the sum of its weights
        if last == "round" and name.startswith("builtins."):
            return DECIDED
        if last == "constant" and any(one.arg == "dtype" for one in call.keywords):
            return self._cast(next(one.value for one in call.keywords if one.arg == "dtype"))
        return self.facts.op(call).error

    def _cast(self, dtype: gast.AST | None) -> Step:
        """To what a value is converted: between floats it stays what it is, to anything else it is decided."""
        text = "" if dtype is None else (self.facts.names(dtype) or getattr(dtype, "value", None) or getattr(dtype, "attr", "") or "")
        last = str(text).rpartition(".")[2]
        if last in ("float", "float32", "float64", "double", "complex64", "complex128", "dtype"):
            return MOVED
        return DECIDED

    # What people see

    def _shown(self, node: gast.AST, cancelled: bool) -> None:
        """A number in an f-string is rounded for whoever reads it, but not to a whole one."""
        if not isinstance(node, gast.FormattedValue):
            return self._goes_out(node)
        parts = [] if node.format_spec is None else getattr(node.format_spec, "values", [node.format_spec])
        spec = "".join(one.value if isinstance(one, gast.Constant) and isinstance(one.value, str) else "{}" for one in parts)
        conversion = f"!{chr(node.conversion)}" if node.conversion > 0 else ""
        self._written(node, f"{{{conversion}:{spec}}}", braces_lose, cancelled)

    def _written(self, node: gast.AST, template: object, loses: Callable[[str, bool], str], cancelled: bool) -> None:
        """A value becomes part of a text."""
        self._template(node, template, loses, cancelled)
        self._goes_out(node)

    def _template(self, node: gast.AST, template: object, loses: Callable[[str, bool], str], cancelled: bool) -> None:
        if not isinstance(template, str):
            return self.stop(node, Code.ROUNDING_UNKNOWN, f"how {self.short(node, 'a text')} shows a value is not known")
        if spec := loses(template, cancelled):
            return self.stop(node, Code.ROUNDING_DECIDES, f"a text shows a value so that another rounding shows (`{spec}`)")
        named = (getattr(one, "attr", getattr(one, "name", "")) for one in self.facts.nodes((gast.Attribute, gast.alias)))
        if not {"set_printoptions", "printoptions"}.isdisjoint(named):
            self.stop(node, Code.ROUNDING_UNKNOWN, "how many digits NumPy shows is set in the file")

    def _printed(self, node: gast.AST) -> None:
        """What is printed is gone, unless the file reads it back."""
        for one in self.facts.nodes((gast.Name, gast.Attribute, gast.alias)):
            if getattr(one, "id", getattr(one, "attr", getattr(one, "name", ""))) in _READING_BACK:
                return self.stop(one, Code.ROUNDING_UNKNOWN, f"what {self.short(node)} prints may be read back")
        self._template(node, "", percent_loses, False)

    def _goes_out(self, text: gast.AST) -> None:
        """A text is printed or logged at once, and read by nothing else."""
        parent = self.facts.parent(text)
        match parent:
            case gast.JoinedStr() | gast.FormattedValue(format_spec=None):
                return self._goes_out(parent)
            case gast.BinOp(op=gast.Add()):
                return self._goes_out(parent)
            case gast.Expr():
                return None
            case gast.Call() if self.facts.op(parent).prints or (self.facts.called(parent) or "").startswith(_LOGGING):
                if any(one is text for one in parent.args) and all(
                    one.arg in ("sep", "end", "flush", "exc_info") for one in parent.keywords
                ):
                    return self._printed(parent)
        self.stop(text, Code.ROUNDING_UNKNOWN, f"what is done with the text of {self.short(text, 'a value')} is not known")


def _method(name: str) -> Op:
    """What NumPy has under the name of a method."""
    return op(f"numpy.{name}")


def _is_same(left: gast.AST, right: gast.AST) -> bool:
    return isinstance(left, gast.Name) and isinstance(right, gast.Name) and bool(left.id == right.id)


def _size(value: object) -> float:
    return abs(value) if isinstance(value, int | float) and value and abs(value) < float("inf") else 1.0


def _large_number(facts: Facts) -> float | None:
    """A large number that the file spells, as rounding by a magic number needs one."""
    for one in facts.nodes((gast.Constant,)):
        value = getattr(one, "value", None)
        if isinstance(value, float) and LARGEST_SUMMAND <= abs(value) < float("inf"):
            return value
        if isinstance(value, int) and abs(value) > _LARGEST_WHOLE:
            return float(value)
    for one in facts.nodes((gast.BinOp, gast.Attribute)):
        if isinstance(one, gast.Attribute) and one.attr == "finfo":
            return float("inf")
        if isinstance(one, gast.BinOp) and isinstance(one.op, gast.Pow) and isinstance(one.right, gast.Constant):
            if isinstance(one.right.value, int | float) and abs(one.right.value) >= _LARGEST_POWER:
                return float("inf")
    return None


def _groups(links: dict[gast.AST, dict[gast.AST, bool]]) -> dict[gast.AST, int]:
    """Which values are computed from each other, by numbers of their groups (Tarjan). A value alone is in none, unless it is its own."""
    index: dict[gast.AST, int] = {}
    low: dict[gast.AST, int] = {}
    stack: list[gast.AST] = []
    on: set[gast.AST] = set()
    found: dict[gast.AST, int] = {}
    for root in links:
        if root in index:
            continue
        work: list[tuple[gast.AST, Iterator[gast.AST]]] = [(root, iter(links.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is not None:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on.add(target)
                    work.append((target, iter(links.get(target, ()))))
                elif target in on:
                    low[node] = min(low[node], index[target])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                members = []
                while True:
                    one = stack.pop()
                    on.discard(one)
                    members.append(one)
                    if one is node:
                        break
                if len(members) > 1 or node in links.get(node, ()):
                    found.update(dict.fromkeys(members, index[node]))
    return found
