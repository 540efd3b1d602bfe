"""What an operation does to the rounding error of its operands.

An error is small beside the value that carries it. A sum of numbers of both signs may cancel: then the value is small and the error
isn't, and a root, a logarithm or a quotient of it is another number.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

LARGEST_SUMMAND = 1e4
"""A larger number that is added rounds a value off: (x + 1e8) - 1e8 is a multiple of 8."""

_Names = frozenset[str]


class Effect(enum.Enum):
    """What happens to the error of an operand."""

    NONE = "the result doesn't depend on the operand's last bits"
    KEPT = "moved, or given a sign"
    SUM = "a sum, which may cancel"
    BOUNDED = "no larger than before"
    PRODUCT = "multiplied"
    EXPONENTIAL = "the error of an exponent: the result is positive, and further off"
    ROOT = "a root or logarithm, which needs an operand that isn't cancelled"
    ROOT_OF_SUM = "a sum, and a root of it"
    EDGE = "not a number just beyond the end of its domain"
    DECISION = "another number for another last bit"
    UNKNOWN = "not known"


@dataclass(frozen=True)
class Step:
    """How the error of one value arrives in another one."""

    effect: Effect
    grows: bool
    """May it be larger there, relative to what it was? Then it has no bound in a recurrence."""


# Names are the last parts of the canonical ones: the doors to one function are many, and all of them lead here.
_SETTLED: _Names = frozenset({"shape", "size", "rank", "zeros_like", "ones_like", "ndim", "empty_like", "is_tensor"})
_MOVED: _Names = frozenset({
    "identity", "convert_to_tensor", "constant", "reshape", "transpose", "matrix_transpose", "expand_dims", "squeeze", "stack", "concat",
    "tile", "repeat", "broadcast_to", "gather", "gather_nd", "embedding_lookup", "split", "unstack", "reverse", "roll", "pad", "slice",
    "stop_gradient", "ensure_shape", "negative", "diag", "diag_part", "band_part", "set_diag", "tensor_scatter_nd_update", "scatter_nd",
    "real", "imag", "conj", "array", "asarray", "ascontiguousarray", "vstack", "hstack", "concatenate", "ravel", "float", "copy", "fill",
    "broadcast_arrays", "moveaxis", "swapaxes", "flip", "float32", "float64", "atleast_1d", "atleast_2d", "strided_slice",
    "list", "tuple", "reversed", "enumerate", "zip", "guarantee_const",
})  # fmt: skip
_SUMMED: _Names = frozenset({"add", "subtract"})
_REDUCED: _Names = frozenset({
    "reduce_sum", "reduce_mean", "cumsum", "sum", "mean", "average", "matmul", "matvec", "tensordot", "einsum", "dot", "trace", "conv1d",
    "conv2d", "conv3d", "avg_pool", "avg_pool1d", "avg_pool2d", "bias_add", "segment_sum", "segment_mean", "unsorted_segment_sum",
    "unsorted_segment_mean", "tensor_scatter_nd_add", "tensor_scatter_nd_sub", "log_softmax", "sparse_softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits", "sigmoid_cross_entropy_with_logits", "log_sigmoid", "reduce_logsumexp", "inner", "outer", "l2_loss",
    "fsum", "cross", "add_n", "accumulate_n", "squared_difference",
})  # fmt: skip
_BOUNDED: _Names = frozenset({
    "tanh", "relu", "relu6", "abs", "fabs", "maximum", "minimum", "max", "min", "amax", "amin", "reduce_max", "reduce_min",
    "clip_by_value", "clip", "atan", "arctan", "softsign", "where", "erf", "asinh", "max_pool", "max_pool1d",
    "max_pool2d", "segment_max", "segment_min",
})  # fmt: skip
# As bounded, but steeper than 1 somewhere.
_STEEP: _Names = frozenset({
    "leaky_relu", "elu", "selu", "hypot", "norm", "reduce_euclidean_norm", "silu", "swish", "gelu", "global_norm",
})  # fmt: skip
_POSITIVE: _Names = frozenset({"exp", "sigmoid", "softmax", "softplus", "cosh"})
_MULTIPLIED: _Names = frozenset({
    "multiply", "square", "multiply_no_nan", "reduce_prod", "prod", "cumprod", "scalar_mul", "pow2",
})  # fmt: skip
_ROOTS: _Names = frozenset({
    "sqrt", "rsqrt", "log", "log1p", "log2", "log10", "pow", "power", "reciprocal", "xlogy", "xlog1py", "l2_normalize", "normalize",
    "divide_no_nan", "atan2", "arctan2",
})  # fmt: skip
_ROOTS_OF_SUMS: _Names = frozenset({"reduce_std", "std", "reduce_variance", "var", "moments"})
_EDGES: _Names = frozenset({"acos", "asin", "acosh", "atanh", "arccos", "arcsin", "arccosh", "arctanh", "erfinv", "ndtri"})
_DECISIONS: _Names = frozenset({
    "floor", "ceil", "round", "rint", "trunc", "sign", "argmax", "argmin", "argsort", "sort", "top_k", "approx_max_k", "in_top_k", "unique",
    "searchsorted", "boolean_mask", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "floordiv", "floor_divide",
    "mod", "floormod", "fmod", "remainder", "is_nan", "is_inf", "is_finite", "isnan", "isinf", "isfinite", "isclose", "allclose",
    "array_equal", "count_nonzero", "nonzero", "argwhere", "histogram", "histogram_fixed_width", "bincount", "digitize", "unique_with_counts",
    "cond", "case", "switch_case", "int", "bool", "any", "all", "reduce_any", "reduce_all", "logical_and", "logical_or", "logical_not", "sorted",
    "range", "divmod", "percentile", "quantile", "median", "partition", "argpartition", "lexsort", "non_max_suppression", "assert_equal",
    "assert_near", "assert_less", "assert_greater", "bitcast", "as_string", "hash", "confusion_matrix", "is_non_decreasing", "setdiff1d",
    "nextafter", "sequence_mask",
})  # fmt: skip

_BY_NAME: dict[str, Step] = {
    **dict.fromkeys(_SETTLED, Step(Effect.NONE, False)),
    **dict.fromkeys(_MOVED, Step(Effect.KEPT, False)),
    **dict.fromkeys(_SUMMED, Step(Effect.SUM, False)),
    **dict.fromkeys(_REDUCED, Step(Effect.SUM, True)),
    **dict.fromkeys(_BOUNDED, Step(Effect.BOUNDED, False)),
    **dict.fromkeys(_STEEP, Step(Effect.BOUNDED, True)),
    **dict.fromkeys(_POSITIVE, Step(Effect.EXPONENTIAL, True)),
    "sigmoid": Step(Effect.EXPONENTIAL, False),
    **dict.fromkeys(_MULTIPLIED, Step(Effect.PRODUCT, True)),
    **dict.fromkeys(_ROOTS, Step(Effect.ROOT, True)),
    **dict.fromkeys(_ROOTS_OF_SUMS, Step(Effect.ROOT_OF_SUM, True)),
    **dict.fromkeys(_EDGES, Step(Effect.EDGE, True)),
    **dict.fromkeys(_DECISIONS, Step(Effect.DECISION, True)),
}
_NOT_KNOWN = Step(Effect.UNKNOWN, True)

NEVER_NEGATIVE: _Names = frozenset({
    "square", "abs", "fabs", "exp", "sigmoid", "softmax", "softplus", "relu", "relu6", "norm", "reduce_euclidean_norm", "reduce_std",
    "reduce_variance", "std", "var", "cosh", "sqrt", "rsqrt", "ones", "ones_like", "zeros", "zeros_like", "eye", "squared_difference",
    "l2_loss",
})  # fmt: skip
KEEPS_SIGN: _Names = _MOVED | _SUMMED - {"subtract"} | {
    "reduce_sum", "reduce_mean", "cumsum", "sum", "mean", "matmul", "matvec", "tensordot", "einsum", "dot", "trace", "maximum", "minimum",
    "max", "min", "reduce_max", "reduce_min", "multiply", "divide", "truediv", "reduce_prod", "prod", "cumprod", "where", "cast", "add_n",
} - {"negative"}  # fmt: skip
"""What is never negative where none of its operands is."""


def step_of(name: str) -> Step:
    """What a function, known by its canonical name, does to the error of an operand."""
    return _BY_NAME.get(name.rpartition(".")[2], _NOT_KNOWN)
