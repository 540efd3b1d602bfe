# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def series(x):
    total = tf.zeros_like(x)
    term = tf.ones_like(x)

    def step(k, term, total):
        term = term * x / tf.cast(k, tf.float32)
        total += term
        return k + 1, term, total

    _, _, total = tf.while_loop(
        lambda k, term, total: k < 40,
        step,
        (1, term, total),
        shape_invariants=(tf.TensorShape([]), term.shape, total.shape),
        maximum_iterations=39,
        parallel_iterations=1,
    )
    return total


result = series(tf.constant([0.5, 1.0, 2.0]))
