# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def mean_square(x):
    total = 0.0

    def step(i, total):
        total = total + tf.reduce_mean(tf.square(x + tf.cast(i, x.dtype)))
        return i + 1, total

    _, total = tf.while_loop(
        lambda i, total: i < 50,
        step,
        (0, tf.constant(total, tf.float64)),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([])),
        maximum_iterations=50,
        parallel_iterations=1,
    )
    return total / 50


result = mean_square(tf.constant([1.0, 2.0], tf.float64))
