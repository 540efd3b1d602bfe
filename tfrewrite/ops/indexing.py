"""What picks, sorts, scatters and counts the elements of a tensor."""

from __future__ import annotations

from dataclasses import replace

from tfrewrite.kinds import Dim, Kind, Shape, Sort, Symbol, sequence, tensor
from tfrewrite.ops.call import Call, as_tensor, common_dtype, dims_of
from tfrewrite.ops.row import DECIDED, EVERYWHERE, IN_GRAPHS, IN_XLA, MOVED, SUMMED, Op, Xla
from tfrewrite.ops.shared_results import same_finite


def _one_hot(call: Call) -> Kind:
    ids = as_tensor(call["indices"])
    depth = call["depth"].value if isinstance(call["depth"].value, int | Symbol) else None
    axis = call.integer("axis", -1)
    plain = not call.given("on_value") and not call.given("off_value")
    dtype = call.dtype("dtype", "float32" if plain else None)
    if ids.rank is None or axis is None:
        return tensor(dtype, finite=plain, fixed=True)
    assert isinstance(ids.shape, tuple)
    place = ids.rank if axis == -1 else axis
    return tensor(dtype, (*ids.shape[:place], depth, *ids.shape[place:]), finite=plain, fixed=True)


def _gather(call: Call) -> Kind:
    table, ids = as_tensor(call["x"]), as_tensor(call["indices"])
    axis = call.integer("axis", 0)
    if call.given("batch_dims") or axis is None or not isinstance(table.shape, tuple) or not isinstance(ids.shape, tuple):
        return tensor(table.dtype, finite=table.finite, fixed=table.fixed)
    place = axis + len(table.shape) if axis < 0 else axis
    if not 0 <= place < len(table.shape):
        return tensor(table.dtype, finite=table.finite, fixed=table.fixed)
    shape = (*table.shape[:place], *ids.shape, *table.shape[place + 1 :])
    return tensor(table.dtype, shape, finite=table.finite, fixed=table.fixed)


def _embedding(call: Call) -> Kind:
    """A list holds the pieces of one table."""
    return tensor() if call["x"].sort not in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY) else _gather(call)


def _permuted(call: Call) -> Kind:
    """An array may become int32 whatever it holds."""
    x = call["x"]
    return tensor(as_tensor(x).dtype if x.is_tensor else None, as_tensor(x).shape, finite=True, fixed=True)


# The members of the named tuples that are returned.
_TOP_K = ("values", "indices")


_UNIQUE = ("y", "idx")


def _gather_nd(call: Call) -> Kind:
    table, places = as_tensor(call["x"]), as_tensor(call["places"])
    kind = tensor(table.dtype, finite=table.finite, fixed=table.fixed)
    if call.integer("batch_dims", 0) != 0 or not isinstance(table.shape, tuple) or not isinstance(places.shape, tuple) or not places.shape:
        return kind
    depth = places.shape[-1]
    if not isinstance(depth, int) or depth > len(table.shape):
        return kind
    return replace(kind, shape=places.shape[:-1] + table.shape[depth:])


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


def _sequence_mask(call: Call) -> Kind:
    lengths = as_tensor(call["lengths"])
    longest = call["maxlen"].value if call.given("maxlen") else None
    dtype = call.dtype("dtype", "bool")
    if not isinstance(lengths.shape, tuple):
        return tensor(dtype, finite=True, fixed=True)
    width = longest if isinstance(longest, int) and longest >= 0 and not isinstance(longest, bool) else None
    return tensor(dtype, (*lengths.shape, width), finite=True, fixed=True)


def _unique(call: Call) -> Kind:
    x = as_tensor(call["x"])
    values = tensor(x.dtype, (None,), finite=x.finite, fixed=x.fixed)
    return replace(sequence(Sort.TUPLE, (values, tensor(call.dtype("out_idx", "int32"), x.shape))), instance=_UNIQUE)


