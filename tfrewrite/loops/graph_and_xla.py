"""Whether what a loop computes means the same in a `tf.function`, and when XLA compiles it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import gast

from tfrewrite.analyses.moves_into_graphs import Move
from tfrewrite.analyses.numbers_into_tensors import handed_to
from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.scopes import walk_within
from tfrewrite.kinds import ITEM_BYTES, Dim, Kind, Shape, Sort, Symbol, divided_by, same_dim, same_shape
from tfrewrite.loops.bodies import assigned_variable, is_followed, is_tensor
from tfrewrite.loops.calls import Followed, computed_by_python, followed, is_own
from tfrewrite.loops.headers import Counted
from tfrewrite.loops.numbers import COUNTER_BELOW, Numbers, typed
from tfrewrite.loops.plans import Nest
from tfrewrite.ops.operators import GETITEM, of_operator
from tfrewrite.ops.row import Op
from tfrewrite.outcomes import Refusal
from tfrewrite.rounding.operations import Backend, beyond_rounding, changed, changed_beside, changed_by_numbers

# Eager code is as fast as a graph from here on, and a graph adds up many tensors of one shape at once: four of [500, 500] that are
# rolled and added take 4.0 MB eagerly, 6.0 in a graph and 5.1 compiled by XLA; eight of them 4.0, 10.0 and 5.0; of int32, 2.6 and 7.9.
LARGE = 2**16
_MOST_KEPT = 3
_SUM_AND_PART = 2


@dataclass(frozen=True)
class Operation:
    """One operation on tensors: its row, its tensor operands, and the node."""

    row: Op
    operands: tuple[gast.AST, ...]
    node: gast.AST
    facts: Facts


def graph_refusal(nest: Nest) -> Refusal | None:
    """Why the loop can't move from eager code into a graph."""
    found = _obstacle(nest, xla=False) or _beyond(nest, Backend.GRAPH)
    if found is not None:
        return found.saying(f"{nest.facts.edit.short(found.node, 'an operation')}: {found.reason}")
    # Without an iteration nothing is traced, but for what stands in inner loops.
    inner = [plan for plan in nest.plan.all() if plan is not nest.plan]
    ends_alike = all(plan.at_least_one for plan in inner) and errors_end_the_program(nest.facts)
    for operation in _operations(nest):
        if misfit := _misfit(operation):
            return Refusal(operation.node, Code.RAISES, f"{nest.facts.edit.short(operation.node, 'an operation')} {misfit}")
        if len(operation.operands) == 2 and _broadcast_together(operation.row) and not _fits(operation) and not ends_alike:
            shown = nest.facts.edit.short(operation.node, "an operation")
            return Refusal(
                operation.node,
                Code.UNKNOWN_SHAPE,
                f"{shown}: its operands are not known to fit, and where they don't a graph raises another error",
            )
    return None


def errors_end_the_program(facts: Facts) -> bool:
    """Is it a script that catches nothing? Then nobody sees which error it was that ended it."""
    names = {getattr(node, "attr", getattr(node, "id", None)) for node in facts.nodes([gast.Attribute, gast.Name])}
    handlers = facts.nodes([gast.Try, getattr(gast, "TryStar", gast.Try)])
    handlers += [one for one in facts.nodes([gast.FunctionDef]) if getattr(one, "name", "") == "__exit__"]
    return facts.callers.is_script and not handlers and names.isdisjoint(_CATCHING)


_CATCHING = frozenset({"assertRaises", "assertRaisesRegex", "excepthook", "raises", "suppress", "assertRaisesWithPredicateMatch"})


def divisors(nest: Nest) -> dict[gast.AST, str]:
    """The numbers that the loop divides by, each with the dtype of what it divides: a graph multiplies by the reciprocal of a constant."""
    found: dict[gast.AST, str] = {}
    for node in (node for statement in nest.plan.body.loop.body for node in (statement, *walk_within(statement))):
        match node:
            case gast.BinOp(left=whole, op=gast.Div(), right=gast.Constant(value=float()) as number):
                pass
            case gast.AugAssign(target=whole, op=gast.Div(), value=gast.Constant(value=float()) as number):
                pass
            case _:
                continue
        kind = nest.facts.kind(whole)
        if is_tensor(kind) and kind.dtype in ("float32", "float64"):
            found[number] = kind.dtype
    return found


