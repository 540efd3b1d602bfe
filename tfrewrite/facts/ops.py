"""What TensorFlow's and NumPy's functions return, given what is known of their arguments.

One table: a function that stands here is known to be free of effects too, unless `RANDOM` names it. What isn't here is
unknown. Names are canonical (see `names.py`), less the leading `tensorflow.`.
"""

from __future__ import annotations

import math
from dataclasses import replace

import gast

from tfrewrite.facts.calls import (
    MOST_IN_HALF,
    REAL_PART,
    Call,
    Op,
    Rule,
    arithmetic,
    as_tensor,
    axes_of,
    dims_of,
    divided,
    elementwise,
    reduced_shape,
)
from tfrewrite.facts.kinds import (
    FLOATS,
    INTEGERS,
    UNKNOWN,
    Dim,
    Kind,
    Shape,
    Sort,
    Symbol,
    broadcast,
    join_all,
    number,
    same_dim,
    sequence,
    tensor,
)
from tfrewrite.facts.layers import LAYERS
from tfrewrite.facts.picks import PICKS
from tfrewrite.facts.products import PRODUCTS


def _same(call: Call) -> Kind:
    return elementwise(call["x"])


def _same_finite(call: Call) -> Kind:
    """Results are finite where the argument is."""
    return replace(elementwise(call["x"]), finite=as_tensor(call["x"]).finite)


def _to_bool(call: Call) -> Kind:
    return elementwise(call["x"], "bool")


def _binary(call: Call) -> Kind:
    return arithmetic(call["x"], call["y"])


def _divide(call: Call) -> Kind:
    # Of what isn't a TensorFlow value yet, a bool is left for NumPy to divide by an array.
    if any(call[name].sort is Sort.ARRAY and as_tensor(call[other]).dtype in ("bool", None) for name, other in (("x", "y"), ("y", "x"))):
        return UNKNOWN
    return divided(_binary(call))


def _compare(call: Call) -> Kind:
    return replace(_binary(call), dtype="bool", finite=True, fixed=True)


def modulo(x: Kind, y: Kind, kind: Kind) -> Kind:
    """`x % n` lies in 0..n-1 for a positive number n."""
    if isinstance(y.value, int) and y.value > 0 and kind.dtype in INTEGERS:
        return replace(kind, below=y.value)
    return kind


def _floormod(call: Call) -> Kind:
    return modulo(call["x"], call["y"], _binary(call))


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


def _filled(call: Call) -> Kind:
    return tensor(call.dtype("dtype", "float32"), dims_of(call["shape"]), finite=True, fixed=True)


def _fill(call: Call) -> Kind:
    value = as_tensor(call["value"])
    return tensor(value.dtype, dims_of(call["shape"]), finite=value.finite, fixed=value.fixed)


def _random(call: Call) -> Kind:
    given = [call[name].value for name in ("mean", "stddev", "minval", "maxval") if call.given(name)]
    # Normal numbers go up to some six times stddev.
    plain = all(isinstance(value, int | float) and abs(value) <= MOST_IN_HALF / 8 for value in given)
    dtype = call.dtype("dtype", "float32")
    kind = tensor(dtype, dims_of(call["shape"]), finite=plain, fixed=True)
    top = call["maxval"].value
    if dtype in INTEGERS and call.integer("minval", 0) == 0 and isinstance(top, int | Symbol):
        return replace(kind, below=top)
    return kind


def _eye(call: Call) -> Kind:
    rows = call["rows"].value
    columns = call["columns"].value if call.given("columns") and call["columns"].sort is not Sort.NONE else rows
    if call.given("batch"):
        return tensor(call.dtype("dtype", "float32"), finite=True, fixed=True)
    dims = tuple(dim if isinstance(dim, int | Symbol) else None for dim in (rows, columns))
    return tensor(call.dtype("dtype", "float32"), dims, finite=True, fixed=True)


