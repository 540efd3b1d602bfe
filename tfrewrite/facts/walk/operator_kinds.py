"""What operators give: of numbers, tensors, arrays, and tuples that are written as sums and products."""

from __future__ import annotations

from dataclasses import replace

import gast

from tfrewrite.facts.walk.constants_and_dtypes import MOST_MEMBERS, of_any_dtype
from tfrewrite.facts.walk.environment import Env
from tfrewrite.facts.walk.state import State
from tfrewrite.kinds import FLOATS, UNKNOWN, Kind, Shape, Sort, Symbol, broadcast, divided_by, number, same_dim, sequence, tensor, times
from tfrewrite.ops.call import arithmetic, as_tensor, divided, elementwise, one_dtype
from tfrewrite.ops.shared_results import matmul_shape, modulo


class Operators(State):
    def _unary(self, op: gast.AST, operand: Kind) -> Kind:
        match op, operand:
            case gast.USub(), Kind(sort=Sort.NUMBER, value=int() | float() as value) if not isinstance(value, bool):
                return number(-value)
            case gast.USub() | gast.UAdd(), Kind(sort=Sort.TENSOR | Sort.VARIABLE):
                return replace(elementwise(operand), finite=operand.finite)
            case gast.Invert(), Kind(sort=Sort.TENSOR | Sort.VARIABLE):
                return elementwise(operand)
            case gast.USub() | gast.UAdd(), Kind(sort=Sort.NUMBER, dtype="bool"):
                return number(None, "int")
            case gast.USub() | gast.UAdd(), Kind(sort=Sort.NUMBER):
                return replace(operand, value=None, below=None)
            case gast.USub() | gast.UAdd() | gast.Invert(), Kind(sort=Sort.ARRAY | Sort.SCALAR):
                from tfrewrite.facts import array_values

                known = operand.shape is not None
                return array_values.made(operand.dtype, operand.shape) if known else replace(operand, value=None, below=None)
            case gast.Not(), _:
                return number(None, "bool")
        return UNKNOWN

    def _compare(self, node: gast.Compare, env: Env) -> Kind:
        left = self._expression(node.left, env)
        right = [self._expression(one, env) for one in node.comparators][-1]
        if Sort.SYMBOLIC in (left.sort, right.sort):
            return UNKNOWN
        if (
            len(node.ops) == 1
            and not isinstance(node.ops[0], gast.Is | gast.IsNot | gast.In | gast.NotIn)
            and (left.is_tensor or right.is_tensor)
        ):
            kind = arithmetic(left, right)
            told = isinstance(node.ops[0], gast.Eq | gast.NotEq) and not _are_surely_broadcast(
                as_tensor(left).shape, as_tensor(right).shape
            )
            return tensor("bool", None if told else kind.shape)
        if len(node.ops) == 1 and _are_arrays(left, right) and not isinstance(node.ops[0], gast.Is | gast.IsNot | gast.In | gast.NotIn):
            from tfrewrite.facts import array_values

            return array_values.arithmetic((left, right), "bool")
        return number(None, "bool") if left.sort is right.sort is Sort.NUMBER else UNKNOWN

    def _arithmetic(self, op: gast.AST, left: Kind, right: Kind) -> Kind:
        return of_any_dtype(lambda kinds: self._operated(op, kinds[0], kinds[1]), (left, right))

    def _operated(self, op: gast.AST, left: Kind, right: Kind) -> Kind:
        left, right = left.as_operand, right.as_operand
        if Sort.SYMBOLIC in (left.sort, right.sort):
            return _of_symbolic(left, right)
        if left.sort is right.sort is Sort.NUMBER:
            return _number_arithmetic(op, left, right)
        if not (left.is_tensor or right.is_tensor):
            if left.sort is Sort.LIST and left.items is not None and (joined := _listed(op, left.items, right)) is not None:
                return sequence(Sort.LIST, joined)
            if not _are_arrays(left, right):
                return UNKNOWN
            from tfrewrite.facts import array_values

            return array_values.operated(op, left, right)
        match op:
            case gast.MatMult():
                a, b = as_tensor(left), as_tensor(right)
                return tensor(one_dtype(a.dtype, b.dtype), matmul_shape(a.shape, b.shape), fixed=a.fixed and b.fixed)
            case gast.Div():
                return divided(arithmetic(left, right))
            case gast.Mod() if left.sort in (Sort.TEXT, Sort.UNKNOWN):
                return Kind(left.sort)  # what is formatted, or may be
            case gast.Mod():
                return modulo(left, right, arithmetic(left, right))
            case gast.Add() | gast.Sub() | gast.Mult() | gast.FloorDiv() | gast.Pow() | gast.BitAnd() | gast.BitOr() | gast.BitXor():
                return arithmetic(left, right)
        return tensor()


