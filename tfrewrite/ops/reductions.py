"""What reduces tensors along axes: sums, extremes, places, running sums, segments."""

from __future__ import annotations

from dataclasses import replace

from tfrewrite.kinds import Kind, Sort, tensor
from tfrewrite.ops import intervals
from tfrewrite.ops.call import REAL_PART, Call, as_tensor, divided, reduced_shape
from tfrewrite.ops.row import BOUNDED, DECIDED, EVERYWHERE, IN_GRAPHS, IN_XLA, MULTIPLIED, STEEP, SUM_ROOTED, SUMMED, Op, Xla
from tfrewrite.ops.shared_results import same


def _reduce(call: Call) -> Kind:
    x = as_tensor(call["x"])
    return tensor(x.dtype, reduced_shape(call, x.shape), fixed=x.fixed)


def _reduce_real(call: Call) -> Kind:
    kind = _reduce(call)
    return replace(kind, dtype=REAL_PART.get(kind.dtype or "", kind.dtype))


def _reduce_bool(call: Call) -> Kind:
    return tensor("bool", reduced_shape(call, as_tensor(call["x"]).shape))


def _arg_reduce(call: Call) -> Kind:
    x = as_tensor(call["x"])
    dtype = call.dtype("output_type", "int64")
    axis = call.integer("axis", 0)
    if x.rank is None or axis is None or not -x.rank <= axis < x.rank:
        return tensor(dtype)
    assert isinstance(x.shape, tuple)
    axis %= x.rank
    return replace(tensor(dtype, x.shape[:axis] + x.shape[axis + 1 :]), below=x.shape[axis])


def _add_n(call: Call) -> Kind:
    """All have one shape and dtype."""
    each = call["values"].each
    member = Kind() if each is None else as_tensor(each)
    return tensor(member.dtype, member.shape)


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


