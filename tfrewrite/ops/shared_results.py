"""What several operations return, given what is known of their arguments."""

from __future__ import annotations

from dataclasses import replace

from tfrewrite.kinds import INTEGERS, UNKNOWN, Kind, Shape, Sort, Symbol, broadcast, may_be_negative, sequence, taken_from, tensor
from tfrewrite.ops.call import Call, as_tensor, elementwise


def same(call: Call) -> Kind:
    return elementwise(call["x"])


def same_finite(call: Call) -> Kind:
    """Results are finite where the argument is."""
    return replace(elementwise(call["x"]), finite=as_tensor(call["x"]).finite)


def modulo(x: Kind, y: Kind, kind: Kind) -> Kind:
    """`x % n` lies in 0..n-1 for a positive number n."""
    if isinstance(y.value, int) and y.value > 0 and kind.dtype in INTEGERS:
        return replace(kind, below=y.value)
    return kind


def arithmetic_sequence(call: Call) -> Kind:
    start, limit = call["start"], call["limit"]
    dtype = call.dtype("dtype", None) if call.given("dtype") else None
    if not call.given("limit"):
        top = start.value if isinstance(start.value, int | Symbol) else None
        if isinstance(start.value, float) and start.value.is_integer() and 0 <= start.value < 2**24:
            top = int(start.value)
        # Up to a number below 0 there is none.
        length = None if call.given("delta") or may_be_negative(top) or (isinstance(top, int) and top < 0) else top
        kind = tensor(dtype or as_tensor(start).dtype, (length,), fixed=True)
        return replace(kind, below=top) if kind.dtype in INTEGERS else kind
    values = [start.value, limit.value, call["delta"].value if call.given("delta") else 1]
    length = None
    if all(isinstance(value, int) for value in values) and values[2] != 0:
        length = len(range(*values))  # type: ignore[arg-type]
    own = {as_tensor(kind).dtype for kind in (start, limit, *([call["delta"]] if call.given("delta") else []))}
    return tensor(dtype or (own.pop() if len(own) == 1 else None), (length,), fixed=True)


def permutation(call: Call) -> tuple[int, ...] | None:
    items = call["perm"].items
    if items is None or not all(isinstance(item.value, int) for item in items):
        return None
    order = tuple(item.value for item in items if isinstance(item.value, int))
    return order if sorted(order) == list(range(len(order))) else None


def matmul_shape(a: Shape, b: Shape, transpose_a: object = False, transpose_b: object = False) -> Shape:
    if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) < 2 or len(b) < 2:
        return None
    if not isinstance(transpose_a, bool) or not isinstance(transpose_b, bool):
        return (None,) * max(len(a), len(b))
    batch = broadcast(a[:-2], b[:-2])
    return (*batch, a[-1 if transpose_a else -2], b[-2 if transpose_b else -1]) if isinstance(batch, tuple) else None


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
            shape: Shape = whole.shape[1:] if isinstance(whole.shape, tuple) and whole.shape else None
            if isinstance(whole.shape, Symbol):
                shape = taken_from(whole.shape, (True,))
            return replace(tensor(whole.dtype, shape, finite=whole.finite, fixed=whole.fixed), below=whole.below)
    return UNKNOWN
