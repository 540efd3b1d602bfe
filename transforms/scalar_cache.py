"""Give eager tensors NumPy numbers if Python numbers differ in every iteration of a loop.

Before:  for step in range(100000):
             x -= step * 1e-6 * gradient(x)
After:   for step in range(100000):
             x -= np.array(step * 1e-6, np.float32) * gradient(x)

Why:     TensorFlow makes a tensor of every Python number that meets an eager one, and keeps it as long as the process
         lives: 740 bytes for each number of each dtype. 100,000 iterations of `x * v` keep 74 MB before and nothing after,
         in the same time (13.3 and 13.1 microseconds; `v * x` 16 and 19). `np.float32(v)` would take twice as long on the
         right of a tensor (27 microseconds), and `np.float64(v)` is a Python float and is kept as well (61 MB).
Safety:  - **Dtype.** Refused unless the tensor's dtype is known: beside a float64 tensor `np.array(v, np.float32)` raises,
           and `v` doesn't.
         - **Other dtypes.** Only float16, float32 and float64: `tf.bfloat16` is no dtype of NumPy's, and
           `np.array(1.5, np.int32)` is 1, where 1.5 raises.
         - **Graphs.** Refused unless the loop certainly runs eagerly, and the number is a Python one: in a graph the number
           of a `while` over tensors is a tensor.
         - **Place.** `tf.add(v, x)` chooses a dtype for `v` alone. Refused unless the number follows the tensor; for
           operators both sides are fine.
         - **Few values.** Not rewritten for `i % 10`, `i // 100`, `min(i, 5)` and `round(v)`, and under an `if`.
         - **Short loops.** Not rewritten for fewer than 1,000 iterations (0.7 MB), or an unknown number, as `range(n)`.
         - **Bits.** The same but for two: of `0.0` and `-0.0` TensorFlow keeps the first for both, and NumPy warns on
           stderr of a number that is infinite in the dtype.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.facts.scopes import FUNCTIONS, LOOPS, Scope, walk_within
from tfrewrite.loops.headers import Counted, read_header
from tfrewrite.outcomes import Edit, Fidelity, Outcome, Refusal, Rewrite, transform

_LEAST_VALUES = 1000
_DTYPES = {"float16", "float32", "float64"}
_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)
_OPERATORS = (*_ARITHMETIC, gast.FloorDiv, gast.Mod)
_COMPARISONS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)
_MAKERS = {"tensorflow.constant", "tensorflow.convert_to_tensor"}
_Loop = gast.For | gast.While


@transform(gast.BinOp, gast.AugAssign, gast.Compare, gast.Call, fidelity=Fidelity.BITWISE, mentions=("for ", "while "), late=True)
def scalar_cache(operation: gast.BinOp | gast.AugAssign | gast.Compare | gast.Call, facts: Facts) -> Outcome:
    loops = _loops(operation, facts)
    if not loops:
        return None
    for number, partner in _pairs(operation, facts):
        if facts.kind(number).sort is Sort.NUMBER and (outcome := _of_number(number, partner, loops, facts)) is not None:
            return outcome
    return None


def _of_number(number: gast.expr, tensor: gast.AST, loops: list[_Loop], facts: Facts) -> Outcome:
    """The number, and the tensor whose dtype it gets when they meet."""
    kind, other = facts.kind(number), facts.kind(tensor)
    if isinstance(facts.parent(tensor), gast.BinOp):
        other = other.as_operand
    if not other.is_tensor or facts.mode(number) is Mode.GRAPH:
        return None
    deciding = _deciding(number, loops, facts)
    if not deciding:
        return None
    iterations = [_iterations(one, facts) for one in deciding]
    known = [one for one in iterations if one is not None]
    if len(known) == len(iterations) and math.prod(known) < _LEAST_VALUES:
        return None
    shown = facts.edit.short(number, "a number")
    if kind.dtype not in ("float", "int") or other.dtype is not None and other.dtype not in _DTYPES:
        return None
    if other.dtype is None:
        beside = facts.edit.short(tensor, "the tensor")
        return Refusal(
            number,
            Code.UNKNOWN_DTYPE,
            f"TensorFlow keeps every value of {shown}, but the dtype of {beside}, which a NumPy number needs too, is not known",
            "Create the tensor in this file with a known dtype.",
        )
    if not facts.only_eager(number):
        return Refusal(number, Code.IN_GRAPH, f"{shown} might be a tensor here, where the function is traced for a graph")
    if len(known) < len(iterations):
        reason = f"TensorFlow keeps every value of {shown}, but how many iterations the loop has isn't known, and in a short one nothing is gained"
        return Refusal(number, Code.UNKNOWN_COUNT, reason, f"In a long one, write np.array({shown}, np.{other.dtype}).")
    numpy = facts.numpy(number)
    if numpy is None:
        if facts.is_bound("np", number):
            return Refusal(number, Code.NAME_TAKEN, "np is something else than NumPy here", "Import NumPy, under another name, before it.")
        return Refusal(number, Code.NAME_TAKEN, "NumPy is not imported here", "Write `import numpy as np` at the top.")
    name, imports = numpy
    edits = facts.edit.rebuild(number, [f"{name}.array(", (number, 0), f", {name}.{other.dtype})"])
    edits += _dtype_said_twice(number, tensor, facts)
    return Rewrite(number, (*imports, *edits), f"TensorFlow would keep each of the {math.prod(known)} Python numbers that {shown} is")


def _dtype_said_twice(number: gast.expr, maker: gast.AST, facts: Facts) -> tuple[Edit, ...]:
    """`tf.constant` of an array has its dtype: it need not be given one."""
    if not isinstance(maker, gast.Call) or facts.called(maker) not in _MAKERS:
        return ()
    given = facts.arguments(maker) or {}
    if given.get("value") is not number or "dtype" not in given:
        return ()
    keyword = next((one for one in maker.keywords if one.arg == "dtype"), None)
    if keyword is not None:
        return (facts.edit.remove_argument(maker, keyword),)
    return (Edit(facts.edit.outer_span(number).end, facts.edit.outer_span(given["dtype"]).end),)


def _pairs(operation: gast.AST, facts: Facts) -> Iterator[tuple[gast.expr, gast.AST]]:
    """What may be a number, and the tensor that it meets."""
    match operation:
        case gast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            yield right, left
            yield left, right
        case gast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
            yield right, left
            yield left, right
        case gast.AugAssign(target=target, op=gast.Add() | gast.Sub() | gast.Mult(), value=value):
            yield value, target  # `x /= v` of an int tensor makes a float one, whose dtype it had not when they met
        case gast.Call(args=[first, second], keywords=[]) if facts.op(operation).converts_second:
            yield second, first
        case gast.Call() if facts.called(operation) in _MAKERS:
            arguments = facts.arguments(operation) or {}
            if "value" in arguments and set(arguments) <= {"value", "dtype"}:
                yield arguments["value"], operation


def _loops(node: gast.AST, facts: Facts) -> list[_Loop]:
    """The loops around a node, in its own function, whose every iteration comes by it."""
    found: list[_Loop] = []
    child = node
    for ancestor in facts.scopes.ancestors(node):
        if isinstance(ancestor, (*FUNCTIONS, gast.ClassDef, gast.If, gast.IfExp, gast.BoolOp, gast.Try)):
            break
        if isinstance(ancestor, gast.For | gast.While) and any(child is one for one in ancestor.body):
            found.append(ancestor)
        child = ancestor
    return found


def _iterations(loop: _Loop, facts: Facts) -> int | None:
    header = read_header(loop, facts)
    ends = any(isinstance(node, gast.Break | gast.Return) for one in loop.body for node in (one, *walk_within(one)))
    return header.iterations if isinstance(header, Counted) and not ends else None


# What differs


def _deciding(number: gast.AST, loops: list[_Loop], facts: Facts, inside: frozenset[str] = frozenset()) -> list[_Loop]:
    """The loops with each of whose iterations the number is another one; none where it may take few values only."""
    match number:
        case gast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
            parts = [left, right]
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            parts = [operand]
        case gast.Call(args=[value], keywords=[]) if facts.called(number) == "builtins.float":
            parts = [value]
        case gast.Name():
            return _deciding_name(number, loops, facts, inside)
        case _:
            return []
    found = [loop for part in parts for loop in _deciding(part, loops, facts, inside)]
    return [loop for loop in loops if loop in found]


def _deciding_name(name: gast.Name, loops: list[_Loop], facts: Facts, inside: frozenset[str]) -> list[_Loop]:
    scope = facts.scopes.names[name]
    if scope.lookup(name.id) is not scope or name.id in scope.shared or name.id in inside:
        return []
    for loop in loops:
        given = _given_in(name.id, loop, scope, facts)
        match given:
            case []:
                continue
            case [gast.For(target=target, iter=iterable) as whose] if whose is loop and _counts(target, name.id, iterable, facts):
                return [loop]
            case [gast.AugAssign(op=op)] if isinstance(op, _ARITHMETIC) and _every_iteration(given[0], loop, facts):
                return [loop]
            case [gast.Assign(targets=[gast.Name()], value=value)] if _every_iteration(given[0], loop, facts):
                if any(isinstance(one, gast.Name) and one.id == name.id for one in gast.walk(value)):
                    return [loop] if isinstance(value, gast.BinOp) and isinstance(value.op, _ARITHMETIC) else []
                return _deciding(value, loops, facts, inside | {name.id})
        return []
    return []


def _given_in(name: str, loop: _Loop, scope: Scope, facts: Facts) -> list[gast.AST]:
    """What gives the name a value, in the loop's header and block."""
    parents = [
        (binding, facts.scopes.parents[binding])
        for binding in scope.bindings[name]
        if binding is not loop and any(ancestor is loop for ancestor in facts.scopes.ancestors(binding))
    ]
    return [
        next((one for one in (parent, facts.scopes.parents.get(parent)) if isinstance(one, gast.stmt)), parent) for _, parent in parents
    ]


def _every_iteration(statement: gast.AST, loop: _Loop, facts: Facts) -> bool:
    parent = facts.parent(statement)
    return parent is loop or isinstance(parent, LOOPS) and any(one is loop for one in facts.scopes.ancestors(parent))


def _counts(target: gast.AST, name: str, iterable: gast.AST, facts: Facts) -> bool:
    """Is the name the number of the iteration?"""
    match target, facts.called(iterable):
        case gast.Name(id=index), "builtins.range":
            return bool(index == name)
        case gast.Tuple(elts=[gast.Name(id=index), _]), "builtins.enumerate":
            return bool(index == name)
    return False
