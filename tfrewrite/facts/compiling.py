"""What may be moved from eager code into a `tf.function`, and into one that XLA compiles, and when that pays.

The tables are measured: `tests/test_compiling.py` calls every function of `ops.py` eagerly, in a graph and under XLA, with
ordinary and with extreme values, and finds every difference that stands here, and no other. Not counted as differences:
rounding (also of numbers that cancel out), overflow on the way to a sum or product that doesn't overflow itself, which
NaN it is, the other part of a complex number that isn't finite, the sign of zero, numbers too small for the normal range
of their dtype, and that a function works for a dtype for which eager code has no kernel. Names are canonical, less the leading `tensorflow.`; an operator goes by its function:
`//` is math.floordiv, `x[i]` getitem.

A function that is the same alone can still be combined with others: graphs rewrite `(x + 1e8) - 1e8` to x. Graphs also take
a root for `x ** 0.5`, which is NaN for minus infinity, where eager code gives infinity.
"""

from __future__ import annotations

from collections.abc import Sequence

from tfrewrite.facts.kinds import FLOATS, INTEGERS
from tfrewrite.facts.ops import OPS, RANDOM

_OPERATORS = {"getitem", "bitwise.bitwise_and", "bitwise.bitwise_or", "bitwise.bitwise_xor", "bitwise.invert"}
MEASURED = frozenset(
    name for name in OPS if name not in RANDOM | {"Variable", "GradientTape", "while_loop"} and not name.startswith(("numpy.", "data."))
) | frozenset(_OPERATORS)
MEASURED_DTYPES = frozenset({"float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool", "complex64", "complex128"})

# A Python number in front of a tensor gets its own dtype in a graph, and then doesn't fit: tf.maximum(0, x) of a float x.
# The operators turn it into the tensor's: 2 * x is the same everywhere.
TENSOR_FIRST = frozenset({
    "subtract", "multiply", "maximum", "minimum", "math.squared_difference", "pow", "math.pow", "math.floordiv", "math.mod",
    "math.floormod", "atan2", "math.atan2", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "math.equal",
    "math.less", "math.greater", "where", "math.xlogy", "math.xlog1py",
})  # fmt: skip
# Parameters that decide about shapes: XLA has to know them when it compiles. A number or the shape of a tensor is known; a
# tensor that is computed, such as the index of a loop, isn't; for one that is handed in, each value is compiled anew. Where
# tf.slice begins is one of them too: of one that it doesn't know, XLA takes the nearest that exists.
_SETTINGS = frozenset({
    "shape", "rows", "columns", "batch", "start", "limit", "delta", "depth", "axis", "axes", "perm", "multiples", "repeats", "sizes",
    "k", "num", "paddings", "begin", "size", "num_segments", "maxlen", "batch_dims",
})  # fmt: skip
KNOWN_TO_XLA: dict[str, frozenset[str]] = {name: frozenset(op.parameters) & _SETTINGS for name, op in OPS.items() if name in MEASURED}
# Eager code raises for an index that doesn't exist, XLA takes the nearest one or makes something up.
INDEXED = frozenset({
    "gather", "nn.embedding_lookup", "getitem", "math.invert_permutation", "linalg.band_part", "gather_nd", "scatter_nd",
    "nn.sparse_softmax_cross_entropy_with_logits",
    *(name for name in OPS if name.startswith(("tensor_scatter_nd_", "math.segment_", "math.unsorted_segment_"))),
})  # fmt: skip

# The same for a divisor of integers that is zero, and an exponent that is negative or large.
CHECKED = frozenset({"math.floordiv", "math.mod", "math.floormod", "pow", "math.pow"})

