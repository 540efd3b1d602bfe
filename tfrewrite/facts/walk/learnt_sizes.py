"""What is known of sizes because the program goes on: after an unpacking, an assertion, a test, an operation that hasn't raised."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import gast

from tfrewrite.equalities import Equality
from tfrewrite.facts.scopes import FUNCTIONS
from tfrewrite.facts.walk.called import Calls
from tfrewrite.facts.walk.environment import Env
from tfrewrite.kinds import UNKNOWN, Dim, Kind, Shape, Sort, Symbol
from tfrewrite.ops import op
from tfrewrite.ops.call import Call
from tfrewrite.ops.operators import of_operator


class LearntSizes(Calls):
    def _learn_shape(self, name: str, rank: int, env: Env) -> None:
        """The program goes on only if the name's value has that rank."""
        kind = env.get(name, UNKNOWN)
        if kind.sort in (Sort.UNKNOWN, Sort.ARRAY) and self._all._mutation.arrays_are_reshaped:
            return
        if kind.sort in (Sort.UNKNOWN, Sort.VARIABLE) and self._all._mutation.is_assigned(name):
            return  # a variable of no fixed shape takes another rank
        if isinstance(kind.shape, Symbol) and kind.sort in (Sort.UNKNOWN, Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY):
            env.learn([(kind.shape, (None,) * rank)])
        elif name in env and kind.shape is None and kind.sort in (Sort.UNKNOWN, Sort.TENSOR):
            env[name] = replace(kind, shape=(None,) * rank)

    def _learn_from_unpacking(self, targets: Sequence[gast.AST], value: gast.AST, env: Env) -> None:
        """`n, m = x.shape` goes on only if there are two."""
        match targets, value:
            case [gast.Tuple(elts=elts) | gast.List(elts=elts)], (
                gast.Attribute(value=gast.Name(id=name), attr="shape")
                | gast.Call(func=gast.Attribute(value=gast.Attribute(value=gast.Name(id=name), attr="shape"), attr="as_list"), args=[])
            ) if not any(isinstance(one, gast.Starred) for one in elts):
                self._learn_shape(name, len(elts), env)

    def _learn_from_call(self, value: gast.AST, env: Env) -> None:
        match value:
            case gast.Call(func=func, args=[gast.Name(id=name), gast.Constant(value=int(rank)), *_]) if self._names(func) in (
                "tensorflow.assert_rank",
                "tensorflow.compat.v1.assert_rank",
            ):
                self._learn_shape(name, rank, env)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="set_shape"), args=[gast.List(elts=elts) | gast.Tuple(elts=elts)]
            ):
                self._learn_shape(name, len(elts), env)
            case gast.Call(
                func=gast.Attribute(value=gast.Attribute(value=gast.Name(id=name), attr="shape"), attr="assert_has_rank"),
                args=[gast.Constant(value=int(rank))],
            ):
                self._learn_shape(name, rank, env)

    def _learn_from_test(self, test: gast.AST, holds: bool, env: Env) -> None:
        """What is known of sizes where a condition holds, or where it doesn't."""
        match test:
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                self._learn_from_test(operand, not holds, env)
            case gast.BoolOp(op=gast.And() | gast.Or() as op, values=values):
                if isinstance(op, gast.And) == holds:
                    for value in values:
                        self._learn_from_test(value, holds, env)
            case gast.Compare(left=left, ops=ops, comparators=others):
                equal = gast.Eq if holds else gast.NotEq
                if not all(isinstance(one, equal) for one in ops) or (len(ops) > 1 and not holds):
                    return
                for one, other in itertools.pairwise([left, *others]):
                    self._learn_equal(one, other, env)

    def _learn_equal(self, left: gast.AST, right: gast.AST, env: Env) -> None:
        match left, right:
            case (
                (
                    gast.Call(func=gast.Name(id="len"), args=[gast.Attribute(value=gast.Name(id=name), attr="shape")])
                    | gast.Attribute(value=gast.Attribute(value=gast.Name(id=name), attr="shape"), attr="rank" | "ndims")
                ),
                gast.Constant(value=int(rank)),
            ):
                self._learn_shape(name, rank, env)
                return
        a, b = (self._record.get(one, UNKNOWN) for one in (left, right))
        if a.sort is b.sort is Sort.TUPLE:
            self._learn([(_sizes_in(a), _sizes_in(b))], env)
        elif a.sort in (Sort.NUMBER, Sort.UNKNOWN) and b.sort in (Sort.NUMBER, Sort.UNKNOWN):
            # An index has one value where it is compared, and others in the iterations that rules think of.
            if not any(isinstance(one.value, Symbol) and one.value.loops for one in (a, b)):
                self._learn([(_size_in(a), _size_in(b))], env)

    def _learn_from_operation(self, node: gast.AST, env: Env) -> None:
        """What is known of the sizes of operands, as the operation hasn't raised."""
        match node:
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                kinds = [self._record.get(one, UNKNOWN) for one in (left, right)]
                if any(isinstance(one, gast.Name) and self._all._mutation.is_assigned(one.id) for one in (left, right)):
                    return  # a variable of no fixed shape takes another one
                if all(one.sort in (Sort.TENSOR, Sort.VARIABLE) for one in kinds):
                    self._learn(
                        of_operator(node.op).equalities(Call({"x": kinds[0], "y": kinds[1]}, {"x": left, "y": right}, self._dtype)), env
                    )
            case gast.Call(func=func) if (name := self._names(func)) is not None and (row := op(name)).proves_sizes:
                if (call := self.bound(node, row)) is not None:
                    self._learn(row.equalities(call), env)

    def _learn(self, equalities: Iterable[Equality], env: Env) -> None:
        """Of a graph that may know no sizes while it is traced, only how many axes there are."""
        env.learn(equalities if self._knows_shapes else [one for one in equalities if isinstance(one[1], tuple) and not any(one[1])])

    @cached_property
    def _knows_shapes(self) -> bool:
        unit = self._unit
        return not isinstance(unit, FUNCTIONS) or self._all._contexts.knows_shapes(
            unit.body if isinstance(unit, gast.Lambda) else unit.body[0]
        )


def _sizes_in(kind: Kind) -> Shape:
    """The sizes that a tuple such as `x.shape` holds."""
    if kind.items is not None:
        return tuple(map(_size_in, kind.items))
    return kind.value if isinstance(kind.value, Symbol) else None


def _size_in(kind: Kind) -> Dim:
    return kind.value if isinstance(kind.value, int | Symbol) and not isinstance(kind.value, bool) else None
