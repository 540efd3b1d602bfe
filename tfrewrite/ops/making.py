"""What makes tensors of numbers and sizes."""

from __future__ import annotations

from dataclasses import replace

from tfrewrite.kinds import FLOATS, Dim, Kind, Sort, Symbol, sequence, tensor
from tfrewrite.ops.call import Call, as_tensor, dims_of
from tfrewrite.ops.row import DECIDED, EVERYWHERE, MOVED, SETTLED, Op, Xla
from tfrewrite.ops.shared_results import arithmetic_sequence


def _filled(call: Call) -> Kind:
    return tensor(call.dtype("dtype", "float32"), dims_of(call["shape"]), finite=True, fixed=True)


def _fill(call: Call) -> Kind:
    value = as_tensor(call["value"])
    return tensor(value.dtype, dims_of(call["shape"]), finite=value.finite, fixed=value.fixed)


def _eye(call: Call) -> Kind:
    rows = call["rows"].value
    columns = call["columns"].value if call.given("columns") and call["columns"].sort is not Sort.NONE else rows
    if call.given("batch"):
        return tensor(call.dtype("dtype", "float32"), finite=True, fixed=True)
    dims = tuple(dim if isinstance(dim, int | Symbol) else None for dim in (rows, columns))
    return tensor(call.dtype("dtype", "float32"), dims, finite=True, fixed=True)


def _constant(call: Call) -> Kind:
    value = as_tensor(call["value"], call.dtype())
    dtype = call.dtype("dtype", value.dtype)
    if dtype is None:
        value = replace(value, finite=False)
    if call.given("shape") and call["shape"].sort is not Sort.NONE:
        return tensor(dtype, dims_of(call["shape"]), finite=value.finite, fixed=True)
    return replace(tensor(dtype, value.shape, finite=value.finite, fixed=True), value=value.value)


def _convert(call: Call) -> Kind:
    value = as_tensor(call["value"], call.dtype())
    if value.sort is Sort.TENSOR and call.given("dtype") and value.dtype is None:
        value = replace(value, dtype=call.dtype())
    if call["value"].is_tensor or call["value"].sort is Sort.ARRAY and not call.given("dtype"):
        return value
    return replace(value, dtype=call.dtype("dtype", value.dtype))


def _like(call: Call) -> Kind:
    x = as_tensor(call["x"])
    return tensor(call.dtype("dtype", x.dtype), x.shape, finite=True, fixed=True)


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


def _no_plain_tensor(call: Call) -> Kind:
    """Rows of several lengths, or only some elements: it has a shape, and isn't one array."""
    return Kind(Sort.OBJECT)


_RAGGED = ("ragged.constant", "ragged.range", "ragged.stack", "SparseTensor", "sparse.from_dense") + tuple(
    f"RaggedTensor.from_{one}"
    for one in (
        "nested_row_lengths",
        "nested_row_splits",
        "row_lengths",
        "row_limits",
        "row_splits",
        "row_starts",
        "tensor",
        "value_rowids",
    )
)

ROWS = (
    *(Op(name, "", _no_plain_tensor, "is_outside") for name in _RAGGED),
    Op(
        "constant",
        "value dtype shape",
        _constant,
        "creates is_uniform may_share fits_all makes_node keeps_sign dtype_follows",
        bits=EVERYWHERE,
        error=MOVED,
    ),
    Op(
        "convert_to_tensor",
        "value dtype",
        _convert,
        "is_view hands_on may_share fits_all is_position_free keeps_sign dtype_follows",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "eye",
        "rows=num_rows columns=num_columns batch=batch_shape dtype",
        _eye,
        "creates fits_all takes_sizes is_never_negative",
        bits=EVERYWHERE,
        xla=Xla(of_complex=True),
    ),
    Op(
        "fill",
        "shape=dims value",
        _fill,
        "creates is_uniform fits_all takes_sizes makes_node keeps_sign makes_many",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op("linspace", "start limit=stop num name axis", _linspace, "creates takes_sizes"),
    Op("meshgrid", "axis0 axis1 axis2 axis3 axis4 axis5", _meshgrid, "may_share is_no_tensor needs_known_sizes", bits=EVERYWHERE),
    Op(
        "ones",
        "shape dtype name",
        _filled,
        "creates is_uniform fits_all takes_sizes makes_node is_never_negative makes_many",
        bits=EVERYWHERE,
        xla=Xla(of_complex=True),
    ),
    Op(
        "ones_like",
        "x=input dtype",
        _like,
        "is_elementwise creates is_uniform fits_all is_position_free is_never_negative",
        bits=EVERYWHERE,
        error=SETTLED,
        xla=Xla(of_complex=True),
    ),
    Op("range", "start limit delta dtype", arithmetic_sequence, "creates fits_all takes_sizes", bits=EVERYWHERE, error=DECIDED),
    Op(
        "zeros",
        "shape dtype name",
        _filled,
        "creates is_uniform fits_all takes_sizes makes_node is_never_negative makes_many",
        bits=EVERYWHERE,
        xla=Xla(of_complex=True),
    ),
    Op(
        "zeros_like",
        "x=input dtype",
        _like,
        "is_elementwise creates is_uniform fits_all is_position_free is_never_negative",
        bits=EVERYWHERE,
        error=SETTLED,
        xla=Xla(of_complex=True),
    ),
)
