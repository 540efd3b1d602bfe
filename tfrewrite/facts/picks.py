"""What functions return that pick, pad, scatter, sort and count the elements of a tensor."""

from __future__ import annotations

from dataclasses import replace

from tfrewrite.facts.calls import REAL_PART, Call, Op, as_tensor, common_dtype, dims_of, divided, elementwise, reduced_shape
from tfrewrite.facts.kinds import FLOATS, ITEM_BYTES, Dim, Kind, Shape, Sort, sequence, tensor

# The members of the named tuples that are returned.
_TOP_K = ("values", "indices")
_UNIQUE = ("y", "idx")


def _rank(call: Call) -> Kind:
    return replace(tensor("int32", ()), value=as_tensor(call["x"]).rank)


def _gather_nd(call: Call) -> Kind:
    table, places = as_tensor(call["x"]), as_tensor(call["places"])
    kind = tensor(table.dtype, finite=table.finite, fixed=table.fixed)
    if call.integer("batch_dims", 0) != 0 or not isinstance(table.shape, tuple) or not isinstance(places.shape, tuple) or not places.shape:
        return kind
    depth = places.shape[-1]
    if not isinstance(depth, int) or depth > len(table.shape):
        return kind
    return replace(kind, shape=places.shape[:-1] + table.shape[depth:])


def _pad(call: Call) -> Kind:
    x = as_tensor(call["x"])
    zeros = not call.given("constant_values")
    kind = tensor(x.dtype, None if x.rank is None else (None,) * x.rank, finite=x.finite and zeros, fixed=x.fixed and zeros)
    pairs = call["paddings"].items
    if pairs is None or not isinstance(x.shape, tuple) or len(x.shape) != len(pairs):
        return kind
    return replace(kind, shape=tuple(map(_padded, x.shape, pairs)))


def _padded(dim: Dim, pair: Kind) -> Dim:
    match pair.items:
        case [Kind(value=int() as before), Kind(value=int() as after)]:
            more = before + after
            return dim + more if isinstance(dim, int) else dim if more == 0 else None
    return None


def _slice(call: Call) -> Kind:
    x = as_tensor(call["x"])
    kind = tensor(x.dtype, None if x.rank is None else (None,) * x.rank, finite=x.finite, fixed=x.fixed)
    sizes, begin = dims_of(call["size"]), dims_of(call["begin"])
    if not isinstance(sizes, tuple):
        return kind
    whole = x.shape if isinstance(x.shape, tuple) and len(x.shape) == len(sizes) else (None,) * len(sizes)
    starts = begin if isinstance(begin, tuple) and len(begin) == len(sizes) else (None,) * len(sizes)
    return replace(kind, shape=tuple(map(_sliced, whole, starts, sizes)))


def _sliced(dim: Dim, start: Dim, size: Dim) -> Dim:
    if size == -1:
        rest = dim - start if isinstance(dim, int) and isinstance(start, int) else None
        return dim if start == 0 else rest
    return size if isinstance(size, int) else None


def _boolean_mask(call: Call) -> Kind:
    x, mask = as_tensor(call["x"]), as_tensor(call["mask"])
    axis = 0 if call["axis"].sort is Sort.NONE else call.integer("axis", 0)
    kind = tensor(x.dtype, finite=x.finite, fixed=x.fixed)
    if not isinstance(x.shape, tuple) or not mask.rank or axis is None or axis < 0:
        return kind
    return replace(kind, shape=(*x.shape[:axis], None, *x.shape[axis + mask.rank :]))


def _updated(call: Call) -> Kind:
    x, updates = as_tensor(call["x"]), as_tensor(call["updates"])
    return tensor(common_dtype(call["x"], call["updates"]), x.shape, fixed=x.fixed and updates.fixed)


def _replaced(call: Call) -> Kind:
    """The numbers of one or the other."""
    return replace(_updated(call), finite=as_tensor(call["x"]).finite and as_tensor(call["updates"]).finite)


def _scatter_nd(call: Call) -> Kind:
    updates = as_tensor(call["updates"])
    return tensor(updates.dtype, _sure(dims_of(call["shape"])), fixed=updates.fixed)


def _sure(shape: Shape) -> Shape:
    """A size that is made up may turn out not to be one."""
    return tuple(dim if isinstance(dim, int) and dim >= 0 else None for dim in shape) if isinstance(shape, tuple) else shape


def _top_k(call: Call) -> Kind:
    x = as_tensor(call["x"])
    count = call.integer("k", 1)
    shape = (*x.shape[:-1], count) if isinstance(x.shape, tuple) and x.shape else None
    where = tensor(call.dtype("index_type", "int32"), shape)
    if isinstance(x.shape, tuple) and x.shape:
        where = replace(where, below=x.shape[-1])
    return replace(sequence(Sort.TUPLE, (tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed), where)), instance=_TOP_K)


def _argsort(call: Call) -> Kind:
    x = as_tensor(call["x"])
    axis = call.integer("axis", -1)
    kind = tensor("int32", x.shape)
    if not isinstance(x.shape, tuple) or axis is None or not -len(x.shape) <= axis < len(x.shape):
        return kind
    return replace(kind, below=x.shape[axis])


def _searchsorted(call: Call) -> Kind:
    return tensor(call.dtype("out_type", "int32"), as_tensor(call["values"]).shape)


def _meshgrid(call: Call) -> Kind:
    axes = [as_tensor(call[name]) for name in _AXES if call.given(name)]
    if not axes or call.given("indexing") or len(axes) == len(_AXES):
        return Kind(Sort.LIST)
    sizes: list[Dim] = [axis.shape[0] if isinstance(axis.shape, tuple) and len(axis.shape) == 1 else axis.size for axis in axes]
    shape = (*reversed(sizes[:2]), *sizes[2:])
    dtype = axes[0].dtype if all(axis.dtype == axes[0].dtype for axis in axes) else None
    return sequence(Sort.LIST, tuple(tensor(dtype, shape, fixed=axis.fixed) for axis in axes))


