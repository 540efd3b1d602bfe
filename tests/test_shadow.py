"""What a program's values would be in float64, and how much of them is rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import record
from tensorflow.python.framework import ops

from tfrewrite.verify.agent.shadow import Shadow, Unavailable, _TensorFlow, spread

RANDOM = np.random.default_rng(7)


def draw(*shape: int, scale: float = 1.0) -> Any:
    """Float32 numbers, as NumPy float64."""
    return (RANDOM.normal(size=shape) * scale).astype(np.float32).astype(np.float64)


def leaves(value: Any) -> list[Any]:
    return [tf.convert_to_tensor(leaf) for leaf in tf.nest.flatten(value) if leaf is not None]


def agrees(function: Callable[..., Any], *arrays: Any, tolerance: float = 1e-13) -> Shadow:
    """The shadow of the function on float32 arguments is the function on the same arguments in float64."""
    narrow = [tf.constant(array, tf.float32) for array in arrays]
    with Shadow() as shadow:
        shadow.follow(narrow)
        found = leaves(function(*narrow))
    tf.config.run_functions_eagerly(True)
    wanted = leaves(function(*[tf.constant(array, tf.float64) for array in arrays]))
    tf.config.run_functions_eagerly(False)
    assert len(found) == len(wanted) > 0
    for one, other in zip(found, wanted, strict=True):
        assert (one.dtype, other.dtype) == (tf.float32, tf.float64)
        beside = shadow.of(one)
        assert beside is not None and beside[1] is not None
        exact, noise = beside
        size = np.abs(other.numpy()).max() + 1e-300
        assert exact.dtype == np.float64 and np.abs(exact - other.numpy()).max() <= tolerance * size
        assert noise.shape == exact.shape and np.isfinite(noise).all()
        # The distance of the program's own result is of the order of what the noisy twins say of it.
        assert 0 < noise.max() and np.abs(one.numpy() - exact).max() <= 30 * noise.max()
    assert not shadow.unsupported and not shadow.random
    return shadow


def with_gradients(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*arguments: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(arguments)
            result = function(*arguments)
        return result, tape.gradient(result, arguments)

    return run


def chain(x: Any, a: Any) -> Any:
    for _ in range(6):
        x = tf.tanh(x @ a + x / 3)
    return x


def python_loop(x: Any, a: Any) -> Any:
    for _ in range(5):
        x = tf.tanh(tf.matmul(x, a)) + 0.5
    return x


def tensor_loop(x: Any, a: Any) -> Any:
    for i in tf.range(5):
        x = tf.sin(tf.matmul(x, a)) * tf.cast(i + 1, x.dtype)
    return x


def while_loop(x: Any, a: Any) -> Any:
    def body(i: Any, h: Any, rows: Any) -> Any:
        h = tf.tanh(h @ a)
        return i + 1, h, rows.write(i, tf.reduce_sum(h, 0))

    _, h, rows = tf.while_loop(lambda i, *_: i < 4, body, (0, x, tf.TensorArray(x.dtype, 4)))
    return h, rows.stack()


def higher_order(x: Any, a: Any) -> Any:
    scanned = tf.scan(lambda h, row: tf.tanh(h * row), x, tf.ones_like(x[0]) / 7)
    mapped = tf.map_fn(lambda row: tf.reduce_logsumexp(row), a, fn_output_signature=a.dtype)
    return scanned, mapped, tf.cond(x[0, 0] > -1e9, lambda: tf.exp(x), lambda: x), tf.foldl(lambda s, row: s / 3 + row, a)


def moved(x: Any, a: Any) -> Any:
    first, second = tf.split(tf.concat([x[:, :4], tf.transpose(a)[:3, :4]], 0), [2, 4])
    picked = tf.gather(tf.stack([first[0], second[1], [0.1] * 4]), [2, 0, 1])
    return tf.where(picked > 0, picked, picked * 3), tf.linalg.diag(picked[0]), tf.one_hot([1, 0], 4, dtype=x.dtype) @ tf.transpose(picked)


def clipped(x: Any) -> Any:
    return tf.sqrt(tf.square(x) + 1), lambda upstream: upstream * tf.clip_by_value(x / 3, -0.5, 0.5)


def second_order(x: Any, a: Any) -> Any:
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.sigmoid(x @ a) ** 3)
        slope = inner.gradient(y, x)
    return slope, outer.gradient(slope, x)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "chain": chain,
    "python_loop": tf.function(python_loop),
    "tensor_loop": tf.function(tensor_loop),
    "while_loop": tf.function(while_loop),
    "higher_order": higher_order,
    "softmax": lambda x, a: tf.nn.softmax(x @ a * 5, axis=-1) @ tf.linalg.matrix_transpose(a),
    "moments": lambda x, a: tf.nn.moments(tf.square(x @ a), [0, 1]),
    "constants": lambda x, a: tf.sqrt(2.0 + tf.square(x)) * np.float32(0.1) - 1 / (3 + tf.exp(a[0])),
    "einsum": lambda x, a: tf.einsum("ij,jk,ik->i", x, a, x),
    "solve": lambda x, a: tf.linalg.solve(a @ tf.transpose(a) + tf.eye(len(a), dtype=a.dtype), tf.transpose(x)),
    "recomputed": lambda x, a: tf.recompute_grad(chain)(x, a),
    "clipped": lambda x, a: tf.custom_gradient(clipped)(x @ a),
    "cumulative": lambda x, a: tf.cumsum(x @ a, 1) + tf.math.cumulative_logsumexp(x @ a, 1),
    "convolved": lambda x, a: tf.nn.conv1d((x @ a)[None], tf.reshape(a, [3, 6, 2]), 1, "SAME"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.smoke
def test_values_and_gradients_are_those_of_float64(name: str) -> None:
    agrees(with_gradients(FUNCTIONS[name]), draw(5, 6, scale=0.7), draw(6, 6, scale=0.5))


def test_second_order_gradients() -> None:
    agrees(second_order, draw(3, 6), draw(6, 6, scale=0.5))


def test_cancellation_is_seen_and_constants_take_part_in_it() -> None:
    x = draw(1000, scale=100.0)
    shadow = agrees(lambda x: tf.reduce_sum(tf.concat([x * 1e4, 0.5 + x, x * -1e4], 0)), x, tolerance=1e-10)
    with shadow:
        total = tf.reduce_sum(tf.constant([1e8, 1.0, -1e8, 0.1]))
    beside = shadow.of(total)
    assert beside is not None
    exact, noise = beside
    assert exact == pytest.approx(1 + np.float64(np.float32(0.1))) and 1 < noise < 100
    assert total.numpy() != exact


def test_what_is_exact_stays_free_of_noise() -> None:
    with Shadow() as shadow:
        count = tf.constant(0.0)
        for _ in range(50):
            count += 1.0
        values = [count, tf.reshape(tf.stack([count, -count * 2]), [2, 1]), tf.cast(tf.constant(7), tf.float32), tf.maximum(count, 0.1)]
    for value in values:
        beside = shadow.of(value)
        assert beside is not None and (beside[0] == value.numpy()).all() and not beside[1].any()


def test_chaos_is_told_from_rounding() -> None:
    w, start = draw(64, 64, scale=2.5 / 8), draw(4, 64)

    def run(h: Any, w: Any, steps: Any) -> Any:
        for _ in tf.range(steps):
            h = tf.tanh(h @ w + h / 3)
        return h

    def noise_after(steps: int) -> float:
        h, a = tf.constant(start, tf.float32), tf.constant(w, tf.float32)
        with Shadow() as shadow:
            shadow.follow((h, a))
            beside = shadow.of(tf.function(run)(h, a, tf.constant(steps)))
        assert beside is not None
        return float(beside[1].max())

    assert 1e-7 < noise_after(1) < 1e-5
    assert 1e-6 < noise_after(10) < 1e-3
    assert noise_after(100) > 0.1


@pytest.mark.parametrize(
    ("dtype", "size"),
    [(tf.float16, 2.0**-10), (tf.bfloat16, 2.0**-7), (tf.float32, 2.0**-23), (tf.float64, 2.0**-52), (tf.complex64, 2.0**-23)],
)
def test_the_noise_is_that_of_the_dtype(dtype: Any, size: float) -> None:
    x = tf.cast(tf.constant(draw(200) + 3), dtype)
    with Shadow() as shadow:
        y = x / 3
    beside = shadow.of(y)
    assert beside is not None
    exact, noise = beside
    own = tf.cast(x, tf.complex128 if dtype.is_complex else tf.float64).numpy()
    assert np.abs(exact - own / 3).max() < 1e-15
    assert 0.5 * size < (noise / np.abs(exact)).max() <= 1.5 * size


OPTIMIZERS = {"sgd": lambda: tf.keras.optimizers.SGD(0.05, momentum=0.9), "adam": lambda: tf.keras.optimizers.Adam(0.05)}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_variables_carry_their_shadows_through_training(name: str) -> None:
    data, start = draw(8, 5), draw(5, 2)

    def train(dtype: Any, shadow: Shadow | None) -> Any:
        tf.keras.backend.set_floatx(dtype.name)
        try:
            x, w = tf.constant(data, dtype), tf.Variable(start, dtype=dtype)
            optimizer = OPTIMIZERS[name]()
            if shadow:
                shadow.follow((x, w))
            for _ in range(4):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w)) * w[0, 0] - tf.cast(data[:, :1], dtype)))
                optimizer.apply_gradients([(tape.gradient(loss, w), w)])
            return w
        finally:
            tf.keras.backend.set_floatx("float32")

    with Shadow() as shadow:
        trained = train(tf.float32, shadow)
    wanted = train(tf.float64, None)
    beside = shadow.of(trained)
    assert beside is not None
    exact, noise = beside
    # The optimizer's own constants (its rate, its decay) are float32 in one and float64 in the other.
    assert np.abs(exact - wanted.numpy()).max() < 1e-6
    assert 0 < noise.max() < 1e-4 and np.abs(trained.numpy() - exact).max() < 30 * noise.max()
    assert np.abs(trained.numpy() - start).max() > 0.01 and not shadow.unsupported


def updated(v: Any) -> Any:
    v.assign(v / 3)
    v.assign_add(v * v)
    v.assign_sub(tf.sin(v) / 7)
    v.scatter_nd_update([[0]], [v[1] / 7])
    v.scatter_sub(tf.IndexedSlices(v[:2] / 7, tf.constant([0, 0])))
    v[1].assign(v[2] / 3)
    moment = tf.Variable(tf.zeros_like(v))
    tf.raw_ops.ResourceApplyMomentum(
        var=v.handle, accum=moment.handle, lr=tf.constant(0.25, v.dtype), grad=tf.cos(v), momentum=tf.constant(0.5, v.dtype)
    )
    rows = tf.raw_ops.ResourceGather(resource=v.handle, indices=tf.constant([2, 0]), dtype=v.dtype)
    with tf.GradientTape() as tape:
        loss = tf.tanh(v) * tf.reduce_sum(tf.gather(v, [0, 1, 1]) ** 3)
    return v.read_value(), moment, rows, tf.convert_to_tensor(tape.gradient(loss, v))


def test_every_kind_of_update() -> None:
    agrees(lambda x: updated(tf.Variable(x)), draw(4, 3))


def test_a_variable_that_changed_unseen_stands_for_its_value() -> None:
    v = tf.Variable([1.0, 2.0])
    with Shadow() as shadow:
        v.assign(v / 3)
        inside = shadow.of(v)
    v.assign([5.0, 6.0])
    with shadow:
        outside, read = shadow.of(v), shadow.of(tf.convert_to_tensor(v))
    assert inside is not None and inside[1].any()
    assert outside is not None and read is not None
    assert outside[0].tolist() == read[0].tolist() == [5.0, 6.0] and not outside[1].any()
    # Another shadow knows nothing of what this one found.
    with Shadow() as other:
        v.assign(v / 3)
    beside = shadow.of(v)
    assert beside is not None and not beside[1].any() and other.of(v) is not None
    with Shadow() as third:
        again = third.of(tf.reshape(constant := tf.constant(1.0) / 3, [1]))
    untouched = other.of(constant)
    assert again is not None and again[1].any() and untouched is not None and not untouched[1].any()


def test_layers() -> None:
    tf.keras.utils.set_random_seed(3)
    layers = [
        tf.keras.layers.Dense(5, "gelu"),
        tf.keras.layers.LayerNormalization(),
        tf.keras.layers.LSTM(4),
        tf.keras.layers.Dense(2, "softmax"),
    ]
    model = tf.keras.Sequential(layers)
    x = tf.constant(draw(3, 4, 6), tf.float32)
    plain = model(x)
    with Shadow() as shadow:
        shadow.follow((x, model))
        with tf.GradientTape() as tape:
            result = model(x)
            loss = tf.reduce_sum(tf.math.log(result[:, 0]))
        gradients = tape.gradient(loss, model.trainable_variables)
    assert np.abs(plain - result).max() < 1e-6 and len(gradients) > 5
    wide = tf.keras.Sequential([type(layer).from_config({**layer.get_config(), "dtype": "float64"}) for layer in layers])
    x64 = tf.cast(x, tf.float64)
    wide.build(x.shape)
    wide.set_weights([weight.astype(np.float64) for weight in model.get_weights()])
    with tf.GradientTape() as tape:
        wanted = wide(x64)
        loss = tf.reduce_sum(tf.math.log(wanted[:, 0]))
    for one, other in zip([result, *gradients], [wanted, *tape.gradient(loss, wide.trainable_variables)], strict=True):
        beside = shadow.of(one)
        # Keras rounds its own constants (an epsilon, the square root of two) to the dtype of the layer.
        assert beside is not None and np.abs(beside[0] - other.numpy()).max() < 1e-6 and beside[1].max() > 0
    assert not shadow.unsupported


# What the program sees


def test_random_numbers_are_the_programs_own_and_are_reported() -> None:
    generator = tf.random.Generator.from_seed(5)

    def draws() -> list[Any]:
        tf.random.set_seed(4)
        np.random.seed(4)
        generator.reset_from_seed(5)
        kept = [
            tf.random.normal([4]),
            generator.uniform([4]),
            tf.nn.dropout(tf.ones([9]) / 3, 0.5),
            tf.random.stateless_normal([3], [1, 2]),
        ]
        return [*kept, np.random.rand(3), tf.random.uniform([], 0, 1 << 30, tf.int32)]

    tf.config.run_functions_eagerly(True)
    plain = draws()
    tf.config.run_functions_eagerly(False)
    with Shadow() as shadow:
        seen = draws()
    assert shadow.random
    for one, other in zip(plain, seen, strict=True):
        assert np.array_equal(one, other)
    beside = shadow.of(seen[0])
    assert beside is not None and (beside[0] == seen[0].numpy()).all()
    with Shadow() as quiet:
        tf.random.stateless_normal([3], [1, 2]) / 3
    assert not quiet.random


def test_results_are_bitwise_the_same_and_effects_happen_once(capfd: pytest.CaptureFixture[str]) -> None:
    calls: list[Any] = []
    x, w = tf.constant(draw(4, 4), tf.float32), tf.Variable(draw(4, 4), dtype=tf.float32)

    def third(x: Any) -> Any:
        calls.append(x)
        return x / 3

    def run(x: Any) -> Any:
        tf.print("printed", tf.shape(x))
        tf.debugging.assert_all_finite(x, "finite")
        seen = tf.py_function(third, [x], tf.float32)
        w.assign_add(tf.sin(x) * seen)
        return seen + w, tf.image.resize(x[None, :, :, None], [3, 3]), tf.cast(x, tf.float16) / 7

    tf.config.run_functions_eagerly(True)
    start = w.numpy()
    plain = [leaf.numpy() for leaf in leaves(tf.function(run)(x))] + [w.numpy()]
    tf.config.run_functions_eagerly(False)
    w.assign(start)
    calls.clear()
    capfd.readouterr()
    with Shadow() as shadow:
        shadow.follow(x)
        found = tf.function(run)(x)
    assert (len(calls), capfd.readouterr().err.count("printed")) == (1, 1)
    for one, other in zip(plain, [*leaves(found), w], strict=True):
        assert one.tobytes() == other.numpy().tobytes()
    assert shadow.unsupported.keys() == {"EagerPyFunc", "ResizeBilinear"}


def test_tapes_record_what_the_program_does_and_nothing_else() -> None:
    x = tf.constant([1.0, 2.0])

    def gradients(shadow: Shadow | None) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.stop_gradient(x) * x + tf.sqrt(tf.cast(x, tf.float64))[0].numpy()
            z = x / 3
            twins = shadow._tracks(z) if shadow else None
            assert record.should_record_backprop([z]) and not record.should_record_backprop(list(twins or ()))
        return tape.gradient(y, x), tape.gradient(y, tf.constant(1.0)), [v.name for v in tape.watched_variables()]

    plain = gradients(None)
    with Shadow() as shadow:
        seen = gradients(shadow)
    assert (plain[0].numpy() == seen[0].numpy()).all() and seen[1] is plain[1] is None and seen[2] == plain[2] == []
    assert shadow.read == 1


def test_exceptions_are_those_of_the_program() -> None:
    def raised(action: Callable[[], Any]) -> str:
        with pytest.raises(Exception) as caught:  # noqa: B017, PT011
            action()
        return f"{type(caught.value).__name__}: {caught.value}"

    failures: list[Callable[[], Any]] = [
        lambda: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])),
        lambda: tf.constant(1.0) + tf.constant(1),
        lambda: tf.debugging.assert_equal(tf.constant(1.0), 2.0),
        lambda: tf.linalg.inv(tf.zeros([2, 2])),
        lambda: tf.sqrt("x"),
        lambda: tf.Variable(1.0).assign("x"),
    ]
    plain = [raised(failure) for failure in failures]
    with Shadow() as shadow:
        assert [raised(failure) for failure in failures] == plain
        beside = shadow.of(tf.constant(2.0) / 3)
    assert beside is not None and beside[0] == 2 / 3


def test_graphs_that_can_not_be_opened_still_pass_noise_on() -> None:
    graph = tf.function(lambda x: tf.tanh(x)).get_concrete_function(tf.TensorSpec([3], tf.float32))
    counter = tf.Variable(0)

    def counts(x: Any) -> Any:
        counter.assign_add(1)
        return x * 2

    counting = tf.function(counts).get_concrete_function(tf.TensorSpec([3], tf.float32))
    x = tf.constant([0.1, 0.2, 0.3])
    with Shadow() as shadow:
        through, past = graph(x * 3), counting(x * 3)
    beside = shadow.of(through)
    assert beside is not None and 1e-8 < beside[1].max() < 1e-6 and np.abs(beside[0] - through.numpy()).max() < 1e-6
    assert shadow.unsupported == {"function": 2} and counter.numpy() == 1
    after = shadow.of(past)
    assert after is not None and (after[0] == past.numpy()).all() and after[1].any()
    assert (past.numpy() == (x * 6).numpy()).all()


def test_what_has_no_shadow() -> None:
    with Shadow(tracks=0) as shadow:
        values = [tf.constant([1, 2]) + 1, tf.constant("x"), tf.Variable(3), tf.constant(1.0) < 2, None, "x", object()]
        third = tf.constant(1.0) / 3
    assert [shadow.of(value) for value in values] == [None] * len(values)
    beside = shadow.of(third)
    assert beside is not None and beside[0] == 1 / 3 and beside[1] is None


def test_everything_is_put_back() -> None:
    def hooks() -> list[Any]:
        return [
            pywrap_tfe.TFE_Py_FastPathExecute,
            pywrap_tfe.TFE_Py_Execute,
            ops._EagerTensorBase._numpy,
            tf.config.functions_run_eagerly(),
        ]

    before = hooks()
    with pytest.raises(KeyError), Shadow() as shadow:
        assert all(one is not other for one, other in zip(before, hooks(), strict=True))
        with pytest.raises(Unavailable), Shadow():
            pass
        raise KeyError
    count = shadow.ops
    assert tf.constant(1.0) + 1 == 2 and shadow.ops == count
    assert all(one is other for one, other in zip(before, hooks(), strict=True))


def test_a_tensorflow_without_the_entry_points_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pywrap_tfe, "TFE_Py_FastPathExecute")
    with pytest.raises(Unavailable, match="TFE_Py_FastPathExecute"):
        _TensorFlow()


def test_spread() -> None:
    nan, inf = float("nan"), float("inf")
    exact = np.array([1.0, nan, nan, inf, 2.0])
    assert spread(exact, [np.array([1.5, nan, 1.0, inf, nan]), np.array([0.0, nan, nan, inf, 2.0])]).tolist() == [1.0, 0.0, inf, 0.0, inf]