def _range(call: Call) -> Kind:
    start, limit = call["start"], call["limit"]
    dtype = call.dtype("dtype", None) if call.given("dtype") else None
    if not call.given("limit"):
        top = start.value if isinstance(start.value, int | Symbol) else None
        if isinstance(start.value, float) and start.value.is_integer() and 0 <= start.value < 2**24:
            top = int(start.value)
        kind = tensor(dtype or as_tensor(start).dtype, (None if call.given("delta") else top,), fixed=True)
        return replace(kind, below=top) if kind.dtype in INTEGERS else kind
    values = [start.value, limit.value, call["delta"].value if call.given("delta") else 1]
    length = None
    if all(isinstance(value, int) for value in values) and values[2] != 0:
        length = len(range(*values))  # type: ignore[arg-type]
    own = {as_tensor(kind).dtype for kind in (start, limit, *([call["delta"]] if call.given("delta") else []))}
    return tensor(dtype or (own.pop() if len(own) == 1 else None), (length,), fixed=True)


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


def _cast(call: Call) -> Kind:
    x = as_tensor(call["x"])
    dtype = call.dtype()
    if call["x"].sort is Sort.VARIABLE and (dtype is None or dtype == x.dtype or x.dtype is None):
        return call["x"] if dtype is not None and dtype == x.dtype else UNKNOWN  # the variable itself
    widened = x.finite and (x.dtype in INTEGERS or x.dtype == "bool") and dtype in ("float32", "float64", "int64", "int32")
    kind = tensor(dtype, x.shape, finite=widened or (x.finite and dtype == x.dtype) or (x.finite and dtype == "float64"), fixed=x.fixed)
    if dtype in INTEGERS and x.dtype in INTEGERS and dtype in ("int32", "int64"):
        kind = replace(kind, below=x.below, value=x.value)
    return kind


def _like(call: Call) -> Kind:
    x = as_tensor(call["x"])
    return tensor(call.dtype("dtype", x.dtype), x.shape, finite=True, fixed=True)


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


def _reshape(call: Call) -> Kind:
    x = as_tensor(call["x"])
    shape = dims_of(call["shape"])
    if isinstance(shape, tuple):
        shape = tuple(None if dim == -1 or _may_be_negative(dim) else dim for dim in shape)
        if shape.count(None) == 1 and x.size is not None and (rest := _product(shape)):
            shape = tuple(x.size // rest if dim is None else dim for dim in shape)
    return replace(tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed), below=x.below)


def _may_be_negative(dim: Dim) -> bool:
    """Is it a number that the program makes up, and not the size of something?"""
    return isinstance(dim, Symbol) and isinstance(dim.key, tuple) and dim.key[-1] in ("value", "index")


def _product(shape: tuple[Dim, ...]) -> int | None:
    known = [dim for dim in shape if dim is not None]
    return math.prod(dim for dim in known if isinstance(dim, int)) if all(isinstance(dim, int) for dim in known) else None


def permutation(call: Call) -> tuple[int, ...] | None:
    items = call["perm"].items
    if items is None or not all(isinstance(item.value, int) for item in items):
        return None
    order = tuple(item.value for item in items if isinstance(item.value, int))
    return order if sorted(order) == list(range(len(order))) else None


def _transpose(call: Call) -> Kind:
    x = as_tensor(call["x"])
    flip = not call.given("perm") or call["perm"].sort is Sort.NONE
    order = tuple(reversed(range(x.rank or 0))) if flip else permutation(call)
    if order is None or (flip and x.rank is None):
        return tensor(x.dtype, finite=x.finite, fixed=x.fixed)
    if not isinstance(x.shape, tuple) or len(x.shape) != len(order):
        return tensor(x.dtype, (None,) * len(order), finite=x.finite, fixed=x.fixed)
    return tensor(x.dtype, tuple(x.shape[i] for i in order), finite=x.finite, fixed=x.fixed)


def _matrix_transpose(call: Call) -> Kind:
    x = as_tensor(call["x"])
    shape = (*x.shape[:-2], x.shape[-1], x.shape[-2]) if isinstance(x.shape, tuple) and len(x.shape) >= 2 else None
    return tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed)


def _expand_dims(call: Call) -> Kind:
    x = as_tensor(call["x"])
    axis = call.integer("axis")
    if not isinstance(x.shape, tuple) or axis is None or not -len(x.shape) - 1 <= axis <= len(x.shape):
        return tensor(x.dtype, finite=x.finite, fixed=x.fixed)
    place = axis % (len(x.shape) + 1)
    return replace(x, shape=(*x.shape[:place], 1, *x.shape[place:]), value=None, items=None)