def _number_arithmetic(op: gast.AST, left: Kind, right: Kind) -> Kind:
    a, b = left.value, right.value
    match op, a, b:
        case (gast.Mult(), Symbol() as size, int() as factor) | (gast.Mult(), int() as factor, Symbol() as size):
            if left.dtype == right.dtype == "int" and (product := times(size, factor)) is not None:
                return number(product)
        case gast.FloorDiv(), Symbol() as size, int() as parts if parts > 0 and left.dtype == right.dtype == "int":
            if isinstance(quotient := divided_by(size, parts), Symbol):
                return number(quotient)
    if isinstance(a, int) and isinstance(b, int) and not isinstance(op, gast.Pow | gast.LShift):
        match op:
            case gast.Add():
                return number(a + b)
            case gast.Sub():
                return number(a - b)
            case gast.Mult():
                return number(a * b)
            case gast.FloorDiv() if b:
                return number(a // b)
            case gast.Mod() if b:
                return number(a % b)
            case gast.Div() if b:
                return number(a / b) if max(abs(a), abs(b)) < 2**53 else number(None, "float")
    match op:
        case gast.Div():
            return number(None, "float")
        case gast.Pow() if left.dtype == "float" and (right.dtype == "int" or (right.dtype == "float" and isinstance(a, float) and a > 0)):
            return number(None, "float")
        case gast.Pow():
            return number(None)  # (-2.0) ** 0.5 is complex, 2 ** -1 a float, 2 ** 40 no int32
    if "complex" in (left.dtype, right.dtype) or None in (left.dtype, right.dtype):
        return number(None)
    if left.dtype == right.dtype == "bool" and isinstance(op, gast.BitAnd | gast.BitOr | gast.BitXor):
        return number(None, "bool")
    return number(None, "float" if "float" in (left.dtype, right.dtype) else "int")


def _of_symbolic(left: Kind, right: Kind) -> Kind:
    """What an operator makes of Keras tensors: floats of one dtype, or of one and a number."""
    kinds = [one for one in (left, right) if one.sort in (Sort.SYMBOLIC, Sort.TENSOR, Sort.VARIABLE)]
    if len(kinds) + sum(one.sort is Sort.NUMBER for one in (left, right)) < 2:
        return Kind(Sort.SYMBOLIC)
    dtypes = {one.dtype for one in kinds}
    shape = broadcast(*(one.shape if one.sort is not Sort.NUMBER else () for one in (left, right)))
    return Kind(Sort.SYMBOLIC, dtypes.pop() if len(dtypes) == 1 and dtypes <= FLOATS else None, shape)


def _are_surely_broadcast(a: Shape, b: Shape) -> bool:
    """Can the two be broadcast? Of tensors that can't, `a == b` is a single False, where other operations raise."""
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return () in (a, b)
    return all(1 in (x, y) or same_dim(x, y) for x, y in zip(reversed(a), reversed(b), strict=False))


def _are_arrays(left: Kind, right: Kind) -> bool:
    """Does NumPy compute with the two?"""
    sorts = {left.sort, right.sort}
    with_lists = Sort.ARRAY in sorts and sorts <= {Sort.ARRAY, Sort.SCALAR, Sort.NUMBER, Sort.LIST, Sort.TUPLE}
    return with_lists or (Sort.SCALAR in sorts and sorts <= {Sort.SCALAR, Sort.NUMBER})


def _listed(op: gast.AST, items: tuple[Kind, ...], other: Kind) -> tuple[Kind, ...] | None:
    """The members of `[1, 2] * 3` and of `[1] + [2]`."""
    match op, other:
        case gast.Mult(), Kind(sort=Sort.NUMBER, value=int() as times) if 0 < times * len(items) <= MOST_MEMBERS:
            return items * times
        case gast.Add(), Kind(sort=Sort.LIST, items=tuple() as more):
            return (*items, *more)
    return None
