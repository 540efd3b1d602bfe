# for: both
# fidelity: tolerance
"""Lists with first members, sums of lists, and tensors that grow: one turn is enough for each of them."""
import tensorflow as tf


@tf.function
def begun(x):
    rows = [x, x + 1.0]
    rows = tf.TensorArray(tf.float32, size=92, element_shape=x.shape).write(0, rows[0]).write(1, rows[1])

    def step(i, x, rows):
        x = x * 0.9
        rows = rows.write(i + 2, x)
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 90,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return rows.stack()


@tf.function
def downwards(x):
    rows = tf.TensorArray(tf.float32, size=91, element_shape=x.shape).write(0, x)

    def step(i, x, rows):
        x = x * 0.9 + tf.cast(i, tf.float32)
        rows = rows.write(91 - i, x)
        return i - 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i > 0,
        step,
        (90, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return tf.transpose(rows.stack(), [1, 0])


@tf.function(jit_compile=True)
def in_steps(x):
    rows = tf.TensorArray(tf.float32, size=100, element_shape=x.shape).write(0, x)

    def step(i, x, rows):
        x = x * 0.9 + tf.cast(i, tf.float32)
        rows = rows.write((i - 2) // 2 + 1, x)
        return i + 2, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 200,
        step,
        (2, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=99,
    )
    return rows.concat()


@tf.function
def added(x):
    def step(i, x, total):
        x = x * 0.9
        total += (
            tf.sin(x)  # of this turn
        )
        return i + 1, x, total

    _, _, total = tf.while_loop(
        lambda i, x, total: i < 90,
        step,
        (0, x, tf.zeros(x.shape, tf.float32)),
        shape_invariants=(tf.TensorShape([]), x.shape, x.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return total * 2.0


@tf.function
def added_to(x):
    def step(i, x, total):
        x = x * 0.9
        total += tf.sin(x)
        return i + 1, x, total

    _, x, total = tf.while_loop(
        lambda i, x, total: i < 90,
        step,
        (0, x, x),
        shape_invariants=(tf.TensorShape([]), x.shape, x.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return x, total


@tf.function
def grown(x):
    rows = tf.zeros([1, 3])
    parts = tf.TensorArray(tf.float32, size=90, element_shape=[1, 3])

    def step(i, x, parts):
        x = x * 0.9
        parts = parts.write(i, x[tf.newaxis])
        return i + 1, x, parts

    _, _, parts = tf.while_loop(
        lambda i, x, parts: i < 90,
        step,
        (0, x, parts),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    rows = tf.concat([rows, tf.ensure_shape(parts.concat(), [90, 3])], 0)
    return tf.reshape(rows, [rows.shape[0], 3])


@tf.function(jit_compile=True)
def grown_from_nothing(x):
    rows = tf.TensorArray(tf.float32, size=90, element_shape=[2, 3])

    def step(i, x, rows):
        x = x * 0.9
        rows = rows.write(i, tf.stack([x, x + tf.cast(i, x.dtype)]))  # two at once
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 90,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=90,
    )
    pairs = rows.concat()
    return pairs


x = tf.ones([3])
result = begun(x), downwards(x), in_steps(x), added(x), added_to(x), grown(x), grown_from_nothing(x)
