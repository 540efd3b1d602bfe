# for: both
import tensorflow as tf


@tf.function
def _levels_loop(n, y, x):
    def step(i, x):
        [p, q] = [x * y, y]
        x = p + 0.3
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


def levels(x, y, n):
    x = _levels_loop(tf.constant(n), y, x)
    return tf.floor(x)


x = tf.range(1000.0) / 7.0
result = levels(x, tf.fill([1000], 0.9), 200)
print("done")
