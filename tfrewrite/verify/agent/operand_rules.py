"""What operations ask of their operands and what they give, by the rows of the table of operations.

The row says what a call's arguments are called, what follows from its traits (the operands of `is_elementwise` broadcast, what
`mixes` keeps its operand's shape), and by its rule what is returned. What an operation asks beyond that, such as which sizes
of two matrices are equal, stands here as a function under its canonical name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfrewrite.ops import OPS
from tfrewrite.ops.row import Op
from tfrewrite.verify.agent.row_calls import Apply, Asked, Missing, rows_of
from tfrewrite.verify.agent.stand_in_values import UNKNOWN, Const, Demands, Group, Many, Method, Rank, Size, Slot, Tensor
from tfrewrite.verify.agent.unknown_sizes import Sizes

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

_RULES: dict[Op, Callable[[Asked], Any]] = {}
"""What an operation asks beyond its traits. Where one returns None, the rule of the row says what the operation gives."""


def applied(words: tuple[str, ...], positional: Sequence[Any], named: Mapping[str, Any], demands: Demands, apply: Apply) -> Any:
    """What a call of an operation gives."""
    if "strings" in words:
        return _of_strings(words[-1], positional, demands)
    _vote_settings(words[-1], named)
    if "data" in words or "layers" in words:
        return UNKNOWN
    own, row = rows_of(words)
    call = Asked(own, row, positional, named, demands, apply)
    rule = _RULES.get(own) or _RULES.get(row) or _by_traits
    try:
        made = rule(call)
    except Missing:
        return UNKNOWN
    return call.result() if made is None else made


def _of_strings(name: str, positional: Sequence[Any], demands: Demands) -> Any:
    if not positional:
        return UNKNOWN
    texts = demands.tensor(positional[0], "string")
    return Tensor(texts.dims) if name in ("lower", "upper", "length", "strip", "to_number", "to_hash_bucket_fast") else Tensor(None)


def _vote_settings(name: str, named: Mapping[str, Any]) -> None:
    match named:
        case {"out": Slot() as target}:
            target.vote("ndarray", 12)
    match named:
        case {"seed": Slot() as seed} if name.startswith("stateless"):
            seed.vote("seed", 12)


def _asks(*names: str) -> Callable[[Callable[[Asked], Any]], Callable[[Asked], Any]]:
    def declared(rule: Callable[[Asked], Any]) -> Callable[[Asked], Any]:
        # A name that isn't canonical fails here.
        _RULES.update({OPS.get(f"tensorflow.{name}") or OPS[name]: rule for name in names})
        return rule

    return declared


# By traits


def _by_traits(call: Asked) -> None:
    row = call.row
    _ask_sizes(call)
    first = next((name for name in ("x", "value") if name in call.given and name in row.parameters), None)
    if first is None:
        return
    # NumPy's functions take integers, though what a function is given is more often floats.
    wants = row.wants_floats and (call.own is row or isinstance(call.given[first], Slot))
    kind = "float" if wants else ""
    x = call.tensor(first, kind, 2 if row.takes_matrices else int(row.mixes or row.finds_place))
    if row.takes_squares and x.dims is not None and len(x.dims) >= 2:
        call.sizes.same(x.dims[-1], x.dims[-2])
    if row.reduces or row.finds_place or row.mixes or row.is_along_axes or "axes" in row.parameters:
        _ask_axes(call, first, kind)
    if row.is_elementwise and "y" in call.given:
        call.joint = call.demands.broadcast(x, call.tensor("y", kind))


def _ask_sizes(call: Asked) -> None:
    for name in ("rows", "columns", "depth", "num"):
        if name in call.given and not isinstance(call.given[name], Const):
            call.integer(name)
    match call.get("shape"):
        case Slot() as slot:
            slot.vote("shape", 4)
        case Size() as size:
            call.given["shape"] = Group([size], "tuple")
        case Group(members):
            call.given["shape"] = Group([Size(call.demands.integer(member)) for member in members], "tuple")
        case Method((Tensor() | Slot()) as of, "shape"):
            call.demands.tensor(of)


def _ask_axes(call: Asked, operand: str, kind: str) -> None:
    """The operand has the axes that are named."""
    axis = call.get("axis") or call.get("axes")
    if isinstance(axis, Slot):
        axis.vote("axis", 6)
    for one in axis.members if isinstance(axis, Group) else [axis]:
        place = call.demands.literal(one)
        if place is not None:
            call.tensor(operand, kind, place + 1 if place >= 0 else -place)


# Products


@_asks("matmul")
def _matmul(call: Asked) -> None:
    one, other = call.tensor("x", "float", 2), call.tensor("y", "float", 2)
    if one.dims is None or other.dims is None or len(one.dims) < 2 or len(other.dims) < 2:
        return
    flipped, other_flipped = call.is_true("transpose_a", "adjoint_a"), call.is_true("transpose_b", "adjoint_b")
    call.sizes.same(one.dims[-2 if flipped else -1], other.dims[-1 if other_flipped else -2])
    call.demands.broadcast(Tensor(one.dims[:-2]), Tensor(other.dims[:-2]))


@_asks("numpy.dot")
def _dot(call: Asked) -> Tensor | None:
    one, other = call.tensor("x", least=1), call.tensor("y", least=1)
    if not one.dims or not other.dims:
        return Tensor(None, "float")
    inner = min(2, len(other.dims))
    call.sizes.same(one.dims[-1], other.dims[-inner])
    return Tensor((*one.dims[:-1], *other.dims[:-inner], *other.dims[len(other.dims) - inner + 1 :]), "float")


@_asks("linalg.matvec")
def _matvec(call: Asked) -> None:
    matrix, vector = call.tensor("x", "float", 2), call.tensor("y", "float", 1)
    if matrix.dims is not None and len(matrix.dims) >= 2 and vector.dims:
        call.sizes.same(matrix.dims[-2 if call.is_true("transpose_a", "adjoint_a") else -1], vector.dims[-1])


@_asks("linalg.cholesky_solve", "linalg.solve", "linalg.triangular_solve")
def _solve(call: Asked) -> None:
    matrix, right = call.tensor("x", "float", 2), call.tensor("rhs", "float", 2)
    if matrix.dims and right.dims and min(len(matrix.dims), len(right.dims)) >= 2:
        call.sizes.same(matrix.dims[-1], matrix.dims[-2])
        call.sizes.same(matrix.dims[-1], right.dims[-2])


@_asks("tensordot")
def _tensordot(call: Asked) -> None:
    one, other = call.tensor("x", "float"), call.tensor("y", "float")
    if one.dims is None or other.dims is None:
        return
    literal, count = call.demands.literal, call.literal("axes")
    pairs: list[tuple[int | None, int | None]] = []
    match call.get("axes"):
        case Size() if count is not None:
            pairs = [(place - count, place) for place in range(count)]
        case Group([Group(first), Group(second)]):
            pairs = list(zip(map(literal, first), map(literal, second), strict=False))
        case Group([Size() as left, Size() as right]):
            pairs = [(literal(left), literal(right))]
    for axis, matching in pairs:
        if axis is None or matching is None:
            continue
        if not (-len(one.dims) <= axis < len(one.dims) and -len(other.dims) <= matching < len(other.dims)):
            call.demands.clash()
            return
        call.sizes.same(one.dims[axis], other.dims[matching])


@_asks("einsum")
def _einsum(call: Asked) -> Tensor | None:
    equation = call.need("equation")
    if not isinstance(equation, Const) or not isinstance(equation.value, str):
        return Tensor(None, "float")
    sizes: dict[str, int] = {}
    terms = equation.value.replace(" ", "").partition("->")[0].split(",")
    for name, letters in zip([name for name in call.given if name.startswith("term")], terms, strict=False):
        if not set(letters) <= _LETTERS:
            call.tensor(name, "float", 1)
            continue
        term = call.fixed(name, len(letters), "float")
        for letter, dim in zip(letters, term.dims or (), strict=False):
            call.sizes.same(sizes.setdefault(letter, dim), dim)
    return None


@_asks("nn.conv1d", "nn.conv2d")
def _convolution(call: Asked) -> None:
    axes = int(call.row.name[-2])  # nn.conv2d
    image, kernel = call.fixed("x", axes + 2, "float"), call.fixed("filters", axes + 2, "float")
    if image.dims is not None and kernel.dims is not None:
        call.sizes.same(image.dims[-1], kernel.dims[-2])
        _hold_windows(image, call.sizes)


@_asks("nn.avg_pool", "nn.avg_pool2d", "nn.max_pool", "nn.max_pool2d")
def _pool(call: Asked) -> None:
    _hold_windows(call.fixed("x", 4, "float"), call.sizes)


def _hold_windows(image: Tensor, sizes: Sizes) -> None:
    for dim in (image.dims or ())[1:-1]:
        sizes.at_least(dim, 8)


# Shapes


@_asks("transpose")
def _transpose(call: Asked) -> Tensor | None:
    value, order = call.need("x"), call.get("perm")
    if isinstance(value, Slot) and isinstance(order, Group):
        value.vote(f"rank{len(order.members)}", 4)
    x = call.tensor("x", least=1)
    if x.dims is not None and isinstance(order, Group) and len(order.members) != len(x.dims):
        call.demands.clash()
    # That it has as many axes as it is given an order for isn't said here: each rank may have a branch of its own.
    return None if x.dims is not None else Tensor(None, x.kind)


@_asks("reshape")
def _reshape(call: Asked) -> Tensor:
    x, shape = call.tensor("x"), call.get("shape")
    if isinstance(shape, Slot):
        shape.vote("shape", 6)
    if isinstance(shape, Size):
        shape = Group([shape])
    if not isinstance(shape, Group):
        return Tensor(None, x.kind)
    known = [isinstance(one, Size) and (call.sizes.value(one.dim) or 0) >= 0 for one in shape.members]
    made = tuple(one.dim if is_size else call.sizes.new() for one, is_size in zip(shape.members, known, strict=True))
    if x.dims is not None:
        call.sizes.reshapes.append((x.dims, made))
    return Tensor(made, x.kind, bounds=x.bounds)


@_asks("squeeze")
def _squeeze(call: Asked) -> None:
    x, axis = call.tensor("x"), call.get("axis")
    for one in axis.members if isinstance(axis, Group) else [axis]:
        place = call.demands.literal(one)
        if x.dims is None or place is None:
            continue
        if not -len(x.dims) <= place < len(x.dims):
            call.demands.clash()
        else:
            call.sizes.same(x.dims[place], call.sizes.new(1))


@_asks("concat")
def _concat(call: Asked) -> Tensor:
    members = call.demands.members_of(call.need("values"))
    axis = call.literal("axis") or 0
    joined = call.demands.alike(members, but=axis)
    if joined.dims is None:
        return joined
    if not -len(joined.dims) <= axis < len(joined.dims):
        call.demands.clash()
        return Tensor(None, joined.kind)
    made = list(joined.dims)
    made[axis] = call.sizes.new()
    parts = [member.dims[axis] for member in members if member.dims is not None and len(member.dims) == len(made)]
    if len(parts) == len(members) > 1:
        call.sizes.sums.append((made[axis], tuple(parts)))
    return Tensor(tuple(made), joined.kind)


@_asks("stack")
def _stack(call: Asked) -> Tensor:
    return call.demands.stacked(call.demands.members_of(call.need("values")), call.literal("axis") or 0)


@_asks("add_n")
def _add_n(call: Asked) -> Tensor:
    return call.demands.alike(call.demands.members_of(call.need("values")))


@_asks("unstack")
def _unstack(call: Asked) -> Any:
    x, axis = call.tensor("x", least=1), call.literal("axis") or 0
    if not x.dims:
        return Many(Tensor(None, x.kind))
    if not -len(x.dims) <= axis < len(x.dims):
        call.demands.clash()
        return Many(Tensor(None, x.kind))
    made = list(x.dims)
    size = call.sizes.value(made.pop(axis))
    member = Tensor(tuple(made), x.kind)
    return Many(member) if size is None else Group([member] * size)


@_asks("split")
def _split(call: Asked) -> Any:
    x, parts, axis = call.tensor("x", least=1), call.get("sizes"), call.literal("axis") or 0
    count = len(parts.members) if isinstance(parts, Group) else call.literal("sizes")
    part = Tensor(None, x.kind)
    if x.dims and -len(x.dims) <= axis < len(x.dims):
        made = list(x.dims)
        share = None if isinstance(parts, Group) else call.sizes.computed(ast.FloorDiv(), made[axis], call.demands.integer(parts))
        made[axis] = call.sizes.new() if share is None else share
        part = Tensor(tuple(made), x.kind)
    elif x.dims:
        call.demands.clash()
    return Group([part] * count) if count else Many(part)


@_asks("tile")
def _tile(call: Asked) -> Tensor | None:
    x, times = call.tensor("x"), call.get("multiples")
    if isinstance(times, Group):
        for one in times.members:
            call.demands.integer(one)
        if x.dims is not None and len(times.members) != len(x.dims):
            call.demands.clash()
    return None if x.dims is not None else Tensor(None, x.kind)


@_asks("repeat")
def _repeat(call: Asked) -> None:
    call.tensor("x")
    if isinstance(call.get("repeats"), Slot):
        call.integer("repeats")


@_asks("broadcast_to")
def _broadcast_to(call: Asked) -> Tensor:
    x, shape = call.tensor("x"), call.get("shape")
    if not isinstance(shape, Group):
        return Tensor(None, x.kind)
    return call.demands.broadcast(Tensor(tuple(call.demands.integer(one) for one in shape.members)), x)


@_asks("ensure_shape")
def _ensure_shape(call: Asked) -> Tensor | None:
    shape = call.get("shape")
    if not isinstance(shape, Group):
        return call.tensor("x")
    x = call.fixed("x", len(shape.members))
    for dim, one in zip(x.dims or (), shape.members, strict=False):
        if isinstance(one, Size):
            call.sizes.same(dim, one.dim)
    return x


@_asks("shape")
def _shape(call: Asked) -> Method:
    call.tensor("x")
    return Method(call.need("x"), "shape")


@_asks("size")
def _size_of(call: Asked) -> Size:
    call.tensor("x")
    made = call.result()
    return made if isinstance(made, Size) else Size(call.sizes.new())


@_asks("rank")
def _rank(call: Asked) -> Rank:
    return Rank(call.tensor("x"))


@_asks("linalg.diag", "linalg.tensor_diag")
def _diag(call: Asked) -> Tensor | None:
    x = call.tensor("x", least=1)
    if call.own.name == "numpy.diag" and x.dims is not None and len(x.dims) > 1:
        return Tensor((call.sizes.new(),), x.kind)
    return Tensor((*x.dims, x.dims[-1]), x.kind) if x.dims else Tensor(None, x.kind)


# Numbers that are made


@_asks("numpy.arange", "range")
def _range(call: Asked) -> None:
    for one in call.given.values():
        if isinstance(one, Slot):
            one.vote("int", 5)


@_asks("numpy.float32", "numpy.float64")
def _float(call: Asked) -> Tensor:
    return Tensor(call.tensor("value").dims, "float")


@_asks("fill")
def _fill(call: Asked) -> None:
    _ask_sizes(call)
    call.fixed("value", 0)


@_asks("linspace")
def _linspace(call: Asked) -> Tensor:
    return Tensor((call.integer("num"),), "float")


# Choices


@_asks("where")
def _where(call: Asked) -> Tensor:
    test = call.tensor("condition", "bool")
    if "x" not in call.given or "y" not in call.given:
        return Tensor((call.sizes.new(), call.sizes.new()), "int")
    return call.demands.broadcast(Tensor(test.dims), call.demands.broadcast(call.tensor("x"), call.tensor("y")))


@_asks("gather")
def _gather(call: Asked) -> Tensor:
    table, indices = call.tensor("x", least=1), call.tensor("indices", "int")
    batch = call.literal("batch_dims") or 0
    axis = call.literal("axis") or batch
    if not table.dims or not -len(table.dims) <= axis < len(table.dims):
        return Tensor(None, table.kind)
    axis %= len(table.dims)
    indices.bounds.append(table.dims[axis])
    if indices.dims is None:
        return Tensor(None, table.kind)
    for one, other in zip(table.dims[:batch], indices.dims[:batch], strict=False):
        call.sizes.same(one, other)
    return Tensor((*table.dims[:axis], *indices.dims[batch:], *table.dims[axis + 1 :]), table.kind)


@_asks("nn.embedding_lookup")
def _embedding_lookup(call: Asked) -> Any:
    call.given["x"] = call.fixed("x", 2)
    return _gather(call)


@_asks("one_hot")
def _one_hot(call: Asked) -> None:
    indices = call.tensor("indices", "int")
    indices.bounds.append(call.integer("depth"))


@_asks("searchsorted")
def _searchsorted(call: Asked) -> None:
    rows, values = call.tensor("sorted_sequence", least=1), call.tensor("values")
    if rows.dims is None or values.dims is None or call.own is not call.row:  # NumPy takes values of any shape
        return
    if len(rows.dims) != len(values.dims):
        call.demands.clash()
    for one, other in zip(rows.dims[:-1], values.dims[:-1], strict=False):
        call.sizes.same(one, other)


@_asks("boolean_mask")
def _boolean_mask(call: Asked) -> None:
    x, mask = call.tensor("x", least=1), call.tensor("mask", "bool", 1)
    for one, other in zip(x.dims or (), mask.dims or (), strict=False):
        call.sizes.same(one, other)


@_asks("sequence_mask")
def _sequence_mask(call: Asked) -> Tensor:
    lengths, longest = call.tensor("lengths", "int"), call.get("maxlen")
    size = longest.dim if isinstance(longest, Size) else call.sizes.new()
    lengths.bounds.append(size)
    return Tensor(None if lengths.dims is None else (*lengths.dims, size), "bool")


@_asks("math.segment_max", "math.segment_mean", "math.segment_min", "math.segment_prod", "math.segment_sum")
def _segments(call: Asked) -> None:
    x, segments = call.tensor("x", least=1), call.fixed("segment_ids", 1, "int")
    if x.dims and segments.dims:
        call.sizes.same(x.dims[0], segments.dims[0])


@_asks(
    "math.unsorted_segment_max",
    "math.unsorted_segment_mean",
    "math.unsorted_segment_min",
    "math.unsorted_segment_prod",
    "math.unsorted_segment_sum",
)
def _unsorted_segments(call: Asked) -> None:
    _segments(call)
    call.operands["segment_ids"].bounds.append(call.integer("num_segments"))


@_asks("nn.top_k")
def _top_k(call: Asked) -> Group:
    x, count = call.tensor("x", least=1), call.get("k")
    if isinstance(count, Slot):
        count.vote("index", 4)
    dims = (*x.dims[:-1], call.sizes.new()) if x.dims else None
    return Group([Tensor(dims, x.kind), Tensor(dims, "int")], "tuple")


# Losses


@_asks("keras.losses.sparse_categorical_crossentropy", "nn.sparse_softmax_cross_entropy_with_logits")
def _sparse_cross_entropy(call: Asked) -> Tensor:
    labels, logits = call.tensor("labels", "int"), call.tensor("x", "float", 1)
    if not logits.dims:
        return Tensor(None, "float")
    labels.bounds.append(logits.dims[-1])
    if labels.dims is not None and len(labels.dims) != len(logits.dims) - 1:
        call.demands.clash()
    for one, other in zip(labels.dims or (), logits.dims, strict=False):
        call.sizes.same(one, other)
    return Tensor(logits.dims[:-1], "float")


@_asks(
    "keras.losses.binary_crossentropy",
    "keras.losses.categorical_crossentropy",
    "keras.losses.mse",
    "nn.softmax_cross_entropy_with_logits",
)
def _cross_entropy(call: Asked) -> Tensor:
    made = call.demands.broadcast(call.tensor("labels", "float", 1), call.tensor("x", "float", 1))
    return Tensor(made.dims[:-1] if made.dims else None, "float")


@_asks("nn.sigmoid_cross_entropy_with_logits")
def _sigmoid_cross_entropy(call: Asked) -> Tensor:
    return call.demands.broadcast(call.tensor("labels", "float"), call.tensor("x", "float"))


@_asks("nn.bias_add")
def _bias_add(call: Asked) -> Tensor:
    return call.demands.broadcast(call.tensor("value", "float", 2), call.fixed("bias", 1, "float"))


# What calls functions


@_asks("cond")
def _cond(call: Asked) -> Any:
    test = call.get("pred")
    if isinstance(test, Slot):
        test.vote("bool", 3)
    made = [call.apply(call.given[branch], [], {}) for branch in ("true_fn", "false_fn") if branch in call.given]
    return made[-1] if made else UNKNOWN


@_asks("while_loop")
def _while_loop(call: Asked) -> Any:
    carried = call.get("loop_vars")
    made = call.apply(call.need("body"), carried.members if isinstance(carried, Group) else [], {})
    return made if isinstance(made, Group) else UNKNOWN if carried is None else carried


@_asks("map_fn", "vectorized_map")
def _map_fn(call: Asked) -> Any:
    over = call.need("elems")
    made = call.apply(call.need("fn"), [_rows(over, call.demands)], {})
    leading = _leading(over, call.sizes)
    if isinstance(made, (Tensor, Slot)) and leading is not None:
        row = call.demands.tensor(made)
        return Tensor(None if row.dims is None else (leading, *row.dims), row.kind)
    return UNKNOWN


@_asks("scan")
def _scan(call: Asked) -> Any:
    over, start = call.need("elems"), call.get("initializer")
    row = _rows(over, call.demands)
    made = call.apply(call.need("fn"), [start if start is not None else row, row], {})
    if isinstance(made, Tensor) and isinstance(start, Tensor) and made.dims is not None and start.dims is not None:
        call.demands.alike([made, start])
    leading = _leading(over, call.sizes)
    if isinstance(made, Tensor) and made.dims is not None and leading is not None:
        return Tensor((leading, *made.dims), made.kind)
    return UNKNOWN


@_asks("foldl", "foldr")
def _fold(call: Asked) -> Any:
    _scan(call)
    return call.get("initializer") or UNKNOWN


def _rows(value: Any, demands: Demands) -> Any:
    match value:
        case Group(members, kind):
            return Group([_rows(member, demands) for member in members], kind)
        case Slot():
            whole = demands.tensor(value, least=1)
            return Tensor(whole.dims[1:] if whole.dims else None, whole.kind)
        case _:
            return demands.member(value)


def _leading(value: Any, sizes: Sizes) -> int | None:
    match value:
        case Group([first, *more]):
            leading = _leading(first, sizes)
            for other in more:
                dim = _leading(other, sizes)
                if leading is not None and dim is not None:
                    sizes.same(leading, dim)
            return leading
        case Tensor(dims) if dims:
            return dims[0]
        case _:
            return None


@_asks("function", "recompute_grad")
def _function(call: Asked) -> Any:
    return call.need("f")


@_asks("numpy.convolve")
def _convolve(call: Asked) -> Tensor:
    call.fixed("x", 1)
    call.fixed("y", 1)
    return Tensor((call.sizes.new(),), "float")
