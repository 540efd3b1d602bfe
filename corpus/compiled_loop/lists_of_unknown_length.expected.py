# for: both
# fidelity: tolerance
"""How many members a list gets is seen while the loop runs: the first is there in any case."""
import tensorflow as tf


@tf.function
def _until_loop(x):
    path = tf.TensorArray(tf.float32, size=1, dynamic_size=True, element_shape=x.shape).write(0, x)

    def step(x, path):
        x = x * 0.9
        path = path.write(path.size(), x)
        return x, path

    _, path = tf.while_loop(
        lambda x, path: tf.reduce_max(tf.abs(x)) > 0.01,
        step,
        (x, path),
        shape_invariants=(x.shape, tf.TensorShape(None)),
        parallel_iterations=1,
    )
    return path.stack()


def until(x):
    path = [x]
    if tf.reduce_max(tf.abs(x)) > 0.01:
        path = _until_loop(x)
    return tf.stack(path)


@tf.function
def _breaks_off_loop(n, x):
    path = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=x.shape)

    def step(i, x, path, done):
        x = x * 0.9
        path = path.write(path.size(), x)  # before the loop is left
        if tf.reduce_max(x) < 0.1:
            return i, x, path, True
        return i + 1, x, path, False

    _, _, path, _ = tf.while_loop(
        lambda i, x, path, done: i < n and not done,
        step,
        (0, x, path, False),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None), tf.TensorShape([])),
        maximum_iterations=n,
        parallel_iterations=1,
    )
    return path.stack()


def breaks_off(x, n):
    path = []
    if n > 0:
        path = _breaks_off_loop(tf.constant(min(n, 2**31 - 1)), x)
    return tf.stack(path), len(path), path[-1]


@tf.function
def _in_some_turns_loop(x):
    kept = tf.TensorArray(tf.float32, size=1, dynamic_size=True, element_shape=x.shape).write(0, x)

    def step(i, x, kept):
        x = x * 0.9
        if i % 3 == 0:
            kept = kept.write(kept.size(), x)
            kept = kept.write(kept.size(), x + 1.0)
        elif tf.reduce_sum(x) < 0.2:
            x = x + 0.1
        return i + 1, x, kept

    _, _, kept = tf.while_loop(
        lambda i, x, kept: i < 60,
        step,
        (0, x, kept),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return kept.concat()


def in_some_turns(x):
    kept = _in_some_turns_loop(x)
    return kept


@tf.function(jit_compile=True)
def _summed_in_some_turns_loop(x):
    def step(i, x, total, done):
        x = x * 0.9
        if i % 3 == 0:
            total += x
        if tf.reduce_sum(x) < 0.2:
            return i, x, total, True
        return i + 1, x, total, False

    _, _, total, _ = tf.while_loop(
        lambda i, x, total, done: i < 60 and not done,
        step,
        (0, x, x, False),
        shape_invariants=(tf.TensorShape([]), x.shape, x.shape, tf.TensorShape([])),
        maximum_iterations=60,
    )
    return total


def summed_in_some_turns(x):
    total = _summed_in_some_turns_loop(x)
    return total


@tf.function(jit_compile=True)
def _two_in_a_turn_loop(x):
    def step(i, x, total):
        x = x * 0.9
        total += x
        total += x * 2.0
        return i + 1, x, total

    _, _, total = tf.while_loop(
        lambda i, x, total: i < 60,
        step,
        (0, x, tf.zeros(x.shape, tf.float32)),
        shape_invariants=(tf.TensorShape([]), x.shape, x.shape),
        maximum_iterations=60,
    )
    return total


def two_in_a_turn(x):
    total = _two_in_a_turn_loop(x)
    return total


x = tf.constant([1.0, 0.5])
result = until(x), until(x * 0.0), breaks_off(x, 50), breaks_off(x, 3), in_some_turns(x), summed_in_some_turns(x), two_in_a_turn(x)
