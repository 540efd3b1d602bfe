# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def stacked(x, n):
    rows = []
    if n > 0:
        rows = tf.TensorArray(tf.float32, size=n, element_shape=x.shape)

        def step(i, x, rows):
            x = x * 0.9
            rows = rows.write(i, x)
            return i + 1, x, rows

        _, _, rows = tf.while_loop(
            lambda i, x, rows: i < n,
            step,
            (0, x, rows),
            shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
            maximum_iterations=n,
            parallel_iterations=1,
        )
        rows = rows.stack()
    return tf.stack(rows)


@tf.function
def summed(x, n):
    terms = []
    if n > 0:
        def step(i, x, total):
            x = x * 0.9
            total += tf.reduce_sum(x)
            return i + 1, x, total

        _, x, total = tf.while_loop(
            lambda i, x, total: i < n,
            step,
            (0, x, tf.zeros([], tf.float32)),
            shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
            maximum_iterations=n,
            parallel_iterations=1,
        )
        terms = [total]
    return sum(terms), x


@tf.function
def counted(x, n):
    total = 0.0
    i = 0
    if i < n:
        def step(total, i):
            total = total + tf.reduce_sum(x)
            i += 1
            return total, i

        total, _ = tf.while_loop(
            lambda total, i: i < n,
            step,
            (total, i),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([])),
            parallel_iterations=1,
        )
    return total


@tf.function
def grown(x, n):
    rows = tf.zeros([0, 3])
    if n > 0:
        parts = tf.TensorArray(tf.float32, size=n, element_shape=[1, 3])

        def step(i, x, parts):
            x = x * 0.9
            parts = parts.write(i, x[tf.newaxis])
            return i + 1, x, parts

        _, _, parts = tf.while_loop(
            lambda i, x, parts: i < n,
            step,
            (0, x, parts),
            shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
            maximum_iterations=n,
            parallel_iterations=1,
        )
        rows = parts.concat()
    return rows


x = tf.ones([3])
result = stacked(x, 60), stacked(x, 1), counted(x, 60), counted(x, 0), grown(x, 60), grown(x, 0), summed(x, 60), summed(x, 0)
