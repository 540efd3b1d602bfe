"""Numbers that an array is computed with, one after the other: `(x.astype("float32") - 127.5) / 127.5`."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts, Sort

OPERATORS = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/"}
BYTE_VALUES = {"uint8": range(256), "int8": range(-128, 128), "bool": range(2)}
_LEAST = 2.0**-126
"""Of float32: TensorFlow takes smaller numbers for zero, and NumPy does not."""
_RESHAPES = frozenset({"numpy.reshape", "numpy.expand_dims", "numpy.squeeze", "numpy.ravel"})
_RESHAPING_METHODS = frozenset({"reshape", "ravel", "squeeze"})


@dataclass(frozen=True)
class Step:
    """One number that an array is computed with: `x / 255`. `flipped`: the number stands first."""

    operator: str
    number: gast.expr
    flipped: bool

    @property
    def commutes(self) -> bool:
        return not self.flipped or self.operator in "+*"


@dataclass(frozen=True)
class Chain:
    """An array, and the steps that are computed with it, the innermost first."""

    base: gast.expr
    steps: tuple[Step, ...]


def chain_of(node: gast.AST, facts: Facts) -> Chain | None:
    """What `(x - 127.5) / 127.5` does to `x`."""
    match node:
        case gast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            pass
        case _:
            return None
    flipped = _is_number(left, facts)
    if flipped == _is_number(right, facts):
        return None
    array, number = (right, left) if flipped else (left, right)
    step = Step(OPERATORS[type(op)], number, flipped)
    inner = chain_of(array, facts)
    return Chain(array, (step,)) if inner is None else Chain(inner.base, (*inner.steps, step))


def numpy_may_raise(facts: Facts) -> bool:
    """Does the file ask NumPy to raise where it otherwise warns, or warnings to be raised or kept?

    An error between two statements leaves the name half scaled, and TensorFlow neither raises nor warns.
    """
    attributes = {getattr(one, "attr", "") for one in facts.nodes((gast.Attribute,))}
    imported = {getattr(one, "name", "") for one in facts.nodes((gast.alias,))}
    kept = any(one.arg == "record" for one in facts.nodes((gast.keyword,)) if isinstance(one, gast.keyword))
    raised = any(getattr(one, "value", None) == "error" for one in facts.nodes((gast.Constant,)))
    warns = bool((attributes | imported) & {"simplefilter", "filterwarnings", "catch_warnings"})
    return bool((attributes | imported) & {"errstate", "seterr", "seterrcall"}) or (warns and (kept or raised))


def _is_number(node: gast.AST, facts: Facts) -> bool:
    """Is it a number that the text says, such as `255.` or `1 / 255`?"""
    return value_of(node, facts) is not None


def value_of(node: gast.AST, facts: Facts) -> float | None:
    literal = all(isinstance(one, gast.Constant | gast.BinOp | gast.UnaryOp | gast.operator | gast.unaryop) for one in gast.walk(node))
    kind = facts.kind(node)
    if not literal or "\n" in facts.source.text_of(node) or kind.sort is not Sort.NUMBER or isinstance(kind.value, bool):
        return None
    return float(kind.value) if isinstance(kind.value, int | float) and abs(kind.value) < 1e300 else None


def made_in(node: gast.AST, facts: Facts) -> gast.Call | None:
    """The `x.astype(dtype)` that makes a new array, which is all of an expression but for its shape."""
    match node:
        case gast.Call(func=gast.Attribute(value=inner, attr="astype"), args=[_], keywords=[]) if facts.called(node) is None:
            return node
        case gast.Call(func=gast.Attribute(value=inner, attr=attr)) if attr in _RESHAPING_METHODS and facts.called(node) is None:
            return made_in(inner, facts)
        case gast.Call(args=[inner, *_]) if facts.called(node) in _RESHAPES:
            return made_in(inner, facts)
    return None


def computed(step: Step, x: float, number: float) -> float:
    a, b = (number, x) if step.flipped else (x, number)
    match step.operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    return a / b


def rounded(x: float) -> float:
    """The nearest number of float32; an infinity for one that is too large."""
    try:
        found: float = struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)
    return found


def meets_subnormals(steps: Sequence[Step], dtype: str, facts: Facts) -> bool:
    """May a step from bytes on have an operand or a result that TensorFlow takes for zero, or divide by zero?"""
    numbers = [rounded(value_of(step.number, facts) or 0.0) for step in steps]
    if any(_is_subnormal(one) for one in numbers):
        return True
    for value in BYTE_VALUES[dtype]:
        x = float(value)
        for step, number in zip(steps, numbers, strict=True):
            if step.operator == "/" and (x if step.flipped else number) == 0.0:
                return True
            x = rounded(computed(step, x, number))
            if _is_subnormal(x):
                return True
    return False


def _is_subnormal(x: float) -> bool:
    return 0.0 < abs(x) < _LEAST
