"""Run the iterations of a `tf.map_fn` one after the other where each repeats a small row.

Before:  tf.map_fn(lambda row: tf.reduce_max(tf.repeat(row, 100)), rows)
After:   tf.map_fn(lambda row: tf.reduce_max(tf.repeat(row, 100)), rows, parallel_iterations=1)

Why:     In a graph up to ten iterations run at once, and each has its intermediates and its version of the list of results
         in memory. For 1000 rows of 20 numbers, repeated 100 times, the peak falls from 1.8 to 0.24 MB in the same time.
         How many run at once varies from run to run: with `tf.tile` or `tf.one_hot` 9 of 20 runs gained little or
         nothing, with `tf.repeat` 1 of 8 whole programs of 1000 rows.
Safety:  - **Work.** Refused if an iteration does real work, which is up to 2 times as fast in parallel: a `tf.matmul`, a
           sort, a scan, more than 10,000 repeated elements or 2,500 computed from them.
         - **No large intermediate.** Refused unless the function makes one of at least 256 elements, 8 times its row and
           its result, by `tf.repeat`, `tf.tile`, `tf.one_hot`, `tf.zeros`, `tf.ones` or `tf.fill`.
         - **Large rows.** `sum(square(row))` over `[1000, 2000]` gains nothing: 8.17 MB before and after.
         - **Few rows.** Refused for fewer than 10 rows, as in `tf.map_fn(f, rows[:3])`.
         - **Effects.** Refused unless the function calls only known functions without effects: `tf.random.normal`,
           `tf.print` and `v.assign(row)` would come in another order.
         - **Eager code and XLA.** Refused unless the call is known to run in a graph: elsewhere, as under
           `jit_compile=True`, iterations run one after the other anyway.
         - **Unknown sizes.** Refused unless all sizes are known: `tf.repeat(row, n)` may be small.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from tfrewrite.codes import Code
from tfrewrite.facts import Facts, Mode, Sort
from tfrewrite.kinds import Kind
from tfrewrite.ops.call import as_tensor
from tfrewrite.outcomes import Fidelity, Outcome, Refusal, Rewrite, transform

_SMALLEST, _LARGEST = 256, 10_000  # elements of the largest repeated tensor
_LARGEST_COMPUTED = 2_500  # elements of what is computed from it
_TIMES = 8  # how many rows it must outweigh
_FEWEST = 10  # rows: as many as would run at once
_REPEATS = {"repeat", "tile", "one_hot", "zeros", "ones", "fill"}
_OTHER = {"parallel_iterations", "swap_memory", "back_prop", None}


@transform(gast.Call, fidelity=Fidelity.BITWISE, mentions=("map_fn",))
def map_fn_parallel(call: gast.Call, facts: Facts) -> Outcome:
    if facts.called(call) != "tensorflow.map_fn" or len(call.args) > 3:
        return None
    mapped = facts.callers.mapped(call)
    if mapped is None or {keyword.arg for keyword in call.keywords} & _OTHER:
        return None
    mode = facts.mode(call)
    if mode is not Mode.GRAPH:
        if mode is Mode.EAGER:
            return Refusal(call, Code.IN_EAGER, "this call runs eagerly, where iterations run one after the other anyway")
        remedy = "Decorate the function around it with tf.function."
        return Refusal(call, Code.IN_EAGER, "this call is not known to run in a graph", remedy)
    if facts.contexts.compiled_by_xla(call):
        return Refusal(call, Code.XLA, "XLA runs the iterations one after the other anyway")
    function = facts.callers.function_named(mapped[0])
    if function is None:
        return Refusal(call, Code.UNKNOWN_CALL, "the mapped function is not known", "Define it in this file, once.")
    if not facts.pure_function(function):
        return Refusal(
            call,
            Code.EFFECTS,
            "the mapped function is not known to be free of effects",
            "Let it assign names and call TensorFlow's own functions only.",
        )
    if refusal := _problem(call, function, facts.kind(mapped[1]), facts):
        return refusal
    return Rewrite(
        call,
        (facts.edit.append_argument(call, "parallel_iterations=1"),),
        "an iteration holds many times its row, and ten would be in memory at once",
    )


def _problem(call: gast.Call, function: gast.AST, rows: Kind, facts: Facts) -> Refusal | None:
    """Why turns at once are no waste, and what would settle it."""
    repeated = 0
    for node in _operations(function):
        short = (facts.called(node) or "").removeprefix("tensorflow.")
        kind = facts.kind(node)
        if facts.op(node).is_heavy or facts.product(node) is not None:
            return Refusal(call, Code.NO_GAIN, f"tf.{short or 'matmul'} is costly, and costly iterations are faster in parallel")
        if kind.is_tensor and kind.size is None:
            return Refusal(
                call,
                Code.UNKNOWN_SHAPE,
                "the sizes of the mapped function's intermediates are not known",
                "Give the mapped tensor's shape, for instance by an input_signature.",
            )
        size = kind.size or 0
        if size > (_LARGEST if short in _REPEATS else _LARGEST_COMPUTED):
            return Refusal(call, Code.NO_GAIN, f"an intermediate holds {size:,} elements, and large iterations are faster in parallel")
        if short in _REPEATS:
            repeated = max(repeated, size)
    if isinstance(rows.shape, tuple) and isinstance(rows.shape[0], int) and rows.shape[0] < _FEWEST:
        return Refusal(call, Code.TOO_SMALL, f"only {rows.shape[0]} rows are mapped")
    moved = _row(rows) + _result(function, facts)
    if repeated < _SMALLEST or repeated < _TIMES * moved:
        return Refusal(
            call,
            Code.NO_GAIN,
            "no iteration repeats its row (by tf.repeat, tf.tile or the like) so often that the copies matter beside rows and results",
        )
    return None


def _operations(function: gast.AST) -> Iterator[gast.AST]:
    body = function.body if isinstance(function.body, list) else [function.body]
    for statement in body:
        yield from (node for node in gast.walk(statement) if isinstance(node, gast.Call | gast.BinOp | gast.UnaryOp | gast.Compare))


def _row(rows: Kind) -> int:
    """The elements of one row; more than any intermediate may hold where that isn't known."""
    if rows.sort is Sort.TUPLE and rows.items is not None:
        return sum(map(_row, rows.items))
    shape = as_tensor(rows).shape
    row = Kind(shape=shape[1:]) if isinstance(shape, tuple) and shape else Kind()
    return _LARGEST if row.size is None else row.size


def _result(function: gast.AST, facts: Facts) -> int:
    """The elements of what one turn gives."""
    values = (
        [one.value for one in gast.walk(function) if isinstance(one, gast.Return)] if isinstance(function.body, list) else [function.body]
    )
    sizes = [facts.kind(value).size if value is not None and facts.kind(value).is_tensor else None for value in values]
    return max((_LARGEST if size is None else size for size in sizes), default=_LARGEST)
