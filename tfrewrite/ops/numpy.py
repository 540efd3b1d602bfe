"""NumPy: what its functions return, and what they do to a rounding error."""

from __future__ import annotations

from dataclasses import replace

from tfrewrite.kinds import INTEGERS, UNKNOWN, Kind, Sort, number, sequence
from tfrewrite.ops.call import Call, as_tensor, dims_of
from tfrewrite.ops.row import (
    ADDED,
    BOUNDED,
    DECIDED,
    EDGED,
    EVERYWHERE,
    EXPONENT,
    MOVED,
    MULTIPLIED,
    ROOTED,
    SETTLED,
    STEEP,
    SUM_ROOTED,
    SUMMED,
    Op,
)
from tfrewrite.ops.rules import arithmetic_sequence


def _array(call: Call) -> Kind:
    value = as_tensor(call["value"])
    own = {"int32": "int64", "float32": "float64"} if call["value"].sort in (Sort.LIST, Sort.TUPLE, Sort.NUMBER) else {}
    dtype = call.dtype("dtype", own.get(value.dtype or "", value.dtype))
    return Kind(Sort.ARRAY, dtype, value.shape, fixed=True)


def _numpy_contiguous(call: Call) -> Kind:
    kind = _array(call)
    return replace(kind, shape=kind.shape or (1,) if isinstance(kind.shape, tuple) else None)


def _numpy_filled(call: Call) -> Kind:
    shape = dims_of(call["shape"]) if call.given("shape") and call["shape"].sort is not Sort.NONE else ()
    return Kind(Sort.ARRAY, call.dtype("dtype", "float64"), shape, fixed=True)


def _numpy_arange(call: Call) -> Kind:
    kind = arithmetic_sequence(call)
    shape = tuple(max(dim, 0) if isinstance(dim, int) else None for dim in kind.shape) if isinstance(kind.shape, tuple) else None
    return Kind(Sort.ARRAY, call.dtype("dtype", "int64" if kind.dtype in INTEGERS else None), shape, fixed=True)


def _numpy_rand(call: Call) -> Kind:
    if not call.nodes:
        return number(None, "float")
    return Kind(Sort.ARRAY, "float64", dims_of(sequence(Sort.TUPLE, tuple(call.kinds.values()))), fixed=True)


def _numpy_sized(call: Call) -> Kind:
    if not call.given("size") or call["size"].sort in (Sort.NONE, Sort.UNKNOWN):
        return UNKNOWN
    return Kind(Sort.ARRAY, "float64", dims_of(call["size"]), fixed=True)


def _numpy_randint(call: Call) -> Kind:
    if not call.given("size") or call["size"].sort in (Sort.NONE, Sort.UNKNOWN):
        return UNKNOWN
    return Kind(Sort.ARRAY, call.dtype("dtype", "int64"), dims_of(call["size"]), fixed=True)


def _numpy_generator(call: Call) -> Kind:
    return Kind(Sort.GENERATOR, instance="numpy.random")


