# for: both
# fidelity: tolerance
"""How many members a list has is a number that is known, where the turns are."""
import tensorflow as tf


@tf.function
def mean_of_extremes(x):
    rows = tf.TensorArray(tf.float32, size=91, element_shape=x.shape).write(0, x)

    def step(i, x, rows):
        x = tf.tanh(x)
        rows = rows.write(i + 1, x)
        return i + 1, x, rows

    _, _, rows = tf.while_loop(
        lambda i, x, rows: i < 90,
        step,
        (0, x, rows),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    rows = rows.stack()
    return tf.reduce_max(rows, 0) / 91


@tf.function
def mean(x):
    def step(i, x, total):
        x = tf.tanh(x)
        total += x
        return i + 1, x, total

    _, _, total = tf.while_loop(
        lambda i, x, total: i < 90,
        step,
        (0, x, tf.zeros(x.shape, tf.float32)),
        shape_invariants=(tf.TensorShape([]), x.shape, x.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return total / 90


@tf.function
def of_any_number(x, n):
    rows = []
    for _ in range(n):
        x = tf.tanh(x)
        rows.append(x)
    return tf.stack(rows) / len(rows)  # refused: while_loop: the length of rows would be a tensor


@tf.function
def mean_of_any_number(x, n):
    terms = []
    for _ in range(n):
        x = tf.tanh(x)
        terms.append(x)
    return sum(terms) / len(terms)  # refused: while_loop: the number of elements of terms is read, and not known before the loop


x = tf.ones([2])
result = mean_of_extremes(x), mean(x), of_any_number(x, 60), of_any_number(x, 2), mean_of_any_number(x, 60), mean_of_any_number(x, 2)
