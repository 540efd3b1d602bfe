"""Linear algebra: products, solutions, norms, decompositions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gast

from tfrewrite.kinds import FLOATS, UNKNOWN, Dim, Kind, Shape, Sort, broadcast, same_dim, sequence, tensor
from tfrewrite.ops import proofs
from tfrewrite.ops.call import REAL_PART, Call, as_tensor, axes_of, common_dtype, elementwise, one_dtype, reduced_shape
from tfrewrite.ops.row import EVERYWHERE, IN_GRAPHS, IN_XLA, MOVED, ROOTED, STEEP, SUMMED, Op, Xla
from tfrewrite.ops.shared_results import matmul_shape, same


def _matrix_transpose(call: Call) -> Kind:
    x = as_tensor(call["x"])
    shape = (*x.shape[:-2], x.shape[-1], x.shape[-2]) if isinstance(x.shape, tuple) and len(x.shape) >= 2 else None
    return tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed)


def _matmul(call: Call) -> Kind:
    a, b = as_tensor(call["x"]), as_tensor(call["y"])
    swap = [call[name].value if call.given(name) else False for name in ("transpose_a", "transpose_b")]
    if call.given("adjoint_a") or call.given("adjoint_b"):
        swap = [None, None]
    dtype = call.dtype("output_type", one_dtype(a.dtype, b.dtype))
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


def _matrix(call: Call) -> Kind:
    """A vector is taken for a matrix, or refused."""
    kind = elementwise(call["x"])
    return kind if (kind.rank or 0) >= 2 else tensor(kind.dtype)


def _matvec(call: Call) -> Kind:
    a, b = as_tensor(call["x"]), as_tensor(call["y"])
    flipped = [call[name].value if call.given(name) else False for name in ("transpose_a", "adjoint_a")]
    kind = tensor(one_dtype(a.dtype, b.dtype), fixed=a.fixed and b.fixed)
    if not isinstance(a.shape, tuple) or not isinstance(b.shape, tuple) or len(a.shape) < 2 or not b.shape:
        return kind
    batch = broadcast(a.shape[:-2], b.shape[:-1])
    if not isinstance(batch, tuple) or not all(isinstance(one, bool) for one in flipped):
        return kind
    return replace(kind, shape=(*batch, a.shape[-1 if any(flipped) else -2]))


def _tensordot(call: Call) -> Kind:
    a, b = as_tensor(call["x"]), as_tensor(call["y"])
    known = {a.dtype, b.dtype} - {None}
    # bfloat16 and float32 may be multiplied with each other.
    dtype = known.pop() if len(known) == 1 and (a.dtype == b.dtype or "bfloat16" not in known) else None
    return tensor(dtype, _contracted(a.shape, b.shape, call["axes"]), fixed=a.fixed and b.fixed)


def _contracted(a: Shape, b: Shape, axes: Kind) -> Shape:
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return None
    match axes:
        case Kind(sort=Sort.NUMBER, value=int() as count) if 0 <= count <= min(len(a), len(b)):
            return a[: len(a) - count] + b[count:]
        case Kind(items=(left, right)) if (gone := (_places(left, len(a)), _places(right, len(b)))) and None not in gone:
            return (*_left(a, gone[0] or ()), *_left(b, gone[1] or ()))
    return None


def _places(kind: Kind, rank: int) -> tuple[int, ...] | None:
    values = [item.value for item in kind.items] if kind.items is not None else [kind.value]
    known = tuple(value % rank for value in values if isinstance(value, int) and -rank <= value < rank)
    return known if len(known) == len(values) else None


def _left(shape: tuple[Dim, ...], gone: Sequence[int]) -> tuple[Dim, ...]:
    return tuple(dim for axis, dim in enumerate(shape) if axis not in gone)


_MOST_TERMS = 5


def _einsum(call: Call) -> Kind:
    operands = [call[f"term{i}"] for i in range(_MOST_TERMS) if call.given(f"term{i}")]
    kind = tensor(common_dtype(*operands), fixed=all(as_tensor(one).fixed for one in operands))
    equation = call.nodes.get("equation")
    if not isinstance(equation, gast.Constant) or not isinstance(equation.value, str):
        return kind
    return replace(kind, shape=_of_equation(equation.value.replace(" ", ""), [as_tensor(one).shape for one in operands]))


def _of_equation(equation: str, shapes: Sequence[Shape]) -> Shape:
    """The result's shape, where the equation names every axis of every operand."""
    terms, arrow, result = equation.partition("->")
    labels = terms.split(",")
    if not arrow or "." in equation or len(labels) != len(shapes):
        return None
    sizes: dict[str, Dim] = {}
    for term, shape in zip(labels, shapes, strict=True):
        axes = proofs.axes_of_shape(shape, len(term))
        for axis, label in enumerate(term):
            dim = axes[axis]
            if not isinstance(sizes.get(label), int):
                sizes[label] = dim if dim is not None else sizes.get(label)
    return tuple(sizes.get(label) for label in result)


