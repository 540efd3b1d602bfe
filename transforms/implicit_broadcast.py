"""Let an elementwise operation broadcast instead of building the repeated operand.

Before:  tf.tile(row[None, :], [1000, 1]) * m
After:   row[None, :] * m

Also:    The same for `tf.repeat` with an axis and `tf.broadcast_to`, in `+ - * / // %`, comparisons, and functions such as
         `tf.add` and `tf.maximum`.

Why:     `tf.tile`, `tf.repeat` and `tf.broadcast_to` allocate a tensor as large as the result that is read once: for 4 MB
         8.0 -> 4.1 MB in eager code. The peak falls from about 150 kB on; below that it stays the same.
Safety:  - **Size of the other operand.** Refused unless the other operand has the full size in each repeated axis: against
           `[1, 30]` the result would shrink, and against `[60, 30]` an error could be lost.
         - **Only axes of size 1.** Refused if an axis of another size is repeated: `tf.tile(pair, [50, 1])`
           of two rows doesn't broadcast.
         - **`tf.broadcast_to`.** It raises for 5 rows that shall become 1, and the operation alone doesn't. Refused unless
           the sizes are known to fit, as in `tf.broadcast_to(row, [5, 30])` for `[1, 30]`.
         - **Lists and arrays.** Refused unless both operands are tensors: a list takes the dtype of the tensor that it
           meets, and tiled its own: `tf.tile([1, 2], [50])`.
         - **Graphs.** In a graph only comparisons (5.0 -> 1.1 MB) are rewritten, and operations with a temporary of the
           full size (8.0 -> 4.2 MB). For `tf.tile(row, n) * m` the peak would rise from 4.0 to 4.1 MB.
         - **Eager and graph.** Refused if a function may run both ways; `--unsafe` rewrites it. With `jit_compile=True`
           XLA doesn't build the repeated operand anyway.
         - **Effects in sizes.** Sizes such as `[(n := 50), 1]` are not rewritten.
         - **Rounding.** Gradients for the repeated operand are summed in another order than that of `tf.tile`.
"""

from __future__ import annotations

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode
from tfrewrite.kinds import Shape, same_dim, same_shape
from tfrewrite.outcomes import Edit, Evidence, Fidelity, Outcome, Refusal, Rewrite, transform
from tfrewrite.rounding.operations import same_bits_eagerly

