"""Run the turns of a small tf.map_fn one after the other.

Before:  tf.map_fn(f, rows)
After:   tf.map_fn(f, rows, parallel_iterations=1)

Why:     In a graph ten turns run at once, and each has its intermediates in memory.
Safety:  Turns that do real work gain speed by running at once (up to 2 times on 2 cores), and large ones gain no
         memory: every intermediate must be known to hold between 256 and 10,000 elements at its largest, and the
         function to consist of elementwise operations, reductions and repetitions. Random numbers, prints and
         assignments would come in another order. In eager code turns run one after the other anyway, under XLA too.
"""

from __future__ import annotations

import gast

from tfrewrite.facts import Facts, Mode
from tfrewrite.facts.kinds import Kind
from tfrewrite.facts.ops import HEAVY
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, transform

_SMALLEST, _LARGEST = 256, 10_000


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=("map_fn",))
def map_fn_parallel(call: gast.Call, facts: Facts) -> Outcome:
    if facts.called(call) != "tensorflow.map_fn" or len(call.args) > 3:
        return None
    given = {keyword.arg for keyword in call.keywords}
    if given & {"parallel_iterations", None, "swap_memory", "back_prop"} or any(isinstance(one, gast.Starred) for one in call.args):
        return None
    mode = facts.mode(call)
    if mode is not Mode.GRAPH:
        known = "runs eagerly, where turns run one after the other anyway" if mode is Mode.EAGER else "is not known to run in a graph"
        return Refusal(call, f"this call {known}")
    if facts.callers.compiled_by_xla(call):
        return Refusal(call, "XLA runs the turns one after the other anyway")
    function = facts.callers.function_named(call.args[0]) if call.args else None
    if function is None:
        return Refusal(call, "the mapped function is not known")
    if not facts.pure_function(function):
        return Refusal(call, "the mapped function is not known to be free of effects")
    largest = _largest(function, facts)
    if largest is None:
        return Refusal(
            call,
            "the sizes of the mapped function's intermediates are not known, and large or costly turns are faster at once",
            "Give the mapped tensor's shape, for instance by an input_signature.",
        )
    if not _SMALLEST <= largest <= _LARGEST:
        which = "too small to matter" if largest < _SMALLEST else "so large that turns at once are worth their memory"
        return Refusal(call, f"the largest intermediate holds {largest:,} elements, {which}")
    reason = f"ten turns at once would hold {largest:,} elements each"
    return Rewrite(call, (facts.append_argument(call, "parallel_iterations=1"),), reason)


def _largest(function: gast.AST, facts: Facts) -> int | None:
    """The elements of the largest intermediate; None where one isn't known, or costs more than its size."""
    largest = 0
    for node in gast.walk(function):
        if isinstance(node, gast.Call) and (facts.called(node) or "").removeprefix("tensorflow.") in HEAVY:
            return None
        if isinstance(node, gast.Call | gast.BinOp):
            kind: Kind = facts.kind(node)
            if kind.is_tensor and kind.size is None:
                return None
            largest = max(largest, kind.size or 0)
    return largest