def _solve(call: Call) -> Kind:
    a, b = as_tensor(call["x"]), as_tensor(call["rhs"])
    return tensor(common_dtype(call["x"], call["rhs"]), b.shape, fixed=a.fixed and b.fixed)


def _triangular_solve(call: Call) -> Kind:
    """Batches broadcast."""
    kind = _solve(call)
    a, b = as_tensor(call["x"]).shape, kind.shape
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) < 2 or len(b) < 2:
        return replace(kind, shape=None)
    batch = broadcast(a[:-2], b[:-2])
    return replace(kind, shape=(*batch, *b[-2:]) if isinstance(batch, tuple) else None)


def _det(call: Call) -> Kind:
    x = as_tensor(call["x"])
    return tensor(x.dtype, x.shape[:-2] if isinstance(x.shape, tuple) else None, fixed=x.fixed)


def _logdet(call: Call) -> Kind:
    kind = _det(call)
    return replace(kind, dtype=REAL_PART.get(kind.dtype or "", kind.dtype))


def _adjoint(call: Call) -> Kind:
    x = as_tensor(call["x"])
    shape = (*x.shape[:-2], x.shape[-1], x.shape[-2]) if isinstance(x.shape, tuple) and len(x.shape) >= 2 else None
    return tensor(x.dtype, shape, finite=x.finite, fixed=x.fixed)


def _set_diag(call: Call) -> Kind:
    x, diagonal = as_tensor(call["x"]), as_tensor(call["diagonal"])
    dtype = common_dtype(call["x"], call["diagonal"])
    return tensor(dtype, x.shape, finite=x.finite and diagonal.finite, fixed=x.fixed and diagonal.fixed)


def _norm(call: Call) -> Kind:
    x = as_tensor(call["x"])
    shape = None if call["keepdims"].sort is Sort.NONE else reduced_shape(call, x.shape)
    return tensor(None if x.dtype in REAL_PART else x.dtype, shape, fixed=x.fixed)


def _normalize(call: Call) -> Kind:
    x = as_tensor(call["x"])
    axes = axes_of(call, x.rank)
    shape = tuple(1 if i in axes else dim for i, dim in enumerate(x.shape)) if isinstance(x.shape, tuple) and axes is not None else None
    dtype = x.dtype if x.dtype in FLOATS else None
    return sequence(Sort.TUPLE, (tensor(dtype, x.shape, fixed=x.fixed), tensor(dtype, shape, fixed=x.fixed)))


def _clip_by_norm(call: Call) -> Kind:
    if call["x"].sort is Sort.UNKNOWN:
        return UNKNOWN  # may be the slices of a gradient, and stays that
    x = as_tensor(call["x"])
    return tensor(x.dtype, x.shape, fixed=x.fixed)


def _clip_by_global_norm(call: Call) -> Kind:
    """Members may be None, and stay None."""
    items = call["values"].items
    norm = _global_norm(call)
    if items is None:
        return sequence(Sort.TUPLE, (Kind(Sort.LIST), norm))
    clipped = (tensor(item.dtype, item.shape) if item.is_tensor else item if item.sort is Sort.NONE else UNKNOWN for item in items)
    return sequence(Sort.TUPLE, (sequence(Sort.LIST, tuple(clipped)), norm))


def _global_norm(call: Call) -> Kind:
    items = call["values"].items or ()
    dtypes = {item.dtype for item in items if item.is_tensor}
    return tensor(dtypes.pop() if len(dtypes) == 1 else None, ()) if items else UNKNOWN


def _eigh(call: Call) -> Kind:
    x = elementwise(call["x"])
    values = x.shape[:-1] if isinstance(x.shape, tuple) and x.shape else None
    return sequence(Sort.TUPLE, (tensor(None, values), tensor(x.dtype, x.shape)))