def rounded(nest: Nest, form: Backend, handed: Collection[gast.AST] = ()) -> tuple[gast.AST, ...]:
    """What the loop computes, and may compute in other last bits when it is compiled so."""
    loop, facts = nest.plan.body.loop, nest.facts
    statements: list[gast.AST] = [*([loop.test] if isinstance(loop, gast.While) else []), *loop.body]
    around = _compiled_with(nest)
    found = list(
        changed(statements, facts, form, nest.varying, around, rolled=around is None, beside=_all_of(statements, facts), handed=handed)
    )
    for followed_call in followed(statements, facts):
        found += changed(followed_call.statements, followed_call.facts, form, nest.varying, around, beside=_all_of(statements, facts))
    found += _known_to_the_graph(nest, form)[0] + together_with_others(nest, form)[0]
    # A running sum adds up in the order of the iterations, and not as a sum of all members does.
    found += [join for plan in nest.plan.all() for listed in plan.lists if not listed.is_array for join in listed.joins]
    return tuple(dict.fromkeys(found))


def _all_of(statements: list[gast.AST], facts: Facts) -> list[gast.AST]:
    """The loop's statements, and those of the functions that it calls."""
    return [*statements, *(statement for followed_call in followed(statements, facts) for statement in followed_call.statements)]


def _compiled_with(nest: Nest) -> gast.AST | None:
    """The function around the loop, where that is compiled too."""
    in_graph = nest.facts.mode(nest.plan.body.loop) is Mode.GRAPH
    return nest.function if in_graph and isinstance(nest.function, gast.FunctionDef) else None


_TENSOR = 2500
"""Bytes of an eager tensor beside its numbers: it, its handle and its buffer."""


def saved_members(nest: Nest) -> int | None:
    """How many bytes the members of its lists hold beside the tensors that are made of them; None where that isn't known."""
    whole = 0
    for plan in nest.plan.all():
        for listed in plan.lists:
            loops = [each.header for each in plan.way(listed)]
            iterations = [each.expected for each in loops if isinstance(each, Counted) and each.expected is not None]
            if len(iterations) < len(loops):
                return None
            kinds = [nest.facts.kind(member) for _, member in listed.members]
            sizes = [kind.size for kind in kinds]
            if any(size is None for size in sizes):
                return None
            each_iteration = sum(
                size * ITEM_BYTES.get(kind.dtype or "", 4) + _TENSOR for size, kind in zip(sizes, kinds, strict=True) if size is not None
            )
            whole += math.prod(iterations) * each_iteration
    return whole


def unread(loop: gast.For | gast.While, facts: Facts) -> gast.AST | None:
    """An operation that may raise for some values, and whose result nothing reads."""
    for statement in (node for top in loop.body for node in (top, *walk_within(top))):
        match statement:
            case gast.Assign(targets=[gast.Name() as target], value=value):
                owner = facts.scopes.names[target].lookup(target.id)
                below = [] if owner is None else [owner, *owner.below()]
                read = any(use for each in below for use in each.uses.get(target.id, ()) if facts.scopes.statement(use) is not statement)
                changed = owner is not None and any(
                    isinstance(facts.parent(binding), gast.AugAssign) for binding in owner.bindings[target.id]
                )
            case gast.Expr(value=gast.Call() as value) if (facts.called(value) or "").startswith("tensorflow."):
                read = changed = False
            case _:
                continue
        if not (read or changed):
            if any(operation.row.may_raise for operation in _of([value], facts)):
                return value
    return None


def why_not_xla(nest: Nest) -> Refusal | None:
    """Why XLA can't compile the loop to something that means the same; None where it can."""
    for plan in nest.plan.all():
        if grown := next((variable.name for variable in plan.carried if variable.grows), None):
            return Refusal(nest.plan.body.loop, Code.OTHER_SHAPE, f"{grown} changes its shape")
    if unknown := next((listed.open_because for listed in nest.plan.lists if listed.open_because), None):
        return Refusal(nest.plan.body.loop, Code.UNKNOWN_COUNT, unknown)
    if followed := next((call for call in _calls(nest) if is_followed(call, nest.facts)), None):
        return Refusal(
            nest.plan.body.loop,
            Code.UNKNOWN_CALL,
            f"what {nest.facts.edit.short(followed.func, 'a function')} does is known from a run only",
        )
    return _obstacle(nest, xla=True) or _beyond(nest, Backend.XLA)


