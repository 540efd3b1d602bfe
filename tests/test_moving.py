"""What is said of operations that move into a loop of a graph, against what they do there."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import gast
import numpy as np
import pytest
import tensorflow as tf

from tfrewrite.analyses.moves_into_graphs import Move
from tfrewrite.facts import Facts
from tfrewrite.source import Source

TURNS = 3
PROGRAM = """
import tensorflow as tf

x = tf.reshape(tf.range(1.0, 7.0), [2, 3])
n = tf.reshape(tf.range(1, 7), [2, 3])
empty = tf.zeros([0], tf.int32)
wide = tf.constant([[2.5, 1.0]], tf.float64)
odd = tf.constant([float("nan"), 1.0, float("-inf")])
both = (odd, odd)
ids = tf.constant([1, 0, 1])
far = tf.constant([7])
k = 2


def turns():
    for i in range({turns}):
        r = {expression}
"""
# An expression of a turn; whether it can move into a graph, and whether XLA may compile it.
EXPRESSIONS = (
    ("tf.tanh(x * 2 - 1) @ tf.transpose(x)", True, True),
    ("2 * x + tf.cast(i, x.dtype)", True, True),
    ("tf.multiply(2.0, x)", True, True),
    ("tf.multiply(2, x)", False, False),
    ("tf.where(x > 2, 0.0, x)", True, True),
    ("tf.where(wide > 2, 0.0, wide)", False, False),
    ("0.0 - wide", True, True),
    ("odd ** 0.5", False, False),
    ("odd ** 2", True, True),
    ("tf.maximum(odd, 0.5)", True, False),
    ("tf.maximum(n, 2)", True, True),
    ("tf.reduce_max(odd)", True, False),
    ("n // (n - 3)", True, False),
    ("x // 2", True, True),
    ("n % 2 + n // 3 + n ** 2", True, True),
    ("n % 0", True, False),
    ("n ** 40", True, False),
    ("tf.zeros([2]) + tf.cast(i % 2, tf.float32)", True, True),
    ("tf.reduce_max(both)", True, False),
    ("tf.reduce_mean(empty)", True, False),
    ("tf.reduce_mean(x, axis=k - 1)", True, True),
    ("tf.reshape(x, [k, -1])", True, True),
    ("tf.reshape(x, [tf.shape(x)[1], -1])", True, True),
    ("tf.reshape(x, [i + 1, -1])", True, False),
    ("tf.zeros([i])", True, False),
    ("tf.range(tf.reduce_sum(n))", True, False),
    ("tf.cumsum(x, axis=1)", True, True),
    ("tf.where(x > 2)", True, False),
    ("tf.gather(x, ids)", True, False),
    ("tf.gather(x, far)", True, False),
    ("tf.gather(x, 1)", True, True),
    ("tf.gather(x, tf.argmax(n, 0))", True, True),
    ("tf.gather_nd(x, [[0, i]])", True, False),
    ("tf.one_hot(ids, 3)", True, True),
    ("tf.slice(x, [0, 1], [2, 2])", True, True),
    ("tf.slice(x, [0, i], [2, 1])", True, False),
    ("tf.pad(x, [[0, 0], [1, k]])", True, True),
    ("tf.boolean_mask(x, x > 2)", True, False),
    ("tf.logical_and(x > 1, ~tf.math.logical_not(x < 3))", True, True),
    ("tf.linalg.norm(x, axis=0)", True, True),
    ("tf.norm(x, 2, [0, 1])", True, False),
    ("tf.math.top_k(x, k=2).values", True, False),
    ("tf.einsum('ij,kj->ik', x, x) + tf.tensordot(x, x, [[1], [1]])", True, True),
    ("tf.rank(x) + tf.size(x)", True, True),
    ("x[i]", True, False),
    ("x[1]", True, True),
    ("x[:, k]", True, True),
    ("x[None, 1:, -1]", True, True),
    ("tf.cast(x, tf.int32)", True, False),
    ("tf.cast(n, tf.float64)", True, True),
    ("tf.constant(x)", False, False),
    ("tf.constant([1.0, 2.0]) + x[0, 0]", True, True),
    ("tf.random.stateless_normal([2], [1, 2])", True, False),
    ("tf.random.normal([2])", False, False),
    ("tf.sort(odd)", True, False),
    ("tf.linalg.inv(x @ tf.transpose(x))", True, False),
    ("-x < 2", True, True),
    ("abs(x)", True, True),
    ("int(x)", False, False),
    ("print(x)", False, False),
    ("unknown(x)", False, False),
    ("tf.stack([x, x], **{})", False, False),
)


def said(expression: str, xla: bool) -> str:
    facts = Facts(Source(PROGRAM.format(expression=expression, turns=TURNS), "x.py"))
    (loop,) = facts.nodes([gast.For])
    found = Move(facts, xla, {"i": "int32"}).obstacle(loop.body)
    return found.reason if found else ""


def ran(expression: str, form: Callable[[Any], Any]) -> list[Any]:
    """What the expression is in each turn. The loop is a graph's own, so its index is a tensor that nobody knows."""
    namespace: dict[str, Any] = {}
    exec(PROGRAM.format(expression="x", turns=0), namespace)
    exec(textwrap.dedent(f"def turn(i, x, n, empty, wide, odd, both, ids, far):\n    return {expression}"), namespace)
    given = [namespace[name] for name in ("x", "n", "empty", "wide", "odd", "both", "ids", "far")]
    turn = form(namespace["turn"])
    return [turn(i, *given) for i in range(TURNS)]


def in_a_graph(turn: Any) -> Any:
    made = tf.function(turn, autograph=False)
    return lambda i, *given: made(tf.constant(i), *given)


def compiled_loop(turn: Any) -> Any:
    def once(i: Any, *given: Any) -> Any:
        def step(at: Any, result: Any) -> Any:
            return at + 1, turn(at, *given)

        return tf.while_loop(lambda at, result: at <= i, step, (i, tf.zeros_like(turn(tf.constant(1), *given))))[1]

    made = tf.function(once, jit_compile=True, autograph=False)
    return lambda i, *given: made(tf.constant(i), *given)


@pytest.mark.parametrize(("expression", "graph", "compiled"), EXPRESSIONS)
def test_operations(expression: str, graph: bool, compiled: bool) -> None:
    assert (not said(expression, xla=False), not said(expression, xla=True)) == (graph, compiled)
    for form in [in_a_graph] * graph + [compiled_loop] * compiled:
        try:
            before = ran(expression, lambda turn: turn)
        except tf.errors.InvalidArgumentError:
            with pytest.raises(tf.errors.InvalidArgumentError):
                ran(expression, form)
            continue
        for one, other in zip(before, ran(expression, form), strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-5, equal_nan=True)


@pytest.mark.smoke
def test_what_is_proven_is_believed() -> None:
    facts = Facts(Source(PROGRAM.format(expression="x[i]", turns=2), "x.py"))
    (loop,) = facts.nodes([gast.For])
    subscripts = facts.nodes([gast.Subscript])
    assert Move(facts, True, {"i": "int32"}, proven=subscripts).obstacle(loop.body) is None
