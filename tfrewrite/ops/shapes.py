"""What moves the elements of tensors, unchanged: other shapes, joined and split tensors, copies."""

from __future__ import annotations

import math
from dataclasses import replace

from tfrewrite.kinds import ITEM_BYTES, Dim, Kind, Sort, Symbol, divided_by, join_all, may_be_negative, tensor
from tfrewrite.ops import intervals, proofs
from tfrewrite.ops.call import Call, as_tensor, axes_of, dims_of
from tfrewrite.ops.row import DECIDED, EVERYWHERE, IN_XLA, MOVED, SETTLED, Op, Xla
from tfrewrite.ops.shared_results import permutation, same_finite


def _reshape(call: Call) -> Kind:
    x = as_tensor(call["x"])
    shape = dims_of(call["shape"])
    if isinstance(shape, tuple):
        shape = tuple(None if dim == -1 or may_be_negative(dim) else dim for dim in shape)
        if shape.count(None) == 1 and x.size is not None and (rest := _product(shape)):
            shape = tuple(x.size // rest if dim is None else dim for dim in shape)
    return replace(tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed), below=x.below)


def _product(shape: tuple[Dim, ...]) -> int | None:
    known = [dim for dim in shape if dim is not None]
    return math.prod(dim for dim in known if isinstance(dim, int)) if all(isinstance(dim, int) for dim in known) else None


def _transpose(call: Call) -> Kind:
    x = as_tensor(call["x"])
    flip = not call.given("perm") or call["perm"].sort is Sort.NONE
    order = tuple(reversed(range(x.rank or 0))) if flip else permutation(call)
    if order is None or (flip and x.rank is None):
        return tensor(x.dtype, finite=x.finite, fixed=x.fixed)
    if not isinstance(x.shape, tuple) or len(x.shape) != len(order):
        return tensor(x.dtype, (None,) * len(order), finite=x.finite, fixed=x.fixed)
    return tensor(x.dtype, tuple(x.shape[i] for i in order), finite=x.finite, fixed=x.fixed)


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
    if isinstance(factor, bool | float):
        return None  # which tf.tile doesn't take for a number of copies
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
        sizes: tuple[Dim, ...] | None = (divided_by(whole, pieces),) * pieces
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


def _rank(call: Call) -> Kind:
    return replace(tensor("int32", ()), value=as_tensor(call["x"]).rank)


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


def _bitcast(call: Call) -> Kind:
    x, dtype = as_tensor(call["x"]), call.dtype("type")
    same_size = ITEM_BYTES.get(x.dtype or "") == ITEM_BYTES.get(dtype or "", -1)
    return tensor(dtype, x.shape if same_size else None)


ROWS = (
    Op("bitcast", "x=input type name", _bitcast, "is_part may_share shows_sign", bits=IN_XLA, error=DECIDED),
    Op(
        "broadcast_to",
        "x=input shape",
        _broadcast_to,
        "may_share takes_sizes folds keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "concat",
        "values axis",
        _concat,
        "joins may_share makes_node is_held_by_xla is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
        proves=proofs.joined,
    ),
    Op(
        "ensure_shape",
        "x shape",
        _ensure_shape,
        "is_view may_share may_raise needs_known_sizes folds keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
        proves=proofs.ensured,
    ),
    Op(
        "expand_dims",
        "x=input axis",
        _expand_dims,
        "is_view may_share fits_all makes_node folds is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op("guarantee_const", "x=input", same_finite, "is_view may_share keeps_sign", bits=EVERYWHERE, error=MOVED, xla=Xla(compiles=False)),
    Op(
        "identity",
        "x=input",
        same_finite,
        "is_elementwise is_view hands_on may_share fits_all is_fused is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
        interval=intervals.unchanged,
    ),
    Op("pad", "x=tensor paddings mode constant_values name", _pad, "may_share folds keeps_sign", bits=EVERYWHERE, error=MOVED),
    Op("rank", "x=input name", _rank, "may_share", bits=EVERYWHERE, error=SETTLED),
    Op(
        "repeat",
        "x=input repeats axis",
        _repeat,
        "may_share is_held_by_xla keeps_sign makes_many",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "reshape",
        "x=tensor shape",
        _reshape,
        "is_view may_share may_raise makes_node folds keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
        interval=intervals.unchanged,
    ),
    Op(
        "reverse",
        "x=tensor",
        same_finite,
        "may_raise fits_all is_held_by_xla folds is_along_axes keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "roll",
        "x=input",
        same_finite,
        "may_raise is_held_by_xla is_along_axes keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op("shape", "x=input out_type", _shape, "may_share fits_all", bits=EVERYWHERE, error=SETTLED, xla=Xla(of_complex=True)),
    Op("size", "x=input out_type", _size, "may_share fits_all", bits=EVERYWHERE, error=SETTLED, xla=Xla(of_complex=True)),
    Op(
        "split",
        "x=value sizes=num_or_size_splits axis",
        _split,
        "splits may_share is_no_tensor may_raise needs_known_sizes keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "squeeze",
        "x=input axis",
        _squeeze,
        "is_view may_share needs_known_sizes folds is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "stack",
        "values axis",
        _stack,
        "joins may_share is_held_by_xla is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
        proves=proofs.stacked,
    ),
    Op(
        "stop_gradient",
        "x=input",
        _stop_gradient,
        "is_elementwise is_view hands_on may_share fits_all is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "tile",
        "x=input multiples",
        _tile,
        "may_share may_raise takes_sizes is_held_by_xla folds keeps_sign makes_many",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "transpose",
        "x=a perm conjugate",
        _transpose,
        "transposes may_share fits_all makes_node folds is_position_free keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
        interval=intervals.unchanged,
        proves=proofs.permuted,
    ),
    Op(
        "unstack",
        "x=value num axis",
        _unstack,
        "splits may_share is_no_tensor may_raise needs_known_sizes keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
)