_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod)
_COMPARISONS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)
_COMPARING = {f"tensorflow.{name}" for name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")}
_REPEATERS = {"tensorflow.tile": "tf.tile", "tensorflow.repeat": "tf.repeat", "tensorflow.broadcast_to": "tf.broadcast_to"}
_SIZES = {"multiples", "repeats", "axis", "shape", "name"}


@transform(gast.BinOp, gast.Compare, gast.Call, fidelity=Fidelity.ROUNDING, mentions=("tile", "repeat", "broadcast_to"))
def implicit_broadcast(operation: gast.BinOp | gast.Compare | gast.Call, facts: Facts) -> Outcome:
    operands = _operands(operation, facts)
    if operands is None:
        return None
    refusal: Refusal | None = None
    for operand, other in (operands, operands[::-1]):
        outcome = _without_repetition(operation, operand, other, facts)
        if isinstance(outcome, Rewrite):
            return outcome
        refusal = refusal or outcome
    return refusal


def _operands(operation: gast.AST, facts: Facts) -> tuple[gast.AST, gast.AST] | None:
    match operation:
        case gast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            return left, right
        case gast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
            return left, right
        case gast.Call() if facts.op(operation).is_elementwise:
            arguments = facts.arguments(operation) or {}
            if "x" in arguments and "y" in arguments:
                return arguments["x"], arguments["y"]
    return None


def _compares(operation: gast.AST, facts: Facts) -> bool:
    return isinstance(operation, gast.Compare) or facts.called(operation) in _COMPARING


def _without_repetition(operation: gast.AST, operand: gast.AST, other: gast.AST, facts: Facts) -> Refusal | Rewrite | None:
    repeated = facts.behind(operand, *_REPEATERS)
    function = _REPEATERS.get(facts.called(repeated) or "")
    arguments = facts.arguments(repeated) if isinstance(repeated, gast.Call) else None
    if function is None or arguments is None or "x" not in arguments or not set(arguments) <= {"x", *_SIZES}:
        return None
    inner = arguments["x"]
    if facts.negligible(facts.kind(repeated)) or not all(facts.pure(one) for name, one in arguments.items() if name != "x"):
        return None
    if not isinstance(arguments.get("name", gast.Constant(None, None)), gast.Constant):
        return Refusal(repeated, Code.RAISES, f"the name that {function} is given is computed, and may raise")
    if doubt := _doubt(function, repeated, inner, other, facts):
        return doubt
    gone = facts.orphans(one for name, one in arguments.items() if name != "x")
    edits = _edits(operand, repeated, inner, gone, facts)
    if edits is None:
        return facts.obstacle(repeated, operand)
    reason = f"{facts.edit.short(inner)} broadcasts as it is, {function} is not needed"
    region = (*gone, *facts.moved(operand), operation) if gone else facts.moved(operand)
    if facts.contexts.compiled_by_xla(operation):
        return Refusal(repeated, Code.XLA, "XLA computes the repeated operand where it is read, and nothing is gained")
    if facts.mode(operation) is Mode.EAGER or _compares(operation, facts) or _made_for_this(other, repeated, facts):
        exact = facts.op(operation).is_position_free and same_bits_eagerly(operation, facts)
        return Rewrite(operation, edits, reason, region=region, rounded=() if exact else None)
    if facts.mode(operation) is Mode.GRAPH:
        return Refusal(repeated, Code.IN_GRAPH, "in a graph the repeated operand's memory becomes the result's, and nothing is gained")
    doubt_of_mode = "it gains only in eager code, and this code is not known to run eagerly"
    return Rewrite(
        operation, edits, reason, evidence=Evidence.UNPROVEN, doubt=Refusal(operation, Code.IN_GRAPH, doubt_of_mode), region=region
    )


def _edits(operand: gast.AST, repeated: gast.AST, inner: gast.AST, gone: tuple[gast.Assign, ...], facts: Facts) -> tuple[Edit, ...] | None:
    """Take the repetition away where it stands; a name for nothing but another name goes with it."""
    dead = [edit for assignment in gone for edit in facts.edit.delete_statement(assignment) or ()]
    if repeated is operand or not isinstance(inner, gast.Name | gast.Attribute):
        return (*facts.edit.rebuild(repeated, [(inner, 0)], facts.edit.precedence(inner)), *dead)
    removal = facts.removal(operand)
    return None if removal is None else (*facts.edit.rebuild(operand, [(inner, 0)]), *removal, *dead)


def _doubt(function: str, repeated: gast.AST, inner: gast.AST, other: gast.AST, facts: Facts) -> Refusal | None:
    """Why the operation could mean something else without the repetition."""
    wide, narrow, against = facts.kind(repeated), facts.kind(inner), facts.kind(other)
    shown = facts.edit.short(inner)
    if not narrow.is_tensor:
        return Refusal(
            repeated,
            Code.UNKNOWN_VALUE,
            f"{shown} is not known to be a tensor",
            "Annotate it as a tf.Tensor, or convert it by tf.convert_to_tensor.",
        )
    stretches = function == "tf.broadcast_to"
    if not against.is_tensor or not _covers(wide.shape, narrow.shape, against.shape, stretches):
        return Refusal(
            repeated,
            Code.UNKNOWN_SHAPE,
            f"{facts.edit.short(other, 'the other operand')} is not known to be a tensor of the full size in every axis that {function} repeats",
            "Give both shapes, for instance by tf.ensure_shape; or both ranks, and repeat by the other's own size (tf.shape(m)[0]).",
        )
    return None


def _covers(wide: Shape, narrow: Shape, against: Shape, stretches: bool) -> bool:
    """Does the other operand broadcast the narrow one to all that the wide one was?

    `stretches`: only axes of size 1 were repeated; any other size is an error.
    """
    if stretches and narrow == () and same_shape(wide, against):
        return True
    if not (isinstance(wide, tuple) and isinstance(narrow, tuple) and isinstance(against, tuple)):
        return False
    if len(wide) < len(narrow) or (len(wide) > len(against) and len(wide) > len(narrow)):
        return False
    offset = len(wide) - len(narrow)
    for place, size in enumerate(wide):
        own = narrow[place - offset] if place >= offset else 1
        if same_dim(own, size):
            continue
        position = place - (len(wide) - len(against))
        # tf.broadcast_to refuses to shrink an axis, as 5 to 1, where the operation itself would stretch the other operand.
        fits = own == 1 or (stretches and isinstance(size, int) and size != 1)
        if not fits or position < 0 or not same_dim(against[position], size):
            return False
    return True


def _made_for_this(node: gast.AST, repeated: gast.AST, facts: Facts) -> bool:
    """Is it a fresh tensor as large as the result, that nothing else reads? A graph then reuses its memory for the result."""
    fresh, wide = facts.kind(node), facts.kind(repeated)
    if not same_shape(fresh.shape, wide.shape) or fresh.dtype != wide.dtype:
        return False
    match facts.behind(node):
        case gast.BinOp():
            return True
        case gast.Call() as call:
            return facts.allocates(call)
    return False
