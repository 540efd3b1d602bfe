"""Which operations keep their bits, alone, when eager code is compiled.

Measured (`benchmarks/bits.py`, with its table in `benchmarks/bits.md`): thousands of numbers of float32 and float64, also small,
large, whole and halves, in tensors whose lengths are no multiples of a register, with and without oneDNN, in TensorFlow 2.21. Names are
the last parts of the canonical ones. Combinations lose bits that each operation alone keeps: `operations.py`.
"""

from __future__ import annotations

from tfrewrite.facts.compiling import MEASURED


def _last(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in names)


VIEWS = frozenset({
    "identity", "reshape", "transpose", "matrix_transpose", "expand_dims", "squeeze", "stack", "concat", "tile", "repeat", "broadcast_to",
    "gather", "gather_nd", "embedding_lookup", "split", "unstack", "reverse", "roll", "pad", "slice", "stop_gradient", "ensure_shape",
    "convert_to_tensor", "constant", "zeros", "ones", "fill", "eye", "zeros_like", "ones_like", "shape", "size", "rank", "range", "cast", "where",
    "diag", "diag_part", "band_part", "one_hot", "boolean_mask", "negative", "abs", "sign", "floor", "ceil", "round", "rint", "maximum", "minimum",
    "relu", "relu6", "reduce_max", "reduce_min", "argmax", "argmin", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
    "logical_and", "logical_or", "logical_not", "is_nan", "is_inf", "is_finite", "clip_by_value", "sort", "argsort", "top_k", "in_top_k",
    "tensor_scatter_nd_update", "scatter_nd", "set_diag", "max_pool", "max_pool2d", "TensorArray", "meshgrid", "sequence_mask",
    "reduce_any", "reduce_all", "print", "TensorShape", "Variable", "assign", "unique", "searchsorted", "real", "imag", "conj",
})  # fmt: skip
"""What moves numbers, gives them another sign or chooses among them."""

# A graph splits these up, or computes them by other formulas.
_NOT_KEPT_IN_GRAPHS = frozenset({
    "add_n", "expm", "linspace", "unsorted_segment_mean", "gelu", "silu", "swish", "sigmoid_cross_entropy_with_logits", "logm", "pow",
    "normalize", "l2_normalize", "batch_normalization", "clip_by_global_norm", "clip_by_norm", "global_norm", "moments",
})  # fmt: skip
KEPT_IN_GRAPHS = VIEWS | (_last(MEASURED) - _NOT_KEPT_IN_GRAPHS) | {"floordiv", "floormod", "mod"}
KEPT_BY_XLA = VIEWS | frozenset({
    "add", "angle", "bitcast", "complex", "count_nonzero", "divide", "divide_no_nan", "floordiv", "floormod", "logical_xor",
    "mod", "multiply", "multiply_no_nan", "softsign", "sqrt", "square", "squared_difference", "subtract", "tensor_scatter_nd_add",
    "tensor_scatter_nd_max", "tensor_scatter_nd_min", "tensor_scatter_nd_sub", "truediv", "bias_add", "adjoint",
})  # fmt: skip
KEPT_BY_NUMPY = VIEWS  # TensorFlow takes numbers below the normal range for zero, and NumPy computes with them
POSITION_FREE = frozenset({
    "abs", "acosh", "add", "asinh", "cast", "convert_to_tensor", "cosh", "divide", "equal", "floor", "greater", "greater_equal", "identity", "less",
    "less_equal", "angle", "ceil", "conj", "digamma", "divide_no_nan", "erf", "erfinv", "floordiv", "floormod", "imag", "is_finite", "is_inf",
    "is_nan", "lgamma", "mod", "multiply_no_nan", "negative", "real", "rint", "sign", "sinh", "squared_difference", "truediv", "maximum", "minimum",
    "multiply", "bias_add", "leaky_relu", "relu", "relu6", "softsign", "not_equal", "ones_like", "round", "sqrt", "square", "stop_gradient",
    "subtract", "tan", "zeros_like", "where", "clip_by_value", "logical_and", "logical_or", "logical_not",
})  # fmt: skip
"""An element is computed to the same bits wherever it stands in its tensor. Vector units compute tf.exp of the last few otherwise."""
