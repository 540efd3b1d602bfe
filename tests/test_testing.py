"""`assert_equivalent` in a test's own process: what it must find, what it must let pass, and what it leaves behind."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

tf: Any = pytest.importorskip("tensorflow")

from tfrewrite.testing import assert_equivalent  # noqa: E402
from tfrewrite.verify.verdict import Verdict  # noqa: E402

steps = tf.Variable(0.0, name="steps")
weights = tf.Variable(np.linspace(-1, 1, 40 * 30).reshape(40, 30), dtype=tf.float32, name="weights")
seen: list[int] = []
X = tf.constant(np.sin(np.arange(50 * 40)).reshape(50, 40), tf.float32)


def product(x: Any) -> Any:
    return tf.matmul(x, weights)


def square(x: Any) -> Any:
    return x * x


def counting(x: Any) -> Any:
    steps.assign_add(1.0)
    seen.append(1)
    print("counted")
    tf.print("in C++")
    return {"a": [x]}


def thrifty(x: Any) -> Any:
    y = tf.square(x)
    y = y * 2.0
    return y + 1.0


def wasteful(x: Any) -> Any:
    y = tf.square(x)
    z = y * 2.0
    return z + 1.0


class Counter:
    def __init__(self) -> None:
        self.n = 0
        self.total = tf.Variable([1.0, 2.0], name="total")

    def step(self, change: Any) -> Any:
        self.n += 1
        self.total.assign(self.total + change)
        return self.total * 2.0


class InPlace(Counter):
    """With an attribute of its own, which is no difference."""

    def step(self, change: Any) -> Any:
        self.n += 1
        self.last = change
        self.total.assign_add(change)
        return self.total + self.total


class Forgetful(Counter):
    def step(self, change: Any) -> Any:
        self.total.assign_add(change)
        return self.total * 2.0


def message(f: Any, g: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_equivalent(f, g, *args, **options)
    return str(caught.value)


def counting_twice(x: Any) -> Any:
    steps.assign_add(1.0)
    return counting(x)


def silent(x: Any) -> Any:
    steps.assign_add(1.0)
    seen.append(1)
    print("counted")
    return {"a": [x]}


def listing(x: Any) -> Any:
    return [x]


def pairing(x: Any) -> Any:
    return (x,)


def stopped(x: Any) -> Any:
    return tf.stop_gradient(x * x)


def stopped_at_weights(x: Any) -> Any:
    return tf.matmul(x, tf.stop_gradient(weights))


def nearly(x: Any) -> Any:
    return tf.matmul(x, weights) + 1e-4


def appending(values: list[float]) -> int:
    values.append(1.0)
    return len(values)


def counting_one_more(values: list[float]) -> int:
    return len(values) + 1


def refusing(x: Any) -> Any:
    raise ValueError("no such thing")


def refusing_otherwise(x: Any) -> Any:
    raise TypeError("no such thing")


def dice(x: Any) -> Any:
    return x + tf.random.normal([3])


def loaded_dice(x: Any) -> Any:
    return x + tf.random.normal([3], seed=4)


@pytest.mark.parametrize(
    ("f", "g", "given", "parts"),
    [
        (product, nearly, X, ["product and nearly differ", "result[0, 0]: another value", " ulp, ", "of 1,500 elements", "from float64"]),
        (counting, counting_twice, X, ["steps after the call: another state", "before     1.0", "after      2.0"]),
        (counting, silent, X, ["printed output", "in C++"]),
        (listing, pairing, X, ["result: another type", "list of 1", "tuple of 1"]),
        (square, stopped, X, ["gradient of x", "None"]),
        (product, stopped_at_weights, X, ["gradient of variable weights", "None"]),
        (appending, counting_one_more, [2.0], ["values after the call", "inputs     values=[2.0]"]),
        (refusing, refusing_otherwise, X, ["exception", "ValueError: no such thing", "TypeError: no such thing"]),
        (dice, loaded_dice, X[0, 0], ["result[0]: another value", "3 of 3 elements"]),
        (square, tf.square, np.float32([1, 2]), ["result: another type"]),
    ],
)
@pytest.mark.smoke
def test_what_differs_is_shown(f: Any, g: Any, given: Any, parts: list[str]) -> None:
    text = message(f, g, given)
    for part in parts:
        assert part in text


def test_all_is_as_it_was_afterwards() -> None:
    values = [2.0]
    np.random.seed(5)
    drawn = np.random.random()
    np.random.seed(5)
    assert_equivalent(counting, tf.autograph.experimental.do_not_convert(counting), X)
    assert_equivalent(appending, appending, values)
    message(appending, counting_one_more, values)
    assert (steps.numpy(), seen, values, np.random.random()) == (0.0, [], [2.0], drawn)


def test_rounding_passes_and_says_so() -> None:
    def one_by_one(x: Any) -> Any:
        total = tf.zeros_like(x[0])
        for row in x:
            total += row * row
        return total

    (finding,) = assert_equivalent(lambda x: tf.reduce_sum(x * x, 0), one_by_one, X).findings
    assert (finding.verdict, finding.fidelity) == (Verdict.EQUIVALENT, "rounding")


@pytest.mark.smoke
def test_methods_of_two_objects() -> None:
    change = tf.constant([1.0, 1.0])
    one, other = Counter(), InPlace()
    assert_equivalent(one.step, other.step, change)
    assert (one.n, other.n, one.total.numpy().tolist(), hasattr(other, "last")) == (0, 0, [1.0, 2.0], False)
    assert "self.n after the call: another state" in message(Counter().step, Forgetful().step, change)
    assert_equivalent(Counter().step, Forgetful().step, change, ignore=["self"])
    other.total.assign([5.0, 5.0])
    assert "they don't start in the same state, self.total: 1.0 and 5.0" in message(one.step, other.step, change)


def test_closures() -> None:
    def counter(by: int) -> Callable[[], int]:
        n = 0

        def step() -> int:
            nonlocal n
            n += by
            return n and 1

        return step

    assert_equivalent(counter(1), counter(1))
    assert "n after the call" in message(counter(1), counter(2))


def test_keras_layers_and_models() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dropout(0.5)])

    def by_hand(x: Any) -> Any:
        dense, dropout = model.layers
        return dropout(tf.matmul(x, dense.kernel) + dense.bias, training=True)

    assert_equivalent(lambda x: model(x, training=True), by_hand, X)
    assert "model.variables[2][1] after the call" in message(lambda x: model(x, training=False), by_hand, X)  # the dropout's seed
    one, other = tf.keras.layers.Dense(4), tf.keras.layers.Dense(4)
    assert "they don't start in the same state" in message(one, other, X)
    other.set_weights(one.get_weights())
    assert_equivalent(one, other, X)
    assert_equivalent(one, tf.function(lambda x: other(x)), X)


def test_a_training_step() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.build((None, 40))
    optimizer = tf.keras.optimizers.Adam(0.1)
    start = model.get_weights()

    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x)))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables, strict=True))
        return loss

    def twice(x: Any) -> Any:
        loss = step(x)
        step(x)
        return loss

    assert_equivalent(step, lambda x: step(x), X)
    assert "model.variables[0][0, 0] after the call" in message(step, twice, X)
    for before, after in zip(start, model.get_weights(), strict=True):
        np.testing.assert_array_equal(before, after)


def test_several_inputs_and_the_one_that_tells() -> None:
    assert_equivalent(lambda x, n: x * n, lambda x, n: n * x, inputs=[(X, 1.0), (X, 0.0)])
    text = message(lambda x, n: x * n, lambda x, n: x * n if n else x, inputs=[(X, 1.0), (X, 0.0)])
    assert "in inputs 2 of 2: another value" in text and "inputs     x=float32[50, 40], n=0.0" in text
    assert_equivalent(lambda x, *, n: x * n, lambda x, *, n: n * x, X, kwargs={"n": 2.0})
    assert_equivalent(lambda: 1, lambda: 1)


def test_what_can_be_used_once_only_is_not_compared() -> None:
    assert "can be gone through only once" in message(list, list, iter([1]))
    with pytest.raises(TypeError, match="can't be called"):
        assert_equivalent(square, X)
    with pytest.raises(ValueError, match="above 0"):
        assert_equivalent(square, square, X, peak_at_most=0)


def test_the_peak() -> None:
    pytest.importorskip("memray")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = message(wasteful, thrifty, tf.ones([500, 500]), peak_at_most=0.5)
    assert "wasteful and thrifty do the same, but the peak is too high" in text
    assert "peak 0.67 of the original's, more than the 0.50 asked for" in text
    assert "peak of a warm call: 3.0 -> 2.0 MB (0.67)" in text and "memray (exact)" in text
    assert_equivalent(wasteful, thrifty, tf.ones([500, 500]), peak_at_most=0.7)


TEST = """\
import tensorflow as tf
from tfrewrite.testing import assert_equivalent

def one(x):
    tf.print("one")
    return x * 2.0

def other(x):
    tf.print("other")
    return x * 2.0

def test_printed():
    assert_equivalent(one, other, tf.ones([3]))

def test_peak():
    assert_equivalent(tf.square, tf.square, tf.ones([500, 500]), peak_at_most=2.5)
"""


def test_in_pytest_without_the_exact_meter(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "test_theirs.py").write_text(TEST)
    environment = {name: value for name, value in environment.items() if name != "TF_ENABLE_ONEDNN_OPTS"}
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "test_theirs.py"]
    done = subprocess.run(command, cwd=tmp_path, env={**environment, "TF_ENABLE_ONEDNN_OPTS": "1"}, capture_output=True, text=True)
    assert "1 failed, 1 passed, 1 warning" in done.stdout
    assert "E       AssertionError: one and other differ" in done.stdout and "printed output: other output" in done.stdout
    assert "TF_ENABLE_ONEDNN_OPTS=0 in the environment before TensorFlow is imported" in done.stdout
    assert "tfrewrite/testing.py" not in done.stdout.split("warnings summary")[0]
