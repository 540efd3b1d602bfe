"""Whether what a loop computes means the same in a `tf.function`, and when XLA compiles it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts
from tfrewrite.facts.compiling import KNOWN_TO_XLA, TENSOR_FIRST, graph_obstacle, xla_obstacle
from tfrewrite.facts.kinds import Dim, Kind, Shape, Symbol, same_dim, same_shape
from tfrewrite.facts.scopes import walk_within
from tfrewrite.loops.bodies import is_followed, is_tensor
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.numbers import Numbers
from tfrewrite.loops.plans import Nest
from tfrewrite.outcomes import Refusal

_OPERATORS: dict[type[gast.AST], str] = {
    gast.Add: "add", gast.Sub: "subtract", gast.Mult: "multiply", gast.Div: "divide", gast.FloorDiv: "math.floordiv",
    gast.Mod: "math.floormod", gast.Pow: "pow", gast.MatMult: "matmul", gast.BitAnd: "bitwise.bitwise_and",
    gast.BitOr: "bitwise.bitwise_or", gast.BitXor: "bitwise.bitwise_xor", gast.USub: "negative", gast.UAdd: "identity",
    gast.Invert: "bitwise.invert", gast.Lt: "less", gast.LtE: "less_equal", gast.Gt: "greater", gast.GtE: "greater_equal",
    gast.Eq: "equal", gast.NotEq: "not_equal", gast.Not: "math.logical_not",
}  # fmt: skip


_ELEMENTWISE = frozenset(_OPERATORS.values()) - {"matmul"} | {"maximum", "minimum", "where", "math.squared_difference"}
_OF_ONE = frozenset({
    "square", "sqrt", "exp", "sin", "cos", "tan", "tanh", "sigmoid", "abs", "round", "floor", "sign", "identity", "cast", "reduce_sum",
    "reduce_mean", "reduce_max", "reduce_min", "zeros_like", "ones_like", "stop_gradient", "getitem",
})  # fmt: skip


@dataclass(frozen=True)
class Operation:
    """One operation on tensors: its function, its tensor operands, and the node."""

    name: str
    operands: tuple[gast.AST, ...]
    node: gast.AST


def graph_refusal(nest: Nest) -> Refusal | None:
    """Why the loop can't move from eager code into a graph."""
    for one in _operations(nest):
        shown = nest.facts.edit.short(one.node, "an operation")
        dtypes = [nest.facts.kind(operand).dtype for operand in one.operands]
        if one.name not in ("", "constant") and (reason := graph_obstacle(one.name, dtypes)):
            return Refusal(one.node, f"{shown}: {reason}")
        if (
            isinstance(one.node, gast.Call)
            and one.name in TENSOR_FIRST
            and one.node.args
            and not is_tensor(nest.facts.kind(one.node.args[0]))
        ):
            return Refusal(
                one.node, f"{shown}: in a graph its first operand decides the dtype, and has to be a tensor", "Put the tensor first."
            )
    return None


def why_not_xla(nest: Nest) -> str:
    """Why XLA can't compile the loop to something that means the same; empty where it can."""
    facts = nest.facts
    for plan in nest.plan.all():
        if grown := next((one.name for one in plan.carried if one.grows), None):
            return f"{grown} changes its shape"
    for one in _operations(nest):
        if not one.name:
            return f"what {facts.edit.short(one.node.func, 'a function')} does is known from a run alone"
        kinds = [facts.kind(operand) for operand in one.operands]
        dtypes = [kind.dtype for kind in kinds]
        if one.name == "cast":
            dtypes.append(facts.kind(one.node).dtype)
        in_range = isinstance(one.node, gast.Subscript) and _in_range(one.node, nest)
        if reason := xla_obstacle(one.name, dtypes, all(kind.finite for kind in kinds), in_range):
            return reason
        if isinstance(one.node, gast.Call) and (computed := _computed_size(one.name, one.node, facts)):
            return f"{computed} decides about a shape, and XLA has to know it when it compiles"
    return ""


def certain_to_trace(nest: Nest) -> bool:
    """Do all operations certainly fit together? Else a loop without any turn may fail while its body is traced."""
    return all(_fits(one, nest.facts) for one in _operations(nest))


def _fits(operation: Operation, facts: Facts) -> bool:
    kinds = [facts.kind(one) for one in operation.operands]
    dtypes = {kind.dtype for kind in kinds}
    if None in dtypes or len(dtypes) > 1:
        return False
    match operation.name, kinds:
        case "matmul", [Kind(shape=(*_, x)), Kind(shape=(y, _))]:
            return same_dim(x, y)
        case name, [Kind(), Kind()] if name in _ELEMENTWISE:
            return _broadcasts(kinds[0].shape, kinds[1].shape)
        case name, [Kind()] if name in _ELEMENTWISE or name.startswith(("math.", "nn.")) or name in _OF_ONE:
            return True
    return False