def _known_to_the_graph(nest: Nest, backend: Backend) -> tuple[tuple[gast.AST, ...], Refusal | None]:
    """What is rounded otherwise where a graph knew the number of each iteration, as a loop that Python unrolls does."""
    loop, facts = nest.plan.body.loop, nest.facts
    if _compiled_with(nest) is None or not nest.varying:
        return (), None
    statements: list[gast.AST] = [*([loop.test] if isinstance(loop, gast.While) else []), *loop.body]
    return changed_by_numbers(_all_of(statements, facts), facts, backend, nest.varying)


def together_with_others(nest: Nest, backend: Backend) -> tuple[tuple[gast.AST, ...], Refusal | None]:
    """What the graph of an unrolled loop makes of several iterations, or of what stands around the loop, and a loop of it doesn't."""
    loop, facts, around = nest.plan.body.loop, nest.facts, _compiled_with(nest)
    if around is None:
        return (), None
    statements: list[gast.AST] = [*([loop.test] if isinstance(loop, gast.While) else []), *loop.body]
    return changed_beside(statements, facts, backend, nest.varying, around, _all_of(statements, facts))


def _beyond(nest: Nest, backend: Backend) -> Refusal | None:
    loop, facts = nest.plan.body.loop, nest.facts
    statements: list[gast.AST] = [*([loop.test] if isinstance(loop, gast.While) else []), *loop.body]
    around = _compiled_with(nest)
    found = beyond_rounding(statements, facts, backend, nest.varying, around, rolled=around is None, beside=_all_of(statements, facts))
    for followed_call in followed(statements, facts):
        found = found or beyond_rounding(
            followed_call.statements, followed_call.facts, backend, nest.varying, around, beside=_all_of(statements, facts)
        )
    return found or _known_to_the_graph(nest, backend)[1]


def _obstacle(nest: Nest, xla: bool) -> Refusal | None:
    """The first operation of the loop that can't move, in it or in the functions that it calls."""
    facts, loop = nest.facts, nest.plan.body.loop
    statements: list[gast.AST] = [*([loop.test] if isinstance(loop, gast.While) else []), *loop.body]
    known = [call for call in _calls(nest) if _is_looked_into(call, facts)]
    proven = [
        node
        for statement in statements
        for node in (statement, *walk_within(statement))
        if isinstance(node, gast.Subscript) and _in_range(node, nest)
    ]
    move = Move(facts, xla, nest.varying, proven, known)
    nodes = (node for statement in statements for node in (statement, *walk_within(statement)))
    # What is computed with Python numbers alone was judged where they became tensors.
    found = next((refusal for node in nodes if facts.kind(node).sort is not Sort.NUMBER and (refusal := move.of(node))), None)
    for followed_call in followed(statements, facts):
        found = found or _inside(followed_call, nest, xla)
    return found


def _inside(one: Followed, nest: Nest, xla: bool) -> Refusal | None:
    """The first operation that can't move of a function that the loop calls."""
    known = [call for call in gast.walk(one.function) if isinstance(call, gast.Call) and is_own(call, one.facts)]
    known += computed_by_python(one.statements, one.facts)
    handed = [*one.call.args, *(keyword.value for keyword in one.call.keywords)]
    of_object = nest.facts.callers.function_called(one.call) is None
    varying = {
        parameter.id: typed(nest.facts.kind(value))
        for value in handed
        if typed(nest.facts.kind(value))
        and _varies(value, nest)
        and (parameter := handed_to(one.call, value, one.function, of_object)) is not None
    }
    return Move(one.facts, xla, varying, (), known).obstacle(one.statements)


def _calls(nest: Nest) -> Iterator[gast.Call]:
    loop = nest.plan.body.loop
    statements: list[gast.AST] = [*([loop.test] if isinstance(loop, gast.While) else []), *loop.body]
    return (node for statement in statements for node in (statement, *walk_within(statement)) if isinstance(node, gast.Call))


def _is_looked_into(call: gast.Call, facts: Facts) -> bool:
    """Is it a call that the loop's own rules have judged?"""
    match call:
        case gast.Call(func=gast.Attribute(attr="append" | "insert")):
            return True
    if facts.called(call) == "builtins.float" or assigned_variable(call, facts) is not None:
        return True
    return is_own(call, facts) or is_followed(call, facts)