def _squeeze(call: Call) -> Kind:
    x = as_tensor(call["x"])
    # No axes at all, [] as well as None, are all that have size 1.
    axes = (axes_of(call, x.rank) or None) if call.given("axis") and call["axis"].sort is not Sort.NONE else None
    shape = tuple(dim for i, dim in enumerate(x.shape) if i not in axes) if isinstance(x.shape, tuple) and axes is not None else None
    return tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed)


def _stack(call: Call) -> Kind:
    axis = call.integer("axis", 0)
    members = call["values"].each
    if members is None:
        return tensor()
    row = as_tensor(members)
    count = len(call["values"].items) if call["values"].items is not None else None
    if not isinstance(row.shape, tuple) or axis is None or not -len(row.shape) - 1 <= axis <= len(row.shape):
        return tensor(row.dtype, finite=row.finite)
    place = axis % (len(row.shape) + 1)
    return tensor(row.dtype, (*row.shape[:place], count, *row.shape[place:]), finite=row.finite, fixed=row.fixed)


def _add_n(call: Call) -> Kind:
    """All have one shape and dtype."""
    each = call["values"].each
    member = Kind() if each is None else as_tensor(each)
    return tensor(member.dtype, member.shape)


def _concat(call: Call) -> Kind:
    axis = call.integer("axis")
    items = call["values"].items
    if not items or axis is None:
        return tensor(as_tensor(call["values"].each).dtype if call["values"].each else None)
    first = as_tensor(items[0])
    parts = [as_tensor(item) for item in items]
    # Tensors set the dtype, and what isn't one yet is converted to it.
    dtypes = {item.dtype for item in items if item.is_tensor} or {part.dtype for part in parts}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    if not isinstance(first.shape, tuple) or not -len(first.shape) <= axis < len(first.shape):
        return tensor(dtype)
    place = axis % len(first.shape)
    along = [part.shape[place] if isinstance(part.shape, tuple) and len(part.shape) == len(first.shape) else None for part in parts]
    total = sum(dim for dim in along if isinstance(dim, int)) if all(isinstance(dim, int) for dim in along) else None
    return tensor(dtype, (*first.shape[:place], total, *first.shape[place + 1 :]), finite=all(part.finite for part in parts))


def _times(dim: Dim, factor: object) -> Dim:
    if factor == 1:
        return dim
    if dim == 1 and isinstance(factor, int | Symbol):
        return factor
    return dim * factor if isinstance(dim, int) and isinstance(factor, int) else None


def _tile(call: Call) -> Kind:
    x = as_tensor(call["x"])
    factors = call["multiples"].items
    if factors is None:
        return tensor(x.dtype, finite=x.finite, fixed=x.fixed)
    if not isinstance(x.shape, tuple) or len(x.shape) != len(factors):
        return tensor(x.dtype, (None,) * len(factors), finite=x.finite, fixed=x.fixed)
    shape = tuple(_times(dim, factor.value) for dim, factor in zip(x.shape, factors, strict=True))
    return tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed)


def _repeat(call: Call) -> Kind:
    x = as_tensor(call["x"])
    count = call["repeats"].value
    if not call.given("axis") or call["axis"].sort is Sort.NONE:
        return tensor(x.dtype, (_times(1 if x.size == 1 else x.size, count),), finite=x.finite, fixed=x.fixed)
    axis = call.integer("axis")
    if not isinstance(x.shape, tuple) or axis is None or not -len(x.shape) <= axis < len(x.shape):
        return tensor(x.dtype, finite=x.finite, fixed=x.fixed)
    place = axis % len(x.shape)
    shape = (*x.shape[:place], _times(x.shape[place], count), *x.shape[place + 1 :])
    return tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed)


def _broadcast_to(call: Call) -> Kind:
    x = as_tensor(call["x"])
    return tensor(x.dtype, dims_of(call["shape"]), finite=x.finite, fixed=x.fixed)


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


def matmul_shape(a: Shape, b: Shape, transpose_a: object = False, transpose_b: object = False) -> Shape:
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) < 2 or len(b) < 2:
        return None
    if not isinstance(transpose_a, bool) or not isinstance(transpose_b, bool):
        return (None,) * max(len(a), len(b))
    batch = broadcast(a[:-2], b[:-2])
    return (*batch, a[-1 if transpose_a else -2], b[-2 if transpose_b else -1]) if isinstance(batch, tuple) else None