ROWS = (
    Op("numpy.abs", traits="is_never_negative is_read_only is_ufunc", bits=EVERYWHERE, error=BOUNDED),
    Op("numpy.absolute", traits="is_never_negative", bits=EVERYWHERE, error=BOUNDED, like="abs"),
    Op("numpy.acos", error=EDGED),
    Op("numpy.acosh", error=EDGED),
    Op("numpy.add", traits="keeps_sign takes_two", error=ADDED),
    Op("numpy.all", "x=a axis out keepdims", traits="is_read_only", error=DECIDED, like="reduce_all"),
    Op("numpy.allclose", traits="is_read_only", error=DECIDED),
    Op("numpy.amax", "x=a axis out keepdims", traits="is_read_only", error=BOUNDED, like="reduce_max"),
    Op("numpy.amin", "x=a axis out keepdims", traits="is_read_only", error=BOUNDED, like="reduce_min"),
    Op("numpy.any", "x=a axis out keepdims", traits="is_read_only", error=DECIDED, like="reduce_any"),
    Op("numpy.arange", "start limit=stop delta=step dtype", _numpy_arange, "is_fresh"),
    Op("numpy.angle", traits="shows_sign"),
    Op("numpy.arccos", error=EDGED, like="acos"),
    Op("numpy.arccosh", error=EDGED, like="acosh"),
    Op("numpy.arcsin", error=EDGED, like="asin"),
    Op("numpy.arctan", error=BOUNDED, like="atan"),
    Op("numpy.arctan2", traits="shows_sign takes_two", error=ROOTED, like="atan2"),
    Op("numpy.arctanh", error=EDGED, like="atanh"),
    Op("numpy.argmax", "x=a axis", traits="is_method is_read_only", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.argmin", "x=a axis", traits="is_method is_read_only", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.argpartition", error=DECIDED),
    Op("numpy.argsort", traits="is_method", bits=EVERYWHERE, error=DECIDED, axis=-1),
    Op("numpy.argwhere", error=DECIDED),
    Op("numpy.array", "value=object dtype", _array, "keeps_sign dtype_follows is_read_only is_fresh", error=MOVED),
    Op("numpy.array_equal", traits="is_read_only", error=DECIDED),
    Op("numpy.asarray", "value=a dtype", _array, "keeps_sign dtype_follows", error=MOVED),
    Op("numpy.ascontiguousarray", "value=a dtype", _numpy_contiguous, "keeps_sign dtype_follows", error=MOVED),
    Op("numpy.asin", error=EDGED),
    Op("numpy.asinh", error=BOUNDED),
    Op("numpy.atan", error=BOUNDED),
    Op("numpy.atan2", traits="shows_sign", error=ROOTED),
    Op("numpy.atanh", error=EDGED),
    Op("numpy.atleast_1d", traits="keeps_sign", error=MOVED),
    Op("numpy.atleast_2d", traits="keeps_sign", error=MOVED),
    Op("numpy.average", error=SUMMED),
    Op("numpy.bincount", traits="is_read_only", error=DECIDED),
    Op("numpy.bool", error=DECIDED),
    Op("numpy.broadcast_arrays", traits="keeps_sign", error=MOVED),
    Op("numpy.broadcast_to", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.ceil", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.clip", "x=a low=a_min high=a_max", traits="is_method", error=BOUNDED, like="clip_by_value"),
    Op("numpy.concat", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.concatenate", "values=arrays axis", traits="keeps_sign", error=MOVED, like="concat"),
    Op("numpy.conj", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.convolve", "x=a y=v", traits="keeps_sign", error=SUMMED),
    Op("numpy.copy", traits="keeps_sign", error=MOVED, like="identity"),
    Op("numpy.copysign", traits="shows_sign"),
    Op("numpy.cosh", traits="is_never_negative", error=EXPONENT),
    Op("numpy.count_nonzero", error=DECIDED),
    Op("numpy.cross", traits="takes_two", error=SUMMED),
    Op("numpy.cumprod", traits="keeps_sign takes_product", error=MULTIPLIED),
    Op("numpy.cumsum", traits="keeps_sign totals is_method", error=SUMMED),
    Op("numpy.diag", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.digitize", error=DECIDED),
    Op("numpy.divide", traits="keeps_sign scales takes_two"),
    Op("numpy.divmod", error=DECIDED),
    Op("numpy.dot", "x=a y=b", traits="keeps_sign scales takes_two is_method is_read_only", error=SUMMED),
    Op("numpy.einsum", traits="keeps_sign scales", error=SUMMED),
    Op("numpy.empty", "shape dtype", _numpy_filled, "is_fresh"),
    Op("numpy.empty_like", error=SETTLED),
    Op("numpy.equal", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.exp", traits="is_never_negative is_read_only is_ufunc", error=EXPONENT),
    Op("numpy.expand_dims", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.eye", traits="is_never_negative is_fresh", bits=EVERYWHERE),
    Op("numpy.fabs", traits="is_never_negative", error=BOUNDED, like="abs"),
    Op("numpy.flip", traits="keeps_sign", error=MOVED, like="reverse"),
    Op("numpy.float32", traits="keeps_sign", error=MOVED, like="convert_to_tensor"),
    Op("numpy.float64", traits="keeps_sign", error=MOVED, like="convert_to_tensor"),
    Op("numpy.floor", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.floor_divide", traits="shows_sign", error=DECIDED, like="math.floordiv"),
    Op("numpy.fmod", error=DECIDED),
    Op("numpy.fromfile", traits="is_loader"),
    Op("numpy.full", traits="is_fresh"),
    Op("numpy.genfromtxt", traits="is_loader"),
    Op("numpy.greater", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.greater_equal", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.histogram", traits="is_read_only", error=DECIDED),
    Op("numpy.hstack", traits="keeps_sign", error=MOVED),
    Op("numpy.hypot", traits="takes_two", error=STEEP),
    Op("numpy.identity", "rows=n dtype", traits="keeps_sign", bits=EVERYWHERE, error=MOVED, like="eye"),
    Op("numpy.imag", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.inner", traits="scales takes_two", error=SUMMED),
    Op("numpy.isclose", error=DECIDED),
    Op("numpy.isfinite", traits="is_read_only is_ufunc", error=DECIDED, like="math.is_finite"),
    Op("numpy.isinf", traits="is_read_only is_ufunc", error=DECIDED, like="math.is_inf"),
    Op("numpy.isnan", traits="is_read_only is_ufunc", error=DECIDED, like="math.is_nan"),
    Op("numpy.less", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.less_equal", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.lexsort", error=DECIDED),
    Op("numpy.linalg.cond", error=DECIDED),
    Op("numpy.linalg.cross", traits="takes_two", error=SUMMED),
    Op("numpy.linalg.inv", traits="inverts"),
    Op("numpy.linalg.matmul", traits="keeps_sign scales takes_two", error=SUMMED),
    Op("numpy.linalg.matrix_transpose", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.linalg.norm", traits="is_never_negative is_read_only", error=STEEP),
    Op("numpy.linalg.outer", traits="scales takes_two", error=SUMMED),
    Op("numpy.linalg.pinv", traits="inverts"),
    Op("numpy.linalg.tensordot", traits="keeps_sign scales takes_two", error=SUMMED),
    Op("numpy.linalg.trace", traits="keeps_sign", error=SUMMED),
    Op("numpy.linspace", traits="is_fresh"),
    Op("numpy.load", traits="is_loader"),
    Op("numpy.loadtxt", traits="is_loader"),
    Op("numpy.log", traits="is_read_only is_ufunc takes_logarithm", error=ROOTED),
    Op("numpy.log10", traits="takes_logarithm", error=ROOTED),
    Op("numpy.log1p", traits="takes_logarithm", error=ROOTED),
    Op("numpy.log2", traits="takes_logarithm", error=ROOTED),
    Op("numpy.logical_and", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.logical_not", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.logical_or", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.matmul", traits="keeps_sign scales takes_two is_read_only", error=SUMMED),
    Op("numpy.matrix_transpose", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.matvec", traits="keeps_sign scales", error=SUMMED),
    Op("numpy.max", "x=a axis out keepdims", traits="keeps_sign is_method is_read_only", error=BOUNDED, like="reduce_max"),
    Op("numpy.maximum", traits="keeps_sign takes_two", bits=EVERYWHERE, error=BOUNDED),
    Op("numpy.mean", "x=a axis dtype out keepdims", traits="keeps_sign is_method is_read_only", error=SUMMED, like="reduce_mean"),
    Op("numpy.median", traits="is_read_only", error=DECIDED),
    Op("numpy.min", "x=a axis out keepdims", traits="keeps_sign is_method is_read_only", error=BOUNDED, like="reduce_min"),
    Op("numpy.minimum", traits="keeps_sign takes_two", bits=EVERYWHERE, error=BOUNDED),
    Op("numpy.mod", error=DECIDED),
    Op("numpy.moveaxis", traits="keeps_sign", error=MOVED),
    Op("numpy.multiply", traits="keeps_sign scales takes_two multiplies", error=MULTIPLIED),
    Op("numpy.ndim", traits="is_read_only", error=SETTLED),
    Op("numpy.negative", bits=EVERYWHERE, error=MOVED),
    Op("numpy.nextafter", error=DECIDED),
    Op("numpy.nonzero", error=DECIDED),
    Op("numpy.not_equal", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.ones", "shape dtype", _numpy_filled, "is_never_negative is_fresh", bits=EVERYWHERE),
    Op("numpy.ones_like", traits="is_never_negative", bits=EVERYWHERE, error=SETTLED),
    Op("numpy.outer", traits="scales takes_two", error=SUMMED),
    Op("numpy.pad", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.partition", error=DECIDED),
    Op("numpy.percentile", traits="is_read_only", error=DECIDED),
    Op("numpy.pow", traits="takes_power", error=ROOTED),
    Op("numpy.power", traits="takes_two takes_power", error=ROOTED, like="pow"),
    Op(
        "numpy.prod",
        "x=a axis dtype out keepdims",
        traits="keeps_sign is_method is_read_only takes_product",
        error=MULTIPLIED,
        like="reduce_prod",
    ),
    Op("numpy.quantile", error=DECIDED),
    Op("numpy.random.default_rng", "seed", _numpy_generator, "is_random"),
    Op("numpy.random.normal", "mean=loc stddev=scale size", _numpy_sized, "is_random is_fresh"),
    Op("numpy.random.rand", "d0 d1 d2 d3 d4 d5", _numpy_rand, "is_random is_fresh"),
    Op("numpy.random.randint", "low high size dtype", _numpy_randint, "is_random is_fresh"),
    Op("numpy.random.randn", "d0 d1 d2 d3 d4 d5", _numpy_rand, "is_random is_fresh"),
    Op("numpy.random.random", "size", _numpy_sized, "is_random is_fresh"),
    Op("numpy.random.random_sample", "size", _numpy_sized, "is_random is_fresh"),
    Op("numpy.random.standard_normal", "size", _numpy_sized, "is_random is_fresh"),
    Op("numpy.random.uniform", "mean=low stddev=high size", _numpy_sized, "is_random is_fresh"),
    Op("numpy.ravel", traits="keeps_sign", error=MOVED),
    Op("numpy.real", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.reciprocal", error=ROOTED),
    Op("numpy.remainder", error=DECIDED, like="math.mod"),
    Op("numpy.repeat", "x=a repeats axis", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.reshape", "x=a shape", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.rint", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.roll", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.round", traits="is_method", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.save", traits="is_read_only"),
    Op("numpy.searchsorted", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.setdiff1d", error=DECIDED),
    Op("numpy.shape", traits="is_read_only", bits=EVERYWHERE, error=SETTLED),
    Op("numpy.sign", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.signbit", traits="shows_sign", error=DECIDED),
    Op("numpy.size", traits="is_read_only", bits=EVERYWHERE, error=SETTLED),
    Op("numpy.sort", traits="is_method", bits=EVERYWHERE, error=DECIDED, axis=-1),
    Op("numpy.split", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.sqrt", traits="is_never_negative is_read_only is_ufunc", error=ROOTED),
    Op("numpy.square", traits="is_never_negative squares", error=MULTIPLIED),
    Op("numpy.squeeze", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.stack", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op(
        "numpy.std",
        "x=a axis dtype out ddof keepdims",
        traits="is_never_negative is_method is_read_only",
        error=SUM_ROOTED,
        like="math.reduce_std",
    ),
    Op("numpy.subtract", traits="takes_two subtracts", error=ADDED),
    Op("numpy.sum", "x=a axis dtype out keepdims", traits="keeps_sign totals is_method is_read_only", error=SUMMED, like="reduce_sum"),
    Op("numpy.swapaxes", traits="keeps_sign", error=MOVED),
    Op("numpy.take", "x=a indices axis", traits="keeps_sign", error=MOVED, like="gather"),
    Op("numpy.tanh", error=BOUNDED),
    Op("numpy.tensordot", traits="keeps_sign scales takes_two", error=SUMMED),
    Op("numpy.tile", "x=A multiples=reps", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.trace", traits="keeps_sign totals", error=SUMMED),
    Op("numpy.transpose", "x=a perm=axes", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("numpy.trunc", error=DECIDED),
    Op("numpy.unique", traits="is_read_only", bits=EVERYWHERE, error=DECIDED),
    Op("numpy.unstack", traits="keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op(
        "numpy.var",
        "x=a axis dtype out ddof keepdims",
        traits="is_never_negative is_method is_read_only",
        error=SUM_ROOTED,
        like="math.reduce_variance",
    ),
    Op("numpy.vstack", traits="keeps_sign", error=MOVED),
    Op("numpy.where", traits="keeps_sign", bits=EVERYWHERE, error=BOUNDED),
    Op("numpy.zeros", "shape dtype", _numpy_filled, "is_never_negative is_fresh", bits=EVERYWHERE),
    Op("numpy.zeros_like", traits="is_never_negative", bits=EVERYWHERE, error=SETTLED),
)