def holds_more(nest: Nest, xla: bool) -> Refusal | None:
    """Why compiled code would hold more at once than eager code, which lets go of each part of a sum as soon as it is added."""
    large = [
        (operation, size) for operation in _operations(nest) if (size := operation.facts.kind(_result(operation.node)).size or 0) >= LARGE
    ]
    # A sum that grows by one part at a time is written over itself in a graph: 50 slices of 0.8 MB take 1.6 MB, and 2.4 eagerly.
    grows = len(large) <= _SUM_AND_PART and any(isinstance(one.node, gast.AugAssign) for one, _ in large)
    if large and not xla and not grows:
        one, size = large[0]
        shown = one.facts.edit.short(one.node, "what is computed")
        reason = f"of {size:,} numbers as in {shown} a graph may hold more at once than eager code, and takes as long"
        return Refusal(one.node, Code.NO_GAIN, reason)
    kept = [one for one, _ in large if one.row.is_held_by_xla]
    if sum(_times(one) for one in kept) >= _MOST_KEPT:
        shown = kept[0].facts.edit.short(kept[0].node, "what is moved")
        return Refusal(
            kept[0].node,
            Code.NO_GAIN,
            f"XLA computes all of what is moved around in an iteration, as by {shown}, before it adds any of it up",
        )
    return None


def _result(node: gast.AST) -> gast.AST:
    return node.target if isinstance(node, gast.AugAssign) else node


def _times(operation: Operation) -> int:
    """How often an iteration runs an operation of a function that the loop calls, in whose own loops Python takes the iterations."""
    facts, times = operation.facts, 1
    for ancestor in facts.scopes.ancestors(operation.node):
        match ancestor:
            case gast.FunctionDef():
                break
            case gast.For(iter=gast.Tuple(elts=elts) | gast.List(elts=elts)):
                times *= len(elts)
            case gast.For(iter=gast.Call(args=[bound])) if isinstance(count := facts.kind(bound).value, int):
                times *= max(count, 1)
    return times


def operations(nest: Nest) -> int:
    """How many operations all iterations of the loop run together, where their number is known; of other loops, one iteration's."""
    header = nest.plan.header
    own = max(1, sum(_iterations_within(operation, nest) for operation in _operations(nest)))
    return own * header.expected if isinstance(header, Counted) and header.expected is not None else own * COUNTER_BELOW


def _iterations_within(operation: Operation, nest: Nest) -> int:
    """How often an iteration runs one of its operations, by the inner loops that stand around it and whose iterations are known."""
    around = set(operation.facts.scopes.ancestors(operation.node))
    headers = [plan.header for plan in nest.plan.all() if plan is not nest.plan and plan.body.loop in around]
    return math.prod(header.expected for header in headers if isinstance(header, Counted) and header.expected is not None)


def certain_to_trace(nest: Nest) -> bool:
    """Do all operations certainly fit together? Else a loop without any iteration may fail while its body is traced."""
    return all(_fits(operation) for operation in _operations(nest))


def skips_iterations(nest: Nest) -> Refusal | None:
    """Where the inner loop that adds to a list may have no iteration, the new code skips those around it too: why that would be seen."""
    plan, facts = nest.plan, nest.facts
    for listed in plan.lists:
        way = plan.way(listed)
        if all(inner.at_least_one for inner in way[1:]):
            continue
        loop = next(inner.body.loop for inner in way[1:] if not inner.at_least_one)
        if plan.index_after or any(name.live for name in plan.carried) or any(plan.way(other) != way for other in plan.lists):
            return Refusal(
                loop,
                Code.UNKNOWN_COUNT,
                f"{listed.source} has no element where this loop has no iteration, and what else the outer loop assigns would be lost",
            )
        for outer, inner in pairwise(way):
            for statement in outer.body.loop.body:
                if statement is not inner.body.loop and not _is_silent(statement, nest):
                    shown = facts.edit.short(statement, "a statement")
                    return Refusal(
                        statement,
                        Code.EFFECTS,
                        f"{shown} may raise, or do more, where the inner loop has no iteration: then it would be skipped",
                    )
    return None


def _is_silent(statement: gast.stmt, nest: Nest) -> bool:
    """Does a statement certainly do no more than to give a name a tensor or a number?"""
    facts = nest.facts
    match statement:
        case gast.Pass() | gast.Expr(value=gast.Constant()):
            return True
        case gast.Assign() | gast.AugAssign() | gast.AnnAssign():
            pass
        case _:
            return False
    for node in (statement, *walk_within(statement)):
        match node:
            case gast.Div() | gast.FloorDiv() | gast.Mod() | gast.Pow():
                parent = facts.parent(node)
                if parent is None or not is_tensor(facts.kind(_result(parent))):
                    return False
            case gast.Call() if is_own(node, facts) or is_followed(node, facts):
                return False
            case gast.Subscript(slice=index):
                if not isinstance(index, gast.Name) or index.id not in nest.varying or not _in_range(node, nest):
                    return False
            case gast.Tuple() | gast.List() | gast.Starred():
                return False
    return all(_fits(operation) for operation in _of([statement], facts))