def _matmul(call: Call) -> Kind:
    a, b = as_tensor(call["x"]), as_tensor(call["y"])
    swap = [call[name].value if call.given(name) else False for name in ("transpose_a", "transpose_b")]
    if call.given("adjoint_a") or call.given("adjoint_b"):
        swap = [None, None]
    dtype = call.dtype("output_type", a.dtype or b.dtype)
    return tensor(dtype, matmul_shape(a.shape, b.shape, *swap), fixed=a.fixed and b.fixed)


def _diag(call: Call) -> Kind:
    d = as_tensor(call["x"])
    if len(call.nodes) > 1 or not isinstance(d.shape, tuple) or not d.shape:
        return tensor(d.dtype)
    return tensor(d.dtype, (*d.shape, d.shape[-1]), finite=d.finite, fixed=d.fixed)


def _diag_part(call: Call) -> Kind:
    x = as_tensor(call["x"])
    if len(call.nodes) > 1 or not isinstance(x.shape, tuple) or len(x.shape) < 2:
        return tensor(x.dtype)
    side = x.shape[-1] if same_dim(x.shape[-1], x.shape[-2]) else None
    return tensor(x.dtype, (*x.shape[:-2], side), finite=x.finite, fixed=x.fixed)


def _trace(call: Call) -> Kind:
    x = as_tensor(call["x"])
    return tensor(x.dtype, x.shape[:-2] if isinstance(x.shape, tuple) else None, fixed=x.fixed)


def _shape(call: Call) -> Kind:
    x = as_tensor(call["x"])
    dtype = call.dtype("out_type", "int32")
    if isinstance(x.shape, tuple):
        items = tuple(replace(tensor(dtype, ()), value=dim) for dim in x.shape)
        return replace(tensor(dtype, (len(items),)), items=items)
    return replace(tensor(dtype, (None,)), value=x.shape)


def _size(call: Call) -> Kind:
    x = as_tensor(call["x"])
    only = x.shape[0] if isinstance(x.shape, tuple) and len(x.shape) == 1 else x.size
    return replace(tensor(call.dtype("out_type", "int32"), ()), value=only)


def _variable(call: Call) -> Kind:
    value = as_tensor(call["value"])
    trainable = call["trainable"].value if call.given("trainable") else True
    dtype = call.dtype("dtype", value.dtype)
    if any(call.given(name) for name in ("shape", "validate_shape", "synchronization", "aggregation")):
        return UNKNOWN  # its shape may change, or what an assignment does depends on where it is made
    return Kind(Sort.VARIABLE, dtype, value.shape, trainable=trainable if isinstance(trainable, bool) else None)


def _unstack(call: Call) -> Kind:
    x = as_tensor(call["x"])
    axis = call.integer("axis", 0)
    if not isinstance(x.shape, tuple) or axis is None or not -len(x.shape) <= axis < len(x.shape):
        return Kind(Sort.LIST, each=tensor(x.dtype))
    place = axis % len(x.shape)
    row = tensor(x.dtype, x.shape[:place] + x.shape[place + 1 :], finite=x.finite, fixed=x.fixed)
    count = x.shape[place]
    return Kind(Sort.LIST, items=(row,) * count if isinstance(count, int) and count <= 64 else None, each=row)


