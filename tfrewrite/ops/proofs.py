"""Which sizes are the same wherever an operation has not raised.

Operands that broadcast show nothing: a size of 1 is repeated. `tests/test_relations.py` holds each of these to TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import gast

from tfrewrite.equalities import Equality
from tfrewrite.kinds import Dim, Kind, Shape, Symbol, size_at
from tfrewrite.ops.call import Call, as_tensor, dims_of

Proof = Callable[[Call], Iterable[Equality]]


def _shape(kind: Kind) -> Shape:
    return as_tensor(kind).shape


def matrix_product(call: Call) -> Iterator[Equality]:
    flags = [call[name].value if call.given(name) else False for name in ("transpose_a", "transpose_b", "adjoint_a", "adjoint_b")]
    if all(isinstance(one, bool) for one in flags):
        yield from contracted(_shape(call["x"]), _shape(call["y"]), bool(flags[0] or flags[2]), bool(flags[1] or flags[3]))


def contracted(a: Shape, b: Shape, transpose_a: bool = False, transpose_b: bool = False) -> Iterator[Equality]:
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) >= 2 and len(b) >= 2:
        yield a[-2 if transpose_a else -1], b[-1 if transpose_b else -2]


def applied_to_vector(call: Call) -> Iterator[Equality]:
    a, b = _shape(call["x"]), _shape(call["y"])
    flags = [call[name].value if call.given(name) else False for name in ("transpose_a", "adjoint_a")]
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) >= 2 and b and all(isinstance(one, bool) for one in flags):
        yield a[-2 if any(flags) else -1], b[-1]


def named_axes(call: Call) -> Iterator[Equality]:
    """An equation without an ellipsis names every axis of every operand, and a letter stands for one size."""
    equation = call.nodes.get("equation")
    if not isinstance(equation, gast.Constant) or not isinstance(equation.value, str) or "." in equation.value:
        return
    labels = equation.value.replace(" ", "").partition("->")[0].split(",")
    first: dict[str, Dim] = {}
    for place, term in enumerate(labels):
        shape = _shape(call[f"term{place}"])
        yield shape, (None,) * len(term)
        for label, size in zip(term, axes_of_shape(shape, len(term)), strict=True):
            yield first.setdefault(label, size), size


def axes_of_shape(shape: Shape, rank: int) -> tuple[Dim, ...]:
    """The sizes of something that has so many axes."""
    if isinstance(shape, Symbol):
        return tuple(size_at(shape, axis) for axis in range(rank))
    return shape if isinstance(shape, tuple) and len(shape) == rank else (None,) * rank


def joined(call: Call) -> Iterator[Equality]:
    """Tensors that are joined along an axis are alike along the others."""
    members, axis = call["values"].items or (), call.integer("axis", 0)
    shapes = [_shape(one) for one in members]
    known = next((one for one in shapes if isinstance(one, tuple)), None)
    if known is None or axis is None or not -len(known) <= axis < len(known):
        return
    others = (*known[: axis % len(known)], None, *known[axis % len(known) + 1 :])
    yield from ((shape, others) for shape in shapes if shape is not known)


def stacked(call: Call) -> Iterator[Equality]:
    shapes = [_shape(one) for one in call["values"].items or ()]
    yield from ((shape, shapes[0]) for shape in shapes[1:])


def permuted(call: Call) -> Iterator[Equality]:
    if call["perm"].items is not None:
        yield _shape(call["x"]), (None,) * len(call["perm"].items)


def ensured(call: Call) -> Iterator[Equality]:
    yield _shape(call["x"]), dims_of(call["shape"])


def written_out(call: Call) -> Iterator[Equality]:
    """`tf.debugging.assert_shapes([(x, "BT"), (w, ("T", 3))])`. A single letter stands for numbers, too, that have no axis."""
    given = call.nodes.get("shapes")
    if not isinstance(given, gast.List | gast.Tuple) or call["shapes"].items is None:
        return
    first: dict[object, Dim] = {}
    for pair, kind in zip(given.elts, call["shapes"].items, strict=True):
        labels = _labels(pair.elts[1]) if isinstance(pair, gast.Tuple | gast.List) and len(pair.elts) == 2 else None
        if labels is None or len(labels) < 2 or labels[0] in ("*", Ellipsis) or kind.items is None:
            continue
        shape = _shape(kind.items[0])
        yield shape, (None,) * len(labels)
        for label, size in zip(labels, axes_of_shape(shape, len(labels)), strict=True):
            if isinstance(label, int) or (isinstance(label, str) and label.isdecimal()):
                yield size, int(label)
            elif label not in (None, "."):
                yield first.setdefault(label, size), size


def _labels(node: gast.AST) -> list[object] | None:
    match node:
        case gast.Constant(value=str(text)):
            return list(text)
        case gast.Tuple(elts=elts) | gast.List(elts=elts) if all(isinstance(one, gast.Constant) for one in elts):
            return [one.value for one in elts]
    return None


def square(call: Call) -> Iterator[Equality]:
    shape = _shape(call["x"])
    if isinstance(shape, tuple) and len(shape) >= 2:
        yield shape[-1], shape[-2]


def solved(call: Call) -> Iterator[Equality]:
    yield from square(call)
    yield from contracted(_shape(call["x"]), _shape(call["rhs"]))