def _misfit(operation: Operation) -> str:
    """What certainly raises in the first iteration, and raises something else while it is traced."""
    node, facts = operation.node, operation.facts
    kinds = [facts.kind(operand) for operand in operation.operands]
    match operation.row.name:
        case "getitem" if isinstance(node, gast.Subscript) and isinstance(kinds[0].shape, tuple):
            parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
            for part, size in zip(parts, kinds[0].shape, strict=False):
                value = facts.kind(part).value if not isinstance(part, gast.Slice) else None
                if isinstance(part, gast.Constant) and not isinstance(part.value, int):
                    return ""
                if isinstance(value, int) and isinstance(size, int) and not -size <= value < size:
                    return f"reads an element that doesn't exist: there are {size}"
                if isinstance(value, int) and not isinstance(size, int) and value not in (0, -1):
                    return "reads an element that isn't known to exist"
        case "reshape" if isinstance(node, gast.Call):
            target = facts.kind((facts.arguments(node) or {}).get("shape", node))
            sizes = [one.value for one in target.items or ()]
            known = [size for size in sizes if isinstance(size, int) and size >= 0]
            size = kinds[0].size if kinds else None
            if size is not None and sizes and (math.prod(known) != size if len(known) == len(sizes) else size % max(1, math.prod(known))):
                return "doesn't fit into that shape"
        case "split" if isinstance(node, gast.Call) and not _divides(node, kinds[0], facts):
            return "splits what isn't known to be divisible"
        case "where":
            if not all(_broadcasts(x, y) for x, y in itertools.combinations([kind.shape for kind in kinds], 2)):
                return "chooses between what isn't known to fit"
        case "concat" | "stack" if isinstance(node, gast.Call):
            shapes = [kind.shape for kind in kinds if isinstance(kind.shape, tuple)]
            axis = facts.kind((facts.arguments(node) or {}).get("axis", node)).value if operation.row.name == "concat" else None
            for other in shapes[1:]:
                pairs = [(x, y) for place, (x, y) in enumerate(zip(shapes[0], other, strict=False)) if place != axis]
                if len(other) != len(shapes[0]) or any(isinstance(x, int) and isinstance(y, int) and x != y for x, y in pairs):
                    return "joins what doesn't fit"
    return ""


def asks_beyond(nest: Nest) -> Refusal | None:
    """Where an index is known to leave the tensor in some iteration: in a graph that raises while it is traced, and in one of its loops later."""
    for operation in _operations(nest):
        if operation.row is not GETITEM or not isinstance(operation.node, gast.Subscript):
            continue
        shape, index = operation.facts.kind(operation.node.value).shape, operation.node.slice
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        for part, size in zip(parts, shape if isinstance(shape, tuple) else (), strict=False):
            below = operation.facts.kind(part).below if not isinstance(part, gast.Slice) else None
            if not isinstance(part, gast.Slice) and operation.facts.kind(part).sort is not Sort.NUMBER:
                break
            if isinstance(below, int) and isinstance(size, int) and below > size:
                shown = operation.facts.edit.short(operation.node, "an index")
                return Refusal(
                    operation.node,
                    Code.RAISES,
                    f"{shown} reads elements that don't exist: there are {size}, and a loop of the graph says so later",
                )
    return None


def shows_another_error(nest: Nest) -> Refusal | None:
    """Where an index may leave the tensor, and somebody looks at the error: unrolled it is a ValueError, in a loop an InvalidArgumentError."""
    facts, function = nest.facts, nest.function
    if facts.mode(nest.plan.body.loop) is not Mode.GRAPH or not isinstance(function, gast.FunctionDef):
        return None
    calls = facts.callers.calls(function, True)
    if not any(isinstance(around, gast.Try) for call in calls for around in facts.scopes.ancestors(call)):
        return None
    for operation in _operations(nest):
        if operation.row is GETITEM and isinstance(operation.node, gast.Subscript) and not _in_range(operation.node, nest):
            shown = operation.facts.edit.short(operation.node, "an index")
            return Refusal(
                operation.node,
                Code.RAISES,
                f"errors of `{function.name}` are looked at, and {shown} would raise another one where it leaves the tensor",
            )
    return None


