# for: both
import tensorflow as tf


@tf.function
def _fold_loop(n, x):
    def step(i, x):
        x = tf.math.squared_difference(x, 1.7)
        x = tf.abs(1.0 - x)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < n,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=n,
        parallel_iterations=1,
    )
    return x


def fold(x, n):
    x = _fold_loop(tf.constant(n), x)
    return x


result = fold(tf.range(100.0) / 100.0, 100)
print("done")
