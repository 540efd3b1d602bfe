"""What functions of linear algebra return: products, solutions, norms, decompositions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import gast

from tfrewrite.facts.calls import REAL_PART, Call, Op, as_tensor, axes_of, common_dtype, elementwise, reduced_shape
from tfrewrite.facts.kinds import FLOATS, UNKNOWN, Dim, Kind, Shape, Sort, broadcast, sequence, tensor


def _matvec(call: Call) -> Kind:
    a, b = as_tensor(call["x"]), as_tensor(call["y"])
    flipped = [call[name].value if call.given(name) else False for name in ("transpose_a", "adjoint_a")]
    kind = tensor(a.dtype or b.dtype, fixed=a.fixed and b.fixed)
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
        for axis, label in enumerate(term):
            dim = shape[axis] if isinstance(shape, tuple) and axis < len(shape) else None
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


def _l2_loss(call: Call) -> Kind:
    x = as_tensor(call["x"])
    return tensor(x.dtype, (), fixed=x.fixed)


def _eigh(call: Call) -> Kind:
    x = elementwise(call["x"])
    values = x.shape[:-1] if isinstance(x.shape, tuple) and x.shape else None
    return sequence(Sort.TUPLE, (tensor(None, values), tensor(x.dtype, x.shape)))


def _table() -> dict[str, Op]:
    return {
        "linalg.matvec": Op(("x", "y", "transpose_a", "adjoint_a", "a_is_sparse", "b_is_sparse", "name"), _matvec),
        "tensordot": Op(("x", "y", "axes", "name"), _tensordot),
        "einsum": Op(("equation", *(f"term{i}" for i in range(_MOST_TERMS))), _einsum),
        "linalg.solve": Op(("x", "rhs", "adjoint", "name"), _solve),
        "linalg.triangular_solve": Op(("x", "rhs", "lower", "adjoint", "name"), _triangular_solve),
        "linalg.cholesky_solve": Op(("x", "rhs", "name"), _triangular_solve),
        "linalg.det": Op(("x", "name"), _det),
        "linalg.logdet": Op(("x", "name"), _logdet),
        "linalg.adjoint": Op(("x", "name"), _adjoint),
        "linalg.set_diag": Op(("x", "diagonal", "name", "k", "align"), _set_diag),
        "norm": Op(("x", "ord", "axis", "keepdims", "name"), _norm),
        "linalg.normalize": Op(("x", "ord", "axis", "name"), _normalize),
        "linalg.eigh": Op(("x", "name"), _eigh),
        "linalg.global_norm": Op(("values", "name"), _global_norm),
        "clip_by_norm": Op(("x", "clip_norm", "axes", "name"), _clip_by_norm),
        "clip_by_global_norm": Op(("values", "clip_norm", "use_norm", "name"), _clip_by_global_norm),
        "nn.l2_loss": Op(("x", "name"), _l2_loss),
    }


PRODUCTS = _table()