def _divides(call: gast.Call, whole: Kind, facts: Facts) -> bool:
    """Does an axis of a tensor certainly consist of the parts that `tf.split` makes of it?"""
    arguments = facts.arguments(call) or {}
    axis = facts.kind(arguments["axis"]).value if "axis" in arguments else 0
    if "sizes" not in arguments or not isinstance(whole.shape, tuple) or not isinstance(axis, int):
        return False
    size = whole.shape[axis] if -len(whole.shape) <= axis < len(whole.shape) else None
    parts = facts.kind(arguments["sizes"])
    if isinstance(parts.value, int):
        return parts.value > 0 and divided_by(size, parts.value) is not None
    known = [one.value for one in parts.items or () if isinstance(one.value, int)]
    if not isinstance(size, int) or not known or len(known) != len(parts.items or ()):
        return False
    rest = sum(one for one in known if one >= 0)
    return rest == size if min(known) >= 0 else known.count(-1) == 1 and min(known) == -1 and rest <= size


def _broadcast_together(row: Op) -> bool:
    """Does it raise where its operands don't go together, and is that found out before what else is wrong?"""
    return row.name == "matmul" or (row.is_elementwise and row.name != "where")


def _fits(operation: Operation) -> bool:
    kinds = [operation.facts.kind(operand) for operand in operation.operands]
    dtypes = {kind.dtype for kind in kinds}
    if None in dtypes or len(dtypes) > 1:
        return False
    row = operation.row
    match row.name, kinds:
        case "matmul", [Kind(shape=(*_, a, b)), Kind(shape=(c, d))]:
            x, y = _flipped(operation, "transpose_a"), _flipped(operation, "transpose_b")
            return None not in (x, y) and same_dim(a if x else b, d if y else c)
        case _, [Kind(), Kind()] if row.is_elementwise:
            return _broadcasts(kinds[0].shape, kinds[1].shape)
        case name, [Kind()] if row.is_elementwise or row.reduces or row is GETITEM or name.startswith(("math.", "nn.")):
            return True
    return False


def _flipped(operation: Operation, setting: str) -> bool | None:
    """Does a product take an operand transposed? None where that isn't written."""
    if not isinstance(operation.node, gast.Call):
        return False
    match (operation.facts.arguments(operation.node) or {}).get(setting, gast.Constant(False, None)):
        case gast.Constant(value=bool() as value):
            return value
    return None


def _broadcasts(a: Shape, b: Shape) -> bool:
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return same_shape(a, b) or () in (a, b)
    pairs = zip(reversed(a), reversed(b), strict=False)
    return all(same_dim(x, y) or 1 in (x, y) for x, y in pairs)


def _operations(nest: Nest) -> Iterator[Operation]:
    loop = nest.plan.body.loop
    test = [loop.test] if isinstance(loop, gast.While) else []
    yield from _of([*test, *loop.body], nest.facts)
    for followed_call in followed([*test, *loop.body], nest.facts):
        yield from _of(followed_call.statements, followed_call.facts)


def _of(nodes: Iterable[gast.AST], facts: Facts) -> Iterator[Operation]:
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
                    yield Operation(GETITEM, (value,), node, facts)
                    continue
                case gast.Call():
                    yield from _of_call(node, facts)
                    continue
                case _:
                    continue
            tensors = tuple(operand for operand in operands if is_tensor(facts.kind(operand)))
            if tensors:
                yield Operation(of_operator(op), tensors, node, facts)


def _of_call(call: gast.Call, facts: Facts) -> Iterator[Operation]:
    name = facts.called(call) or ""
    if name.startswith("tensorflow."):
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        members = [member for value in values for member in (value.elts if isinstance(value, gast.List | gast.Tuple) else [value])]
        yield Operation(facts.op(call), tuple(member for member in members if is_tensor(facts.kind(member))), call, facts)


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
            return all(isinstance(part, gast.Slice | gast.Constant) for part in parts)
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
            exclusive = header.step > 0 or last.less > 0
            known = isinstance(limit, int | Symbol) and not isinstance(limit, bool)
            return first is not None and first >= 0 and exclusive and known and same_dim(limit, size)  # type: ignore[arg-type]
    return False