def _broadcasts(a: Shape, b: Shape) -> bool:
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return same_shape(a, b) or () in (a, b)
    pairs = zip(reversed(a), reversed(b), strict=False)
    return all(same_dim(x, y) or 1 in (x, y) for x, y in pairs)


def _operations(nest: Nest) -> Iterator[Operation]:
    loop = nest.plan.body.loop
    test = [loop.test] if isinstance(loop, gast.While) else []
    yield from _of([*test, *loop.body], nest.facts, frozenset())


def _of(nodes: Iterable[gast.AST], facts: Facts, inside: frozenset[gast.AST]) -> Iterator[Operation]:
    for top in nodes:
        for node in (top, *walk_within(top)):
            match node:
                case gast.BinOp(left=left, op=op, right=right):
                    operands = [left, right]
                case gast.UnaryOp(op=op, operand=operand):
                    operands = [operand]
                case gast.Compare(left=left, ops=[op], comparators=[right]):
                    operands = [left, right]
                case gast.AugAssign(target=target, op=op, value=value):
                    operands = [target, value]
                case gast.Subscript(value=value) if is_tensor(facts.kind(value)):
                    yield Operation("getitem", (value,), node)
                    continue
                case gast.Call():
                    yield from _of_call(node, facts, inside)
                    continue
                case _:
                    continue
            tensors = tuple(one for one in operands if is_tensor(facts.kind(one)))
            if tensors:
                yield Operation(_OPERATORS.get(type(op), type(op).__name__), tensors, node)


def _of_call(call: gast.Call, facts: Facts, inside: frozenset[gast.AST]) -> Iterator[Operation]:
    name = facts.called(call) or ""
    if name.startswith("tensorflow."):
        values = [*call.args, *(one.value for one in call.keywords)]
        members = [member for one in values for member in (one.elts if isinstance(one, gast.List | gast.Tuple) else [one])]
        yield Operation(name.removeprefix("tensorflow."), tuple(one for one in members if is_tensor(facts.kind(one))), call)
    function = facts.callers.function_called(call)
    if function is not None and function not in inside:
        yield from _of(function.body if isinstance(function.body, list) else [function.body], facts, inside | {function})
    elif function is None and not name and is_followed(call, facts):
        yield Operation("", (), call)


def _computed_size(name: str, call: gast.Call, facts: Facts) -> str:
    """An argument that decides about the result's shape, and is computed from what tensors hold."""
    for parameter, value in (facts.arguments(call) or {}).items():
        if parameter in KNOWN_TO_XLA.get(name, ()):
            for node in gast.walk(value):
                if isinstance(node, gast.Name) and is_tensor(facts.kind(node)) and not _only_its_shape(node, facts):
                    return facts.edit.short(value, parameter)
    return ""


def _only_its_shape(node: gast.AST, facts: Facts) -> bool:
    parent = facts.parent(node)
    if isinstance(parent, gast.Attribute):
        return parent.attr in ("shape", "dtype", "rank", "ndim")
    return isinstance(parent, gast.Call) and facts.called(parent) in ("tensorflow.shape", "tensorflow.size", "tensorflow.rank")


def _in_range(node: gast.Subscript, nest: Nest) -> bool:
    """Does every index of `x[i, 0]` certainly exist?"""
    shape = nest.facts.kind(node.value).shape
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    axis = 0
    for part in parts:
        if isinstance(part, gast.Constant) and part.value is None or nest.facts.names(part) == "tensorflow.newaxis":
            continue
        if isinstance(part, gast.Slice):
            axis += 1
            continue
        if isinstance(part, gast.Constant) and part.value is Ellipsis:
            return all(isinstance(one, gast.Slice | gast.Constant) for one in parts)
        if isinstance(part, gast.Constant) or not _varies(part, nest):
            if is_tensor(nest.facts.kind(part)):
                return False
            axis += 1
            continue
        size = shape[axis] if isinstance(shape, tuple) and axis < len(shape) else None
        if not _below(part, size, nest):
            return False
        axis += 1
    return True


def _varies(node: gast.AST, nest: Nest) -> bool:
    return any(isinstance(one, gast.Name) and one.id in nest.varying for one in gast.walk(node))


def _below(index: gast.AST, size: Dim, nest: Nest) -> bool:
    if isinstance(size, int):
        low, high = Numbers(nest.facts, nest.tf, nest.varying, nest.bounds).interval(index)
        if 0 <= low and high < size:
            return True
    if not isinstance(index, gast.Name):
        return False
    for plan in nest.plan.all():
        header = plan.header
        if isinstance(header, Counted) and header.index == index.id:
            last = header.stop if header.step > 0 else header.start
            first = header.start.value if header.step > 0 else (header.stop.value if header.stop.value is None else header.stop.value + 1)
            limit = nest.facts.kind(last.node).value if last.node is not None else last.value
            exclusive = header.step > 0 or last.text.endswith(" - 1")
            known = isinstance(limit, int | Symbol) and not isinstance(limit, bool)
            return first is not None and first >= 0 and exclusive and known and same_dim(limit, size)  # type: ignore[arg-type]
    return False
