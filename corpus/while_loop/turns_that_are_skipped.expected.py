# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def even_sum(x):
    total = tf.zeros([4])

    def step(i, total):
        if i % 2 == 1:
            return i + 1, total
        total = total + x * tf.cast(i, x.dtype)
        return i + 1, total

    _, total = tf.while_loop(
        lambda i, total: i < 90,
        step,
        (0, total),
        shape_invariants=(tf.TensorShape([]), total.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return total


result = even_sum(tf.range(4.0))