_NOT_COMPILED = {"linalg.det", "math.bessel_i0", "math.reduce_euclidean_norm", "matrix_square_root", "linalg.logm", "guarantee_const"}
# Of numbers that aren't finite: maximum(nan, 1) is nan eagerly and 1 under XLA.
_NAN = {
    "maximum": "{} of NaN is NaN, and XLA gives the other operand",
    "minimum": "{} of NaN is NaN, and XLA gives the other operand",
    "reduce_max": "{} of NaN is NaN, and XLA leaves the NaN out",
    "reduce_min": "{} of NaN is NaN, and XLA leaves the NaN out",
    "nn.relu6": "{} of NaN is NaN, and XLA gives 0",
    "argmax": "{} ignores NaN, and XLA finds it",
    "argmin": "{} ignores NaN, and XLA finds it",
    "math.argmax": "{} ignores NaN, and XLA finds it",
    "math.argmin": "{} ignores NaN, and XLA finds it",
    "sort": "{} puts NaN elsewhere under XLA",
    "nn.conv1d": "{} of an infinity beside the border may be NaN under XLA",
    "nn.conv2d": "{} of an infinity beside the border may be NaN under XLA",
    "nn.max_pool": "{} ignores NaN and minus infinity, and XLA doesn't",
    "nn.max_pool2d": "{} ignores NaN and minus infinity, and XLA doesn't",
    "nn.sigmoid_cross_entropy_with_logits": "{} of NaN is a number, and NaN under XLA",
}
_OF_INTEGERS = {
    "math.floordiv": "{} of integers raises for a zero divisor, and XLA gives a number",
    "math.mod": "{} of integers raises for a zero divisor, and XLA gives a number",
    "math.floormod": "{} of integers raises for a zero divisor, and XLA gives a number",
    "pow": "{} of integers raises for a negative exponent and overflows otherwise under XLA",
    "math.pow": "{} of integers raises for a negative exponent and overflows otherwise under XLA",
    "reduce_mean": "{} of no integers is 0, and XLA gives -1",
    "nn.moments": "{} of no integers is 0, and XLA gives -1",
}
_ALWAYS = {
    "nn.top_k": "{} puts NaN, and what it needn't sort, elsewhere under XLA",
    "linalg.solve": "{} raises for a singular matrix, and XLA gives numbers",
    "linalg.triangular_solve": "{} gives other numbers under XLA for a singular matrix",
    "linalg.cholesky_solve": "{} gives other numbers under XLA for a singular matrix",
    "linalg.normalize": "{} of numbers whose squares vanish gives others under XLA",
    "linalg.eigh": "{} may find vectors of the other sign under XLA",
    "searchsorted": "{} of a sequence that isn't sorted finds another place under XLA",
    "linalg.inv": "{} raises for a singular matrix, and XLA gives numbers",
    "linalg.cholesky": "{} gives other numbers under XLA for a matrix that isn't positive definite",
    "linalg.expm": "{} loses more digits under XLA",
}
_OF_FLOATS = {
    "argsort": "{} puts NaN, and zeros of either sign, elsewhere under XLA",
    "sequence_mask": "{} makes other integers of large floats under XLA",
}
_NOT_OF_BYTES = {"cumsum", "math.cumsum", "math.cumprod"}
_OF_FLOAT64 = {"math.erf": "{} of a large float64 is NaN, and XLA gives 1"}
# Complex arithmetic rounds, overflows and branches otherwise under XLA; what only moves or adds numbers doesn't.
_COMPLEX_TOO = frozenset({
    "add", "add_n", "subtract", "negative", "math.negative", "identity", "reshape", "transpose", "linalg.matrix_transpose", "expand_dims",
    "squeeze", "stack", "concat", "tile", "broadcast_to", "gather", "getitem", "zeros_like", "ones_like", "split", "unstack",
    "stop_gradient", "ensure_shape", "shape", "size", "reverse", "roll", "where", "zeros", "ones", "fill", "eye", "convert_to_tensor",
    "linalg.diag", "linalg.diag_part", "repeat", "math.conj", "equal", "not_equal", "math.equal",
})  # fmt: skip
_SOME_OF_EACH = ("float32", "float64", "int32", "bool", "complex64")  # what a dtype that isn't known may be


# Turns times operations of a turn, from where on nothing is lost in a warm call and something is won: benchmarks/break_even.md.
# A graph that holds one turn is traced faster than one that holds so many operations. On tensors of less than some 100 kB its
# warm call takes 1.5 to 4 times as long as the unrolled one (10 microseconds a turn), but not where XLA compiles the loop.
LEAST_OPERATIONS_IN_A_GRAPH = 50
# To call a function costs as much as some ten eager operations, and a turn in a graph as much as one or two: a warm call
# gains from 20 on, one of what XLA compiled from 10 on. But to trace it takes some 50 ms, and to compile it 0.1 s and 10 MB,
# which a script that calls it once or twice wants to see repaid.
LEAST_OPERATIONS_OUTLINED = 50


