"""Sizes that are known to be the same: what operations prove, and what a program has shown at a place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast
import pytest

from tfrewrite.equalities import NONE_KNOWN
from tfrewrite.facts import Facts
from tfrewrite.kinds import Dim, Kind, Sort, Symbol, broadcast, larger, number, sequence, size_at, tensor
from tfrewrite.ops import OPS
from tfrewrite.ops.call import Call
from tfrewrite.source import Source

Shapes = Sequence[tuple[int, ...]]


def _expression(text: str) -> gast.expr:
    statement = gast.parse(text).body[0]
    assert isinstance(statement, gast.Expr)
    value: gast.expr = statement.value
    return value


def _einsum(equation: str) -> tuple[str, Callable[[Shapes], Call]]:
    def call(shapes: Shapes) -> Call:
        kinds = {f"term{place}": tensor("float32", shape) for place, shape in enumerate(shapes)}
        return Call(kinds, {"equation": _expression(repr(equation))}, lambda node: None)

    return "einsum", call


def _of(name: str, *parameters: str, **settings: Kind) -> tuple[str, Callable[[Shapes], Call]]:
    def call(shapes: Shapes) -> Call:
        kinds = {one: tensor("float32", shape) for one, shape in zip(parameters, shapes, strict=True)}
        return Call({**kinds, **settings}, dict.fromkeys((*kinds, *settings), _expression("x")), lambda node: None)

    return name, call


def _listed(name: str, axis: int) -> tuple[str, Callable[[Shapes], Call]]:
    def call(shapes: Shapes) -> Call:
        values = sequence(Sort.LIST, tuple(tensor("float32", shape) for shape in shapes))
        return Call({"values": values, "axis": number(axis)}, dict.fromkeys(("values", "axis"), _expression("x")), lambda node: None)

    return name, call


_TRIED: list[tuple[tuple[str, Callable[[Shapes], Call]], str, list[Shapes]]] = [
    (_of("matmul", "x", "y"), "tf.matmul(a, b)", [[(2, 3), (4, 5)], [(2, 1), (4, 5)], [(2, 0), (1, 3)], [(7, 2, 3), (4, 5)]]),
    (_of("matmul", "x", "y", transpose_a=number(True)), "tf.matmul(a, b, transpose_a=True)", [[(3, 2), (2, 4)], [(1, 2), (3, 3)]]),
    (_of("matmul", "x", "y", transpose_b=number(True)), "tf.matmul(a, b, transpose_b=True)", [[(2, 3), (3, 4)], [(3, 1), (1, 3)]]),
    (_of("linalg.matvec", "x", "y"), "tf.linalg.matvec(a, b)", [[(2, 3), (4,)], [(2, 3), (1,)], [(2, 1), (3,)], [(2, 3), (5, 1)]]),
    (_einsum("bi,ij->bj"), "tf.einsum('bi,ij->bj', a, b)", [[(2, 3), (1, 4)], [(2, 1), (3, 4)], [(0, 3), (2, 4)]]),
    (_einsum("bi,bi->b"), "tf.einsum('bi,bi->b', a, b)", [[(1, 3), (2, 3)], [(2, 3), (2, 1)]]),
    (_einsum("ii->i"), "tf.einsum('ii->i', a)", [[(1, 2)], [(3, 2)]]),
    (_listed("concat", 0), "tf.concat([a, b], 0)", [[(2, 3), (2, 1)], [(2, 3), (2, 4)], [(0, 3), (2, 4)]]),
    (_listed("concat", 1), "tf.concat([a, b], 1)", [[(2, 3), (1, 3)], [(0, 3), (2, 3)]]),
    (_listed("stack", 0), "tf.stack([a, b])", [[(2,), (1,)], [(2, 3), (2, 1)], [(0, 3), (1, 3)]]),
    (_of("linalg.inv", "x"), "tf.linalg.inv(a)", [[(2, 3)], [(1, 2)], [(3, 1, 2)]]),
    (_of("linalg.cholesky", "x"), "tf.linalg.cholesky(a)", [[(2, 3)], [(1, 2)]]),
    (_of("linalg.solve", "x", "rhs"), "tf.linalg.solve(a, b)", [[(2, 2), (1, 2)], [(2, 3), (2, 2)], [(1, 1), (3, 1)]]),
]


@pytest.mark.parametrize(("row", "text", "shapes"), [(row, text, shapes) for row, text, many in _TRIED for shapes in many])
def test_what_an_operation_proves_holds_or_it_raises(row: tuple[str, Callable[[Shapes], Call]], text: str, shapes: Shapes) -> None:
    import tensorflow as tf

    name, call = row
    learned = list(OPS[f"tensorflow.{name}"].equalities(call(shapes)))
    sizes: list[tuple[Dim, Dim]] = [(x, y) for x, y in learned if isinstance(x, int) and isinstance(y, int)]
    sizes += [
        pair for x, y in learned if isinstance(x, tuple) and isinstance(y, tuple) for pair in zip(x, y, strict=True) if None not in pair
    ]
    assert any(x != y for x, y in sizes), learned  # it claims what doesn't hold
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        eval(text, {"tf": tf, "a": tf.ones(shapes[0]), "b": tf.ones(shapes[-1])})


def test_ranks_that_an_operation_proves_hold_or_it_raises() -> None:
    import tensorflow as tf

    tried: list[tuple[str, Shapes]] = [
        ("tf.einsum('bi,ij->bj', a, b)", [(3, 2, 4), (4, 2)]),
        ("tf.concat([a, b], 0)", [(2, 3), (3,)]),
        ("tf.concat([a, b], 0)", [(2, 3), (0,)]),
        ("tf.transpose(a, [1, 0])", [(2, 3, 4)]),
        ("tf.debugging.assert_shapes([(a, 'NM')])", [(3,)]),
        ("tf.debugging.assert_shapes([(a, 'NM')])", [(3, 2, 2)]),
        ("tf.debugging.assert_shapes([(a, 'NN')])", [(3, 2)]),
        ("tf.debugging.assert_shapes([(a, 'N2')])", [(3, 3)]),
    ]
    for text, shapes in tried:
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
            eval(text, {"tf": tf, "a": tf.ones(shapes[0]), "b": tf.ones(shapes[-1])})


def test_operands_that_broadcast_prove_nothing() -> None:
    x, y = Symbol("x", "x"), Symbol("y", "y")
    assert not OPS["tensorflow.add"].proves_sizes
    assert broadcast((x,), (y,)) == (larger(x, y),) == (larger(y, x, x),)
    assert broadcast((x,), (1,)) == (x,)
    assert broadcast((x,), (3,)) == (3,)
    assert larger(larger(x, y), y, 1) == larger(x, y)
    assert NONE_KNOWN.with_([(x, y)]).dim(larger(x, y)) in (x, y)
    assert NONE_KNOWN.with_([(x, 1)]).dim(larger(x, y)) == y
    assert NONE_KNOWN.with_([(x, 3)]).dim(larger(x, y)) == 3


def test_what_is_said_of_a_whole_shape_is_said_of_its_parts() -> None:
    whole = Symbol(("x", "shape"), "x")
    n = Symbol("n", "n")
    known = NONE_KNOWN.with_([(whole, (None, None)), (size_at(whole, 1), n), (size_at(whole, -2), 4)])
    assert known.shape(whole) == (4, n)
    assert known.dim(size_at(whole, -1)) == n
    assert known.are_same(size_at(whole, 0), 4)


def test_what_only_one_iteration_shows_is_forgotten_by_the_next() -> None:
    turn, fixed = Symbol("turn", "turn", frozenset({7})), Symbol("fixed", "fixed")
    known = NONE_KNOWN.with_([(turn, fixed), (fixed, 3)])
    assert known.dim(turn) == 3
    assert known.after_iteration(7).dim(turn) == turn
    assert known.after_iteration(7).dim(fixed) == 3
    assert not known.in_common(NONE_KNOWN)


_AFTER = """
import tensorflow as tf
def f(a: tf.Tensor, b: tf.Tensor, c: tf.Tensor, n: int):
    {0}
    return {1}