_AXES = tuple(f"axis{i}" for i in range(6))


def _linspace(call: Call) -> Kind:
    start, limit = as_tensor(call["start"]), as_tensor(call["limit"])
    count = call.integer("num")
    single = start.shape == limit.shape == () and count is not None and count > 0
    return tensor(start.dtype if start.dtype in FLOATS else None, (count,) if single else None, fixed=start.fixed and limit.fixed)


def _sequence_mask(call: Call) -> Kind:
    lengths = as_tensor(call["lengths"])
    longest = call["maxlen"].value if call.given("maxlen") else None
    dtype = call.dtype("dtype", "bool")
    if not isinstance(lengths.shape, tuple):
        return tensor(dtype, finite=True, fixed=True)
    width = longest if isinstance(longest, int) and longest >= 0 and not isinstance(longest, bool) else None
    return tensor(dtype, (*lengths.shape, width), finite=True, fixed=True)


def _segments(call: Call) -> Kind:
    x = as_tensor(call["x"])
    shape = (None, *x.shape[1:]) if isinstance(x.shape, tuple) and x.shape else None
    return tensor(x.dtype, shape, fixed=x.fixed)


def _unsorted_segments(call: Call) -> Kind:
    x, ids = as_tensor(call["x"]), as_tensor(call["segment_ids"])
    count = call.integer("num_segments")
    shape = (count, *x.shape[ids.rank :]) if isinstance(x.shape, tuple) and ids.rank is not None else None
    return tensor(x.dtype, shape, fixed=x.fixed)


def _unsorted_mean(call: Call) -> Kind:
    return divided(_unsorted_segments(call))


def _count_nonzero(call: Call) -> Kind:
    shape = reduced_shape(call, as_tensor(call["x"]).shape)
    return tensor(call.dtype("dtype", "int64"), shape if call["keepdims"].sort is not Sort.NONE else None, finite=True, fixed=True)


def _unique(call: Call) -> Kind:
    x = as_tensor(call["x"])
    values = tensor(x.dtype, (None,), finite=x.finite, fixed=x.fixed)
    return replace(sequence(Sort.TUPLE, (values, tensor(call.dtype("out_idx", "int32"), x.shape))), instance=_UNIQUE)


def _bitcast(call: Call) -> Kind:
    x, dtype = as_tensor(call["x"]), call.dtype("type")
    same_size = ITEM_BYTES.get(x.dtype or "") == ITEM_BYTES.get(dtype or "", -1)
    return tensor(dtype, x.shape if same_size else None)


def _complex(call: Call) -> Kind:
    real, imag = as_tensor(call["real"]), as_tensor(call["imag"])
    dtype = {"float32": "complex64", "float64": "complex128"}.get(real.dtype or "")
    both = real.shape if real.shape == imag.shape else None
    return tensor(dtype, both, finite=real.finite and imag.finite, fixed=real.fixed and imag.fixed)


def _part(call: Call) -> Kind:
    kind = elementwise(call["x"])
    finite = as_tensor(call["x"]).finite
    return replace(kind, dtype=REAL_PART.get(kind.dtype or "", kind.dtype), finite=finite)


def _table() -> dict[str, Op]:
    scatters = "tensor_scatter_nd_add tensor_scatter_nd_sub tensor_scatter_nd_max tensor_scatter_nd_min"
    segments = ("sum", "mean", "max", "min", "prod")
    return {
        "rank": Op(("x", "name"), _rank),
        "gather_nd": Op(("x", "places", "batch_dims", "name"), _gather_nd),
        "pad": Op(("x", "paddings", "mode", "constant_values", "name"), _pad),
        "slice": Op(("x", "begin", "size", "name"), _slice),
        "boolean_mask": Op(("x", "mask", "axis", "name"), _boolean_mask),
        "tensor_scatter_nd_update": Op(("x", "places", "updates", "name"), _replaced),
        **{name: Op(("x", "places", "updates"), _updated) for name in scatters.split()},
        "scatter_nd": Op(("places", "updates", "shape"), _scatter_nd),
        "nn.top_k": Op(("x", "k", "sorted", "index_type", "name"), _top_k),
        "argsort": Op(("x", "axis", "direction", "stable", "name"), _argsort),
        "searchsorted": Op(("sorted_sequence", "values", "side", "out_type", "name"), _searchsorted),
        "meshgrid": Op(_AXES, _meshgrid),
        "linspace": Op(("start", "limit", "num", "name", "axis"), _linspace),
        "sequence_mask": Op(("lengths", "maxlen", "dtype", "name"), _sequence_mask),
        **{f"math.segment_{name}": Op(("x", "segment_ids", "name"), _segments) for name in segments},
        **{f"math.unsorted_segment_{name}": Op(("x", "segment_ids", "num_segments", "name"), _unsorted_segments) for name in segments},
        "math.unsorted_segment_mean": Op(("x", "segment_ids", "num_segments", "name"), _unsorted_mean),
        "math.count_nonzero": Op(("x", "axis", "keepdims", "dtype", "name"), _count_nonzero),
        "unique": Op(("x", "out_idx", "name"), _unique),
        "bitcast": Op(("x", "type", "name"), _bitcast),
        "complex": Op(("real", "imag", "name"), _complex),
        "math.real": Op(("x", "name"), _part),
        "math.imag": Op(("x", "name"), _part),
        "math.angle": Op(("x", "name"), _part),
    }


PICKS = _table()
