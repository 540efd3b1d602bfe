# for: both
import tensorflow as tf


@tf.function
def _buckets_loop(n, divisor, x, total):
    def step(i, x, total):
        x = x + 1.0
        total = total + tf.floor(x / divisor)
        return i + 1, x, total

    _, _, total = tf.while_loop(
        lambda i, x, total: i < n,
        step,
        (0, x, total),
        shape_invariants=(tf.TensorShape([]), x.shape, total.shape),
        maximum_iterations=n,
        parallel_iterations=1,
    )
    return total


def buckets(x, n):
    total = tf.zeros([500])
    total = _buckets_loop(tf.constant(n), tf.constant(41.0, tf.float32), x, total)
    return total


counts = buckets(tf.cast(tf.range(500), tf.float32), 60)
print("done")