ROWS = (
    Op("add_n", "values=inputs", _add_n, "may_share adds keeps_sign", error=SUMMED, xla=Xla(of_complex=True)),
    Op(
        "argmax",
        "x=input axis output_type",
        _arg_reduce,
        "finds_place may_raise fits_all takes_extreme is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
        axis=0,
        xla=Xla(of_nan="{} ignores NaN, and XLA finds it"),
    ),
    Op(
        "argmin",
        "x=input axis output_type",
        _arg_reduce,
        "finds_place may_raise fits_all takes_extreme is_position_free",
        bits=EVERYWHERE,
        error=DECIDED,
        axis=0,
        xla=Xla(of_nan="{} ignores NaN, and XLA finds it"),
    ),
    Op(
        "cumsum",
        "x",
        same,
        "mixes is_heavy fits_all is_held_by_xla keeps_sign totals",
        bits=IN_GRAPHS,
        error=SUMMED,
        axis=0,
        xla=Xla(of_bytes=False),
    ),
    Op("math.accumulate_n", error=SUMMED),
    Op("math.count_nonzero", "x=input axis keepdims dtype name", _count_nonzero, "may_share", bits=IN_XLA, error=DECIDED),
    Op(
        "math.cumprod",
        "x",
        same,
        "mixes is_heavy fits_all keeps_sign takes_product",
        bits=IN_GRAPHS,
        error=MULTIPLIED,
        axis=0,
        xla=Xla(of_bytes=False),
    ),
    Op("math.is_non_decreasing", error=DECIDED),
    Op(
        "math.reduce_euclidean_norm",
        "x=input_tensor axis keepdims",
        _reduce,
        "reduces fits_all takes_root is_never_negative",
        bits=IN_GRAPHS,
        error=STEEP,
        xla=Xla(compiles=False),
    ),
    Op(
        "math.reduce_std",
        "x=input_tensor axis keepdims",
        _reduce_real,
        "reduces fits_all takes_root is_never_negative wants_floats",
        bits=IN_GRAPHS,
        error=SUM_ROOTED,
    ),
    Op(
        "math.reduce_variance",
        "x=input_tensor axis keepdims",
        _reduce_real,
        "reduces fits_all is_never_negative wants_floats",
        bits=IN_GRAPHS,
        error=SUM_ROOTED,
    ),
    Op("math.segment_max", "x=data segment_ids name", _segments, "is_indexed may_raise", bits=IN_GRAPHS, error=BOUNDED),
    Op("math.segment_mean", "x=data segment_ids name", _segments, "is_indexed may_raise", bits=IN_GRAPHS, error=SUMMED),
    Op("math.segment_min", "x=data segment_ids name", _segments, "is_indexed may_raise", bits=IN_GRAPHS, error=BOUNDED),
    Op("math.segment_prod", "x=data segment_ids name", _segments, "is_indexed may_raise", bits=IN_GRAPHS),
    Op("math.segment_sum", "x=data segment_ids name", _segments, "is_indexed may_raise totals", bits=IN_GRAPHS, error=SUMMED),
    Op("math.unsorted_segment_max", "x=data segment_ids num_segments name", _unsorted_segments, "is_indexed may_raise", bits=IN_GRAPHS),
    Op("math.unsorted_segment_mean", "x=data segment_ids num_segments name", _unsorted_mean, "is_indexed may_raise", error=SUMMED),
    Op("math.unsorted_segment_min", "x=data segment_ids num_segments name", _unsorted_segments, "is_indexed may_raise", bits=IN_GRAPHS),
    Op("math.unsorted_segment_prod", "x=data segment_ids num_segments name", _unsorted_segments, "is_indexed may_raise", bits=IN_GRAPHS),
    Op(
        "math.unsorted_segment_sum",
        "x=data segment_ids num_segments name",
        _unsorted_segments,
        "is_indexed may_raise totals",
        bits=IN_GRAPHS,
        error=SUMMED,
    ),
    Op("reduce_all", "x=input_tensor axis keepdims", _reduce_bool, "reduces fits_all is_position_free", bits=EVERYWHERE, error=DECIDED),
    Op("reduce_any", "x=input_tensor axis keepdims", _reduce_bool, "reduces fits_all is_position_free", bits=EVERYWHERE, error=DECIDED),
    Op("reduce_logsumexp", "x=input_tensor axis keepdims", _reduce, "reduces fits_all wants_floats", bits=IN_GRAPHS, error=SUMMED),
    Op(
        "reduce_max",
        "x=input_tensor axis keepdims",
        _reduce,
        "reduces may_share fits_all makes_node takes_extreme signs_zero is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_nan="{} of NaN is NaN, and XLA leaves the NaN out"),
        numpy="max",
        interval=intervals.unchanged,
    ),
    Op(
        "reduce_mean",
        "x=input_tensor axis keepdims",
        _reduce,
        "reduces may_share fits_all makes_node keeps_sign",
        bits=IN_GRAPHS,
        error=SUMMED,
        xla=Xla(of_integers="{} of no integers is 0, and XLA gives -1"),
        numpy="mean",
        interval=intervals.unchanged,
    ),
    Op(
        "reduce_min",
        "x=input_tensor axis keepdims",
        _reduce,
        "reduces may_share fits_all makes_node takes_extreme signs_zero is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=BOUNDED,
        xla=Xla(of_nan="{} of NaN is NaN, and XLA leaves the NaN out"),
        numpy="min",
        interval=intervals.unchanged,
    ),
    Op(
        "reduce_prod",
        "x=input_tensor axis keepdims",
        _reduce,
        "reduces may_share fits_all keeps_sign takes_product",
        bits=IN_GRAPHS,
        error=MULTIPLIED,
    ),
    Op(
        "reduce_sum",
        "x=input_tensor axis keepdims",
        _reduce,
        "reduces may_share fits_all makes_node keeps_sign totals",
        bits=IN_GRAPHS,
        error=SUMMED,
        numpy="sum",
    ),
)