ROWS = (
    Op(
        "argsort",
        "x=values axis direction stable name",
        _argsort,
        "is_heavy is_held_by_xla is_along_axes",
        bits=EVERYWHERE,
        error=DECIDED,
        xla=Xla(of_floats="{} puts NaN, and zeros of either sign, elsewhere under XLA"),
    ),
    Op("boolean_mask", "x=tensor mask axis name", _boolean_mask, bits=EVERYWHERE, error=DECIDED),
    Op(
        "gather",
        "x=params indices validate_indices axis batch_dims",
        _gather,
        "is_indexed may_raise makes_node is_held_by_xla is_position_free keeps_sign looks_up",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op("gather_nd", "x=params places=indices batch_dims name", _gather_nd, "is_indexed may_raise keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("getitem", traits="is_operator is_indexed may_raise", bits=IN_GRAPHS, xla=Xla(of_complex=True)),
    Op("histogram_fixed_width", error=DECIDED),
    Op("image.non_max_suppression", error=DECIDED),
    Op("linalg.band_part", "x=input", same_finite, "is_indexed keeps_sign takes_matrices", bits=EVERYWHERE, error=MOVED),
    Op("math.bincount", error=DECIDED),
    Op("math.confusion_matrix", error=DECIDED),
    Op("math.invert_permutation", "x", _permuted, "is_indexed", bits=IN_GRAPHS),
    Op("nn.approx_max_k", error=DECIDED),
    Op("nn.embedding_lookup", "x=params indices=ids", _embedding, "is_indexed may_raise keeps_sign looks_up", bits=EVERYWHERE, error=MOVED),
    Op("nn.in_top_k", bits=EVERYWHERE, error=DECIDED),
    Op(
        "nn.top_k",
        "x=input k sorted index_type name",
        _top_k,
        "may_share is_no_tensor is_heavy may_raise",
        bits=EVERYWHERE,
        error=DECIDED,
        xla=Xla(always="{} puts NaN, and what it needn't sort, elsewhere under XLA"),
    ),
    Op(
        "one_hot",
        "indices depth on_value off_value axis dtype",
        _one_hot,
        "may_raise takes_sizes makes_node is_position_free makes_many",
        bits=EVERYWHERE,
    ),
    Op("scatter_nd", "places=indices updates shape", _scatter_nd, "is_indexed may_raise keeps_sign", bits=IN_GRAPHS, error=SUMMED),
    Op(
        "searchsorted",
        "sorted_sequence values side out_type name",
        _searchsorted,
        bits=EVERYWHERE,
        error=DECIDED,
        xla=Xla(always="{} of a sequence that isn't sorted finds another place under XLA"),
    ),
    Op(
        "sequence_mask",
        "lengths maxlen dtype name",
        _sequence_mask,
        bits=EVERYWHERE,
        error=DECIDED,
        xla=Xla(of_floats="{} makes other integers of large floats under XLA"),
    ),
    Op("slice", "x=input_ begin size name", _slice, "is_part may_share may_raise folds keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op(
        "sort",
        "x=values",
        same_finite,
        "mixes is_heavy may_raise fits_all is_held_by_xla is_along_axes signs_zero is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
        axis=-1,
        xla=Xla(of_nan="{} puts NaN elsewhere under XLA"),
    ),
    Op("strided_slice", traits="keeps_sign", error=MOVED),
    Op("tensor_scatter_nd_add", "x=tensor places=indices updates", _updated, "may_share is_indexed may_raise", bits=IN_XLA, error=SUMMED),
    Op("tensor_scatter_nd_max", "x=tensor places=indices updates", _updated, "may_share is_indexed may_raise", bits=IN_XLA),
    Op("tensor_scatter_nd_min", "x=tensor places=indices updates", _updated, "may_share is_indexed may_raise", bits=IN_XLA),
    Op("tensor_scatter_nd_sub", "x=tensor places=indices updates", _updated, "may_share is_indexed may_raise", bits=IN_XLA, error=SUMMED),
    Op(
        "tensor_scatter_nd_update",
        "x=tensor places=indices updates name",
        _replaced,
        "may_share is_indexed may_raise keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
    ),
    Op("unique", "x out_idx name", _unique, "may_share is_no_tensor is_heavy", bits=EVERYWHERE, error=DECIDED),
    Op("unique_with_counts", error=DECIDED),
)
