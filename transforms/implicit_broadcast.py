"""Let an elementwise operation broadcast instead of building the repeated operand.

Before:  tf.tile(row[None, :], [1000, 1]) * m
After:   row[None, :] * m

Why:     tf.tile, tf.repeat and tf.broadcast_to allocate a tensor as large as the result, just to be read once.
Safety:  The other operand must be known to have the full size in every axis that was repeated: against an [1, n]
         operand the result would shrink, and where the sizes don't fit an error would be lost. The rank of what is
         repeated must be known, and that it is a tensor: a list or an array would be converted otherwise. In a graph the
         repeated operand's memory becomes the result's, and broadcasting costs a little more (4.0 -> 4.1 MB): there only
         where the other operand is made for this operation alone, and could be reused in its place.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.kinds import Shape, same_dim
from tfrewrite.outcomes import Evidence, Fidelity, Outcome, Refusal, Rewrite, transform

_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div)
_FUNCTIONS = {
    f"tensorflow.{name}"
    for name in ("add", "subtract", "multiply", "divide", "truediv", "maximum", "minimum", "math.squared_difference", "math.divide_no_nan")
}
_REPEATERS = {"tensorflow.tile": "tf.tile", "tensorflow.repeat": "tf.repeat", "tensorflow.broadcast_to": "tf.broadcast_to"}


@transform(gast.BinOp, gast.Call, fidelity=Fidelity.ROUNDING, mentions=("tile", "repeat", "broadcast_to"))
def implicit_broadcast(operation: gast.BinOp | gast.Call, facts: Facts) -> Outcome:
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


def _operands(operation: gast.BinOp | gast.Call, facts: Facts) -> tuple[gast.AST, gast.AST] | None:
    match operation:
        case gast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            return left, right
        case gast.Call() if facts.called(operation) in _FUNCTIONS:
            arguments = facts.arguments(operation) or {}
            if "x" in arguments and "y" in arguments:
                return arguments["x"], arguments["y"]
    return None


def _without_repetition(operation: gast.AST, operand: gast.AST, other: gast.AST, facts: Facts) -> Refusal | Rewrite | None:
    repeated = facts.behind(operand, *_REPEATERS)
    function = _REPEATERS.get(facts.called(repeated) or "")
    arguments = facts.arguments(repeated) if isinstance(repeated, gast.Call) else None
    if function is None or arguments is None or "x" not in arguments or "name" in arguments:
        return None
    inner = arguments["x"]
    wide, narrow, against = facts.kind(repeated), facts.kind(inner), facts.kind(other)
    shown = _short(inner, facts)
    if facts.negligible(wide):
        return None
    if not narrow.is_tensor or narrow.rank is None:
        return Refusal(repeated, f"{shown} is not known to be a tensor of a certain rank", "Give its shape, for instance by tf.ensure_shape.")
    if not against.is_tensor or not _covers(wide.shape, narrow.shape, against.shape):
        return Refusal(
            repeated,
            f"{_short(other, facts)} is not known to have the full size in every axis that {function} repeats",
            "Repeat by the other operand's own size (tf.shape(m)[0]), or give both shapes.",
        )
    if wide.dtype != narrow.dtype:
        return None
    removal = facts.removal(operand)
    if removal is None:
        return Refusal(repeated, "the statement that repeats it shares its line with another")
    edits = (*facts.rebuild(operand, [(inner, 0)], facts.precedence(inner)), *removal)
    rewrite = Rewrite(operation, edits, f"{shown} broadcasts as it is, {function} is not needed", region=facts.moved(operand))
    if facts.mode(operation) is Mode.EAGER or _made_for_this(other, facts):
        return rewrite
    if facts.mode(operation) is Mode.GRAPH:
        return Refusal(repeated, "in a graph the repeated operand's memory becomes the result's, and nothing is gained")
    doubt = "it gains only in eager code, and this code is not known to run eagerly"
    return Rewrite(operation, edits, rewrite.reason, evidence=Evidence.UNPROVEN, doubt=doubt, region=rewrite.region)


def _short(node: gast.AST, facts: Facts) -> str:
    text = facts.source.text_of(node)
    return "its operand" if "\n" in text or len(text) > 40 else text


def _covers(wide: Shape, narrow: Shape, against: Shape) -> bool:
    """Does the other operand broadcast the narrow one to all that the wide one was?"""
    if not (isinstance(wide, tuple) and isinstance(narrow, tuple) and isinstance(against, tuple)):
        return False
    if len(wide) > len(against) and len(wide) > len(narrow):
        return False
    offset = len(wide) - len(narrow)
    for place, size in enumerate(wide):
        own = narrow[place - offset] if place >= offset else 1
        if same_dim(own, size):
            continue
        position = place - (len(wide) - len(against))
        if own != 1 or position < 0 or not same_dim(against[position], size):
            return False
    return True


def _made_for_this(node: gast.AST, facts: Facts) -> bool:
    """Is it a fresh tensor that nothing else reads? A graph then reuses its memory for the result."""
    fresh = facts.behind(node)
    match fresh:
        case gast.BinOp():
            return True
        case gast.Call():
            return facts.allocates(fresh)
    return False