def graph_obstacle(name: str, dtypes: Sequence[str | None]) -> str:
    """Why a call can't move from eager code into a `tf.function`: half a sentence, or nothing where its meaning stays.

    `dtypes` are those of its tensor operands. Where the first operand is a Python number, see `TENSOR_FIRST` too.
    """
    if reason := _not_measured(name):
        return reason
    if name == "constant" and dtypes:
        return "tf.constant of a tensor raises in a graph"
    if name == "linalg.expm" and "float16" in dtypes:
        return "tf.linalg.expm of float16 raises in a graph"
    if name == "searchsorted" and not INTEGERS.issuperset(dtypes):
        return "of numbers that a graph rounds differently, tf.searchsorted finds other places"
    return ""


def xla_obstacle(name: str, dtypes: Sequence[str | None], finite: bool, in_range: bool = False) -> str:
    """Why a call can't move into a `tf.function(jit_compile=True)`; nothing where its meaning stays.

    `dtypes` are those of its tensor operands (None: not known), and of a cast that of its result at the end. `finite`: no operand
    ever holds a NaN or an infinity. `in_range`: every index that is computed is known to exist, no divisor of integers
    is zero, and exponents of integers are 1 or 2. What `KNOWN_TO_XLA` names
    of its arguments must not be computed in the compiled function.
    """
    if reason := graph_obstacle(name, dtypes):
        return reason
    shown = f"tf.{name}" if name not in _OPERATORS else "the operator"
    if name in _NOT_COMPILED:
        return f"XLA doesn't know {shown}"
    if "random." in name:
        return f"{shown} draws other numbers under XLA"
    if name in INDEXED and not in_range:
        return "an index out of range raises, and XLA takes another one"
    if name in _ALWAYS:
        return _ALWAYS[name].format(shown)
    if name == "cast":
        return _cast(dtypes)
    for dtype in sorted(dtypes, key=str):
        for possible in _SOME_OF_EACH if dtype is None else (dtype,):
            if reason := _of_dtype(name, possible, finite, in_range, shown):
                return reason if dtype is not None else f"the dtype of an operand is not known, and {reason}"
    return ""


def _not_measured(name: str) -> str:
    if name in RANDOM:
        return f"tf.{name} draws other numbers in a graph"
    if name.startswith("numpy."):
        return f"{name} runs while a graph is traced, and never again"
    return "" if name in MEASURED else f"what {name} does in a graph is not known"


def _of_dtype(name: str, dtype: str, finite: bool, in_range: bool, shown: str) -> str:
    if dtype not in MEASURED_DTYPES:
        return f"{shown} of {dtype} under XLA was not measured"
    if dtype in INTEGERS and name in _OF_INTEGERS and not (in_range and name in CHECKED):
        return _OF_INTEGERS[name].format(shown)
    if dtype in FLOATS and name in _OF_FLOATS:
        return _OF_FLOATS[name].format(shown)
    if dtype in ("int8", "uint8") and name in _NOT_OF_BYTES:
        return f"XLA doesn't know {shown} of {dtype}"
    if dtype == "float64" and name in _OF_FLOAT64:
        return _OF_FLOAT64[name].format(shown)
    if dtype in FLOATS and name in _NAN and not finite:
        return _NAN[name].format(shown)
    if dtype.startswith("complex") and name not in _COMPLEX_TOO:
        return f"{shown} of complex numbers rounds and overflows otherwise under XLA"
    return ""


def _cast(dtypes: Sequence[str | None]) -> str:
    if not dtypes:
        return ""
    if any(dtype is None or dtype.startswith("complex") for dtype in dtypes):
        return "a tf.cast between dtypes that are not known, or complex, may give other numbers under XLA"
    if dtypes[0] in FLOATS and dtypes[-1] in INTEGERS:
        return "tf.cast of NaN, or of a number that is too large for the integers, gives another one under XLA"
    return ""