def _split(call: Call) -> Kind:
    x = as_tensor(call["x"])
    pieces = call["sizes"].value
    axis = call.integer("axis") if call.given("axis") else 0
    if isinstance(pieces, int) and 0 < pieces <= 64:
        whole = x.shape[axis] if isinstance(x.shape, tuple) and axis is not None and -len(x.shape) <= axis < len(x.shape) else None
        even = isinstance(whole, int) and whole % pieces == 0
        sizes: tuple[Dim, ...] | None = (whole // pieces if isinstance(whole, int) and even else None,) * pieces
    else:
        items = call["sizes"].items
        sizes = None if items is None else tuple(one.value if isinstance(one.value, int) and one.value >= 0 else None for one in items)
    parts = None if sizes is None else tuple(_part(x, axis, size) for size in sizes)
    return Kind(Sort.LIST, items=parts, each=join_all(parts) if parts else _part(x, None, None))


def _part(x: Kind, axis: int | None, size: Dim) -> Kind:
    """What a tensor is split into: so much of one axis, and all of the others."""
    if not isinstance(x.shape, tuple):
        return tensor(x.dtype, None, finite=x.finite, fixed=x.fixed)
    if axis is None or not -len(x.shape) <= axis < len(x.shape):
        return tensor(x.dtype, (None,) * len(x.shape), finite=x.finite, fixed=x.fixed)
    shape = [*x.shape]
    shape[axis] = size
    return tensor(x.dtype, tuple(shape), finite=x.finite, fixed=x.fixed)


def _where(call: Call) -> Kind:
    if not call.given("x"):
        return tensor("int64", (None, as_tensor(call["condition"]).rank))
    both = arithmetic(call["x"], call["y"])
    shape = broadcast(as_tensor(call["condition"]).shape, both.shape)
    finite = as_tensor(call["x"]).finite and as_tensor(call["y"]).finite
    return tensor(both.dtype, shape, finite=finite, fixed=both.fixed)


def _clip(call: Call) -> Kind:
    x = as_tensor(call["x"])
    kind = tensor(
        x.dtype, broadcast(x.shape, ()) if as_tensor(call["low"]).rank == 0 and as_tensor(call["high"]).rank == 0 else None, fixed=x.fixed
    )
    high = call["high"].value
    if call.integer("low") == 0 and isinstance(high, int) and high >= 0 and kind.dtype in INTEGERS:
        return replace(kind, below=high + 1)
    return kind


def _abs(call: Call) -> Kind:
    kind = _same_finite(call)
    return replace(kind, dtype=REAL_PART.get(kind.dtype or "", kind.dtype))


def _scaled(call: Call) -> Kind:
    """Broadcasts with `beta`, where that is given."""
    kind = elementwise(call["x"])
    return replace(kind, shape=None) if call.given("beta") else kind


def _leaky(call: Call) -> Kind:
    kind = elementwise(call["x"])
    return kind if kind.dtype in FLOATS else tensor("float32" if kind.dtype in INTEGERS else None, kind.shape)


def _matrix(call: Call) -> Kind:
    """A vector is taken for a matrix, or refused."""
    kind = elementwise(call["x"])
    return kind if (kind.rank or 0) >= 2 else tensor(kind.dtype)


def _permuted(call: Call) -> Kind:
    """An array may become int32 whatever it holds."""
    x = call["x"]
    return tensor(as_tensor(x).dtype if x.is_tensor else None, as_tensor(x).shape, finite=True, fixed=True)


def _stop_gradient(call: Call) -> Kind:
    return replace(as_tensor(call["x"]), fixed=True)


def _ensure_shape(call: Call) -> Kind:
    x = as_tensor(call["x"])
    wanted = dims_of(call["shape"])
    if isinstance(wanted, tuple):
        own = x.shape if isinstance(x.shape, tuple) and len(x.shape) == len(wanted) else (None,) * len(wanted)
        # A size that isn't written as a number may be None, and then ensures nothing.
        return replace(x, shape=tuple(a if isinstance(a, int) else b for a, b in zip(wanted, own, strict=True)))
    return x


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
    kind = _range(call)
    shape = tuple(max(dim, 0) if isinstance(dim, int) else None for dim in kind.shape) if isinstance(kind.shape, tuple) else None
    return Kind(Sort.ARRAY, call.dtype("dtype", "int64" if kind.dtype in INTEGERS else None), shape, fixed=True)


_numpy_dims = ("d0", "d1", "d2", "d3", "d4", "d5")


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


def _dataset_range(call: Call) -> Kind:
    return Kind(Sort.DATASET, each=tensor("int64", ()))


def _dataset_slices(call: Call) -> Kind:
    return Kind(Sort.DATASET, each=row_of(call["x"]))


def _dataset_whole(call: Call) -> Kind:
    return Kind(Sort.DATASET, each=component(call["x"]))


def component(kind: Kind) -> Kind | None:
    match kind.sort:
        case Sort.TENSOR | Sort.VARIABLE | Sort.ARRAY | Sort.NUMBER | Sort.LIST:
            return as_tensor(kind)
        case Sort.TUPLE if kind.items is not None:
            return sequence(Sort.TUPLE, tuple(component(item) or UNKNOWN for item in kind.items))
    return None


def row_of(kind: Kind) -> Kind:
    """What iterating over the first axis gives."""
    match kind.sort:
        case Sort.TUPLE if kind.items is not None:
            return sequence(Sort.TUPLE, tuple(row_of(item) for item in kind.items))
        case Sort.TENSOR | Sort.VARIABLE | Sort.ARRAY | Sort.LIST:
            whole = as_tensor(kind)
            shape = whole.shape[1:] if isinstance(whole.shape, tuple) and whole.shape else None
            return replace(tensor(whole.dtype, shape, finite=whole.finite, fixed=whole.fixed), below=whole.below)
    return UNKNOWN


def _while_loop(call: Call) -> Kind:
    """Its variables keep their dtypes, and of their shapes what the invariants say."""
    items = call["loop_vars"].items
    if items is None or call["loop_vars"].sort is not Sort.TUPLE:
        return UNKNOWN
    given = call.nodes.get("shape_invariants")
    invariants = given.elts if isinstance(given, gast.Tuple) and len(given.elts) == len(items) else [None] * len(items)
    variables = call.nodes["loop_vars"].elts if isinstance(call.nodes["loop_vars"], gast.Tuple) else [None] * len(items)
    return sequence(Sort.TUPLE, tuple(map(_invariant, items, variables, invariants)))


def _invariant(kind: Kind, variable: gast.AST | None, invariant: gast.AST | None) -> Kind:
    if kind.sort not in (Sort.TENSOR, Sort.VARIABLE, Sort.ARRAY, Sort.NUMBER):
        return UNKNOWN
    first = as_tensor(kind)
    shape: Shape = None
    match invariant:
        case gast.Attribute(value=gast.Name(id=name), attr="shape") if isinstance(variable, gast.Name) and variable.id == name:
            shape = first.shape
        case gast.Call(func=gast.Attribute(attr="TensorShape"), args=[gast.List(elts=elts)]):
            sizes = [one.value if isinstance(one, gast.Constant) and isinstance(one.value, int) else None for one in elts]
            shape = tuple(sizes)
    return tensor(first.dtype, shape)


def _tape(call: Call) -> Kind:
    return Kind(Sort.TAPE)


def _generator(call: Call) -> Kind:
    return Kind(Sort.GENERATOR)


NUMPY_GENERATOR = {
    "normal": "normal", "uniform": "uniform", "random": "random", "standard_normal": "standard_normal", "integers": "randint",
}  # fmt: skip
"""The methods of `numpy.random.default_rng()`, and the functions that make arrays of the same shape and dtype."""


def _numpy_generator(call: Call) -> Kind:
    return Kind(Sort.GENERATOR, instance="numpy.random")


def _table() -> dict[str, Op]:
    table: dict[str, Op] = {**PICKS, **PRODUCTS, **LAYERS}

    def add(names: str, parameters: str, returns: Rule) -> None:
        for name in names.split():
            table[name] = Op(tuple(parameters.split()), returns)

    add(
        "square sqrt exp sin cos tan math.asin math.acos math.atan math.sinh math.cosh math.expm1 math.log math.log1p math.rsqrt"
        " math.reciprocal math.lgamma math.digamma math.erf math.erfinv math.log_sigmoid math.softplus nn.softplus nn.elu nn.selu"
        " nn.gelu nn.log_softmax nn.softsign math.cumsum cumsum math.cumprod cosh sinh asin acos atan"
        " nn.l2_normalize math.l2_normalize linalg.l2_normalize linalg.inv linalg.cholesky linalg.logm matrix_square_root"
        " math.bessel_i0 math.erfc math.asinh math.acosh math.atanh asinh acosh atanh",
        "x",
        _same,
    )
    add(
        "negative math.negative identity sign math.sign floor math.floor math.ceil math.rint round tanh sigmoid nn.relu nn.relu6 sort"
        " reverse roll linalg.band_part math.conj guarantee_const random.shuffle",
        "x",
        _same_finite,
    )
    add("nn.silu nn.swish", "x beta", _scaled)
    add("nn.leaky_relu", "x alpha", _leaky)
    add("linalg.expm", "x", _matrix)
    add("math.invert_permutation", "x", _permuted)
    add("abs math.abs", "x", _abs)
    add("nn.softmax", "x axis", _same_finite)
    add("math.is_nan math.is_inf math.is_finite logical_not", "x", _to_bool)
    add(
        "add subtract multiply maximum minimum math.squared_difference pow math.pow math.floordiv math.multiply_no_nan atan2 math.atan2"
        " math.xlogy math.xlog1py",
        "x y",
        _binary,
    )
    add("math.mod math.floormod", "x y", _floormod)
    add("divide truediv math.truediv math.divide_no_nan", "x y", _divide)
    add("equal not_equal less less_equal greater greater_equal math.equal math.less math.greater", "x y", _compare)
    add("logical_and logical_or math.logical_xor", "x y", _compare)
    add(
        "reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_logsumexp math.reduce_euclidean_norm math.reduce_logsumexp",
        "x axis keepdims",
        _reduce,
    )
    add("math.reduce_std math.reduce_variance", "x axis keepdims", _reduce_real)
    add("reduce_any reduce_all", "x axis keepdims", _reduce_bool)
    add("argmax argmin math.argmax math.argmin", "x axis output_type", _arg_reduce)
    add("zeros ones", "shape dtype name", _filled)
    add("fill", "shape value", _fill)
    add("random.normal random.truncated_normal", "shape mean stddev dtype", _random)
    add("random.uniform", "shape minval maxval dtype", _random)
    add("random.stateless_normal random.stateless_truncated_normal", "shape seed mean stddev dtype", _random)
    add("random.stateless_uniform", "shape seed minval maxval dtype", _random)
    add("eye", "rows columns batch dtype", _eye)
    add("range", "start limit delta dtype", _range)
    add("constant", "value dtype shape", _constant)
    add("convert_to_tensor", "value dtype", _convert)
    add("cast", "x dtype", _cast)
    add("zeros_like ones_like", "x dtype", _like)
    add("one_hot", "indices depth on_value off_value axis dtype", _one_hot)
    add("reshape", "x shape", _reshape)
    add("transpose", "x perm conjugate", _transpose)
    add("linalg.matrix_transpose", "x", _matrix_transpose)
    add("expand_dims", "x axis", _expand_dims)
    add("squeeze", "x axis", _squeeze)
    add("stack", "values axis", _stack)
    add("concat", "values axis", _concat)
    add("add_n", "values", _add_n)
    add("tile", "x multiples", _tile)
    add("repeat", "x repeats axis", _repeat)
    add("broadcast_to", "x shape", _broadcast_to)
    add("gather", "x indices validate_indices axis batch_dims", _gather)
    add("nn.embedding_lookup", "x indices", _embedding)
    add("matmul", "x y transpose_a transpose_b adjoint_a adjoint_b", _matmul)
    add("linalg.diag", "x k num_rows num_cols padding_value", _diag)
    add("linalg.diag_part", "x k", _diag_part)
    add("linalg.trace", "x", _trace)
    add("shape", "x out_type", _shape)
    add("size", "x out_type", _size)
    add(
        "Variable",
        "value trainable validate_shape caching_device name variable_def dtype import_scope constraint synchronization aggregation shape",
        _variable,
    )
    add("unstack", "x num axis", _unstack)
    add("split", "x sizes axis", _split)
    add("where", "condition x y", _where)
    add("clip_by_value", "x low high", _clip)
    add("stop_gradient", "x", _stop_gradient)
    add("ensure_shape", "x shape", _ensure_shape)
    add("while_loop", "cond body loop_vars shape_invariants parallel_iterations back_prop swap_memory maximum_iterations name", _while_loop)
    add("random.Generator.from_seed", "seed alg", _generator)
    add("random.get_global_generator random.Generator.from_non_deterministic_state", "", _generator)
    add("GradientTape", "persistent watch_accessed_variables", _tape)
    add("data.Dataset.range", "start", _dataset_range)
    add("data.Dataset.from_tensor_slices", "x", _dataset_slices)
    add("data.Dataset.from_tensors", "x", _dataset_whole)
    add("numpy.array numpy.asarray", "value dtype", _array)
    add("numpy.ascontiguousarray", "value dtype", _numpy_contiguous)
    add("numpy.zeros numpy.ones numpy.empty", "shape dtype", _numpy_filled)
    add("numpy.arange", "start limit delta dtype", _numpy_arange)
    add("numpy.random.default_rng", "seed", _numpy_generator)
    add("numpy.random.rand numpy.random.randn", " ".join(_numpy_dims), _numpy_rand)
    add("numpy.random.normal numpy.random.uniform", "mean stddev size", _numpy_sized)
    add("numpy.random.random numpy.random.standard_normal numpy.random.random_sample", "size", _numpy_sized)
    add("numpy.random.randint", "low high size dtype", _numpy_randint)
    return table


OPS = _table()
# What a parameter may be called by keyword, where the table's short name isn't its own.
KEYWORDS = {
    "input": "x", "input_tensor": "x", "tensor": "x", "a": "x", "b": "y", "params": "x", "features": "x", "logits": "x", "t": "x",
    "diagonal": "x", "dims": "shape", "initial_value": "value", "object": "value", "num_rows": "rows", "num_columns": "columns",
    "batch_shape": "batch", "ids": "indices", "num_or_size_splits": "sizes", "clip_value_min": "low", "clip_value_max": "high",
    "loc": "mean", "scale": "stddev", "stop": "limit", "matrix": "x", "matrices": "x", "inputs": "values",
    "input_": "x", "indices": "places", "data": "x", "values": "x", "chol": "x", "t_list": "values",
}  # fmt: skip
RANDOM = frozenset(name for name in OPS if "random." in name and "stateless" not in name) | {"nn.dropout"}
NOT_PURE = RANDOM | {"Variable", "GradientTape", "while_loop"}
# What may return its argument's own buffer, or no tensor at all.
_SAME_BUFFER = {
    "identity", "reshape", "squeeze", "expand_dims", "convert_to_tensor", "stop_gradient", "ensure_shape", "guarantee_const", "cast", "add_n",
    "pad", "slice", "rank", "math.real", "bitcast", "tensor_scatter_nd_update", "tensor_scatter_nd_add", "tensor_scatter_nd_sub",
    "tensor_scatter_nd_max", "tensor_scatter_nd_min", "nn.top_k", "unique", "nn.moments", "nn.dropout", "nn.max_pool", "nn.max_pool2d", "nn.avg_pool", "nn.avg_pool2d",
    "norm", "linalg.normalize", "linalg.eigh", "linalg.global_norm", "clip_by_norm", "clip_by_global_norm",
    "linalg.adjoint", "linalg.set_diag", "tensordot", "meshgrid", "linspace", "math.count_nonzero", "math.angle",
    "transpose", "linalg.matrix_transpose", "tile", "repeat", "broadcast_to", "concat", "stack", "unstack", "split", "constant",
    "Variable", "GradientTape", "while_loop", "shape", "size", "reduce_sum", "reduce_max", "reduce_min", "reduce_mean", "reduce_prod", "einsum",
    "linalg.diag_part", "data.Dataset.range", "data.Dataset.from_tensor_slices", "data.Dataset.from_tensors",
}  # fmt: skip
_CONSTANTS = {"zeros", "ones", "fill", "eye", "range", "zeros_like", "ones_like"}
ALLOCATING = frozenset(name for name in OPS if not name.startswith("numpy.")) - _SAME_BUFFER - _CONSTANTS
# What returns its argument itself unless that has such a dtype: real numbers are conjugated, and integers round.
CONDITIONALLY = {"math.conj": ("complex",), "round": ("float", "bfloat")}
# What costs much more than its result is large.
HEAVY = frozenset({
    "matmul", "sort", "einsum", "linalg.matvec", "tensordot", "linalg.solve", "linalg.triangular_solve", "linalg.cholesky_solve", "linalg.det",
    "linalg.logdet", "linalg.eigh", "argsort", "nn.top_k", "unique", "nn.conv1d", "nn.conv2d", "linalg.inv", "linalg.cholesky", "linalg.expm", "linalg.logm", "matrix_square_root", "cumsum",
    "math.cumsum", "math.cumprod", "random.shuffle",
})  # fmt: skip
DTYPES = FLOATS | INTEGERS | {"bool", "complex64", "complex128", "string"}