ROWS = (
    Op("clip_by_global_norm", "values=t_list clip_norm use_norm name", _clip_by_global_norm, "may_share is_no_tensor"),
    Op("clip_by_norm", "x=t clip_norm axes name", _clip_by_norm, "may_share is_no_tensor wants_floats"),
    Op(
        "einsum",
        "equation term0 term1 term2 term3 term4",
        _einsum,
        "may_share is_heavy keeps_sign scales",
        bits=IN_GRAPHS,
        error=SUMMED,
        proves=proofs.named_axes,
    ),
    Op("linalg.adjoint", "x=matrix name", _adjoint, "transposes may_share takes_matrices", bits=IN_XLA),
    Op(
        "linalg.cholesky",
        "x=input",
        same,
        "is_heavy may_raise takes_matrices takes_squares wants_floats",
        bits=IN_GRAPHS,
        xla=Xla(always="{} gives other numbers under XLA for a matrix that isn't positive definite"),
    ),
    Op(
        "linalg.cholesky_solve",
        "x=chol rhs name",
        _triangular_solve,
        "is_heavy takes_matrices takes_squares wants_floats",
        bits=IN_GRAPHS,
        xla=Xla(always="{} gives other numbers under XLA for a singular matrix"),
    ),
    Op("linalg.cross", error=SUMMED),
    Op("linalg.det", "x=input name", _det, "is_heavy takes_matrices takes_squares wants_floats", bits=IN_GRAPHS, xla=Xla(compiles=False)),
    Op(
        "linalg.diag",
        "x=diagonal name k num_rows num_cols padding_value",
        _diag,
        "keeps_sign",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "linalg.diag_part",
        "x=input name k padding_value",
        _diag_part,
        "may_share keeps_sign takes_matrices",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "linalg.eigh",
        "x=tensor name",
        _eigh,
        "may_share is_no_tensor is_heavy takes_matrices takes_squares wants_floats",
        bits=IN_GRAPHS,
        xla=Xla(always="{} may find vectors of the other sign under XLA"),
    ),
    Op("eig", "x=tensor name", traits="takes_matrices takes_squares wants_floats"),
    Op("eigvals", "x=tensor name", traits="takes_matrices takes_squares wants_floats"),
    Op("linalg.eigvalsh", "x=tensor name", traits="takes_matrices takes_squares wants_floats"),
    Op(
        "linalg.expm",
        "x=input",
        _matrix,
        "is_heavy may_raise takes_matrices takes_squares wants_floats",
        xla=Xla(always="{} loses more digits under XLA"),
    ),
    Op("linalg.global_norm", "values=t_list name", _global_norm, "may_share is_no_tensor takes_root", error=STEEP),
    Op(
        "linalg.inv",
        "x=input",
        same,
        "is_heavy may_raise takes_matrices takes_squares wants_floats inverts",
        bits=IN_GRAPHS,
        xla=Xla(always="{} raises for a singular matrix, and XLA gives numbers"),
    ),
    Op("linalg.logdet", "x=matrix name", _logdet, "is_heavy takes_matrices takes_squares wants_floats", bits=IN_GRAPHS),
    Op("linalg.logm", "x=input", same, "is_heavy takes_matrices takes_squares wants_floats", xla=Xla(compiles=False)),
    Op(
        "linalg.matrix_transpose",
        "x=a",
        _matrix_transpose,
        "transposes may_share fits_all folds is_position_free keeps_sign takes_matrices",
        bits=EVERYWHERE,
        error=MOVED,
        xla=Xla(of_complex=True),
    ),
    Op(
        "linalg.matvec",
        "x=a y=b transpose_a adjoint_a a_is_sparse b_is_sparse name",
        _matvec,
        "is_heavy keeps_sign takes_matrices scales",
        bits=IN_GRAPHS,
        error=SUMMED,
        proves=proofs.applied_to_vector,
    ),
    Op(
        "linalg.normalize",
        "x=tensor ord axis name",
        _normalize,
        "may_share is_no_tensor takes_root wants_floats",
        error=ROOTED,
        xla=Xla(always="{} of numbers whose squares vanish gives others under XLA"),
    ),
    Op("linalg.pinv", traits="inverts"),
    Op("linalg.set_diag", "x=input diagonal name k align", _set_diag, "may_share keeps_sign takes_matrices", bits=EVERYWHERE, error=MOVED),
    Op(
        "linalg.solve",
        "x=matrix rhs adjoint name",
        _solve,
        "is_heavy may_raise takes_matrices takes_squares wants_floats",
        bits=IN_GRAPHS,
        xla=Xla(always="{} raises for a singular matrix, and XLA gives numbers"),
        proves=proofs.solved,
    ),
    Op("linalg.slogdet", "x=input name", traits="takes_matrices takes_squares wants_floats"),
    Op("linalg.tensor_diag", "x=diagonal name"),
    Op("linalg.trace", "x", _trace, "keeps_sign takes_matrices totals", bits=IN_GRAPHS, error=SUMMED),
    Op(
        "linalg.triangular_solve",
        "x=matrix rhs lower adjoint name",
        _triangular_solve,
        "is_heavy may_raise takes_matrices takes_squares wants_floats",
        bits=IN_GRAPHS,
        xla=Xla(always="{} gives other numbers under XLA for a singular matrix"),
    ),
    Op(
        "matmul",
        "x=a y=b transpose_a transpose_b adjoint_a adjoint_b",
        _matmul,
        "contracts is_heavy may_raise makes_node keeps_sign takes_matrices scales converts_second sets_up_products",
        bits=IN_GRAPHS,
        error=SUMMED,
        proves=proofs.matrix_product,
    ),
    Op(
        "matrix_square_root", "x=input", same, "is_heavy takes_matrices takes_squares wants_floats", bits=IN_GRAPHS, xla=Xla(compiles=False)
    ),
    Op(
        "norm",
        "x=tensor ord axis keepdims name",
        _norm,
        "reduces may_share takes_root is_never_negative wants_floats",
        bits=IN_GRAPHS,
        error=STEEP,
    ),
    Op("tensordot", "x=a y=b axes name", _tensordot, "may_share is_heavy keeps_sign scales sets_up_products", bits=IN_GRAPHS, error=SUMMED),
)