print(f(*inputs))
"""


@pytest.mark.parametrize(
    ("statement", "same"),
    [
        ("i, j = a.shape; k, l = b.shape; a @ b", ("j", "k")),
        ("i, j = a.shape; k, l = b.shape; assert i == l", ("i", "l")),
        ("i, j = a.shape; k, l = b.shape; assert a.shape == b.shape", ("j", "l")),
        ("tf.debugging.assert_shapes([(a, 'NM'), (b, 'MN')]); i, j = a.shape; k, l = b.shape", ("i", "l")),
        ("tf.linalg.inv(tf.ensure_shape(a, [None, None])); i, j = a.shape; tf.linalg.inv(a)", ("i", "j")),
        ("i, j = tf.einsum('ij,jk->ik', a, b).shape; k, l = a.shape", ("i", "k")),
        ("i, j = a.shape; assert n == i", ("n", "i")),
    ],
)
def test_a_program_that_goes_on_has_shown_which_sizes_are_the_same(statement: str, same: tuple[str, str]) -> None:
    text = _AFTER.format(statement, f"[{', '.join(same)}]")
    facts = Facts(Source(text, "file.py"))
    returned = next(node for node in facts.nodes([gast.Return]))
    x, y = (facts.kind(one).value for one in returned.value.elts)
    assert x is not None and x == y


@pytest.mark.parametrize(
    "statement",
    [
        "i, j = a.shape; k, l = b.shape; a + b",
        "i, j = a.shape; k, l = b.shape\n    if n: assert j == l",
        "i, j = a.shape; k, l = b.shape\n    for x in range(n): a @ b",
        "i, j = a.shape; k, l = b.shape\n    if j != l or n: print(n)",
        "i, j = a.shape; k, l = b.shape\n    x = n and a @ b",
        "i, j = a.shape; k, l = b.shape\n    try: a @ tf.transpose(b)\n    except ValueError: pass",
    ],
)
def test_what_may_not_have_run_shows_nothing(statement: str) -> None:
    facts = Facts(Source(_AFTER.format(statement, "[j, l, k]"), "file.py"))
    returned = next(node for node in facts.nodes([gast.Return]))
    values = [facts.kind(one).value for one in returned.value.elts]
    assert len({*values}) == 3 and None not in values
