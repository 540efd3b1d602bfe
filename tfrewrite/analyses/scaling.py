"""Numbers that an array is computed with, one after the other: `(x.astype("float32") - 127.5) / 127.5`."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts, Sort

OPERATORS = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/"}
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
